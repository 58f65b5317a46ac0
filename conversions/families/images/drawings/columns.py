"""Columns: vertical texts that are centred or end at their place, which the engine shifts by another measure."""

from __future__ import annotations

import unicodedata
from xml.etree.ElementTree import Element

from conversions.families.images.drawings.faces import style_of
from conversions.families.images.drawings.letters import Letter, letters
from conversions.families.images.drawings.said import forget
from conversions.families.images.drawings.styles import name_of

_ANCHOR = "text-anchor"
_SHARES = {"middle": 0.5, "end": 1.0}
_MOST = 2_000
"""Letters of a column that are measured."""


def shift(root: Element, view: tuple[float, float]) -> None:
    """Begin such texts, if they are of one piece, as far above their place as they are long (SVG 2, 11.10.1)."""
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
        long = sum(map(_advance, letters(text, style, view)))
        forget(text, (_ANCHOR,))
        text.set(_ANCHOR, "start")
        text.set("transform", f"{text.get('transform', '')} translate(0 {-share * long:.4f})".strip())


def _advance(letter: Letter) -> float:
    """How high a letter is in its column: an upright one as high as its font is large (CSS Writing Modes 4, 5.1)."""
    upright = unicodedata.east_asian_width(letter.text[0]) in ("W", "F")
    return letter.advance + (letter.style.size - letter.width if upright else 0.0)
