"""Find the words that pages break at soft hyphens, where PlutoPrint draws no hyphen."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.toolkit.warnings import Kind

SOFT_HYPHEN = "\u00ad"
UNDRAWN = Kind("CONTENT_DROPPED", "Hyphens are not drawn where words are broken at soft hyphens: {count}{places}.")
_BREAK = re.compile(r"(\S+)[ \t]*\r?\n[ \t]*(?=(\S+))")
_MOST_PARTS = 40
"""Parts of a word that are looked for at the ends of lines."""


def broken(pieces: Iterable[str], pages: Iterable[str]) -> list[str]:
    """The words of a document's `pieces` that lines of its `pages` break at a soft hyphen, once for each break."""
    ends: dict[str, set[str]] = {}
    for piece in pieces:
        for word in piece.split() if SOFT_HYPHEN in piece else ():
            parts = word.split(SOFT_HYPHEN)[:_MOST_PARTS]
            for end in range(1, len(parts)):
                for start in range(end):
                    ends.setdefault("".join(parts[start:end]), set()).add(parts[end])
    found = []
    for page in pages:
        for before, after in _BREAK.findall(page.replace(SOFT_HYPHEN, "")):
            if any(after.startswith(each) for each in ends.get(before, ())):
                found.append(f"{before}|{after}")
    return found
