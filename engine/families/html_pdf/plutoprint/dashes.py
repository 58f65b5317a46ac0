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
WIDEST = 20_000
"""The widest document in CSS pixels whose borders are dotted: the widest paper of a PDF has 19,200."""
_FEW = 3
"""The pages up to which nothing is counted."""
_SAMPLES = 8
_STYLE = re.compile(r"(<style\b[^<>]*>)(.*?)(?=</style>)|<\w[^<>]*>", re.DOTALL)
_INLINE = re.compile(r"(\sstyle=\")([^\"]*)")
_DECLARED = re.compile(r"(?<![\w-])((?:border|outline|column-rule|--)[\w-]*\s*:)([^;{}]*)", re.IGNORECASE)
_WORD = re.compile(r"(?<![\w-])(?:dotted|dashed)(?![\w-])", re.IGNORECASE)
_OPERATORS = "q Q d m l c re h S s f f* B B* n"


def are_too_many(book: plutoprint.Book, html: str) -> bool:
    """Whether the borders of a laid-out page have too many dots or dashes to be drawn in time."""
    count = book.get_page_count()
    if not _WORD.search(html) or (count <= _FEW and book.get_document_width() <= WIDEST):
        return False
    if book.get_document_width() > WIDEST:
        return solid(html) != html
    numbers = sorted({1 + at * (count - 1) // (_SAMPLES - 1) for at in range(_SAMPLES)})
    found = 0.0
    for number in numbers:
        stream = BytesIO()
        book.write_to_pdf_stream(stream, number, number, 1)
        found += _of_page(stream)
        if found * count / len(numbers) > MOST_DASHES:
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


def _of_page(stream: BytesIO) -> float:
    """The dots and dashes in a PDF of one page."""
    with output.opened(stream) as pdf:
        forms = [each for each in pdf.objects if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Form"]
        return sum(sum(_lines(each)) for each in (pdf.pages[0], *forms))


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
