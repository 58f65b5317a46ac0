"""Collect the entries, values and words of a file of short texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from html import unescape
from pathlib import Path

from engine.families.data.counting.rows import preserved_words
from engine.families.data.counting.spellings import spelled
from engine.toolkit import encodings
from engine.toolkit.census import Census
from engine.toolkit.warnings import Warn

SMALL = 500_000
"""Bytes up to which values are counted."""
_SHORTEST = 4
"""The minimum characters of a value to count: a shorter one may occur inside any other."""
FOLD = re.compile(r"(?:\r\n|\n|\r)[ \t]")
"""The end of a folded line (RFC 5545, 3.1)."""
_ESCAPED = re.compile(r"[\\{}]")
_DIGITS = re.compile(r"\d+")
_NOT_DIGITS = re.compile(r"\D+")
_SPAN = re.compile(r"[\d:.]+(?: ?[ap]m)?|P.*", re.IGNORECASE)
"""A duration or a time, which have many spellings."""
_DATE, _OTHER_DATE = re.compile(r"(\d{4})-\d\d(?:-\d\d)?"), re.compile(r"\d{1,2}[/.]\d{1,2}[/.](\d{4})\b.*")
_TAG = re.compile(r"<[^<>]*>")
_FEWEST = 3
"""Digits of a number or date that is looked for: fewer may be part of any other."""


class FileValues:
    """Collects the number of entries in a file, and their values."""

    def __init__(self, path: Path) -> None:
        self.is_small = path.stat().st_size <= SMALL
        """Whether values are counted."""
        self.data = path.read_bytes()
        self.text = encodings.read(self.data, Warn())
        self.entries = 0
        self._values: dict[str, None] = {}
        self._shown: list[str] = []

    def add(self, values: Iterable[str]) -> None:
        """Add values that a result contains unchanged, on their own or inside other values."""
        for each in values:
            value = spelled(re.sub("^mailto:", "", each.strip(), flags=re.IGNORECASE))
            if len(value) >= _SHORTEST and not value[0].isdigit():
                self._values[value] = None

    def add_optional_words(self, text: str) -> None:
        """Add words that a page must contain as well."""
        self._shown += re.findall(rf"[^\W\d_]{{{_SHORTEST},}}", text)

    @cached_property
    def _digits(self) -> str:
        """The digits of each line, and of dates that are written in letters."""
        lines = FOLD.sub("", self.text).splitlines()
        spellings = (each for line in lines for each in (line, spelled(_TAG.sub("", line))))
        return "\n".join(_NOT_DIGITS.sub("", each) for each in spellings)

    @cached_property
    def _runs(self) -> set[str]:
        return set(_DIGITS.findall(self.text))

    def _has_number(self, value: str) -> bool:
        """Return whether a number or date is in the file, however it is divided; texts are counted as words."""
        digits = _NOT_DIGITS.sub("", value)
        if (
            len(digits) < _FEWEST
            or preserved_words(value)
            or "e+" in value
            or (":" in value and _SPAN.fullmatch(value))
        ):
            return True
        if digits in self._digits or self._runs.issuperset(_DIGITS.findall(value)):  # pages may be two numbers
            return True
        if other := _OTHER_DATE.fullmatch(value):
            return other[1] in self._digits
        date = _DATE.match(value)
        return date is not None and date[1] in self._runs

    def census(self) -> Census:
        """Return the census; for a large file, without its values."""
        census = Census(words=self._shown, contains=self._has_number)
        census.add("rows", self.entries)
        census.add("entries", self.entries)
        census.items["texts"] = Counter({word: 1 for each in self._values for word in preserved_words(each)})
        # Words of another file are looked for in the whole text.
        census.optional["texts"] = Counter([unescape(_ESCAPED.sub("", FOLD.sub("", self.text))).lower()])
        census.items["values"] = Counter(self._values.keys()) if self.is_small else Counter()
        if not self.is_small:
            census.samples["values"] = object()
        return census
