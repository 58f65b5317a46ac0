"""Find the words that pages break where browsers draw a hyphen, and PlutoPrint does not."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.toolkit.warnings import Kind
from engine.toolkit.word_search import DIVISION

UNDRAWN = Kind("CONTENT_DROPPED", "Words are broken at soft hyphens without a visible hyphen: {count}{places}.")
UNHYPHENATED = Kind("CSS_UNSUPPORTED", "Long words are broken without a hyphen (hyphens: auto): {count}{places}.")
_AUTO = re.compile(r"hyphens\s*:\s*auto\b", re.IGNORECASE)
_LONG = 8
"""Letters of a word that lines may have to break."""
_MOST_LONG = 2_000
_BREAK = re.compile(r"(?<!\S)(\S++)[ \t]*+\r?\n[ \t]*+(?=(\S++))")
_LETTERS = re.compile(r"[^\W\d_]++")
_LAST = re.compile(r"(?<![^\W\d_])[^\W\d_]++\Z")
_MOST_PARTS = 40
"""Parts of a word that are looked for at the ends of lines."""


def broken(pieces: Iterable[str], pages: Iterable[str]) -> list[str]:
    """The words of a document's `pieces` that lines of its `pages` break at a soft hyphen, once for each break."""
    ends: dict[str, set[str]] = {}
    for piece in pieces:
        for word in piece.split() if DIVISION in piece else ():
            parts = word.split(DIVISION)[:_MOST_PARTS]
            for end in range(1, len(parts)):
                for start in range(end):
                    ends.setdefault("".join(parts[start:end]), set()).add(parts[end])
    found = []
    for page in pages:
        for before, after in _BREAK.findall(page.replace(DIVISION, "")):
            if any(after.startswith(each) for each in ends.get(before, ())):
                found.append(f"{before}|{after}")
    return found


def asked(source: str | bytes) -> bool:
    """Whether a page may ask for hyphenation."""
    lowered = source.lower()  # to look for letters of any case takes ten times as long
    if not ("hyphens" in lowered if isinstance(lowered, str) else b"hyphens" in lowered):
        return False
    return _AUTO.search(source if isinstance(source, str) else source.decode("latin-1")) is not None


def unhyphenated(pieces: Iterable[str], pages: Iterable[str]) -> list[str]:
    """The long words of a document's `pieces` that lines of its `pages` break, once for each break."""
    words = {
        word for piece in pieces for each in piece.split() if DIVISION not in each for word in _LETTERS.findall(each)
    }
    parts: set[str] = set()
    for word in sorted((each for each in words if len(each) >= _LONG), key=len, reverse=True)[:_MOST_LONG]:
        # A word that several lines break has a part of its own on two lines.
        parts.update(part for at in range(_LONG, len(word) + 1) for part in (word[:at], word[-at:]))
    found = []
    for page in pages:
        for before, after in _BREAK.findall(page):
            last, first = _LAST.search(before), _LETTERS.match(after)
            if last is not None and first is not None and last[0] + first[0] in parts:
                found.append(f"{before}|{after}")
    return found
