"""Text decorations, inherited from all ancestors (CSS Text Decoration 3, 2)."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from engine.families.images.drawings import values
from engine.families.images.drawings.glyph_positions import SPANS
from engine.families.images.drawings.style_attribute import styled
from engine.families.images.drawings.styles import name_of
from engine.toolkit.warnings import Kind, Warn

_PLAIN = Kind(
    "CSS_UNSUPPORTED",
    "Text decoration lines became plain and took the text colour: {count}{places}.",
)
_WORDS = ("underline", "overline", "line-through")
_DECORATION, _LINE = "text-decoration", "text-decoration-line"
_TEXTS = SPANS | {"text", "tref"}
_PAINTS = ("fill", "stroke")


def resolve_decorations(root: Element, warn: Warn) -> None:
    """Set on each text and text part its effective lines, and warn of those with their own style."""
    if not any(_DECORATION in each.attrib or _DECORATION in each.get("style", "") for each in root.iter()):
        return
    plain = 0
    left: list[tuple[Element, tuple[str, ...], bool]] = [(root, (), False)]
    while left:
        element, around, odd = left.pop()
        declared = _declared(element)
        own = tuple(
            each for each in _WORDS if each in f"{declared.get(_DECORATION, '')} {declared.get(_LINE, '')}".split()
        )
        odd = (odd or any(key in declared for key in _PAINTS)) if around else False
        odd = odd or (bool(own) and _has_style(declared))
        lines = tuple(dict.fromkeys((*around, *own)))
        if name_of(element) in _TEXTS:
            plain += odd and bool(lines) and bool("".join(element.itertext()).strip())
            _write(element, lines)
        left += [(child, lines, odd) for child in element]
    warn.tally(_PLAIN, plain)


def _declared(element: Element) -> Mapping[str, str]:
    given = {key: value for key, value in element.attrib.items() if key in (_DECORATION, *_PAINTS)}
    return given | styled(element)


def _has_style(declared: Mapping[str, str]) -> bool:
    """Whether it sets a style for its lines that differs from the default."""
    short = {each for each in declared.get(_DECORATION, "").lower().split() if each not in (*_WORDS, "none", "solid")}
    style = declared.get(f"{_DECORATION}-style", "solid").lower()
    colour = declared.get(f"{_DECORATION}-color", "currentcolor").lower()
    usual = ("currentcolor", "black", "#000", "#000000", "initial", declared.get("fill", "black").lower())
    return bool(short) or style not in ("solid", "initial") or colour not in usual


def _write(element: Element, lines: tuple[str, ...]) -> None:
    element.attrib.pop(_DECORATION, None)
    styled = values.declarations(element.get("style", ""))
    kept = [f"{key}:{value}" for key, value, _ in styled if key not in (_DECORATION, _LINE)]
    if len(kept) != len(styled):
        element.set("style", ";".join(kept))
    if lines:
        element.set(_DECORATION, " ".join(lines))
