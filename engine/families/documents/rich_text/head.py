"""Parse the font, colour and style tables of an RTF file (1.9.1, “Header”)."""

from __future__ import annotations

import re

from engine.families.documents.rich_text.properties import (
    BLOCK,
    PLAIN,
    Edges,
    Properties,
    with_paragraph_property,
    with_text_property,
)
from engine.families.documents.rich_text.sheet import Sheet
from engine.families.documents.rich_text.words import CONTROL

_HEADING = re.compile(r"heading ([1-6])")
_COLOURS = ("red", "green", "blue")
_LONGEST = 300


class Head:
    """The parsed tables; fonts and colours are also for the style sheet."""

    def __init__(self, sheet: Sheet, edges: Edges) -> None:
        self._sheet = sheet
        self._edges = edges
        self.usual: Properties = PLAIN
        """The default text properties."""
        self.styles: dict[int, tuple[Properties, Properties]] = {}
        """Paragraph styles: their paragraph and text properties."""
        self.names: dict[int, str] = {}
        """The lower-case names of paragraph styles."""
        self.character_styles: dict[int, Properties] = {}
        """Character styles."""
        self._font = 0
        self._kind, self._style = "s", 0
        self._block: Properties = BLOCK
        self._properties: Properties = PLAIN
        self._name = ""
        self._colour: list[int | None] = [None, None, None]

    def word(self, word: str, number: int | None, table: str) -> None:
        """Handle a control word in a table: `fonts`, `colours` or `styles`."""
        if table == "fonts":
            self._font = number if word == "f" and number is not None else self._font
        elif table == "colours":
            if word in _COLOURS:
                self._colour[_COLOURS.index(word)] = max(0, min(number or 0, 255))
        elif word in ("s", "cs", "ds", "ts") and number is not None:
            self._kind, self._style = word, number
            self._properties, self._block = self.usual, BLOCK
        elif word == "sbasedon" and number is not None and self._kind == "s" and number in self.styles:
            block, text_format = self.styles[number]
            self._block = {**block, **self._block}
            self._properties = {**text_format, **self._own()}
        else:
            self._formatting(word, number)

    def _own(self) -> Properties:
        return {name: value for name, value in self._properties.items() if self.usual.get(name) != value}

    def _formatting(self, word: str, number: int | None) -> None:
        if (text_format := with_text_property(self._properties, word, number)) is not None:
            self._properties = text_format
        elif (block := with_paragraph_property(self._block, word, number)) is not None:
            self._block = block
        elif (bordered := self._edges.paragraph(self._block, word)) is not None:
            self._block = bordered
        else:
            self._edges.word(word, number)

    def read_text(self, text: str, table: str) -> None:
        """Handle text in a table: names, which end at a semicolon."""
        if table == "colours":
            for _ in range(text.count(";")):
                is_set = any(each is not None for each in self._colour)
                digits = "".join(f"{each or 0:02x}" for each in self._colour)
                self._sheet.colours.append(digits if is_set else "")
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
            self.styles[self._style] = (self._block, self._properties)
        elif self._kind == "cs":
            self.character_styles[self._style] = self._own()
