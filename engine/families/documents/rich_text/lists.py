r"""Convert the lists of RTF (1.9.1, “List Tables”) to Word numberings."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine.families.documents.ooxml.made import add, element
from engine.families.documents.ooxml.package import Element
from engine.families.documents.rtf import CODES

_FORMATS = {
    0: "decimal", 1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 5: "ordinal", 22: "decimalZero",
    23: "bullet", 255: "none",
}  # fmt: skip
_LEVELS = 9
_MOST = 5_000
_NUMBER = re.compile(r"\(?(\d{1,6})[.)]?")
_LABELS = {0: _NUMBER} | {
    kind: re.compile(rf"\(?({digits})[.)]")
    for kind, digits in {1: "[IVX]+", 2: "[ivx]+", 3: "[A-Z]", 4: "[a-z]"}.items()
}
"""The labels of each format, where a list does not say which it is of."""


@dataclass
class _Level:
    format: int = 0
    start: int = 1
    pattern: str = ""

    def follow(self, label: str, depth: int) -> None:
        """Take the pattern from the label of an item, where the list shows no number as it is defined."""
        for kind, number in _LABELS.items():
            if (found := number.fullmatch(label)) is not None:
                self.format, self.pattern = kind, label.replace(found[1], f"%{depth + 1}")
                return


@dataclass
class _Override:
    list: int = 0
    starts: dict[int, int] = field(default_factory=dict)


class Lists:
    """The lists that paragraphs refer to by number (`ls`), and the numberings that were made of them."""

    def __init__(self) -> None:
        self._lists: dict[int, list[_Level]] = {}
        self._levels: list[_Level] = []
        self._overrides: dict[int, _Override] = {}
        self._override = _Override()
        self._depth = -1
        self._counts: dict[int, list[int]] = {}
        """The last number of each level."""
        self._numberings: dict[int, int] = {}
        """The numbering of each list: another one from where its numbers jump."""
        self._shown: dict[int, tuple[int, int]] = {}
        """The numbering and the number of the last item of each level, of whatever list."""
        self._plans: dict[int, int] = {}
        self._tails: list[Element] = []

    def word(self, word: str, number: int | None) -> None:
        """Handle a control word in a table of lists or of their overrides."""
        if word == "list":
            self._levels = []
        elif word == "listlevel" and len(self._levels) < _LEVELS:
            self._levels.append(_Level())
        elif word == "listoverride":
            self._override, self._depth = _Override(), -1
        elif word == "lfolevel":
            self._depth += 1
        elif number is None:
            pass
        elif word in ("levelnfc", "levelnfcn") and self._levels:
            self._levels[-1].format = number
        elif word == "levelstartat":
            start = max(0, min(number, 32_767))
            if 0 <= self._depth < _LEVELS:
                self._override.starts[self._depth] = start
            elif self._levels:
                self._levels[-1].start = start
        elif word == "listid":
            if self._levels and len(self._lists) < _MOST:
                self._lists.setdefault(number, self._levels)
            self._levels, self._override.list = [], number
        elif word == "ls" and len(self._overrides) < _MOST:
            self._overrides.setdefault(number, self._override)

    def pattern(self, text: str) -> None:
        """Handle the pattern of a label (`leveltext`): its length, its characters, and a semicolon."""
        if self._levels:
            shown = text.removesuffix(";")[1:]
            codes = (ord(each) - CODES for each in shown)
            self._levels[-1].pattern = "".join(
                f"%{code + 1}" if 0 <= code < _LEVELS else each for code, each in zip(codes, shown, strict=True)
            )

    def numbering(self, number: int, depth: int, label: str) -> int | None:
        """The numbering of an item whose label is stored; None if the file does not define the list."""
        override = self._overrides.get(number)
        levels = self._lists.get(override.list) if override is not None else None
        if override is None or levels is None or not 0 <= depth < len(levels):
            return None
        starts = [override.starts.get(at, each.start) for at, each in enumerate(levels)]
        counts = self._counts.setdefault(number, [each - 1 for each in starts])
        counts[depth] += 1
        counts[depth + 1 :] = [each - 1 for each in starts[depth + 1 :]]
        shown = _NUMBER.fullmatch(label)
        if levels[depth].format == 0 and "%" not in levels[depth].pattern:
            levels[depth].follow(label, depth)
        jumps = shown is not None and levels[depth].format == 0 and int(shown[1]) != counts[depth]
        if shown is not None and jumps:
            counts[depth] = int(shown[1])
        before, last = self._shown.get(depth, (0, -1))
        if jumps and last == counts[depth] - 1:
            self._numberings[number] = before
        elif number not in self._numberings or (jumps and len(self._tails) < _MOST):
            self._numberings[number] = self._numbered(override.list, dict(override.starts))
            if jumps:
                self._start(depth, counts[depth])
        self._shown[depth] = self._numberings[number], counts[depth]
        return self._numberings[number]

    def _numbered(self, list_: int, starts: dict[int, int]) -> int:
        if list_ not in self._plans:
            self._plans[list_] = len(self._plans)
        self._tails.append(element("num", numId=len(self._tails) + 1))
        add(self._tails[-1], "abstractNumId", val=self._plans[list_])
        for depth, start in starts.items():
            self._start(depth, start)
        return len(self._tails)

    def _start(self, depth: int, start: int) -> None:
        for over in self._tails[-1].iterfind(element("lvlOverride").tag):
            if over.get(element("p").tag[:-1] + "ilvl") == str(depth):
                self._tails[-1].remove(over)
        add(add(self._tails[-1], "lvlOverride", ilvl=depth), "startOverride", val=start)

    def written(self) -> Element | None:
        """The part with the numberings; None if there are none."""
        made = element("numbering")
        for list_, number in self._plans.items():
            plan = add(made, "abstractNum", abstractNumId=number)
            for depth, level in enumerate(self._lists[list_]):
                _write(add(plan, "lvl", ilvl=depth), level, depth)
        made.extend(self._tails)
        return made if self._tails else None


def _write(made: Element, level: _Level, depth: int) -> None:
    add(made, "start", val=level.start)
    is_constant = level.pattern and "%" not in level.pattern
    add(made, "numFmt", val="bullet" if is_constant else _FORMATS.get(level.format, "decimal"))
    add(made, "lvlText", val=level.pattern)
    add(add(made, "pPr"), "ind", left=360 * (depth + 1), hanging=360)
