"""Scripts without spaces between words, and word counts of text in them."""

from __future__ import annotations

import re

_SPACELESS = re.compile("[\u2e80-\u312f\u31a0-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\U00020000-\U0003ffff]")
"""Han, kana and their punctuation; Korean has spaces."""

_LETTERS = 3
"""The number of characters that count as a word with its space; most words have two."""


def is_spaceless(letter: str) -> bool:
    """Whether a character belongs to a script without spaces between words."""
    return bool(_SPACELESS.match(letter))


def spaces_in(text: str) -> int:
    """The number of spaces between the words of a text."""
    spaces = text.count(" ")
    if text.isascii():
        return spaces
    return spaces + len(_SPACELESS.findall(text)) // _LETTERS
