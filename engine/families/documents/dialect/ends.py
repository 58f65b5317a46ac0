"""Find where formulas and code spans of a Markdown text end, each place once however many begin before it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict

_RUN = re.compile(r"`+")
_DOLLAR = re.compile(r"(?<!\\)\$")
_BLANK = re.compile(r"\n\n")
_BLOCK = re.compile(r"\n[ \t>]*(?:[-*+#|:]|\d+[.)]|```|~~~)")
"""The start of an item, a heading, a row of a table or a fence: a formula within a line doesn't extend to it."""


class Ends:
    """The next places of closings in `text`; those who ask go forward in it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._next: dict[re.Pattern[str], re.Match[str] | None] = {}
        self._runs: dict[int, list[int]] = defaultdict(list)
        for run in _RUN.finditer(text):
            self._runs[len(run[0])].append(run.start())

    def closing(self, closing: str, at: int) -> int | None:
        """Where a closing begins at or after `at`: a text, backticks, or a line break and the fence of a line."""
        if closing[0] == "`" and closing[-1] == "`":
            runs = self._runs.get(len(closing), [])
            place = bisect_left(runs, at)
            return runs[place] if place < len(runs) else None
        if closing == "$":
            pattern = _DOLLAR
        elif closing[0] == "\n":
            pattern = re.compile(rf"^[ \t>]*{closing[1:]}", re.MULTILINE)
        else:
            pattern = re.compile(re.escape(closing))
        found = self._find(pattern, at)
        return found.start() if found else None

    def blank(self, at: int, end: int) -> bool:
        """Whether an empty line is within `at` to `end`, besides white space at its start and its end."""
        found = self._find(_BLANK, at)
        if found is None or found.end() > end:
            return False
        return "\n\n" in self._text[at:end].strip()

    def block(self, at: int, end: int) -> bool:
        """Whether another block begins within `at` to `end`."""
        found = self._find(_BLOCK, at)
        return found is not None and found.end() <= end

    def _find(self, pattern: re.Pattern[str], at: int) -> re.Match[str] | None:
        found = self._next.get(pattern)
        if pattern not in self._next or (found and found.start() < at):
            found = self._next[pattern] = pattern.search(self._text, at)
        return found
