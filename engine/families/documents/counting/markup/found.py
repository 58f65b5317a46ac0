"""Collect what a tokenizer of a markup language finds, as the census of a file."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from engine.toolkit.census import Census

ADDRESS = re.compile(r"\b(?:https?|ftp|mailto|irc)://?[^\s<>\"'\[\]{}|]+", re.IGNORECASE)
_PICTURE = re.compile(r"data:image/|[\w./-]\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?|emf|wmf|pdf|eps)\b", re.IGNORECASE)
_LONG = re.compile(r"[^\W\d_]{4,}")
"""Words that are compared: shorter ones, and numbers, are often lengths, keys and options."""


@dataclass
class Found:
    """The text that stands plainly in a source, in pieces, and the number of links, pictures and notes."""

    text: list[str] = field(default_factory=list)
    links: int = 0
    pictures: int = 0
    notes: int = 0

    def census(self, source: str) -> Census:
        """Return the census; as that of a result, words, addresses and names of pictures anywhere in the source count."""
        census = Census(words=_LONG.findall("\n".join(self.text)), markup=[source])
        for kind, count in (("links", self.links), ("pictures", self.pictures), ("notes", self.notes)):
            if count:
                census.add(kind, count)
        for kind, pattern in (("links", ADDRESS), ("pictures", _PICTURE)):
            if count := len(pattern.findall(source)):
                census.optional[kind] = Counter({"": count})
        return census
