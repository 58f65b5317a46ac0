"""Collect what a file of small texts says: its entries, values and words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from html import unescape
from pathlib import Path

from engine.families.data.counting.rows import said as words_of
from engine.families.data.counting.spellings import spelled
from engine.toolkit import encodings
from engine.toolkit.census import Census
from engine.toolkit.warnings import Warn

SMALL = 500_000
"""Bytes up to which values are counted."""
_LEAST = 4
"""Characters of a value that is told: shorter ones may stand inside any other."""
FOLD = re.compile(r"(?:\r\n|\n|\r)[ \t]")
"""The end of a line that goes on (RFC 5545, 3.1)."""
_ESCAPED = re.compile(r"[\\{}]")


class Said:
    """What a file tells: its number of entries, and values."""

    def __init__(self, path: Path) -> None:
        self.is_small = path.stat().st_size <= SMALL
        """Whether values are told."""
        self.data = path.read_bytes()
        self.text = encodings.read(self.data, Warn())
        self.entries = 0
        self._values: dict[str, None] = {}
        self._shown: list[str] = []

    def tell(self, values: Iterable[str]) -> None:
        """Add values that a result has as they are, or inside of others."""
        for each in values:
            value = spelled(re.sub("^mailto:", "", each.strip(), flags=re.IGNORECASE))
            if len(value) >= _LEAST and not value[0].isdigit():
                self._values[value] = None

    def show(self, text: str) -> None:
        """Add words that a page has, too."""
        self._shown += re.findall(rf"[^\W\d_]{{{_LEAST},}}", text)

    def census(self) -> Census:
        """Return the census; of a large file, without its values."""
        census = Census(words=self._shown)
        census.add("rows", self.entries)
        census.items["texts"] = Counter({word: 1 for each in self._values for word in words_of(each)})
        # Words of another file are looked for in all that the lines and elements say.
        census.optional["texts"] = Counter([unescape(_ESCAPED.sub("", FOLD.sub("", self.text))).lower()])
        census.items["values"] = Counter(self._values.keys()) if self.is_small else Counter()
        if not self.is_small:
            census.samples["values"] = object()
        return census
