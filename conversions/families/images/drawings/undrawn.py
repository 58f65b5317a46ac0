"""What of a drawing no engine here draws: put into words that one does, or named."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from conversions.families.images.drawings import values
from conversions.families.images.drawings.references import CSS_URL, HREFS
from conversions.families.images.drawings.styles import name_of
from conversions.toolkit.warnings import Kind, Warn

_PROPERTIES = Kind("CSS_UNSUPPORTED", "Styles that are not drawn were left out")
_DASHES = Kind("CSS_UNSUPPORTED", "Dashes are drawn without the length that their path says it has (pathLength)")
_INPUTS = Kind("CSS_UNSUPPORTED", "Filters that work on what lies behind a shape or on its paint are drawn otherwise")
_PARTS = Kind(
    "CSS_UNSUPPORTED", "Parts of the drawing inside of filters (feImage) may be drawn elsewhere, or not at all"
)
_CONTEXTS = Kind(
    "CSS_UNSUPPORTED", "Gradients and patterns that shapes take from where they are used may run otherwise"
)
_BOXES = Kind(
    "CSS_UNSUPPORTED", "Clips in units of the box of what they clip are not drawn rightly where that is turned"
)
_HOLES = Kind(
    "CSS_UNSUPPORTED", "Clips of several shapes are drawn as of one, with holes where these overlap, or without"
)
_TAKEN = {"BackgroundImage", "BackgroundAlpha", "FillPaint", "StrokePaint"}
_CONTEXT = {"context-fill", "context-stroke"}
_PAINTS = {"linearGradient", "radialGradient", "pattern"}
_TURNED = re.compile(r"rotate|skew|matrix", re.IGNORECASE)
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


def name(root: Element, warn: Warn) -> None:
    """Warn of the styles that change nothing in what is drawn, once with how often they occur and which they are."""
    has_text = any(name_of(each) == "text" for each in root.iter())
    met: list[str] = []
    dashes = contexts = 0
    for element in root.iter():
        styled = {key: value for key, value, _ in values.declarations(element.get("style", ""))}
        given = {key: value for key, value in element.attrib.items() if key not in _IN_STYLES} | styled
        met += [key for key, value in given.items() if _is_undrawn(key, value.strip().lower(), has_text=has_text)]
        contexts += not _CONTEXT.isdisjoint(map(str.strip, given.values()))
        dashes += element.get("pathLength") is not None and given.get("stroke-dasharray", "none").strip() != "none"
    warn.tally(_PROPERTIES, len(met), dict.fromkeys(met))
    warn.tally(_DASHES, dashes)
    if any(name_of(each) in _PAINTS for each in root.iter()):
        warn.tally(_CONTEXTS, contexts)
    _name_filters(root, warn)
    _name_clips(root, warn)


def _name_filters(root: Element, warn: Warn) -> None:
    inside = [each for each in root.iter() if name_of(each).startswith("fe")]
    taken = [given for each in inside for key in ("in", "in2") if (given := each.get(key)) in _TAKEN]
    warn.tally(_INPUTS, len(taken), dict.fromkeys(taken))
    images = [each for each in inside if name_of(each) == "feImage"]
    warn.tally(_PARTS, sum(any(each.get(key, "").startswith("#") for key in HREFS) for each in images))


def _name_clips(root: Element, warn: Warn) -> None:
    """Warn of clips of several shapes that are drawn as one, and of turned ones in units of a box."""
    several = [each for each in root.iter() if name_of(each) == "clipPath" and len(each) > 1]
    warn.tally(_HOLES, sum(any(map(_is_clipped_apart, each)) for each in several))
    boxes = {
        each.get("id"): each
        for each in root.iter()
        if name_of(each) == "clipPath" and each.get("clipPathUnits") == "objectBoundingBox"
    }
    if not boxes:
        return
    turned = 0
    for element in root.iter():
        said = " ".join((element.get("clip-path", ""), element.get("style", "")))
        clip = next((boxes[name] for each in CSS_URL.finditer(said) if (name := each["address"][1:]) in boxes), None)
        if clip is not None:
            turned += "transform" in clip.attrib or _TURNED.search(element.get("transform", "")) is not None
    warn.tally(_BOXES, turned)


def _is_undrawn(key: str, value: str, *, has_text: bool) -> bool:
    if key in _ONLY:
        return _ONLY[key].match(value) is not None
    if value in _NOTHING:
        return False
    if key in _OF_TEXT:
        return has_text and value not in _OF_TEXT[key] and not (key in _LENGTHS and _ZERO.fullmatch(value))
    return key in _IN_STYLES or (key in _ANY and value not in _ANY[key])


def _is_clipped_apart(shape: Element) -> bool:
    """Whether a shape of a clip has holes, or a clip of its own."""
    said = {key: value for key, value, _ in values.declarations(shape.get("style", ""))}
    rule, clip = (said.get(key, shape.get(key, "")).strip() for key in ("clip-rule", "clip-path"))
    return rule == "evenodd" or clip not in _NOTHING
