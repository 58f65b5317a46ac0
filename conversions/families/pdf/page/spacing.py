"""Spacing: how many words a text has, also where its script puts no spaces between them."""

from __future__ import annotations

_FIRST = "\u2e80"
"""From this letter on are scripts without spaces between words: Chinese, Japanese."""

_LETTERS = 3
"""Letters of such a script that are counted as one word and its space; most of its words have two."""


def spaces_in(text: str) -> int:
    """The spaces between the words of a text."""
    spaces = text.count(" ")
    if text.isascii():
        return spaces
    return spaces + sum(letter >= _FIRST for letter in text) // _LETTERS
