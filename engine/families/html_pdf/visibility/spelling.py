"""Normalise words to one spelling, independent of letter forms."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"\w+")
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufffe\uffff]"
)

_TURKISH = {0x131: "i", 0x307: None}
"""What remains of i and ı once their case is changed by the rules of one language and folded by another's."""


def normal(text: str) -> str:
    """Return a text in NFKC and folded case, without invisible characters."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).casefold().translate(_TURKISH)


def words_of(text: str) -> list[str]:
    """Return the words of a text in normal form."""
    return _WORD.findall(normal(text))
