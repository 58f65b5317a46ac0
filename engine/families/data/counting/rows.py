"""Count rows, and collect the values of short tables, or a sample at fixed positions of longer ones."""

from __future__ import annotations

import calendar
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from engine.families.data.counting.spellings import of_float, spelled
from engine.toolkit.census import Census

WHOLE = 150
"""Rows up to which all values of a table are compared."""
_PLACES, _AT_ONCE = 4, 8
_WORD = re.compile(r"[^\W\d_]{4,}")
_REWRITTEN = frozenset(
    each.lower() for each in (*calendar.month_name, *calendar.day_name, "true", "false", "null", "none")
)


def preserved_words(text: str) -> set[str]:
    """Return the words of a value that every output keeps; not a lone one in lower case, which may be a keyword."""
    if text.islower() and " " not in text:
        return set()
    return {each for each in map(str.lower, _WORD.findall(text)) if each not in _REWRITTEN}


def windows(count: int) -> list[tuple[int, int]]:
    """Return the row ranges to compare of `count` rows: all, or a sample from the first to the last."""
    if count <= WHOLE:
        return [(0, count)]
    last = count - _AT_ONCE
    return [(start, start + _AT_ONCE) for start in (last * place // (_PLACES - 1) for place in range(_PLACES))]


class Values:
    """The values of rows and documents."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.inside: Counter[str] = Counter()
        """Items of arrays and objects that are serialized as one text."""
        self.ends: list[int] = []
        """The index in `found` at which each row ends, if values are added row by row."""
        self.words: list[str] = []
        """The text values, not normalised."""
        self.said: set[str] = set()
        """Words of the text values."""

    def text(self, text: str) -> None:
        """Add the text of a cell; if it is a JSON array or object, its items may match single values in a result."""
        if text:
            known = spelled(text)
            self.found.append(known)
            if known and (not text[-1].isdigit() or text[0].isalpha()):
                self.words.append(text)
                self.said |= preserved_words(text)
            if text[0] in "[{" and text[-1] in "]}":
                self._inside(text)

    def texts(self, cells: Iterable[str]) -> None:
        for each in cells:
            self.text(each)

    def leaf(self, value: Any) -> None:
        """Add a value of a document, and all values nested in it."""
        if type(value) is str:
            self.text(value)
        elif value is None:
            return
        elif isinstance(value, dict):
            for each in value.values():
                self.leaf(each)
        elif isinstance(value, list | tuple):
            for each in value:
                self.leaf(each)
        elif isinstance(value, bool):
            self.found.append("1" if value else "0")
        elif isinstance(value, float):
            self.found.append(of_float(value))
        else:
            self.text(str(value))

    def row(self, value: Any) -> None:
        """Add all values of a row."""
        self.leaf(value)
        self.ends.append(len(self.found))

    def header(self, names: Iterable[str]) -> None:
        """Add column names, which may be the first row of a table without a header."""
        found = [each for each in names if each]
        self.inside.update(map(spelled, found))
        self.words += found

    def _inside(self, text: str) -> None:
        try:
            value = json.loads(text, parse_int=str, parse_float=str)
        except (ValueError, RecursionError):
            return
        items = Values()
        items.leaf(value)
        self.inside.update(items.found)
        self.inside += items.inside

    def into(self, census: Census, sample: object = None) -> None:
        """Add the values to a census; `sample` identifies the part of the file that they are from, None for all."""
        census.texts += self.words
        census.items.setdefault("values", Counter()).update(filter(None, self.found))
        census.items.setdefault("texts", Counter()).update(self.said)
        starts = [0, *self.ends[:-1]]
        ordered = ([*filter(None, self.found[start:end])] for start, end in zip(starts, self.ends, strict=False))
        census.sequence += filter(None, ordered)
        census.optional.setdefault("values", Counter()).update(self.inside)
        if sample is not None:
            census.samples |= {"values": sample, "words": sample}


def table(
    count: int, blocks: Iterable[Iterable[Sequence[str]]], *, header: Sequence[str] = (), blank: int = 0
) -> Census:
    """Return the census of `count` rows, `blank` ones included, from the texts of those in its `windows`."""
    values = Values()
    values.header(header)
    for block in blocks:
        for row in block:
            values.row(row)
    census = counted(count, blank)
    values.into(census, sample_of(count))
    return census


def counted(count: int, blank: int = 0) -> Census:
    """Return a census of rows; rows without values need not be in a result."""
    census = Census()
    census.add("rows", count - blank)
    if blank:
        census.optional["rows"] = Counter({"": blank})
    return census


def sample_of(count: int) -> object:
    """Identify the sample of a table with `count` rows; None if it is all of them."""
    return count if count > WHOLE else None
