"""The tables at the head of an RTF file (1.9.1, “Header”): fonts, colours and styles by number."""

from __future__ import annotations

import re

from conversions.families.documents.rich_text.properties import BLOCK, LETTERS, Edges, Said, with_block, with_letters
from conversions.families.documents.rich_text.story import Sheet
from conversions.families.documents.rich_text.words import CONTROL

_HEADING = re.compile(r"heading ([1-6])")
_COLOURS = ("red", "green", "blue")
_LONGEST = 300


class Head:
    """What the tables say; fonts and colours are for the sheet of styles."""

    def __init__(self, sheet: Sheet, edges: Edges) -> None:
        self._sheet = sheet
        self._edges = edges
        self.usual: Said = LETTERS
        """What text looks like where nothing is said."""
        self.styles: dict[int, tuple[Said, Said]] = {}
        """Styles of paragraphs: what they say of the paragraph, and of its text."""
        self.names: dict[int, str] = {}
        """What styles of paragraphs are called, in small letters."""
        self.letters: dict[int, Said] = {}
        """Styles of text."""
        self._font = 0
        self._kind, self._style = "s", 0
        self._block: Said = BLOCK
        self._said: Said = LETTERS
        self._name = ""
        self._colour: list[int | None] = [None, None, None]

    def word(self, word: str, number: int | None, table: str) -> None:
        """Follow a control word in a table: `fonts`, `colours` or `styles`."""
        if table == "fonts":
            self._font = number if word == "f" and number is not None else self._font
        elif table == "colours":
            if word in _COLOURS:
                self._colour[_COLOURS.index(word)] = max(0, min(number or 0, 255))
        elif word in ("s", "cs", "ds", "ts") and number is not None:
            self._kind, self._style = word, number
            self._said, self._block = self.usual, BLOCK
        elif word == "sbasedon" and number is not None and self._kind == "s" and number in self.styles:
            block, letters = self.styles[number]
            self._block = {**block, **self._block}
            self._said = {**letters, **self._own()}
        else:
            self._look(word, number)

    def _own(self) -> Said:
        return {name: value for name, value in self._said.items() if self.usual.get(name) != value}

    def _look(self, word: str, number: int | None) -> None:
        if (letters := with_letters(self._said, word, number)) is not None:
            self._said = letters
        elif (block := with_block(self._block, word, number)) is not None:
            self._block = block
        elif (bordered := self._edges.paragraph(self._block, word)) is not None:
            self._block = bordered
        else:
            self._edges.word(word, number)

    def say(self, text: str, table: str) -> None:
        """Follow text in a table: names, which end at a semicolon."""
        if table == "colours":
            for _ in range(text.count(";")):
                said = any(each is not None for each in self._colour)
                digits = "".join(f"{each or 0:02x}" for each in self._colour)
                self._sheet.colours.append(digits if said else "")
                self._colour = [None, None, None]
            return
        name, mark, _ = text.partition(";")
        self._name = (self._name + name)[:_LONGEST]
        if not mark:
            return
        name, self._name = CONTROL.sub("", self._name).strip(), ""
        if table == "fonts":
            self._sheet.fonts.setdefault(self._font, name)
        elif self._kind == "s":
            if (found := _HEADING.fullmatch(name.lower())) is not None and "outline" not in self._block:
                self._block = {**self._block, "outline": int(found[1]) - 1}
            self.names[self._style] = name.lower()
            self.styles[self._style] = (self._block, self._said)
        elif self._kind == "cs":
            self.letters[self._style] = self._own()
