"""Count the dots and dashes that drawing a page takes, and draw borders solid where there are too many."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pikepdf
import plutoprint

from engine.families.html_pdf.plutoprint import output

MOST_DASHES = 10_000_000
"""The maximum dots and dashes of all pages: they take 0.15 to 0.3 µs each.

A box is drawn on each of its pages with the borders of all of them, so their number is the square of its pages.
"""
MOST_LINES = 20_000
"""The maximum dotted or dashed lines of all pages: each takes 50 to 100 µs, however short; a table with dotted lines
around 5,000 cells has as many."""
_DENSEST = 20_000
"""The most elements on each page whose lines are counted: no page to read has as many."""
_SHORT = 1_500
"""The elements below which a few pages are not counted."""
WIDEST = 20_000
"""The widest document in CSS pixels whose borders are dotted: the widest paper of a PDF has 19,200."""
_FEW = 3
"""The pages up to which dots are not counted."""
_SAMPLES = 8
_STYLE = re.compile(r"(<style\b[^<>]*>)(.*?)(?=</style>)|<\w[^<>]*>", re.DOTALL)
_INLINE = re.compile(r"(\sstyle=\")([^\"]*)")
_DECLARED = re.compile(r"(?<![\w-])((?:border|outline|column-rule|--)[\w-]*\s*:)([^;{}]*)", re.IGNORECASE)
_WORD = re.compile(r"(?<![\w-])(?:dotted|dashed)(?![\w-])", re.IGNORECASE)
_DASHED = re.compile(rb"\[[^\[\]\d]*+\d[^\[\]]*+\] [\d.]++ d\s")
"""What starts a dashed line in the streams of Cairo (ISO 32000-1, 8.4.3.6), which reading by operators takes longer."""
_OPERATORS = "q Q d m l c re h S s f f* B B* n"


def are_too_many(book: plutoprint.Book, html: str) -> bool:
    """Whether the borders of a laid-out page have too many dots or dashes to be drawn in time."""
    count, elements = book.get_page_count(), html.count("<") // 2
    if not _WORD.search(html) or (count <= _FEW and elements < _SHORT and book.get_document_width() <= WIDEST):
        return False
    if book.get_document_width() > WIDEST or elements > _DENSEST * count:
        return solid(html) != html
    numbers = sorted({1 + at * (count - 1) // (_SAMPLES - 1) for at in range(_SAMPLES)})
    lines, dots = 0, 0.0
    for number in numbers:
        stream = BytesIO()
        book.write_to_pdf_stream(stream, number, number, 1)
        with output.opened(stream) as pdf:
            drawn = _drawn(pdf)
            lines += sum(len(_DASHED.findall(data)) for each in drawn for data in _streams(each))
            if count > _FEW and lines:
                dots += sum(sum(_lines(each)) for each in drawn)
        if lines * count > MOST_LINES * len(numbers) or dots * count > MOST_DASHES * len(numbers):
            return True
    return False


def solid(html: str) -> str:
    """A page as PlutoPrint gets it, with the dotted and dashed lines of its style sheets and attributes solid."""

    def declared(match: re.Match[str]) -> str:
        return match[1] + _WORD.sub("solid", match[2])

    def inline(match: re.Match[str]) -> str:
        return match[1] + _DECLARED.sub(declared, match[2])

    def styled(match: re.Match[str]) -> str:
        return match[1] + _DECLARED.sub(declared, match[2]) if match[1] else _INLINE.sub(inline, match[0])

    return _STYLE.sub(styled, html)


def _drawn(pdf: pikepdf.Pdf) -> list[Any]:
    """The page of a PDF of one, and what it draws apart."""
    forms = [each for each in pdf.objects if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Form"]
    return [pdf.pages[0].obj, *forms]


def _streams(drawn: pikepdf.Object) -> Iterator[bytes]:
    contents = drawn if isinstance(drawn, pikepdf.Stream) else drawn.Contents
    for each in contents if isinstance(contents, pikepdf.Array) else (contents,):
        yield each.read_bytes()


def _lines(content: Any) -> Iterator[float]:
    """The dots or dashes of each line that a content stream draws (ISO 32000-1, 8.4.3.6, 8.5.2)."""
    period, outer = 0.0, [0.0]
    length, at, start = 0.0, (0.0, 0.0), (0.0, 0.0)
    for operands, operator in pikepdf.parse_content_stream(content, _OPERATORS):  # type: ignore[misc]  # no inline images
        name = str(operator)
        if name == "q":
            outer.append(period)
        elif name == "Q":
            period = outer.pop() if outer else 0.0
        elif name == "d":
            period = sum(map(float, operands[0]))
        elif name == "re":
            length += 2 * (abs(float(operands[2])) + abs(float(operands[3])))
        elif name in ("m", "l", "c"):
            numbers = [float(each) for each in operands]
            for point in zip(numbers[::2], numbers[1::2], strict=False):
                length += 0.0 if name == "m" else math.dist(at, point)
                at = point
            start = at if name == "m" else start
        elif name == "h":
            length, at = length + math.dist(at, start), start
        else:
            if name in ("S", "s", "B", "B*") and period:
                yield length / period
            length = 0.0
