"""Count the words of word processor files by the look of their letters, such as underlined ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.toolkit.census import Census
from engine.toolkit.word_search import WORD

TOGGLED = frozenset({"bold", "italics", "strikes"})
"""Looks that a paragraph style and a character style turn off together (ISO/IEC 29500-1, 17.7.3)."""

Look = Mapping[str, bool]
"""Which looks a style or an element turns on or off; those it does not name are inherited."""


class Paragraph:
    """The pieces of one paragraph; a word that is cut into pieces of the same look is one word."""

    def __init__(self, census: Census) -> None:
        self._census = census
        self._pieces: dict[str, list[str]] = {}

    def text(self, text: str, look: Look) -> None:
        """Add a piece of text."""
        for kind, pieces in self._pieces.items():
            if not look.get(kind):
                pieces.append(" ")
        for kind, on in look.items():
            if on:
                self._pieces.setdefault(kind, []).append(text)

    def end(self) -> None:
        """Count the words of the paragraph, and begin the next."""
        for kind, pieces in self._pieces.items():
            for word in WORD.findall("".join(pieces)):
                self._census.add(kind, label=word)
        self._pieces.clear()


def inherited(looks: Iterable[Look]) -> dict[str, bool]:
    """The look of something that inherits from the first of these, then from the next, and so on."""
    found: dict[str, bool] = {}
    for each in looks:
        found.update(each)
    return found
