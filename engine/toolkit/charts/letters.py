"""How wide the texts of a chart are, and their lines."""

from __future__ import annotations

import functools
import unicodedata

from reportlab.pdfbase.pdfmetrics import stringWidth

from engine.toolkit.charts.model import Lettering

LEADING = 1.2
"""Line heights per size of the letters."""
ASCENT = 0.9
_MOST_LETTERS = 400


@functools.lru_cache(maxsize=16_384)
def _width(text: str, bold: bool) -> float:
    if text.isascii():  # the metrics of Helvetica are those of Arial and Liberation Sans
        return float(stringWidth(text, "Helvetica-Bold" if bold else "Helvetica", 1))
    return sum(
        1.0 if unicodedata.east_asian_width(each) in "WF" else _width(each, bold) if each.isascii() else 0.56
        for each in text
    )


def width(text: str, letters: Lettering) -> float:
    """The width of a line of text in points."""
    return _width(text[:_MOST_LETTERS], letters.bold) * letters.size


def height(lines: int, letters: Lettering) -> float:
    """The height of lines of text in points."""
    return lines * letters.size * LEADING


def shortened(text: str, letters: Lettering, room: float) -> str:
    """A text on one line, as much of it as fits."""
    text = " ".join(text[:_MOST_LETTERS].split())
    while len(text) > 2 and width(text, letters) > room:
        text = text[: int((len(text) - 1) * 0.9)].rstrip(" …") + "…"
    return text


def wrapped(text: str, letters: Lettering, room: float, most: int = 4) -> list[str]:
    """A text in lines between its words, as many as fit into `room`; the last of them may be shortened."""
    lines: list[str] = []
    words = text[:_MOST_LETTERS].split()
    for at, word in enumerate(words):
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and width(joined, letters) <= room:
            lines[-1] = joined
        elif len(lines) < most:
            lines.append(word)
        else:
            lines[-1] = " ".join((lines[-1], *words[at:]))
            break
    return [shortened(each, letters, room) for each in lines]


def fits(text: str, letters: Lettering, room: float, most: int = 3) -> bool:
    """Whether all words of a text fit into lines of this room."""
    return all(width(each, letters) <= room for each in text[:_MOST_LETTERS].split()) and (
        width(text, letters) <= room or len(wrapped(text, letters, room, 99)) <= most
    )
