"""The pictures and text boxes that are drawn on the pages of a Word document of 97 to 2003.

Their places are in [MS-DOC], 2.8.37, and the shapes themselves in 2.9.172.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from engine.families.documents.old_office import pictures
from engine.families.documents.old_office.pictures import Picture, Record
from engine.families.documents.old_office.word_file import WordFile
from engine.families.documents.ooxml.made import element
from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import PIC, WP, WPS, A, R

_DRAWINGS, _MAIN_PLACES, _HEADER_PLACES = 50, 40, 41
_PLACE = 26
_GROUP, _PICTURE, _TEXT = 0xF003, 0x0104, 0x0080
_SHAPE_FILE, _LINKED = 0x64, 0x66
_EMU = 635
_HIDDEN, _HIDES = 0x03BF, 0x00020002
_WRAPS = {1: "wrapTopAndBottom", 3: "wrapNone"}
_ACROSS = ("margin", "page", "column", "column")
_DOWN = ("margin", "page", "paragraph", "paragraph")
_MOST_TWIPS = 31_680


@dataclass
class Shape:
    """A shape, or a group of them: its pictures, and the numbers of its texts."""

    pictures: list[tuple[Picture | None, dict[str, int]]] = field(default_factory=list)
    texts: list[int] = field(default_factory=list)
    drawn: int = 0
    """The shapes that have neither a picture nor a text."""


@dataclass(frozen=True)
class Place:
    """Where a shape is, in twips from what `across` and `down` name."""

    shape: int
    x: int
    y: int
    width: int
    height: int
    across: str
    down: str
    wrap: str
    behind: bool


class Drawings:
    """The shapes of a document by number, and their places by character position."""

    def __init__(self, file: WordFile) -> None:
        self._file = file
        self._shapes: dict[int, Shape] = {}
        self._store: list[Picture | None] = []
        self._places = {}
        for part, story in ((_MAIN_PLACES, "text"), (_HEADER_PLACES, "headers")):
            begin, _ = file.story(story)
            for at, entry in zip(*file.positions(part, _PLACE), strict=False):
                self._places[begin + at] = _place(entry)
        self._data = file.part(_DRAWINGS)
        self._read()

    def at(self, position: int) -> tuple[Place, Shape] | None:
        """The shape that is anchored at a position of the text."""
        place = self._places.get(position)
        shape = None if place is None else self._shapes.get(place.shape)
        return None if place is None or shape is None else (place, shape)

    def inline(self, place: int) -> tuple[Picture | None, int, int, dict[str, int]] | None:
        """The picture in the stream Data at a place, its width and height in twips, and its crop; None if the place has
        no picture ([MS-DOC], 2.9.190)."""
        data = self._file.data
        if place + 68 > len(data):
            return None
        size, head, kind = struct.unpack_from("<iHH", data, place)
        wide, high, across, down = struct.unpack_from("<hhHH", data, place + 28)
        end = min(place + max(size, 0), len(data))
        wide, high = wide * across // 1_000, high * down // 1_000
        at = place + head
        if kind == _LINKED:
            at += 1 + (data[at] if at < end else 0)
        if kind not in (_SHAPE_FILE, _LINKED):
            content = data[at:end]
            return (Picture(content, "wmf") if content else None), wide, high, {}
        found, crop, named = None, dict[str, int](), False
        for each in pictures.records(data, at, end):
            if each.kind == pictures.SHAPE_CONTAINER:
                chosen = _options(data, each)
                crop, named = pictures.crop(chosen), _PICTURE in chosen
            elif each.kind == pictures.ENTRY:
                found = found or pictures.entry(data, each, b"")
            else:
                found = found or pictures.picture(data, each)
        if found is None and not named:
            return None
        return found, wide, high, crop

    def _read(self) -> None:
        data = self._data
        whole = next(pictures.records(data, 0, len(data)), None)
        if whole is None:
            return
        for each in pictures.records(data, whole.begin, whole.end):
            if each.kind == pictures.STORE:
                self._store = pictures.store(data, each, self._file.stream)
        at = whole.end
        while at + 9 <= len(data):
            record = next(pictures.records(data, at + 1, len(data)), None)
            if record is None:
                break
            for each in pictures.records(data, record.begin, record.end):
                if each.kind == _GROUP:
                    self._group(each, 0, top=True)
            at = record.end

    def _group(self, record: Record, depth: int, *, top: bool = False) -> Shape:
        whole = Shape()
        first: int | None = None
        for each in pictures.records(self._data, record.begin, record.end):
            if each.kind == _GROUP and depth < 30:
                inner = self._group(each, depth + 1)
            elif each.kind == pictures.SHAPE_CONTAINER:
                number, inner = self._shape(each)
                if first is None:
                    first, inner = number, Shape()
                else:
                    self._shapes[number] = inner
            else:
                continue
            if not top:
                whole.pictures += inner.pictures
                whole.texts += inner.texts
                whole.drawn += inner.drawn
        if first is not None and not top:
            self._shapes[first] = whole
        return whole

    def _shape(self, record: Record) -> tuple[int, Shape]:
        chosen = _options(self._data, record)
        number = 0
        for each in pictures.records(self._data, record.begin, record.end):
            if each.kind == pictures.SHAPE and each.end - each.begin >= 4:
                (number,) = struct.unpack_from("<I", self._data, each.begin)
        if chosen.get(_HIDDEN, 0) & _HIDES == _HIDES:
            return number, Shape()
        made = Shape(texts=[number] if chosen.get(_TEXT) else [])
        if index := chosen.get(_PICTURE):
            found = self._store[index - 1] if index <= len(self._store) else None
            made.pictures.append((found, pictures.crop(chosen)))
        made.drawn = int(not made.texts and not made.pictures)
        return number, made


def _options(data: bytes, record: Record) -> dict[int, int]:
    found: dict[int, int] = {}
    for each in pictures.records(data, record.begin, record.end):
        if each.kind == pictures.OPTIONS:
            found |= pictures.options(data, each)
    return found


def _place(entry: bytes) -> Place:
    shape, left, top, right, bottom, flags = struct.unpack_from("<IiiiiH", entry)
    left, top, right, bottom = (max(-_MOST_TWIPS, min(each, _MOST_TWIPS)) for each in (left, top, right, bottom))
    return Place(
        shape,
        left,
        top,
        max(right - left, 0),
        max(bottom - top, 0),
        _ACROSS[flags >> 1 & 3],
        _DOWN[flags >> 3 & 3],
        _WRAPS.get(flags >> 5 & 15, "wrapSquare"),
        bool(flags & 0x4000),
    )


def drawing(number: int, width: int, height: int, place: Place | None) -> tuple[Element, Element]:
    """A drawing of a size in twips, in the line unless it has a place, and the element for what it shows."""
    made = element("drawing")
    frame: Any = etree.SubElement(made, WP + ("inline" if place is None else "anchor"))
    if place is not None:
        frame.set("behindDoc", str(int(place.behind)))
        for name, origin, length in (("positionH", place.across, place.x), ("positionV", place.down, place.y)):
            position = etree.SubElement(frame, WP + name)
            position.set("relativeFrom", origin)
            etree.SubElement(position, WP + "posOffset").text = str(length * _EMU)
    extent = etree.SubElement(frame, WP + "extent")
    extent.set("cx", str(max(width, 1) * _EMU))
    extent.set("cy", str(max(height, 1) * _EMU))
    if place is not None:
        around = etree.SubElement(frame, WP + place.wrap)
        if place.wrap == "wrapSquare":
            around.set("wrapText", "bothSides")
    described = etree.SubElement(frame, WP + "docPr")
    described.set("id", str(number))
    described.set("name", f"Drawing {number}")
    data = etree.SubElement(etree.SubElement(frame, A + "graphic"), A + "graphicData")
    return made, data


def show(data: Element, relation: str, crop: dict[str, int], size: tuple[int, int]) -> None:
    """Show a picture of the package in a drawing."""
    data.set("uri", PIC[1:-1])
    shown = etree.SubElement(data, PIC + "pic")
    names = etree.SubElement(shown, PIC + "nvPicPr")
    described = etree.SubElement(names, PIC + "cNvPr")
    described.set("id", "0")
    described.set("name", "Picture")
    etree.SubElement(names, PIC + "cNvPicPr")
    fill = etree.SubElement(shown, PIC + "blipFill")
    etree.SubElement(fill, A + "blip").set(R + "embed", relation)
    if crop:
        cut = etree.SubElement(fill, A + "srcRect")
        for side, share in crop.items():
            cut.set(side, str(share))
    etree.SubElement(etree.SubElement(fill, A + "stretch"), A + "fillRect")
    _shaped(etree.SubElement(shown, PIC + "spPr"), size)


def box(data: Element, content: list[Element], size: tuple[int, int]) -> None:
    """Show a text in a box in a drawing."""
    data.set("uri", WPS[1:-1])
    shape = etree.SubElement(data, WPS + "wsp")
    etree.SubElement(shape, WPS + "cNvSpPr").set("txBox", "1")
    _shaped(etree.SubElement(shape, WPS + "spPr"), size)
    inside = etree.SubElement(etree.SubElement(shape, WPS + "txbx"), element("txbxContent").tag)
    inside.extend(content)
    etree.SubElement(shape, WPS + "bodyPr")


def _shaped(properties: Element, size: tuple[int, int]) -> None:
    place = etree.SubElement(properties, A + "xfrm")
    at, extent = etree.SubElement(place, A + "off"), etree.SubElement(place, A + "ext")
    for name in ("x", "y"):
        at.set(name, "0")
    for name, length in zip(("cx", "cy"), size, strict=True):
        extent.set(name, str(max(length, 1) * _EMU))
    form = etree.SubElement(properties, A + "prstGeom")
    form.set("prst", "rect")
    etree.SubElement(form, A + "avLst")
