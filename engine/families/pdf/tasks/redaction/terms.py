"""Match the text to redact: phrases in all their possible spellings, or a pattern."""

from __future__ import annotations

import functools
import html
import re
import time
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from engine.toolkit.cpu_limit import CpuTimeUsedUp, cpu_limit
from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say

_ALIKE = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201b\u02bc\uff07", "'")
    | dict.fromkeys("\u201c\u201d\u201f", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\u00ad", "-")
)
"""Typographic characters and the ones typed for them: one for one, so that offsets stay the same."""

_TAG = re.compile(r"<[^<>]*>")
_SPACED = 4
"""The length from which a text is also searched with spaces between all letters, as in letter-spaced titles."""

_LONG = 6
"""The length from which only some of the spaces are required, and a word may continue on the next line; shorter texts
would match by chance."""

_JOINED = re.compile(r"[_+.-]")
"""What names have in place of blanks, which neither PDF names nor file names and places written like them hold."""


_SECONDS = 5.0
"""The processor time that a user's expression has for all texts of a file.

It may try the letters of one line in more ways than there is time for; one that does not reads thousands of pages.
"""


class _Timed:
    """A user's expression, which is stopped once it has taken too long for all texts."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern
        self._left = _SECONDS

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        began = time.process_time()
        try:
            with cpu_limit(self._left):
                found = list(self._pattern.finditer(text))
        except CpuTimeUsedUp as error:
            raise InvalidOption(
                "redactPattern",
                "Matching this expression takes too long. Avoid repetitions within repetitions, such as (a+)+.",
            ) from error
        self._left -= time.process_time() - began
        return iter(found)


@dataclass(frozen=True)
class Wanted:
    """Finds the matches of expressions in texts."""

    patterns: tuple[re.Pattern[str] | _Timed, ...]

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the spans of matches in the text, unchanged and with typographic characters made plain."""
        for each in dict.fromkeys((text, text.translate(_ALIKE))):
            for pattern in self.patterns:
                yield from (match.span() for match in pattern.finditer(each) if match.end() > match.start())

    def found_in(self, text: str) -> bool:
        """Whether there are matches, including in what the text encodes: a URL, combining marks, markup."""
        return any(any(True for _ in self.spans(each)) for each in _meanings(text))

    def named_in(self, name: str) -> bool:
        """Whether there are matches in a name, where blanks may be written as other characters."""
        return any(map(self.found_in, dict.fromkeys((name, _JOINED.sub(" ", name)))))

    def without(self, text: str) -> str:
        """The text without its matches; empty if a match is in what it encodes."""
        spans = sorted(self.spans(text))
        if spans:
            kept, at = [], 0
            for start, end in spans:
                kept.append(text[at : max(at, start)])
                at = max(at, end)
            text = "".join((*kept, text[at:]))
        return "" if self.found_in(text) else text


def wanted(phrases: str | None, pattern: str | None) -> Wanted:
    """Return a matcher of any line of `phrases`, regardless of case and line breaks, or of the regular expression.

    Raises InvalidOption if neither is given, and for an expression that is invalid or matches the empty text; `Wanted`
    raises it for one that takes too long.
    """
    parts = []
    for phrase in (phrases or "").splitlines():
        words = plain(phrase).translate(_ALIKE).split()
        if words:
            length = len("".join(words))
            between = r"\s?" if length >= _LONG else r"\s"
            parts.append("(?i:" + r"\s*".join(_spelt(word, "") for word in words) + ")")
            if length >= _SPACED:
                parts.append(f"(?i:{_spelt(''.join(words), between)})")
    found: list[re.Pattern[str] | _Timed] = [re.compile("|".join(parts))] if parts else []
    if pattern:
        try:
            timed = _Timed(re.compile(pattern))
        except (re.error, RecursionError, OverflowError) as error:
            raise InvalidOption(
                "redactPattern", say("This is not a regular expression: {error}.", error=error)
            ) from error
        if any(timed.finditer("")):
            raise InvalidOption("redactPattern", "This expression matches everywhere.")
        found.append(timed)
    if not found:
        raise InvalidOption("redactText", "Enter the text to remove in redactText, or a pattern in redactPattern.")
    return Wanted(tuple(found))


def _spelt(word: str, between: str) -> str:
    """An expression for a word in all its spellings, with the expression `between` between its letters."""
    parts, at, folded = [], 0, word.casefold()
    while at < len(folded):
        size = next((size for size in (3, 2) if folded[at : at + size] in _folded()), 1)
        letters = between.join(map(re.escape, folded[at : at + size]))
        parts.append(letters if size == 1 else f"(?:{letters}|[{_folded()[folded[at : at + size]]}])")
        at += size
    return between.join(parts)


@functools.cache
def _folded() -> Mapping[str, str]:
    """The letters that case folding maps to each sequence, such as "ß" and "ẞ" to "ss" (Unicode, full case folding)."""
    found: dict[str, str] = {}
    for letter in map(chr, range(0x80, 0x2000)):  # beyond are ligatures, which the compatibility form decomposes
        folded = letter.casefold()
        if len(folded) > 1:
            found[folded] = found.get(folded, "") + letter
    return found


def plain(text: str) -> str:
    """A text in compatibility form, without invisible characters and with single spaces."""
    seen = "".join(letter for letter in unicodedata.normalize("NFKC", text) if unicodedata.category(letter) != "Cf")
    return " ".join(seen.split())


def _meanings(text: str) -> Iterator[str]:
    yield text
    simple = plain(text)
    if simple != text:
        yield simple
    if "%" in simple:
        yield plain(unquote(simple))
    if "<" in simple or "&" in simple:
        yield plain(html.unescape(_TAG.sub("", simple)))
        yield plain(html.unescape(_TAG.sub(" ", simple)))
