"""Texts without what layout changes in them: spaces, case, ligatures and hyphens at the ends of lines."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_LEFT_OUT = re.compile("[\\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_OTHERWISE = re.compile("[0-9\u0660-\u0669\u06f0-\u06f9A-Za-z\u00c0-\u024f][^\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]*")
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def squeezed(text: str) -> str:
    """The letters of a text in their basic form."""
    text = _LEFT_OUT.sub("", text)
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def is_right_to_left(text: str) -> bool:
    """Whether some of a text is written from right to left."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def as_read(glyphs: Sequence[str]) -> str:
    """The texts of glyphs that are drawn from left to right, in the order in which they are read from right to left."""
    turned = "".join(unicodedata.normalize("NFKC", each) for each in reversed(glyphs)).translate(_MIRRORED)
    return _OTHERWISE.sub(lambda match: _turned_back(match[0]), turned)


def _turned_back(text: str) -> str:
    kept = text.rstrip(" .,;:!?()[]{}")
    return kept[::-1].translate(_MIRRORED) + text[len(kept) :]
