"""Read the headers and footers of a Word document as plain lines (ECMA-376, part 1, 17.10)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from engine.families.documents.ooxml.package import Element, Package
from engine.families.documents.style_transfer.heads import Heads, Kind, Line, Lines, Piece
from engine.families.documents.style_transfer.marks import OURS
from engine.families.documents.style_transfer.styles import Block, Run, Stop
from engine.families.documents.style_transfer.word_styles import block_formatting, cell_formatting, run_formatting
from engine.families.documents.word import paragraphs
from engine.families.documents.word.alternatives import choice_of
from engine.families.documents.word.fields import SCHEMES
from engine.families.documents.word.names import MC, R, W, child, on, points, value
from engine.families.documents.word.numbering import Numbering
from engine.families.documents.word.properties import Properties
from engine.families.documents.word.sections import Section, sections
from engine.families.documents.word.story import unwrapped
from engine.families.documents.word.styles import Styles
from engine.families.documents.word.table_grid import TableGrid
from engine.families.documents.word.theme import Theme
from engine.toolkit import warnings
from engine.toolkit.warnings import Warn

_PICTURES = warnings.Kind(
    "CONTENT_DROPPED", "Pictures and boxes in headers and footers were left out: {count}{places}."
)
_OTHERS = warnings.Kind(
    "CONTENT_DROPPED", "Headers and footers that differ from the first section were left out: {count}{places}."
)
_NUMBERS = warnings.Kind("CONTENT_DROPPED", "Page numbers that restart in a section continue instead: {count}{places}.")
_TABLES = warnings.Kind("VALUE_CONVERTED", "Table rows in headers and footers became lines with tabs: {count}{places}.")
_COUNTED: dict[str, Literal["page", "pages"]] = {"PAGE": "page", "NUMPAGES": "pages"}
_WRITTEN = {"roman": "i", "ROMAN": "I", "alphabetic": "a", "ALPHABETIC": "A"}
_FORMAT = re.compile(r"\\\*\s*(roman|ROMAN|alphabetic|ALPHABETIC)\b")
_PLACED: dict[str, tuple[float, str]] = {"center": (0.5, "center"), "right": (1.0, "right")}
_INSIDE = ("smartTag", "sdt", "sdtContent", "customXml", "dir", "bdo")
_SPECIAL = {"noBreakHyphen": "\u2011", "softHyphen": "\u00ad"}
_DEEPEST = 30


def read(document: Package, changes: Literal["accept", "reject", "all"], warn: Warn) -> Heads:
    """The headers and footers of the first section that has any; losses are reported to `warn`.

    Raises Unreadable and OverLimit as Package does.
    """
    with document as package:
        reader = _Reader(package, package.main() or "", changes)
        found = reader.heads()
    for kind, count in reader.found.items():
        warn.tally(kind, count)
    return found


@dataclass
class _Field:
    """An open field: its instruction, until its result begins."""

    instruction: str = ""
    formatting: Run | None = None
    result: bool = False

    @property
    def counted(self) -> Literal["page", "pages"] | None:
        words = self.instruction.split()
        return _COUNTED.get(words[0].upper()) if words else None

    @property
    def link(self) -> str:
        """The address of a HYPERLINK field."""
        words = self.instruction.split()
        if not words or words[0].upper() != "HYPERLINK" or "\\l" in words:
            return ""
        quoted = next((each.strip('"\u201c\u201d') for each in words[1:] if not each.startswith("\\")), "")
        return quoted if quoted.lower().startswith(SCHEMES) else ""

    def piece(self, formatting: Run) -> Piece:
        """The number the field stands for."""
        match = _FORMAT.search(self.instruction)
        return Piece(self.counted or "page", self.formatting or formatting, _WRITTEN[match[1]] if match else "1")


@dataclass
class _Reader:
    package: Package
    main: str
    changes: Literal["accept", "reject", "all"]
    found: Counter[warnings.Kind] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        theme = Theme(self._part("theme"))
        self._styles = Styles(self._part("styles"), theme)
        self._numbering = Numbering(self._part("numbering"), theme)
        self._lines: dict[str, Lines] = {}
        self._reading = self._link = ""

    def _part(self, kind: str) -> Element | None:
        name = self.package.related(self.main, kind)
        return None if name is None else self.package.xml(name)

    def heads(self) -> Heads:
        body = child(self.package.xml(self.main), "body")
        parts = {
            key: each.target
            for key, each in self.package.relations(self.main).items()
            if not each.external and each.target in self.package.names
        }
        differs = child(self._part("settings"), "evenAndOddHeaders")
        even = differs is not None and on(differs)
        read = [] if body is None else [self._section(each, even=even) for each in sections(body, parts)]
        if not read:
            return Heads()
        first = next((each for each in read if each.shown(each.heads) or each.shown(each.feet)), read[0])
        self.found[_OTHERS] += sum(not _alike(first, each) for each in read)
        self.found[_NUMBERS] += sum(each.starts is not None for each in read[1:])
        return replace(first, starts=read[0].starts)

    def _section(self, section: Section, *, even: bool) -> Heads:
        paper = section.paper

        def side(parts: dict[str, str]) -> dict[Kind, Lines]:
            kinds: tuple[Kind, ...] = ("default", "first", "even")
            there = {"default": True, "first": section.first_differs, "even": even}
            return {kind: self._read(parts[kind], paper.room) for kind in kinds if kind in parts and there[kind]}

        heads, feet = side(section.heads), side(section.feet)
        return Heads(heads, feet, section.first_differs, even, paper.head, paper.foot, section.number)

    def _read(self, part: str, room: float) -> Lines:
        if part not in self._lines:
            root = self.package.xml(part)
            holders = (f"{W}drawing", f"{W}pict", f"{W}object")
            self.found[_PICTURES] += sum(
                next(each.iterancestors(*holders, f"{MC}Fallback"), None) is None for each in root.iter(*holders)
            )
            self._reading = part
            self._lines[part] = tuple(self._blocks(root, room, 0))
        return self._lines[part]

    def _blocks(self, parent: Element, room: float, depth: int) -> Iterator[Line]:
        fields: list[_Field] = []
        for each in unwrapped(parent):
            if each.tag == f"{W}p":
                yield self._line(each, room, fields)
            elif depth < _DEEPEST:
                yield from self._table(each, room, depth)

    def _table(self, table: Element, room: float, depth: int) -> Iterator[Line]:
        """Each table row as a line, with cells at left, right or centre tab stops according to their alignment.

        A ground common to its cells is that of the line, others are those of their texts, which may be white.
        """
        grid = [points(each.get(f"{W}w")) or 0.0 for each in table.iterfind(f"{W}tblGrid/{W}gridCol")]
        cells = TableGrid(self._styles, table)
        for row in cells.cells:
            self.found[_TABLES] += 1
            grounds: set[str | None] = set()
            pieces: list[Piece] = []
            stops: list[Stop] = []
            for cell in row:
                blocks = [] if cell.element is None else self._blocks(cell.element, room, depth + 1)
                inside = [each for each in blocks if not each.is_blank]
                ground = None if cell.element is None else cell_formatting(cells.formatting(cell)).fill
                left, right = sum(grid[: cell.column]), sum(grid[: cell.column + cell.columns])
                align = inside[0].block.align if inside else None
                place = {"center": (left + right) / 2, "right": right}.get(align or "", left)
                if (cell.column or place > 0) and inside:
                    stops.append((min(place, room), align if align in ("center", "right") else "left", "none"))
                    pieces.append(Piece("tab"))
                for number, each in enumerate(inside):
                    pieces += [Piece("text", text=" ")] if number else []
                    behind = each.block.fill or ground
                    grounds.add(behind)
                    pieces += (replace(one, formatting=_on(one.formatting, behind)) for one in each.pieces)
            common = grounds.pop() if len(grounds) == 1 else None
            yield Line(Block(stops=tuple(stops), fill=common), tuple(pieces))

    def _line(self, element: Element, room: float, fields: list[_Field]) -> Line:
        read = paragraphs.read(element, self._styles, self._numbering)
        block = replace(block_formatting(read.block, packed=False), new_page=False)
        framed = value(child(child(element, "pPr"), "framePr"), "xAlign")
        if framed in ("center", "right"):
            block = replace(block, align=framed)
        stops = {min(place, room) if kind == "right" else place: (kind, leader) for place, kind, leader in block.stops}
        placed = (_PLACED.get(each.get(f"{W}alignment") or "") for each in element.iter(f"{W}ptab"))
        if ends := [each for each in placed if each]:
            stops = {room * share: (kind, "none") for share, kind in ends}
        pieces = tuple(self._pieces(element, read.text, fields))
        found = tuple((place, kind, leader) for place, (kind, leader) in stops.items())
        block = replace(block, before=block.before or 0.0, after=block.after or 0.0, stops=found)
        return Line(block, pieces)

    def _pieces(self, parent: Element, around: Properties, fields: list[_Field]) -> Iterator[Piece]:
        for each in parent:
            name = each.tag.removeprefix(W) if isinstance(each.tag, str) else ""
            if name == "r":
                yield from self._run(each, around, fields)
            elif name == "hyperlink":
                relation = self.package.relations(self._reading).get(each.get(f"{R}id") or "")
                target = relation.target if relation is not None and relation.external else ""
                held, self._link = self._link, target if target.lower().startswith(SCHEMES) else ""
                yield from self._pieces(each, around, fields)
                self._link = held
            elif name in _INSIDE or (name in ("ins", "moveTo") and self.changes != "reject"):
                yield from self._pieces(each, around, fields)
            elif name in ("del", "moveFrom") and self.changes != "accept":
                struck = {"strike": True} if self.changes == "all" else {}
                yield from self._pieces(each, around | struck, fields)
            elif name == "fldSimple":
                opened = _Field(each.get(f"{W}instr") or "", result=True)
                if opened.counted:
                    run = next(each.iter(f"{W}r"), None)
                    yield opened.piece(run_formatting(around if run is None else self._styles.run(run, around)))
                else:
                    yield from self._pieces(each, around, fields)
            elif each.tag == f"{MC}AlternateContent":
                yield from self._pieces(choice_of(each), around, fields)

    def _run(self, run: Element, around: Properties, fields: list[_Field]) -> Iterator[Piece]:
        properties = self._styles.run(run, around)
        if properties.get("vanish"):
            return
        formatting = run_formatting(properties)
        for each in run:
            name = each.tag.removeprefix(W) if isinstance(each.tag, str) else ""
            silent = any(not opened.result or opened.counted for opened in fields)
            if name == "fldChar":
                yield from _turned(each, formatting, fields)
            elif name == "instrText" and fields and not fields[-1].result:
                fields[-1].instruction += each.text or ""
                fields[-1].formatting = formatting
            elif silent:
                continue
            elif name in ("t", "delText"):
                link = self._link or next((opened.link for opened in reversed(fields) if opened.link), "")
                yield Piece("text", formatting, OURS.sub("\ufffd", each.text or ""), link)
            elif name in _SPECIAL:
                yield Piece("text", formatting, _SPECIAL[name])
            elif name in ("tab", "ptab"):
                if name == "tab" or each.get(f"{W}alignment") in _PLACED:
                    yield Piece("tab", formatting)
            elif name in ("br", "cr"):
                yield Piece("break", formatting)
            elif name == "pgNum":
                yield Piece("page", formatting, "1")


def _on(formatting: Run, ground: str | None) -> Run:
    return replace(formatting, fill=formatting.fill or ground)


def _turned(mark: Element, formatting: Run, fields: list[_Field]) -> Iterator[Piece]:
    """Enter a field's result, or leave the field."""
    kind = mark.get(f"{W}fldCharType")
    if kind == "begin":
        fields.append(_Field())
    elif kind == "separate" and fields:
        fields[-1].result = True
    elif kind == "end" and fields:
        ended = fields.pop()
        if ended.counted and all(each.result and not each.counted for each in fields):
            yield ended.piece(formatting)


def _alike(one: Heads, other: Heads) -> bool:
    """Whether another section has the same headers and footers as the first, apart from the first page's own."""

    def seen(lines: Lines) -> list[Line]:
        return [each for each in lines if not each.is_blank]

    return one is other or all(
        seen(theirs.get(kind, ())) == seen(ours.get("default" if kind == "first" else kind, ()))
        for ours, theirs in ((one.heads, other.heads), (one.feet, other.feet))
        for kind in other.kinds
    )
