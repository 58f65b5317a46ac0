"""Anchor vertical text, which the engine shifts by the wrong measure."""

from __future__ import annotations

import unicodedata
from xml.etree.ElementTree import Element

from engine.families.images.drawings.glyph_positions import Character, characters
from engine.families.images.drawings.style_attribute import forget
from engine.families.images.drawings.styles import name_of
from engine.families.images.drawings.text_measurement import style_of

_ANCHOR = "text-anchor"
_SHARES = {"middle": 0.5, "end": 1.0}
_MOST = 2_000
"""The maximum characters measured of a vertical text."""


def anchor_vertical_text(root: Element, view: tuple[float, float]) -> None:
    """Start such texts, if they are in one piece, as far above their position as they are long (SVG 2, 11.10.1)."""
    words = (each.get("writing-mode", "") + each.get("style", "") for each in root.iter())
    if not any("tb" in each or "vertical" in each for each in words):
        return
    parents = {child: parent for parent in root.iter() for child in parent}
    for text in [each for each in root.iter() if name_of(each) == "text"]:
        style = style_of(text, parents)
        share = _SHARES.get(style.anchor, 0.0)
        inside = list(text.iter())[1:]
        if not style.vertical or not share or any({"x", "y", "textLength"} & set(each.attrib) for each in inside):
            continue
        if sum(map(len, text.itertext())) > _MOST or _ANCHOR in "".join(each.get("style", "") for each in inside):
            continue
        long = sum(map(_advance, characters(text, style, view)))
        forget(text, (_ANCHOR,))
        text.set(_ANCHOR, "start")
        text.set("transform", f"{text.get('transform', '')} translate(0 {-share * long:.4f})".strip())


def _advance(letter: Character) -> float:
    """The vertical advance of a character: an upright one takes its font size (CSS Writing Modes 4, 5.1)."""
    upright = unicodedata.east_asian_width(letter.text[0]) in ("W", "F")
    return letter.advance + (letter.style.size - letter.width if upright else 0.0)
