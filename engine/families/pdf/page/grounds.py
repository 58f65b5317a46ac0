"""Find the words that a page has on a coloured ground: only an area, drawn apart from the text, says so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from engine.families.pdf.page.glyphs import Glyph
from engine.families.pdf.page.panels import Panel
from engine.families.pdf.page.view import Box
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_LOST = Kind("STYLE_DROPPED", "Colours behind words are missing from the result: {count}{places}.")
_PALE = 0xF7
"""Each part of a colour from which on it is white on paper."""
_MIDDLE = 0.3
"""Times the text size above the baseline, where the middle of a letter is."""
_STEP = 16.0
"""Points: the height of the strips by which areas are looked for."""
_MOST = 256
"""The most areas of a strip that are compared with a word, those that are painted last."""


def words_on_colour(glyphs: Iterable[Glyph], panels: Sequence[Panel], pictures: Sequence[Box]) -> list[str]:
    """The words whose first letter is on an area that is not white, and in none of the pictures."""
    strips: defaultdict[int, list[Panel]] = defaultdict(list)
    for panel in panels:
        for strip in range(int(panel.box[1] // _STEP), int(panel.box[3] // _STEP) + 1):
            strips[strip].append(panel)
    found: list[str] = []
    word, coloured = "", False
    for glyph in glyphs if panels else ():
        if glyph.spaced:
            found += [word] if coloured else []
            word, coloured = "", False
        if glyph.style.turn or not (word or any(map(str.isalnum, glyph.text))):
            continue
        if not word:
            place = (glyph.x0 + glyph.x1) / 2, glyph.base - _MIDDLE * glyph.style.size
            near = strips.get(int(place[1] // _STEP), ())[-_MOST:]
            below = next(
                (each for each in reversed(near) if _holds(each.box, *place) and _is_ground(each, glyph)), None
            )
            coloured = (
                below is not None and not _is_pale(below.colour) and not any(_holds(each, *place) for each in pictures)
            )
        word += glyph.text
    return [*found, *([word] if coloured else [])]


def _holds(box: Box, x: float, y: float) -> bool:
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _is_ground(panel: Panel, glyph: Glyph) -> bool:
    """Whether a panel is more than a line through a letter."""
    return panel.box[3] - panel.box[1] >= glyph.style.size / 2


def _is_pale(colour: str) -> bool:
    return min(bytes.fromhex(colour)) >= _PALE


def report(words: Sequence[str], warn: Warn) -> None:
    """Report the words whose ground is left out, by number."""
    warn.tally(_LOST, len(words), (say("“{words}”", words=each[:40]) for each in words))
