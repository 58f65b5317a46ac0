"""Estimate how much text pandoc parses repeatedly because emphasis is opened and not closed."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.toolkit.formats import JIRA, ORG, TEXTILE, Format

MARKS = {ORG: "/+*_=~", JIRA: "*_+^~?{-", TEXTILE: "*_%?+~^-"}
_VERBATIM = {ORG: "=~"}
"""Marks with no other marks between them, if they are closed."""
_REACH = {ORG: 1, TEXTILE: 0}
"""The line ends that emphasis may contain; elsewhere it ends with its block."""
_AFTER = {ORG: r"(?=[-\s.,:!?;'\")}\[/+*_=~]|\Z)"}
"""What must follow a closing mark; in other formats, anything but a letter or digit."""
_BRACED = re.compile(r"\{([*_+^~?-])\}")
"""A mark of Jira that opens or closes inside a word, too."""
_NO_WORD = r"(?![^\W_])"
_FIRST = re.compile(r"[^\s\-('\"{]*")
_MOST = 60
MOST_AGAIN = 1_000_000
"""The maximum characters that are read again (`repeated`) in a document before marks are taken for text.

pandoc takes 2.5 s for 840,000 of Org, and less than 1 s of other formats. Of 299 Org files (the manual of Org, the
documents of Spacemacs) none has more than 350,000.
"""


@dataclass
class Emphasis:
    """The marks of a format as they open and close."""

    format: Format
    opening: re.Pattern[str] = field(init=False)
    closing: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        marks = re.escape(MARKS[self.format])
        self.opening = re.compile(rf"(?<![^\s{marks}(\[\"'>|])[{marks}]++(?=\S)")
        self.closing = re.compile(rf"(?<=\S)[{marks}]++{_AFTER.get(self.format, _NO_WORD)}")

    def repeated(self, block: str) -> int:
        """Return the characters of a block that are parsed again: each unclosed mark doubles the text in its reach."""
        ends = [found.start() for found in re.finditer("\n", block)]
        lines = sorted(bisect_left(ends, at) for at in self._unclosed(block, ends))
        bounds = [0, *(end + 1 for end in ends), len(block) + 1]
        reach = _REACH.get(self.format, len(ends))
        made, last = 0, -1
        for place, line in enumerate(lines):
            if line == last:
                continue
            last = line
            count = min(_MOST, bisect_left(lines, line + reach + 1) - place)
            made += ((1 << count) - 1) * (bounds[min(line + reach + 1, len(bounds) - 1)] - bounds[line])
        return made

    def opens_everywhere(self, text: str) -> int:
        """Return the number of marks in an Org file's first word, each of which opens emphasis."""
        found = _FIRST.match(text) if self.format is ORG else None
        return sum(map(found[0].count, MARKS[ORG])) if found else 0

    def _unclosed(self, block: str, ends: list[int]) -> list[int]:
        reach = _REACH.get(self.format, len(ends))
        verbatim = _VERBATIM.get(self.format, "")
        closings: dict[str, list[int]] = defaultdict(list)
        for found in self.closing.finditer(block):
            for at in range(*found.span()):
                closings[block[at]].append(at)
        opened: dict[str, list[int]] = defaultdict(list)
        skipped = -1
        for at, opens in self._edges(block):
            if at <= skipped:
                continue
            mark, line = block[at], bisect_left(ends, at)
            if opens and mark in verbatim:
                place = bisect_left(closings[mark], at + 2)
                if place < len(closings[mark]) and bisect_left(ends, closings[mark][place]) - line <= reach:
                    skipped = closings[mark][place]
                    continue
            if opens:
                opened[mark].append(at)
            elif opened[mark] and line - bisect_left(ends, opened[mark][-1]) <= reach:
                opened[mark].pop()
        return [at for each in opened.values() for at in each]

    def _edges(self, block: str) -> Iterator[tuple[int, bool]]:
        braced = self._braced(block) if self.format is JIRA else []
        inside = {at for place, _ in braced for at in (place - 1, place)}
        opening = [(at, True) for found in self.opening.finditer(block) for at in range(*found.span())]
        first = {at for at, _ in opening}
        closing = [(at, False) for found in self.closing.finditer(block) for at in range(*found.span())]
        found = [*opening, *(each for each in closing if each[0] not in first)]
        yield from sorted([*(each for each in found if each[0] not in inside), *braced])

    @staticmethod
    def _braced(block: str) -> list[tuple[int, bool]]:
        """Where marks in braces stand, and whether they open: one closes the last open one if that is the same.

        Those that cross, `{~}a{_}b{~}c{_}`, count as open: pandoc takes over 6 s for 18 KB of them, and 0.2 s closed.
        """
        opened: list[str] = []
        made = []
        for found in _BRACED.finditer(block):
            opens = not opened or opened[-1] != found[1]
            if opens:
                opened.append(found[1])
            else:
                opened.pop()
            made.append((found.start(1), opens))
        return made
