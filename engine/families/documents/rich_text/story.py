"""Convert one story of an RTF file (body, header or note) to WordprocessingML paragraphs and tables."""

from __future__ import annotations

from typing import Any

from engine.families.documents.ooxml.made import add, element
from engine.families.documents.ooxml.package import Element
from engine.families.documents.rich_text.properties import Properties, write_paragraph_properties
from engine.families.documents.rich_text.sheet import Sheet
from engine.families.documents.rich_text.tables import MOST_COLUMNS, Nest, Row, table

_DEEPEST = 20


class Story:
    """Builds paragraphs from runs, cells from paragraphs, and rows and tables from cells."""

    def __init__(self, sheet: Sheet, target: Element, part: str, room: int) -> None:
        self._sheet = sheet
        self.target = target
        self.part = part
        self.room = room
        self._nests = [Nest()]
        self._paragraph: Element | None = None
        self._first: Properties | None = None
        self._buffer: list[str] = []
        self._properties: Properties = {}
        self.links: list[dict[str, str]] = []
        """The links that have begun and not ended, as attributes."""
        self._link: tuple[Element | None, dict[str, str]] = (None, {})

    @property
    def paragraph(self) -> Element:
        """The open paragraph."""
        if self._paragraph is None:
            self._paragraph = element("p")
        return self._paragraph

    @property
    def is_open(self) -> bool:
        return self._paragraph is not None or bool(self._buffer)

    def append_text(self, text: str, properties: Properties) -> None:
        """Append text with these properties."""
        if properties is not self._properties:
            self.flush()
            self._properties = properties
        self._buffer.append(text)

    def flush(self) -> None:
        """Write the pending text as a run."""
        if self._buffer:
            text = "".join(self._buffer)
            self._buffer.clear()
            run = self.run(self._properties)
            add(run, "t").text = text
            self._sheet.measure(self._properties, len(text))
            if self._first is None:
                self._first = self._properties

    def run(self, properties: Properties) -> Element:
        """Append a new run to the paragraph."""
        self.flush()
        place = self.paragraph
        if self.links:
            last = place[-1] if len(place) else None
            link = self.links[-1]
            if last is None or last is not self._link[0] or link is not self._link[1]:
                last = add(place, "hyperlink")
                for name, value in link.items():
                    last.set(name, value)
                self._link = (last, link)
            place = last
        for name, change in (("deleted", "del"), ("revised", "ins")):
            if properties.get(name):
                last = place[-1] if len(place) else None
                place = last if last is not None and last.tag.endswith("}" + change) else add(place, change)
                break
        run: Any = add(place, "r")
        run.append(self._sheet.run_properties(properties))
        return run

    def put(self, properties: Properties, name: str, **attributes: Any) -> Element:
        """Append an element in its own run."""
        return add(self.run(properties), name, **attributes)

    def end(self, block: Properties, text_format: Properties, *, depth: int | None = None) -> None:
        """End the paragraph; `depth` is its table nesting, if different from its own properties."""
        self.flush()
        made = self.paragraph
        properties = element("pPr")
        kin = block.get("style", 0)
        add(properties, "pStyle", val=self._sheet.style(self._first or text_format, kin, block.get("outline", 9)))
        write_paragraph_properties(properties, block, self._sheet.colours)
        self._sheet.reduce(made, kin)
        if self._first is None:
            properties.append(self._sheet.run_properties(text_format))
        made.insert(0, properties)
        self._paragraph, self._first = None, None
        if depth is None:
            depth = max(block.get("itap", 1), 1) if block.get("table") else max(block.get("itap", 0), 0)
        self._level(min(depth, _DEEPEST))
        self._nests[-1].blocks.append(made)

    def cell(self, block: Properties, text_format: Properties, *, nested: bool) -> None:
        """End a cell."""
        depth = max(block.get("itap", 2), 2) if nested else 1
        self.end(block, text_format, depth=depth)
        nest = self._nests[-1]
        nest.cells.append(nest.blocks)
        nest.blocks = []

    def row(self, row: Row, *, nested: bool) -> None:
        """End a row."""
        if self.is_open and not nested:
            self.end({}, {}, depth=1)
        self._level(min(len(self._nests) - 1, _DEEPEST) if nested else 1)
        nest = self._nests[-1]
        if nest.blocks and len(self._nests) > 1:
            nest.cells.append(nest.blocks)
            nest.blocks = []
        if nest.cells and len(self._nests) > 1:
            nest.rows.append((row, nest.cells))
            nest.cells = []

    def close(self, block: Properties, text_format: Properties) -> None:
        """End everything open, and write all blocks to their target."""
        if self.is_open:
            self.end(block, text_format, depth=len(self._nests) - 1)
        self._level(0)
        self.target.extend(self._nests[0].blocks)
        self._nests[0].blocks = []

    def _level(self, depth: int) -> None:
        while len(self._nests) - 1 > depth:
            nest = self._nests.pop()
            if nest.blocks:
                nest.cells.append(nest.blocks)
            if nest.cells:
                nest.rows.append((nest.rows[-1][0] if nest.rows else Row(), nest.cells))
            if nest.rows:
                self._sheet.beyond += sum(max(len(cells) - MOST_COLUMNS, 0) for _, cells in nest.rows)
                self._nests[-1].blocks.append(table(nest.rows, self.room, self._sheet.colours))
        while len(self._nests) - 1 < depth:
            self._nests.append(Nest())
