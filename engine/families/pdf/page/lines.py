"""Group what stands at one height of a column into lines, in reading order."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.families.pdf.page.segments import Segment, Span

_TAB = 3.0
"""Times the text size: a gap from which on it is a tab."""

_TOLD = 40
"""The number of characters from which the direction of a text is inferred."""


@dataclass(slots=True)
class Line:
    """One line of a column: its spans in reading order, its position, and its most common text size.

    `row` are its segments, from left to right.
    """

    spans: list[Span]
    x0: float
    x1: float
    base: float
    size: float
    turn: int = 0
    row: list[Segment] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)

    @property
    def bold(self) -> bool:
        return all(span.style.bold for span in self.spans if span.text.strip())

    @property
    def from_right(self) -> bool:
        """Whether it is right-to-left."""
        return _is_from_right(self.text[:_TOLD])

    @property
    def marked(self) -> bool:
        """Whether it starts with a list marker."""
        return bool(self.row) and self.row[0].marked

    @property
    def mono(self) -> bool:
        return all(span.style.mono for span in self.spans if span.text.strip())


def lines_of(rows: Iterable[list[Segment]]) -> list[Line]:
    """Each row of segments, sorted from left to right, as one line; right-to-left text starts at its right end."""
    return [line for row in rows if (line := _line(row)).text.strip()]


def _line(row: list[Segment]) -> Line:
    whole = row
    if len(row) > 1 and _from_right(row):
        row = row[::-1]
    spans: list[Span] = []
    previous: Segment | None = None
    for segment in row:
        first, *rest = segment.spans
        if previous is not None:
            size = max(segment.size, previous.size)
            gap = max(segment.x0 - previous.x1, previous.x0 - segment.x1)
            between = "\t" if gap > _TAB * size else " " if gap > 0.12 * size or segment.spaced else ""
            first = Span(between + first.text, first.style, first.raised, first.link)
        for span in (first, *rest):
            if (
                spans
                and spans[-1].style is span.style
                and (spans[-1].raised, spans[-1].link) == (span.raised, span.link)
            ):
                spans[-1] = Span(spans[-1].text + span.text, span.style, span.raised, span.link)
            else:
                spans.append(span)
        previous = segment
    sizes: dict[float, int] = {}
    for span in spans:
        if not span.raised:
            sizes[span.style.size] = sizes.get(span.style.size, 0) + len(span.text)
    size = max(sizes, key=lambda each: (sizes[each], each)) if sizes else row[0].size
    main = max(row, key=lambda each: each.size)
    return Line(spans, min(each.x0 for each in row), max(each.x1 for each in row), main.base, size, row[0].turn, whole)


def _from_right(row: list[Segment]) -> bool:
    return _is_from_right("".join(each.text[:_TOLD] for each in row))


def _is_from_right(text: str) -> bool:
    """Whether more characters are right-to-left than left-to-right."""
    if text.isascii():
        return False
    found = [unicodedata.bidirectional(letter) for letter in text]
    return sum(each in ("R", "AL") for each in found) > found.count("L")
