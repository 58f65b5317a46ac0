"""Collect the entries, values and words of a file of short texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
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

    def census(self) -> Census:
        """Return the census; for a large file, without its values."""
        census = Census(words=self._shown)
        census.add("rows", self.entries)
        census.items["texts"] = Counter({word: 1 for each in self._values for word in preserved_words(each)})
        # Words of another file are looked for in the whole text.
        census.optional["texts"] = Counter([unescape(_ESCAPED.sub("", FOLD.sub("", self.text))).lower()])
        census.items["values"] = Counter(self._values.keys()) if self.is_small else Counter()
        if not self.is_small:
            census.samples["values"] = object()
        return census
