"""Recognise the numbers of list items that are drawn without a full stop, as ReportLab does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from engine.families.pdf.page.segments import Segment, Span
from engine.families.pdf.page.tables import in_lines

_AFTER = 2.0
"""Times the text size: the maximum distance of an item's text from its number; columns of tables are farther apart."""

_LEVEL = 1.5
"""Points: how exactly the numbers of a list lie below each other, and its texts."""

_NEXT = 2.5
"""Times the text size: the maximum distance to the next line; sections of a text have numbers, too."""

_DEEPEST = 2
_LEADERS = (". .", "....")
_Line = list[Segment]


def with_full_stops(segments: list[Segment]) -> list[Segment]:
    """The segments, with the bare numbers, and letters, that count the items of a list joined to their texts.

    They count from 1, or a, at one indent, and each has one text behind it, or an item of an inner list. Lines of a
    program are numbered in the same way, so text in a monospaced font is left as it is.
    """
    upright = [each for each in segments if not each.turn]
    if not any(each.text.strip() in ("1", "a") for each in upright):
        return segments
    joined: set[int] = set()
    for items in _runs(in_lines(upright)):
        pairs = [pair for line in items for pair in pairwise(line)]
        levels: list[list[tuple[Segment, Segment]]] = []
        for pair in pairs:
            level = next((each for each in levels if _is_below(each[0], pair)), None)
            if level is None:
                levels.append(level := [])
            level.append(pair)
        if len(items) > 1 and all(_counts([number for number, _ in level]) for level in levels):
            for *numbers, text in items:
                shown = "".join(f"{each.text.strip()}. " for each in numbers)
                text.spans.insert(0, Span(shown, text.spans[0].style))
                text.x0, text.order, text.marked = numbers[0].x0, numbers[0].order, True
                joined.update(map(id, numbers))
    return [each for each in segments if id(each) not in joined]


def _runs(lines: list[_Line]) -> Iterator[list[_Line]]:
    """The lines that begin items, for each group of lines that are close to each other and belong to items."""
    items: list[_Line] = []
    last: _Line = []
    for line in lines:
        begins = _begins(line)
        near = bool(items) and line[0].base - last[0].base <= _NEXT * max(last[-1].size, line[-1].size)
        if items and not (near and (begins or (len(line) == 1 and line[0].x0 >= items[-1][-1].x0 - _LEVEL))):
            yield items
            items = []
        if begins:
            items.append(line)
        last = line
    if items:
        yield items


def _begins(line: _Line) -> bool:
    """Whether a line is a text behind the numbers of one item, or of one and the first one inside it."""
    *numbers, text = line
    return (
        1 <= len(numbers) <= _DEEPEST
        and all(_number(each) for each in numbers)
        and any(map(str.isalpha, text.text))
        and not any(each in text.text for each in _LEADERS)
        and not any(span.style.mono for span in text.spans)
        and all(0 <= after.x0 - before.x1 < _AFTER * before.size for before, after in pairwise(line))
    )


def _number(segment: Segment) -> int:
    """What a segment counts, from 1; 0 for other text."""
    text = segment.text.strip()
    if text.isascii() and text.isdigit() and len(text) <= 3:
        return int(text)
    return ord(text) - ord("a") + 1 if len(text) == 1 and "a" <= text <= "z" else 0


def _is_below(one: tuple[Segment, Segment], other: tuple[Segment, Segment]) -> bool:
    return all(abs(before.x0 - after.x0) <= _LEVEL for before, after in zip(one, other, strict=True))


def _counts(numbers: list[Segment]) -> bool:
    """Whether numbers count from 1, once or again and again, and letters and figures do not mix."""
    kinds = {each.text.strip().isdigit() for each in numbers}
    counts = [0, *map(_number, numbers)]
    return len(kinds) == 1 and all(after in (1, before + 1) for before, after in pairwise(counts))
