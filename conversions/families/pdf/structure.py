"""Structure from looks: which lines of a page are headings, list items and paragraphs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

_BULLET = re.compile(r"^([•◦▪▫●○■□‣⁃∙·–—*\-])\s+")
_NUMBERED = re.compile(r"^(\d{1,3})[.)]\s+")
_LARGER = 1.12
"""How many times the body's size a heading's letters are at least."""

_LINE_GAP = 1.7
"""Times the size of the letters: lines farther apart are not of one paragraph."""

_LONGEST_HEADING = 200


@dataclass(frozen=True)
class Line:
    """One line as it lies on a page: `size` of its letters, `left` edge and `base` in points, up is more.

    `hyphen` says that it ends in the middle of a word.
    """

    text: str
    size: float
    bold: bool
    left: float
    base: float
    page: int
    hyphen: bool = False


@dataclass(frozen=True)
class Block:
    """A heading of a `level` from 1 to 6, a list item with its `marker`, or a paragraph, `bold` or not.

    `last` is whether an item is the last of its list.
    """

    kind: Literal["heading", "item", "paragraph"]
    text: str
    level: int = 0
    marker: str = ""
    bold: bool = False
    last: bool = True


def blocks(lines: Iterable[Line]) -> list[Block]:
    """The blocks of these lines, in the same order; the size of most letters is taken for the body's."""
    lines = list(lines)
    letters: Counter[float] = Counter()
    for line in lines:
        letters[line.size] += len(line.text)
    body = letters.most_common(1)[0][0] if letters else 0.0
    sizes = sorted({line.size for line in lines if _is_heading(line, body)}, reverse=True)
    levels = {size: min(6, rank) for rank, size in enumerate(sizes, 1)}

    found: list[Block] = []
    previous: Line | None = None
    for line in lines:
        level = levels.get(line.size, 0) if _is_heading(line, body) else 0
        bullet, number = _BULLET.match(line.text), _NUMBERED.match(line.text)
        if previous is not None and not (bullet or number) and _goes_on(previous, line):
            joined = found[-1].text + ("" if previous.hyphen else " ") + line.text
            found[-1] = replace(found[-1], text=joined)
        elif level:
            found.append(Block("heading", line.text, level=level))
        elif bullet or number:
            marker = f"{number[1]}." if number else "-"
            text = line.text[(bullet or number).end() :]  # type: ignore[union-attr]  # one of them matched
            if found and found[-1].kind == "item":
                found[-1] = replace(found[-1], last=(found[-1].marker == "-") != (marker == "-"))
            found.append(Block("item", text, marker=marker))
        else:
            found.append(Block("paragraph", line.text, bold=line.bold))
        previous = line
    return found


def _is_heading(line: Line, body: float) -> bool:
    return line.size >= body * _LARGER and len(line.text) <= _LONGEST_HEADING


def _goes_on(previous: Line, line: Line) -> bool:
    """Whether `line` belongs to the block that `previous` ends."""
    if previous.page != line.page or previous.size != line.size or previous.bold != line.bold:
        return False
    gap = previous.base - line.base
    return previous.hyphen or -0.2 * line.size <= gap <= _LINE_GAP * line.size
