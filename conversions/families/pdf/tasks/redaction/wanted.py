"""What is to be removed: a text in all the ways in which it may be written, or what a pattern matches."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from conversions.toolkit.failures import InvalidOption

_ALIKE = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201b\u02bc\uff07", "'")
    | dict.fromkeys("\u201c\u201d\u201f", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\u00ad", "-")
)
"""Signs that nobody types to the one that is typed for them: each for one, so that places in a text stay."""

_TAG = re.compile(r"<[^<>]*>")
_SPACED = 4
"""Letters from which on a text is looked for with spaces between all of them, too: titles are written so."""

_LONG = 6
"""Letters from which on some of the spaces do, and a word may go on in another line: shorter parts meet by chance."""


@dataclass(frozen=True)
class Wanted:
    """Finds matches of one expression in texts."""

    pattern: re.Pattern[str]

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where matches begin and end, of the text as it is and with typed signs in the place of printed ones."""
        for each in dict.fromkeys((text, text.translate(_ALIKE))):
            yield from (match.span() for match in self.pattern.finditer(each) if match.end() > match.start())

    def found_in(self, text: str) -> bool:
        """Whether there are matches, also of what a text stands for: an address, a text with marks, one of markup."""
        return any(any(True for _ in self.spans(each)) for each in _meanings(text))

    def without(self, text: str) -> str:
        """The text without its matches, and nothing of it where a match is in what it stands for."""
        spans = sorted(self.spans(text))
        if spans:
            kept, at = [], 0
            for start, end in spans:
                kept.append(text[at : max(at, start)])
                at = max(at, end)
            text = "".join((*kept, text[at:]))
        return "" if self.found_in(text) else text


def wanted(phrases: str | None, pattern: str | None) -> Wanted:
    """What matches any line of `phrases`, in any letter case and across lines of the page, or the regular expression.

    Raises InvalidOption where neither is given, and for an expression that is none or matches nothing at all.
    """
    parts = []
    for phrase in (phrases or "").splitlines():
        words = plain(phrase).translate(_ALIKE).split()
        if words:
            letters = [re.escape(letter) for letter in "".join(words)]
            between = r"\s?" if len(letters) >= _LONG else r"\s"
            parts.append("(?i:" + r"\s*".join(re.escape(word) for word in words) + ")")
            if len(letters) >= _SPACED:
                parts.append(f"(?i:{between.join(letters)})")
    if pattern:
        try:
            re.compile(pattern)
        except (re.error, RecursionError, OverflowError) as error:
            raise InvalidOption("redactPattern", f"This is no regular expression: {error}.") from error
        parts.append(f"(?:{pattern})")
    if not parts:
        raise InvalidOption("redactText", "Give the text to remove in redactText, or a pattern in redactPattern.")
    try:
        compiled = re.compile("|".join(parts))
    except re.error as error:
        raise InvalidOption("redactPattern", f"This expression can't stand beside others: {error}.") from error
    if compiled.fullmatch(""):
        raise InvalidOption("redactPattern", "This expression matches everywhere.")
    return Wanted(compiled)


def plain(text: str) -> str:
    """A text with composed letters in their usual forms, without what is not seen, and with single spaces."""
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
