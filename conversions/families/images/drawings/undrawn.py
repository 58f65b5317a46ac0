"""What of a drawing no engine here draws: put into words that one does, or named."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from conversions.families.images.drawings import values
from conversions.families.images.drawings.styles import name_of
from conversions.toolkit.warnings import Kind, Warn

_PROPERTIES = Kind("CSS_UNSUPPORTED", "Styles that are not drawn were left out")
_DASHES = Kind("CSS_UNSUPPORTED", "Dashes are drawn without the length that their path says it has (pathLength)")
_NOTHING = {"none", "auto", "normal", "inherit", "initial", "unset", "revert", "revert-layer", ""}
_ZERO = re.compile(r"[-+]?(?:0+\.?0*|\.0+)(?:[a-z]+|%)?")
_LENGTHS = {"inline-size", "text-indent", "word-spacing"}
_OF_TEXT = {
    "alignment-baseline": {"baseline"},
    "font-feature-settings": set(),
    "font-size-adjust": set(),
    "font-stretch": {"100%"},
    "font-variation-settings": set(),
    "glyph-orientation-vertical": {"90", "90deg"},
    "inline-size": set(),
    "shape-inside": set(),
    "text-indent": set(),
    "text-orientation": {"mixed"},
    "text-shadow": set(),
    "text-transform": set(),
    "word-spacing": set(),
}
"""Properties that only change texts, and their values that change nothing."""
_ANY = {"backdrop-filter": set[str](), "color-interpolation": {"srgb"}}
_IN_STYLES = {"d", "rotate", "scale", "translate"}
"""Properties whose attributes, if there are such, are something else."""
_ONLY = {
    "font-kerning": re.compile(r"none"),
    "clip-path": re.compile(r"(?!url\()[a-z-]+\("),
    "mask": re.compile(r".*gradient\("),
    "mask-image": re.compile(r".*gradient\("),
    "stroke-linejoin": re.compile(r"arcs|miter-clip"),
}
"""Properties of which only some values are not drawn."""
_OF_GROUPS = ("opacity", "filter", "mask", "clip-path", "mix-blend-mode", "isolation")


def name(root: Element, warn: Warn) -> None:
    """Warn of the styles that change nothing in what is drawn, once with how often they occur and which they are."""
    has_text = any(name_of(each) == "text" for each in root.iter())
    met: list[str] = []
    dashes = 0
    for element in root.iter():
        styled = {key: value for key, value, _ in values.declarations(element.get("style", ""))}
        given = {key: value for key, value in element.attrib.items() if key not in _IN_STYLES} | styled
        met += [key for key, value in given.items() if _is_undrawn(key, value.strip().lower(), has_text=has_text)]
        dashes += element.get("pathLength") is not None and given.get("stroke-dasharray", "none").strip() != "none"
    warn.tally(_PROPERTIES, len(met), dict.fromkeys(met))
    warn.tally(_DASHES, dashes)


def _is_undrawn(key: str, value: str, *, has_text: bool) -> bool:
    if key in _ONLY:
        return _ONLY[key].match(value) is not None
    if value in _NOTHING:
        return False
    if key in _OF_TEXT:
        return has_text and value not in _OF_TEXT[key] and not (key in _LENGTHS and _ZERO.fullmatch(value))
    return key in _IN_STYLES or (key in _ANY and value not in _ANY[key])


def group_symbols(root: Element) -> None:
    """Give what is said of a whole symbol, such as its opacity, to a group inside of it."""
    for symbol in [each for each in root.iter() if name_of(each) == "symbol"]:
        styled = values.declarations(symbol.get("style", ""))
        moved = "; ".join(f"{key}: {value}" for key, value, _ in styled if key in _OF_GROUPS)
        said = {key: symbol.attrib.pop(key) for key in _OF_GROUPS if key in symbol.attrib}
        if not moved and not said:
            continue
        group = Element(f"{symbol.tag.removesuffix('symbol')}g", said | ({"style": moved} if moved else {}))
        group.extend(list(symbol))
        for child in list(symbol):
            symbol.remove(child)
        symbol.append(group)
        if moved:
            symbol.set("style", "; ".join(f"{key}: {value}" for key, value, _ in styled if key not in _OF_GROUPS))
