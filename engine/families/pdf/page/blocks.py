"""Group the lines of all pages into headings, paragraphs, list items, tables and pictures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Literal

from engine.families.pdf.page.bullets import BULLETS
from engine.families.pdf.page.lettered import label_of
from engine.families.pdf.page.lines import Line, lines_of
from engine.families.pdf.page.pieces import Picture
from engine.families.pdf.page.prose import has_leader
from engine.families.pdf.page.segments import Span
from engine.families.pdf.page.spacing import is_spaceless
from engine.families.pdf.page.tables import Cell, Table

# An unmapped character is a bullet if a word follows. Tick boxes stay as they are.
_BULLET = re.compile(rf"^(?:[{re.escape(BULLETS)}]\s+(?=\S)|[\x80-\x9f\ufffd]\s+(?=\w))")
_NUMBERED = re.compile(r"^(\d{1,3})[.)]\s+(?=\S)")
_END = re.compile(r"[.!?:;…。！？]['\"”’)\]]*$")
_LARGER = 1.12
"""The minimum text size of a heading, in times the body size."""

_LINE_GAP = 1.7
"""Times the text size: lines farther apart are not in one paragraph."""

_LOOSER = 1.28
"""Times the usual line spacing: from there on a new paragraph starts, if the usual one is known."""

_SAME_SIZE = 0.6
"""Points by which equal text sizes may differ."""

_RARE = 0.25
"""The share of all characters above which a size is not a heading's."""

_FILLED_LINES, _FILLED, _OVER = 4, 0.3, 0.2
"""Lines that end at one edge, their share of a column's lines, and the share that may exceed it."""

_LONGEST_HEADING = 200
_SENTENCE = 14
"""The number of words from which text that ends with a full stop is not a heading."""

_DEEPEST_LIST = 8
_PADDING = 6.0
"""Points between a cell's rules and its text, both sides together."""

Kind = Literal["heading", "item", "paragraph", "code", "table", "picture"]


@dataclass(slots=True)
class Block:
    """A block of the document, on the page `page`, counted from 0.

    A heading has a `level` from 1 to 6; a list item its `marker`, `-` or a number and a full stop (a letter stays in
    its text), its `depth` from 0, and `last` if no other item of its list follows. The lines of `code` end in LF, and
    keep their indentation.
    """

    kind: Kind
    page: int
    spans: list[Span] = field(default_factory=list)
    level: int = 0
    marker: str = ""
    depth: int = 0
    last: bool = True
    centred: bool = False
    size: float = 0.0
    table: Table | None = None
    picture: Picture | None = None

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)

    @property
    def bold(self) -> bool:
        return bool(self.spans) and all(span.style.bold for span in self.spans if span.text.strip())


@dataclass(frozen=True, slots=True)
class Typography:
    """Text sizes of a whole document: that of the body, whether it is monospaced, and larger ones.

    `levels` maps each larger size to a heading level, `outline` each entry of the document outline, by page and text
    without white space.
    """

    body: float
    mono: bool
    levels: dict[float, int]
    outline: dict[tuple[int, str], int]


def without_spaces(text: str) -> str:
    """A text without white space, in one letter case, for comparison."""
    return "".join(text.split()).casefold()


def typography_of(lines: Iterable[Line], outline: dict[tuple[int, str], int]) -> Typography:
    """The most common text size is that of the body; each larger one that lines have is a heading level."""
    lengths: Counter[float] = Counter()
    short: set[float] = set()
    mono = 0
    for line in lines:
        lengths[line.size] += len(line.text)
        mono += len(line.text) * line.mono
        if len(line.text) <= _LONGEST_HEADING:
            short.add(line.size)
    body = lengths.most_common(1)[0][0] if lengths else 0.0
    most = _RARE * lengths.total()
    sizes = sorted((size for size in short if size >= body * _LARGER and lengths[size] <= most), reverse=True)
    return Typography(
        body, mono * 2 > lengths.total(), {size: min(6, rank) for rank, size in enumerate(sizes, 1)}, outline
    )


def blocks_of(column: list[Line | Table | Picture], page: int, typography: Typography) -> list[Block]:
    """The blocks of one column of a page."""
    lines = [each for each in column if isinstance(each, Line)]
    leading = _leading(lines)
    left, right = (min(each.x0 for each in lines), max(each.x1 for each in lines)) if lines else (0.0, 0.0)
    filled = _filled(lines)
    found: list[Block] = []
    previous: Line | None = None
    indent = 0.0
    label = ""
    demoted = False
    for each in column:
        if isinstance(each, Table):
            found.append(Block("table", page, table=each))
            previous = None
            continue
        if isinstance(each, Picture):
            found.append(Block("picture", page, picture=each))
            previous = None
            continue
        level = _level(each, page, typography)
        if previous is None or previous.size != each.size:
            demoted = False
        if level and (demoted or _is_sentence(lines, each)):
            level, demoted = 0, True
        text = each.text.lstrip()
        bullet, number = _BULLET.match(text), _NUMBERED.match(text)
        raised = each.spans[0]  # a footnote number
        noted = raised.raised == 1 and raised.text.strip().isdigit()
        lettered = ""
        if previous is not None and found and found[-1].kind == "item" and not (level or bullet or number):
            lettered = label_of(text, label, deeper=(_begin(each) - indent) / each.size)
        label = lettered or ("" if bullet or number else label)
        marked = bool(bullet or number or lettered) and not level
        if (
            previous is not None
            and found
            and not (marked or each.marked)
            and not noted
            and _goes_on(
                found[-1],
                previous,
                each,
                level,
                leading=leading,
                edges=_edges(previous, each, filled, left, right),
                indent=indent,
            )
        ):
            _join(found[-1], each)
        else:
            block = Block("paragraph", page, [_copy(span) for span in each.spans], size=each.size)
            if level:
                block.kind, block.level = "heading", level
            elif marked:
                block.kind = "item"
                block.marker = f"{number[1]}." if number else "-"
                if marker := bullet or number:
                    _cut(block, marker.end() + len(each.text) - len(text))
                indent = _begin(each)
                block.depth = int(indent)
            elif each.mono and not typography.mono:
                block.kind, block.depth = "code", int(each.x0)
            block.centred = abs((each.x0 + each.x1) - (left + right)) < 6 and each.x0 > left + 2 * each.size
            found.append(block)
        previous = each
    return found


def _copy(span: Span) -> Span:
    return Span(span.text, span.style, span.raised, span.link)


def _begin(line: Line) -> float:
    """The start of a line, increasing with its indent; negated for a right-to-left line."""
    return -line.x1 if line.from_right else line.x0


def _filled(lines: list[Line]) -> tuple[float, float] | None:
    """The edges that the lines of a column fill, with few lines beyond them; None if there are none."""
    if len(lines) < _FILLED_LINES:
        return None
    edges = []
    for side in ([-each.x0 for each in lines], [each.x1 for each in lines]):
        place, count = Counter(round(each / 2) for each in side).most_common(1)[0]
        over = sum(each > 2 * place + 4 for each in side)
        if count < max(_FILLED_LINES, _FILLED * len(lines)) or over > _OVER * len(lines):
            return None
        edges.append(2.0 * place)
    return -edges[0], edges[1]


def _edges(
    previous: Line, line: Line, filled: tuple[float, float] | None, left: float, right: float
) -> tuple[float, float]:
    """The edges available to two consecutive lines: a title wider than the column has its own."""
    if filled and min(previous.x0, line.x0) >= filled[0] - 4 and max(previous.x1, line.x1) <= filled[1] + 4:
        return filled
    return left, right


def _leading(lines: list[Line]) -> float:
    """The usual line spacing of a column, 0 if there are too few lines."""
    gaps = [
        after.base - before.base
        for before, after in pairwise(lines)
        if before.size == after.size and 0.8 * after.size < after.base - before.base < 2.6 * after.size
    ]
    return median(gaps) if len(gaps) >= 5 else 0.0


def _level(line: Line, page: int, typography: Typography) -> int:
    text = line.text
    if len(text) > _LONGEST_HEADING or line.turn:
        return 0
    if typography.outline and (level := typography.outline.get((page, without_spaces(text)))):
        return level
    if not any(letter.isalnum() for letter in text):
        return 0
    return typography.levels.get(line.size, 0) if line.size >= typography.body * _LARGER else 0


def _is_sentence(lines: list[Line], line: Line) -> bool:
    """Whether a larger line starts a text rather than a heading: it and the lines below form a long sentence."""
    at = next(number for number, each in enumerate(lines) if each is line)
    text = ""
    for each in lines[at : at + 40]:
        if each.size != line.size:
            break
        text += " " + each.text
    return len(text) > 2 * _LONGEST_HEADING or (len(text.split()) >= _SENTENCE and text.rstrip().endswith("."))


def _is_as_large(line: Line, other: Line) -> bool:
    """Whether two lines have the same text size, though one may be mostly names in a smaller monospaced font."""
    if abs(line.size - other.size) <= _SAME_SIZE:
        return True
    small, large = sorted((line, other), key=lambda each: each.size)
    in_text = {span.style.size for span in small.spans if span.text.strip() and not (span.raised or span.style.mono)}
    return any(abs(size - large.size) <= _SAME_SIZE for size in in_text)


def _goes_on(
    block: Block,
    previous: Line,
    line: Line,
    level: int,
    *,
    leading: float,
    edges: tuple[float, float],
    indent: float,
) -> bool:
    """Whether `line` continues the block that `previous` ends; the text of their column is between `edges`."""
    if not _is_as_large(previous, line) or previous.turn != line.turn or level != block.level:
        return False
    gap = line.base - previous.base
    limit = _LINE_GAP * line.size
    if leading and not level:
        limit = min(max(limit, leading * 1.1), max(leading * _LOOSER, 1.1 * line.size))
    if not -0.2 * line.size <= gap <= limit:
        return False
    if level:
        return True
    if block.kind == "code":
        return line.mono
    if has_leader(previous.text):
        return False
    if previous.text.endswith("-"):
        return True
    if previous.bold != line.bold:
        return False
    if block.kind == "item" and _begin(line) < indent - 2:
        return False
    indented = _begin(line) - _begin(previous)
    if indented > 0.8 * line.size and block.kind != "item" and block.spans and not block.centred:
        return False  # the first line of a new paragraph
    # If the next line's first word had fitted, the line break was intentional.
    word = len(line.text.split(maxsplit=1)[0]) if line.text.split() else 1
    width = (line.x1 - line.x0) / max(1, len(line.text))
    left, right = edges
    room = (previous.x0 - left if previous.from_right else right - previous.x1) - (word + 1) * width
    if block.kind == "item":
        return room < 12 * line.size
    return room < (2 if _END.search(previous.text) else 5) * line.size


def _join(block: Block, line: Line) -> None:
    first, *rest = (_copy(span) for span in line.spans)
    last = block.spans[-1]
    if block.kind == "code":
        letter = max(1.0, (line.x1 - line.x0) / max(1, len(line.text)))
        last.text += "\n" + " " * min(80, max(0, round((line.x0 - block.depth) / letter)))
    elif last.text.endswith("-") and len(last.text) > 1 and last.text[-2].isalpha() and first.text[:1].islower():
        last.text = last.text[:-1]
    elif not _unspaced(last.text[-1:], first.text[:1]):
        last.text += " "
    if first.style is last.style and (first.raised, first.link) == (last.raised, last.link):
        last.text += first.text.lstrip() if block.kind != "code" else first.text
    else:
        block.spans.append(first)
    block.spans += rest


def _unspaced(before: str, after: str) -> bool:
    """Whether two lines join without a space: in a script without spaces, or if one is empty."""
    return not before or not after or (is_spaceless(before) and is_spaceless(after))


def _cut(block: Block, length: int) -> None:
    """Remove the marker from the start of an item."""
    while block.spans and length >= len(block.spans[0].text):
        length -= len(block.spans.pop(0).text)
    if block.spans:
        block.spans[0].text = block.spans[0].text[length:].lstrip()


def cell_parts(table: Table, cell: Cell) -> list[list[Span]]:
    """The paragraphs of a cell: a line break is intentional if the next word had fitted."""
    width = sum(table.widths[cell.column : cell.column + cell.columns]) - _PADDING
    found: list[Block] = []
    previous: Line | None = None
    for line in lines_of(cell.lines):
        if previous is not None and not (table.ruled and _is_ended(previous, line, width)):
            _join(found[-1], line)
        else:
            found.append(Block("paragraph", 0, [_copy(span) for span in line.spans]))
        previous = line
    return [block.spans for block in found]


def _is_ended(line: Line, following: Line, width: float) -> bool:
    if "\t" in line.text or "\t" in following.text:
        return True
    text = following.text.strip()
    if line.text.endswith("-") or text[:1].islower():
        return False
    word = len(text.split(maxsplit=1)[0]) * (following.x1 - following.x0) / len(text)
    return width - (line.x1 - line.x0) > word + 0.3 * line.size


def with_lists(blocks: list[Block]) -> list[Block]:
    """The same blocks, with list items' `depth` and `last` set."""
    indents: list[float] = []
    previous: Block | None = None
    for block in blocks:
        if block.kind == "item":
            place = float(block.depth)
            if previous is None or previous.kind != "item":
                indents = []
            while indents and place < indents[-1] - 4:
                indents.pop()
            if not indents or place > indents[-1] + 4:
                indents.append(place)
            block.depth = min(len(indents) - 1, _DEEPEST_LIST)
            if previous is not None and previous.kind == "item":
                same = (previous.marker == "-") == (block.marker == "-")
                previous.last = not same and previous.depth == block.depth
        previous = block
    return blocks


def joined_pages(blocks: list[Block]) -> Iterator[Block]:
    """The blocks, with paragraphs that continue on the next page or column joined."""
    held: Block | None = None
    for block in blocks:
        if (
            held is not None
            and held.kind == block.kind == "paragraph"
            and abs(held.size - block.size) <= 0.6
            and not _END.search(held.text.rstrip())
            and block.text[:1].islower()
            and len(held.text) > 40
        ):
            text = Line(block.spans, 0, 0, 0, block.size)
            _join(held, text)
            continue
        if held is not None:
            yield held
        held = block
    if held is not None:
        yield held
