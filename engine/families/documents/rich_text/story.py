"""Convert one story of an RTF file (body, header or note) to WordprocessingML paragraphs and tables."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from engine.families.documents.ooxml.made import add, element
from engine.families.documents.ooxml.package import Element
from engine.families.documents.rich_text.properties import Properties, write_paragraph_properties, write_run_properties
from engine.families.documents.rich_text.tables import MOST_COLUMNS, Nest, Row, table

_DEEPEST = 20
_OF_ALL = ("}rFonts", "}sz", "}color", "}b", "}i")
"""Properties that each run repeats, so that a style may take them from the first run."""


class Sheet:
    """Paragraph styles derived from text properties, so that line heights match the text."""

    def __init__(self) -> None:
        self.written = element("styles")
        self.fonts: dict[int, str] = {}
        self.colours: list[str] = []
        self.beyond = 0
        """The number of cells in all tables beyond the last column."""
        self._run_properties: dict[int, tuple[Properties, Element]] = {}
        self._styles: dict[tuple[int, bytes], str] = {}
        self._kin: set[int] = set()

    def run_properties(self, properties: Properties) -> Element:
        """The run properties."""
        held = self._run_properties.get(id(properties))
        if held is None or held[0] is not properties:
            made = element("rPr")
            write_run_properties(made, properties, self.fonts, self.colours)
            held = self._run_properties[id(properties)] = (properties, made)
        return deepcopy(held[1])

    def style(self, properties: Properties, kin: int) -> str:
        """The id of a style with this text height; `kin` is the number of the paragraph's own style."""
        run = self.run_properties(properties)
        for each in [each for each in run if not each.tag.endswith(_OF_ALL)]:
            run.remove(each)
        key = (kin, b"|".join(f"{e.tag}{sorted(e.items())}".encode() for e in run))
        if key not in self._styles:
            if kin not in self._kin:
                self._kin.add(kin)
                add(add(self.written, "style", type="paragraph", styleId=f"k{kin}"), "name", val=f"k{kin}")
            name = self._styles[key] = f"r{len(self._styles)}"
            style = add(self.written, "style", type="paragraph", styleId=name)
            add(style, "name", val=name)
            add(style, "basedOn", val=f"k{kin}")
            add(style, "hidden")
            style.append(run)
        return self._styles[key]


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
            if self._first is None:
                self._first = self._properties

    def run(self, properties: Properties) -> Element:
        """Append a new run to the paragraph."""
        self.flush()
        place = self.paragraph
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
        add(properties, "pStyle", val=self._sheet.style(self._first or text_format, kin))
        write_paragraph_properties(properties, block, self._sheet.colours)
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
