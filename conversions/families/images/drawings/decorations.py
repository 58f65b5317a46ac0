"""Lines under, over and through texts: each has those of all that it is part of (CSS Text Decoration 3, 2)."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from conversions.families.images.drawings import values
from conversions.families.images.drawings.letters import SPANS
from conversions.families.images.drawings.said import styled
from conversions.families.images.drawings.styles import name_of
from conversions.toolkit.warnings import Kind, Warn

_PLAIN = Kind("CSS_UNSUPPORTED", "Lines under, over or through texts are drawn plain, in the colour of the letters")
_WORDS = ("underline", "overline", "line-through")
_DECORATION, _LINE = "text-decoration", "text-decoration-line"
_TEXTS = SPANS | {"text", "tref"}
_PAINTS = ("fill", "stroke")


def spread(root: Element, warn: Warn) -> None:
    """Say at each text and each part of one which lines it has, and warn of such with a look of their own."""
    if not any(_DECORATION in each.attrib or _DECORATION in each.get("style", "") for each in root.iter()):
        return
    plain = 0
    left: list[tuple[Element, tuple[str, ...], bool]] = [(root, (), False)]
    while left:
        element, around, odd = left.pop()
        said = _said(element)
        own = tuple(each for each in _WORDS if each in f"{said.get(_DECORATION, '')} {said.get(_LINE, '')}".split())
        odd = (odd or any(key in said for key in _PAINTS)) if around else False
        odd = odd or (bool(own) and _has_look(said))
        lines = tuple(dict.fromkeys((*around, *own)))
        if name_of(element) in _TEXTS:
            plain += odd and bool(lines) and bool("".join(element.itertext()).strip())
            _write(element, lines)
        left += [(child, lines, odd) for child in element]
    warn.tally(_PLAIN, plain)


def _said(element: Element) -> Mapping[str, str]:
    given = {key: value for key, value in element.attrib.items() if key in (_DECORATION, *_PAINTS)}
    return given | styled(element)


def _has_look(said: Mapping[str, str]) -> bool:
    """Whether it says how its lines look, otherwise than they are drawn by themselves."""
    short = {each for each in said.get(_DECORATION, "").lower().split() if each not in (*_WORDS, "none", "solid")}
    style = said.get(f"{_DECORATION}-style", "solid").lower()
    colour = said.get(f"{_DECORATION}-color", "currentcolor").lower()
    usual = ("currentcolor", "black", "#000", "#000000", "initial", said.get("fill", "black").lower())
    return bool(short) or style not in ("solid", "initial") or colour not in usual


def _write(element: Element, lines: tuple[str, ...]) -> None:
    element.attrib.pop(_DECORATION, None)
    styled = values.declarations(element.get("style", ""))
    kept = [f"{key}:{value}" for key, value, _ in styled if key not in (_DECORATION, _LINE)]
    if len(kept) != len(styled):
        element.set("style", ";".join(kept))
    if lines:
        element.set(_DECORATION, " ".join(lines))
