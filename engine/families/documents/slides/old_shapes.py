"""The shapes on slides of PowerPoint 97 to 2003 ([MS-PPT], 2.7; [MS-ODRAW], 2.2) as those of PresentationML."""

from __future__ import annotations

import itertools
import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from engine.families.documents.old_office import pictures
from engine.families.documents.old_office.pictures import OPTIONS, SHAPE, SHAPE_CONTAINER, Picture, Record
from engine.families.documents.ooxml.package import Element
from engine.families.documents.ooxml.packing import Parts
from engine.families.documents.slides.deck import SHAPE as BOXED
from engine.families.documents.slides.deck import P
from engine.families.documents.slides.old_file import SlidesFile, Text
from engine.families.documents.slides.old_texts import Styles, paragraphs
from engine.families.documents.word.names import A, R
from engine.toolkit.shapes.old_types import NAMES, UPSIDE_DOWN
from engine.toolkit.warnings import Kind

DATE = Kind("CONTENT_DROPPED", "Dates that change with the day were left out: {count}{places}.")
LOST = Kind("CONTENT_DROPPED", "Pictures that are damaged or missing in the file were left out: {count}{places}.")
_GROUP, _BOUNDS, _INNER_PLACE, _PLACE, _DATA, _TEXTS, _MORE = 0xF003, 0xF009, 0xF00F, 0xF010, 0xF011, 0xF00D, 0xF122
_HOLDER, _REFERENCE = 0x0BC3, 0x0F9E
_DRAWING, _PAGE = 0xF002, 0x040C
_DELETED, _BACKGROUND = 0x0008, 0x0400
_TURN, _PICTURE, _FILL, _FILL_KIND, _FILL_PICTURE, _FILL_ON = 0x0004, 0x0104, 0x0181, 0x0180, 0x0186, 0x01BF
_LINE, _LINE_WIDTH, _LINE_ON, _ANCHOR, _TABLE, _HIDDEN = 0x01C0, 0x01CB, 0x01FF, 0x0087, 0x039F, 0x03BF
_FLIP_DOWN = 0x80
_LINES = (20, *range(32, 41))
"""Straight lines and connectors."""
_TITLES, _BODIES = frozenset({0, 6}), frozenset({1, 5, 7, 8})
_ANCHORS = {0: "t", 1: "ctr", 2: "b", 3: "t", 4: "ctr", 5: "b"}
_UNIT = 914_400 / 576
_DEEPEST = 20
FURNITURE = {7: "dt", 8: "sldNum", 9: "ftr", 10: "hdr"}
_LEFT_OUT = frozenset(range(1, 7)) | {0x0B}
"""Placeholders of masters, and the picture of the slide on a page of notes."""


@dataclass
class Room:
    """How the coordinates of a group lie on the slide."""

    x: float = 0.0
    y: float = 0.0
    wide: float = 1.0
    high: float = 1.0

    def at(self, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        left, top, right, bottom = box
        return (
            self.x + left * self.wide, self.y + top * self.high, self.x + right * self.wide, self.y + bottom * self.high
        )  # fmt: skip


@dataclass
class Shape:
    """One shape with its place on the slide in master units."""

    form: int
    options: dict[int, int]
    box: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    holder: int = 0
    texts: list[Text] = field(default_factory=list)
    flips: int = 0
    cells: list[Shape] = field(default_factory=list)
    background: bool = False


@dataclass
class Page:
    """What the shapes of one slide or master are written with."""

    file: SlidesFile
    parts: Parts
    part: str
    number: int
    styles: Styles
    colours: list[str]
    media: dict[Picture, str]
    found: Counter[Kind]

    def link(self, address: str) -> str:
        return self.parts.relate(self.part, "hyperlink", address, external=True)

    def image(self, index: int) -> str | None:
        """The relationship to a picture of the store; None, and counted, for a lost one."""
        held = self.file.pictures
        picture = held[index - 1] if 0 < index <= len(held) else None
        if picture is None:
            self.found[LOST] += 1
            return None
        if picture not in self.media:
            self.media[picture] = self.parts.picture("ppt", picture.data, picture.extension)
        return self.parts.relate(self.part, "image", self.media[picture])


def shapes(file: SlidesFile, record: Record, outline: list[Text]) -> list[Shape]:
    """The shapes of a slide, a master or a page of notes in drawing order, groups expanded."""
    page = file.first(record, _PAGE)
    drawing = None if page is None else file.first(page, _DRAWING)
    if drawing is None:
        return []
    found: list[Shape] = []
    for each in file.inside(drawing):
        if each.kind == _GROUP:
            found += _group(file, each, Room(), outline, 0, top=True)
        elif each.kind == SHAPE_CONTAINER and (shape := _shape(file, each, Room(), outline)) is not None:
            shape.background = True
            found.insert(0, shape)
    return found


def _group(
    file: SlidesFile, record: Record, room: Room, outline: list[Text], depth: int, *, top: bool = False
) -> list[Shape]:
    found: list[Shape] = []
    first = True
    table = False
    whole: Shape | None = None
    for each in file.inside(record):
        if each.kind == SHAPE_CONTAINER and first:
            first = False
            whole = _shape(file, each, room, outline)
            bounds = next((one for one in file.inside(each) if one.kind == _BOUNDS), None)
            if whole is None or bounds is None or top:
                continue
            table = _TABLE in whole.options and bool(whole.options[_TABLE] & 1)
            if bounds.end - bounds.begin >= 16:
                room = _within(struct.unpack_from("<4i", file.data, bounds.begin), whole.box)
        elif each.kind == SHAPE_CONTAINER:
            shape = _shape(file, each, room, outline)
            found += [] if shape is None else [shape]
        elif each.kind == _GROUP and depth < _DEEPEST:
            found += _group(file, each, room, outline, depth + 1)
    if table and whole is not None:
        whole.cells = [each for each in found if each.form not in (20, 32)]
        return [whole]
    return found


def _within(bounds: tuple[int, ...], box: tuple[float, float, float, float]) -> Room:
    left, top, right, bottom = bounds
    wide = (box[2] - box[0]) / (right - left) if right > left else 1.0
    high = (box[3] - box[1]) / (bottom - top) if bottom > top else 1.0
    return Room(box[0] - left * wide, box[1] - top * high, wide, high)


def _shape(file: SlidesFile, record: Record, room: Room, outline: list[Text]) -> Shape | None:
    made = Shape(0, {})
    for each in file.inside(record):
        if each.kind == SHAPE and each.end - each.begin >= 8:
            flags = file.number(each, 4)
            if flags & _DELETED:
                return None
            made.form, made.flips = each.instance, flags
        elif each.kind in (OPTIONS, _MORE):
            made.options |= pictures.options(file.data, each)
        elif each.kind == _INNER_PLACE and each.end - each.begin >= 16:
            made.box = room.at(struct.unpack_from("<4i", file.data, each.begin))
        elif each.kind == _PLACE:
            form = "<4i" if each.end - each.begin >= 16 else "<4h"
            if each.end - each.begin >= struct.calcsize(form):
                top, left, right, bottom = struct.unpack_from(form, file.data, each.begin)
                made.box = (left, top, right, bottom)
        elif each.kind == _DATA:
            holder = file.first(each, _HOLDER)
            made.holder = 0 if holder is None else file.number(holder, 4, 1)
        elif each.kind == _TEXTS:
            made.texts = file.texts(each.begin, each.end)
            for reference in file.inside(each):
                index = file.number(reference, 0)
                if reference.kind == _REFERENCE and index < len(outline):
                    made.texts.append(outline[index])
    return None if made.options.get(_HIDDEN, 0) & 0x00020002 == 0x00020002 else made


def write(tree: Element, found: list[Shape], page: Page, *, master: bool) -> None:
    """Write shapes to the tree of a slide, those of a master without its placeholders."""
    number = 1
    for each in found:
        if each.background or each.holder in _LEFT_OUT or (master and each.holder):
            continue
        number += 1
        if each.cells:
            _table(tree, each, page, number)
        elif each.options.get(_PICTURE) and each.form not in (202,):
            _picture(tree, each, page, number)
        else:
            _plain(tree, each, page, number)


def background(found: list[Shape], page: Page, slide: Element) -> None:
    """Write the background of a slide, from the shape behind all others."""
    for each in found:
        if not each.background:
            continue
        properties = etree.Element(P + "bgPr")
        index = each.options.get(_FILL_PICTURE, 0)
        if each.options.get(_FILL_KIND, 0) in (2, 3) and index:
            relation = page.image(index)
            if relation is not None:
                fill = etree.SubElement(properties, A + "blipFill")
                etree.SubElement(fill, A + "blip").set(R + "embed", relation)
                etree.SubElement(etree.SubElement(fill, A + "stretch"), A + "fillRect")
        elif _FILL in each.options:
            _filled(properties, each.options[_FILL], page)
        if len(properties):
            etree.SubElement(properties, A + "effectLst")
            etree.SubElement(slide, P + "bg").append(properties)
        return


def _named(tree: Element, tag: str, kind: str, number: int, shape: Shape) -> Element:
    made = etree.SubElement(tree, P + tag)
    names = etree.SubElement(made, f"{P}nv{kind}Pr")
    described = etree.SubElement(names, P + "cNvPr")
    described.set("id", str(number))
    described.set("name", f"Shape {number}")
    etree.SubElement(names, f"{P}cNv{kind}Pr")
    etree.SubElement(names, P + "nvPr")
    return made


def _at(parent: Element, shape: Shape, tag: str = A + "xfrm") -> None:
    left, top, right, bottom = shape.box
    turn = shape.options.get(_TURN, 0)
    degrees = (turn - (1 << 32) if turn >> 31 else turn) / 65_536
    if 45 <= degrees % 180 < 135:  # the file has the box of a shape turned by a right angle
        across, down, wide, high = (left + right) / 2, (top + bottom) / 2, bottom - top, right - left
        left, right, top, bottom = across - wide / 2, across + wide / 2, down - high / 2, down + high / 2
    place = etree.SubElement(parent, tag)
    if degrees:
        place.set("rot", str(round(degrees * 60_000) % 21_600_000))
    flips = shape.flips ^ (_FLIP_DOWN if shape.form == UPSIDE_DOWN else 0)
    for flag, name in ((0x40, "flipH"), (_FLIP_DOWN, "flipV")):
        if flips & flag:
            place.set(name, "1")
    at, size = etree.SubElement(place, A + "off"), etree.SubElement(place, A + "ext")
    for element, names, lengths in ((at, "xy", (left, top)), (size, ("cx", "cy"), (right - left, bottom - top))):
        for name, length in zip(names, lengths, strict=True):
            element.set(name, str(round(max(-50_000, min(length, 50_000)) * _UNIT)))


def _picture(tree: Element, shape: Shape, page: Page, number: int) -> None:
    relation = page.image(shape.options[_PICTURE])
    if relation is None:
        return
    made = _named(tree, "pic", "Pic", number, shape)
    fill = etree.SubElement(made, P + "blipFill")
    etree.SubElement(fill, A + "blip").set(R + "embed", relation)
    if cuts := pictures.crop(shape.options):
        cut = etree.SubElement(fill, A + "srcRect")
        for side, share in cuts.items():
            cut.set(side, str(share))
    etree.SubElement(etree.SubElement(fill, A + "stretch"), A + "fillRect")
    looks = etree.SubElement(made, P + "spPr")
    _at(looks, shape)
    etree.SubElement(looks, A + "prstGeom").set("prst", "rect")
    if any(each.text.strip() for each in shape.texts):
        _plain(tree, Shape(202, {}, shape.box, 0, shape.texts), page, number)


def _plain(tree: Element, shape: Shape, page: Page, number: int) -> None:
    made = _named(tree, "sp", "Sp", number, shape)
    texts = [each for each in shape.texts if each.text.strip()]
    kind = FURNITURE.get(shape.holder, "")
    if not kind and texts and shape.holder:
        kind = "title" if texts[0].kind in _TITLES else "body" if texts[0].kind in _BODIES else ""
    if kind:
        etree.SubElement(made.find(f"{P}nvSpPr/{P}nvPr"), P + "ph").set("type", kind)
    looks = etree.SubElement(made, P + "spPr")
    _at(looks, shape)
    form = NAMES.get(shape.form)
    etree.SubElement(looks, A + "prstGeom").set("prst", form or "rect")
    line = shape.form in _LINES
    if not line and _on(shape, _FILL_ON, 0x10, usual=_FILL in shape.options and shape.form != 202) and shape.form:
        _filled(looks, shape.options.get(_FILL, 0xFFFFFF), page)
    else:
        etree.SubElement(looks, A + "noFill")
    edge = etree.SubElement(looks, A + "ln")
    stroked = _on(shape, _LINE_ON, 0x08, usual=_LINE in shape.options or line)
    page.found[BOXED] += form is None and (stroked or looks.find(A + "solidFill") is not None)
    if stroked:
        edge.set("w", str(max(0, min(shape.options.get(_LINE_WIDTH, 9_525), 1_000_000))))
        _filled(edge, shape.options.get(_LINE, 0), page)
    else:
        etree.SubElement(edge, A + "noFill")
    _body(made, P + "txBody", texts, shape, page)


def _body(made: Element, tag: str, texts: list[Text], shape: Shape, page: Page) -> None:
    body = etree.SubElement(made, tag)
    inside = etree.SubElement(body, A + "bodyPr")
    title = bool(texts) and texts[0].kind in _TITLES
    inside.set("anchor", _ANCHORS.get(shape.options.get(_ANCHOR, 1 if title else 0), "t"))
    etree.SubElement(body, A + "lstStyle")
    for each in texts:
        page.found[DATE] += page.number > 0 and any(map(page.file.is_date, each.fields.values()))
        paragraphs(body, each, page.file, page.styles, page.colours, number=page.number, links=page.link)
    if not texts:
        etree.SubElement(body, A + "p")


def _table(tree: Element, shape: Shape, page: Page, number: int) -> None:
    made = _named(tree, "graphicFrame", "GraphicFrame", number, shape)
    _at(made, shape, P + "xfrm")
    data = etree.SubElement(etree.SubElement(made, A + "graphic"), A + "graphicData")
    data.set("uri", "http://schemas.openxmlformats.org/drawingml/2006/table")
    table = etree.SubElement(data, A + "tbl")
    etree.SubElement(table, A + "tblPr")
    columns = _edges(each for cell in shape.cells for each in (cell.box[0], cell.box[2]))
    rows = _edges(each for cell in shape.cells for each in (cell.box[1], cell.box[3]))
    grid = etree.SubElement(table, A + "tblGrid")
    for before, after in itertools.pairwise(columns):
        etree.SubElement(grid, A + "gridCol").set("w", str(round((after - before) * _UNIT)))
    placed = places_of(shape.cells, columns, rows)
    covered = _covered(placed)
    across = max([len(columns) - 1, *(left + 1 for _, left in placed)])
    for row in range(max([len(rows) - 1, *(top + 1 for top, _ in placed)])):
        line = etree.SubElement(table, A + "tr")
        height = rows[row + 1] - rows[row] if row + 1 < len(rows) else 0
        line.set("h", str(round(height * _UNIT)))
        for column in range(across):
            made_cell = etree.SubElement(line, A + "tc")
            if (row, column) not in placed:
                for name in covered.get((row, column), ()):
                    made_cell.set(name, "1")
                _body(made_cell, A + "txBody", [], Shape(0, {}), page)
                continue
            cell, wide, high = placed[row, column]
            for name, span in (("gridSpan", wide), ("rowSpan", high)):
                if span > 1:
                    made_cell.set(name, str(span))
            _body(made_cell, A + "txBody", [each for each in cell.texts if each.text.strip()], cell, page)
            looks = etree.SubElement(made_cell, A + "tcPr")
            if _on(cell, _FILL_ON, 0x10, usual=False) and _FILL in cell.options:
                _filled(looks, cell.options[_FILL], page)


def places_of(
    cells: list[Shape], columns: list[float], rows: list[float]
) -> dict[tuple[int, int], tuple[Shape, int, int]]:
    """Return the cells of a table by their row and column, with the numbers of columns and rows that each takes.

    Columns and rows are given by their edges. Rows without a height, which are as high as their text, are in the order
    of their cells.
    """
    placed: dict[tuple[int, int], tuple[Shape, int, int]] = {}
    for cell in cells:
        left, right = (_index(columns, cell.box[at]) for at in (0, 2))
        top, bottom = (_index(rows, cell.box[at]) for at in (1, 3))
        flat = top == bottom
        while (top, left) in placed:  # never on top of another one
            top, left = (top + 1, left) if flat else (top, left + 1)
        placed[top, left] = (cell, max(right - left, 1), max(bottom - top, 1))
    return placed


def _covered(placed: dict[tuple[int, int], tuple[Shape, int, int]]) -> dict[tuple[int, int], set[str]]:
    found: dict[tuple[int, int], set[str]] = {}
    for (top, left), (_, wide, high) in placed.items():
        for row in range(top, top + high):
            for column in range(left, left + wide):
                if (row, column) not in placed:
                    names = found.setdefault((row, column), set())
                    names |= {"hMerge"} if column > left else set()
                    names |= {"vMerge"} if row > top else set()
    return found


def _edges(lengths: Iterator[float]) -> list[float]:
    found: list[float] = []
    for each in sorted(lengths):
        if not found or each - found[-1] > 8:
            found.append(each)
    return found[:200]


def _index(edges: list[float], length: float) -> int:
    return min(range(len(edges)), key=lambda at: abs(edges[at] - length))


def _on(shape: Shape, number: int, flag: int, *, usual: bool) -> bool:
    value = shape.options.get(number, 0)
    return bool(value & flag) if value & flag << 16 else usual


def _filled(parent: Element, value: int, page: Page) -> None:
    fill: Any = etree.SubElement(etree.SubElement(parent, A + "solidFill"), A + "srgbClr")
    fill.set("val", _colour(value, page.colours))


def _colour(value: int, colours: list[str]) -> str:
    """A colour of a drawing as hexadecimal digits ([MS-ODRAW], 2.2.2)."""
    if value >> 24 & 0x08 and value & 0xFF < len(colours):
        return colours[value & 0xFF]
    return value.to_bytes(4, "little")[:3].hex().upper()
