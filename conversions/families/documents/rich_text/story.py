"""One run of text of an RTF file, such as the body, a head or a note, as paragraphs and tables of WordprocessingML."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from conversions.families.documents.ooxml.made import add, element
from conversions.families.documents.ooxml.package import Element
from conversions.families.documents.rich_text.properties import Said, write_block, write_letters
from conversions.families.documents.rich_text.tables import MOST_COLUMNS, Nest, Row, table

_DEEPEST = 20
_OF_ALL = ("}rFonts", "}sz", "}color", "}b", "}i")
"""What each run says for itself as well, so that a style may say it of the first one."""


class Sheet:
    """The paragraph styles that are made of what text looks like, so that lines are as high as their text."""

    def __init__(self) -> None:
        self.written = element("styles")
        self.fonts: dict[int, str] = {}
        self.colours: list[str] = []
        self.beyond = 0
        """Cells of all tables beyond the last column."""
        self._letters: dict[int, tuple[Said, Element]] = {}
        self._styles: dict[tuple[int, bytes], str] = {}
        self._kin: set[int] = set()

    def letters(self, said: Said) -> Element:
        """The properties of a run."""
        held = self._letters.get(id(said))
        if held is None or held[0] is not said:
            made = element("rPr")
            write_letters(made, said, self.fonts, self.colours)
            held = self._letters[id(said)] = (said, made)
        return deepcopy(held[1])

    def style(self, said: Said, kin: int) -> str:
        """The id of a style whose text is as high; `kin` is the number of the paragraph's own style."""
        letters = self.letters(said)
        for each in [each for each in letters if not each.tag.endswith(_OF_ALL)]:
            letters.remove(each)
        key = (kin, b"|".join(f"{e.tag}{sorted(e.items())}".encode() for e in letters))
        if key not in self._styles:
            if kin not in self._kin:
                self._kin.add(kin)
                add(add(self.written, "style", type="paragraph", styleId=f"k{kin}"), "name", val=f"k{kin}")
            name = self._styles[key] = f"r{len(self._styles)}"
            style = add(self.written, "style", type="paragraph", styleId=name)
            add(style, "name", val=name)
            add(style, "basedOn", val=f"k{kin}")
            add(style, "hidden")
            style.append(letters)
        return self._styles[key]


class Story:
    """Collects runs to paragraphs, these to cells, these to rows and tables."""

    def __init__(self, sheet: Sheet, target: Element, part: str, room: int) -> None:
        self._sheet = sheet
        self.target = target
        self.part = part
        self.room = room
        self._nests = [Nest()]
        self._paragraph: Element | None = None
        self._first: Said | None = None
        self._buffer: list[str] = []
        self._said: Said = {}

    @property
    def paragraph(self) -> Element:
        """The paragraph that is open."""
        if self._paragraph is None:
            self._paragraph = element("p")
        return self._paragraph

    @property
    def is_open(self) -> bool:
        return self._paragraph is not None or bool(self._buffer)

    def say(self, text: str, said: Said) -> None:
        """Text that looks so."""
        if said is not self._said:
            self.flush()
            self._said = said
        self._buffer.append(text)

    def flush(self) -> None:
        """Write what has been said as a run."""
        if self._buffer:
            text = "".join(self._buffer)
            self._buffer.clear()
            run = self.run(self._said)
            add(run, "t").text = text
            if self._first is None:
                self._first = self._said

    def run(self, said: Said) -> Element:
        """A new run at the end of the paragraph."""
        self.flush()
        place = self.paragraph
        for name, change in (("deleted", "del"), ("revised", "ins")):
            if said.get(name):
                last = place[-1] if len(place) else None
                place = last if last is not None and last.tag.endswith("}" + change) else add(place, change)
                break
        run: Any = add(place, "r")
        run.append(self._sheet.letters(said))
        return run

    def put(self, said: Said, name: str, **attributes: Any) -> Element:
        """An element in a run of its own."""
        return add(self.run(said), name, **attributes)

    def end(self, block: Said, letters: Said, *, depth: int | None = None) -> None:
        """End the paragraph; `depth` is how many tables it is in, if not what the paragraph itself says."""
        self.flush()
        made = self.paragraph
        properties = element("pPr")
        kin = block.get("style", 0)
        add(properties, "pStyle", val=self._sheet.style(self._first or letters, kin))
        write_block(properties, block, self._sheet.colours)
        if self._first is None:
            properties.append(self._sheet.letters(letters))
        made.insert(0, properties)
        self._paragraph, self._first = None, None
        if depth is None:
            depth = max(block.get("itap", 1), 1) if block.get("table") else max(block.get("itap", 0), 0)
        self._level(min(depth, _DEEPEST))
        self._nests[-1].blocks.append(made)

    def cell(self, block: Said, letters: Said, *, nested: bool) -> None:
        """End a cell."""
        depth = max(block.get("itap", 2), 2) if nested else 1
        self.end(block, letters, depth=depth)
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

    def close(self, block: Said, letters: Said) -> None:
        """End what is open and write all blocks to where they belong."""
        if self.is_open:
            self.end(block, letters, depth=len(self._nests) - 1)
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
