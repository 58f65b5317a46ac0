"""Count the words of word processor files by the look of their letters, such as underlined ones."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from engine.toolkit.census import Census
from engine.toolkit.word_search import WORD

TOGGLED = frozenset({"bold", "italics", "strikes"})
"""Looks that a paragraph style and a character style turn off together (ISO/IEC 29500-1, 17.7.3)."""

Look = Mapping[str, bool]
"""Which looks a style or an element turns on or off; those it does not name are inherited."""


_MOST_ANCESTORS = 50


class Styles:
    """The looks of styles by what names them."""

    def __init__(self) -> None:
        self._own: dict[Hashable, tuple[Look, Hashable]] = {}
        self._whole: dict[Hashable, Look] = {}

    def __contains__(self, name: Hashable) -> bool:
        return name in self._own

    def add(self, name: Hashable, look: Look, *, parent: Hashable) -> None:
        """Add a style, or replace the one of this name; its parent may be unknown."""
        self._own[name] = look, parent

    def of(self, name: Hashable) -> Look:
        """The look of a style with what it inherits; an empty one for an unknown style."""
        if name not in self._whole:
            line: list[Look] = []
            ancestor = name
            while ancestor in self._own and len(line) < _MOST_ANCESTORS:
                look, ancestor = self._own[ancestor]
                line.append(look)
            self._whole[name] = inherited(reversed(line))
        return self._whole[name]


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
