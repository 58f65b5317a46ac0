"""PDFs with known words and reading order: columns, headings across them, notes beside them, no two alike."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

COUNT = 60
_ONSETS = ("b", "br", "d", "f", "g", "gr", "k", "l", "m", "n", "p", "pl", "r", "s", "st", "t", "tr", "v")
_WIDTH, _HEIGHT, _MARGIN = 595.0, 842.0, 50.0


def write(folder: Path) -> dict[Path, list[str]]:
    """Write the files, each with its words in reading order."""
    return {path: _drawn(path, number) for number in range(COUNT) for path in [folder / f"columns-{number:02}.pdf"]}


def _drawn(path: Path, number: int) -> list[str]:
    from reportlab.pdfbase.pdfmetrics import stringWidth
    from reportlab.pdfgen.canvas import Canvas

    dice = random.Random(number)
    canvas = Canvas(str(path), pagesize=(_WIDTH, _HEIGHT), invariant=True)
    font = dice.choice(("Helvetica", "Times-Roman"))
    size = dice.choice((8.5, 9, 10, 11))
    read: list[str] = []
    for page in range(dice.choice((1, 1, 2))):
        columns = dice.choice((1, 2, 2, 2, 3))
        gutter = dice.choice((14.0, 18.0, 24.0))
        width = (_WIDTH - 2 * _MARGIN - gutter * (columns - 1)) / columns
        top = _HEIGHT - 70
        title = _words(dice, dice.randrange(3, 7))
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(_MARGIN, top, " ".join(title))
        read += title
        for band in range(dice.choice((1, 1, 2))):
            top -= 40
            if band:
                title = _words(dice, dice.randrange(2, 5))
                canvas.setFont("Helvetica-Bold", 13)
                canvas.drawString(_MARGIN, top, " ".join(title))
                read += title
                top -= 26
            count = dice.randrange(12, 22)
            texts = [
                list(_lines(dice, font, size, width, count - dice.randrange(3), stringWidth)) for _ in range(columns)
            ]
            read += [word for lines in texts for line in lines for word in line]
            longest = max(map(len, texts))
            # Some programs draw column by column, others line by line across the columns.
            places = [(at, row) for at in range(columns) for row in range(len(texts[at]))]
            if dice.random() < 0.5:
                places.sort(key=lambda place: (place[1], place[0]))
            canvas.setFont(font, size)
            for at, row in places:
                x, y = _MARGIN + at * (width + gutter), top - row * size * 1.25
                canvas.drawString(x, y, " ".join(texts[at][row]))
            top -= longest * size * 1.25
        canvas.setFont("Helvetica", 8)
        canvas.drawCentredString(_WIDTH / 2, 30, str(page + 1))
        canvas.showPage()
    canvas.save()
    return read


def _lines(
    dice: random.Random, font: str, size: float, width: float, count: int, measured: Callable[[str, str, float], float]
) -> Iterator[list[str]]:
    """Lines of words that fill a column, except for the last line of each paragraph."""
    for row in range(count):
        line: list[str] = []
        part = dice.uniform(0.3, 0.7) if row % 6 == 5 else 1.0
        while True:
            word = _words(dice, 1)[0]
            if measured(" ".join([*line, word]), font, size) > width * part:
                break
            line.append(word)
        yield line or _words(dice, 1)


def _words(dice: random.Random, count: int) -> list[str]:
    return [
        "".join(dice.choice(_ONSETS) + dice.choice("aeiou") for _ in range(dice.randrange(1, 4))) + dice.choice("lnrst")
        for _ in range(count)
    ]
