"""Spacing: which scripts put no spaces between words, and how many words a text has all the same."""

from __future__ import annotations

import re

_SPACELESS = re.compile("[\u2e80-\u312f\u31a0-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\U00020000-\U0003ffff]")
"""Han, kana and their punctuation; Korean has spaces."""

_LETTERS = 3
"""Letters of such a script that are counted as one word and its space; most of its words have two."""


def is_spaceless(letter: str) -> bool:
    """Whether a letter is of a script that puts no spaces between its words."""
    return bool(_SPACELESS.match(letter))


def spaces_in(text: str) -> int:
    """The spaces between the words of a text."""
    spaces = text.count(" ")
    if text.isascii():
        return spaces
    return spaces + len(_SPACELESS.findall(text)) // _LETTERS
