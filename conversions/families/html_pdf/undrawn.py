"""Words of a page that cannot be seen in its PDF, found by reading the PDF."""

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
"""A bracket may be read as the other one of its pair where text runs from right to left."""
_NEAR = 5_000
"""Letters within which a text is looked for after the one before it; a page's header may be between them."""


def undrawn(texts: Iterable[str], pdf: bytes, without_glyph: Set[str] = frozenset()) -> list[str]:
    """Those of the texts of a page, in their order, with words that are not within the edges of the pages of `pdf`.

    Characters that are `without_glyph` are not looked for.
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
    """Those of the `doubtful` texts with a word that is there less often than it is owed."""
    words = Counter(_plain(word, without_glyph) for text, _ in owed for word in text.split())
    letters: Counter[str] = Counter()
    for _, plain in owed:
        letters.update(plain)
    letters_of = frozenset(letters)
    letters -= Counter(shown)

    # On a page with text from right to left, letters are read in an order of their own.
    turned = any(unicodedata.bidirectional(each) in ("R", "AL") for each in letters_of)

    def lost(text: str) -> bool:
        found = (_plain(each, without_glyph) for each in text.split())
        return any(Counter(word) <= letters if turned else shown.count(word) < words[word] for word in found if word)

    return [" ".join(text.split()) for text in doubtful if lost(text)]


def _within(page: pypdfium2.PdfPage) -> str:
    return str(page.get_textpage().get_text_bounded(*page.get_bbox()))


def _plain(text: str, without: Set[str]) -> str:
    """The letters that leave a mark, large or small (Unicode, annex 15, NFKC)."""
    if text.isascii():
        return "".join(text.split()).translate(_MIRRORED).lower()
    kept = "".join(each for each in text if each not in without) if without else text
    return _UNSEEN.sub("", unicodedata.normalize("NFKC", kept)).translate(_MIRRORED).casefold()
