"""Find words of a page that are not visible in its PDF."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence, Set

import pypdfium2

HEAD = "Text of the page that has no place where it stands in it"
_UNSEEN = re.compile(
    "[\\s\u00ad\u034f\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufffe\uffff]"
)
_MIRRORED = str.maketrans(")]}>»›", "([{<«‹")
"""In right-to-left text, brackets may be read as their mirror images."""
_NEAR = 5_000
"""The distance in characters within which the next text is searched; page headers may intervene."""


def missing_words(texts: Iterable[str], pdf: bytes, without_glyph: Set[str] = frozenset()) -> list[str]:
    """The texts of a page, in order, with words outside the page edges of `pdf`.

    Characters in `without_glyph` are ignored.
    """
    with pypdfium2.PdfDocument(pdf) as document:
        shown = "".join(_plain(_within(page), frozenset()) for page in document)
    owed = [(text, plain) for text in texts if (plain := _plain(text, without_glyph))]
    doubtful, at = [], 0
    for text, plain in owed:
        found = shown.find(plain, at, at + len(plain) + _NEAR)
        if found < 0:
            doubtful.append(text)
        else:
            at = found + len(plain)
    return _missing(doubtful, owed, shown, without_glyph) if doubtful else []


def _missing(
    doubtful: Sequence[str], owed: Sequence[tuple[str, str]], shown: str, without_glyph: Set[str]
) -> list[str]:
    """The `doubtful` texts with a word that occurs less often than expected."""
    words = Counter(_plain(word, without_glyph) for text, _ in owed for word in text.split())
    counts: Counter[str] = Counter()
    for _, plain in owed:
        counts.update(plain)
    characters = frozenset(counts)
    counts -= Counter(shown)

    # Pages with right-to-left text are read in a different order.
    turned = any(unicodedata.bidirectional(each) in ("R", "AL") for each in characters)

    def lost(text: str) -> bool:
        found = (_plain(each, without_glyph) for each in text.split())
        return any(Counter(word) <= counts if turned else shown.count(word) < words[word] for word in found if word)

    return [" ".join(text.split()) for text in doubtful if lost(text)]


def _within(page: pypdfium2.PdfPage) -> str:
    return str(page.get_textpage().get_text_bounded(*page.get_bbox()))


def _plain(text: str, without: Set[str]) -> str:
    """The visible characters, ignoring case (Unicode, annex 15, NFKC)."""
    if text.isascii():
        return "".join(text.split()).translate(_MIRRORED).lower()
    kept = "".join(each for each in text if each not in without) if without else text
    return _UNSEEN.sub("", unicodedata.normalize("NFKC", kept)).translate(_MIRRORED).casefold()
