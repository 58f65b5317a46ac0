"""The formatting of texts on slides of PowerPoint 97 to 2003 ([MS-PPT], 2.9.20 and 2.9.44) as DrawingML."""

from __future__ import annotations

import itertools
import struct
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from engine.families.documents.ooxml.package import Element
from engine.families.documents.slides.old_file import SlidesFile, Text
from engine.families.documents.word.names import A, R

_BODIES = frozenset({1, 7, 8})
"""The types of texts that have bullets unless the file says otherwise."""
_SIZES = {0: (44,), 6: (44,), 1: (32, 28, 24, 20, 20), 5: (32,), 7: (28, 24, 20, 18, 18), 8: (24, 20, 18, 16, 16)}
_PARENT = {5: 1, 6: 0, 7: 1, 8: 1}
_USUAL = 18
_LEVELS = 5
_BULLET_FLAGS, _BULLET_LETTER, _BULLET_FONT, _BULLET_SIZE, _BULLET_COLOUR = 0xF, 0x80, 0x10, 0x40, 0x20
_BLOCK = (
    (0x0800, 2, "align"), (0x1000, 2, "line"), (0x2000, 2, "before"), (0x4000, 2, "after"), (0x0100, 2, "left"),
    (0x0400, 2, "indent"), (0x8000, 2, "tab"),
)  # fmt: skip
_TABS, _FONT_ALIGN, _WRAPS, _DIRECTION = 0x100000, 0x10000, 0xE0000, 0x200000
_LETTERS = (
    (0x10000, 2, "font"), (0x200000, 2, "asian"), (0x400000, 2, "ansi"), (0x800000, 2, "symbols"), (0x20000, 2, "size"),
    (0x40000, 4, "colour"), (0x80000, 2, "raised"),
)  # fmt: skip
_STYLE = 0xFFFF
_ALIGNMENTS = ("l", "ctr", "r", "just")
_RGB = 0xFE
Properties = dict[str, int]


@dataclass
class Styles:
    """The styles of a master by the type of text and its level."""

    block: dict[tuple[int, int], Properties] = field(default_factory=dict)
    text: dict[tuple[int, int], Properties] = field(default_factory=dict)

    def read(self, kind: int, data: bytes) -> None:
        """Read a TxMasterStyleAtom of a type of text ([MS-PPT], 2.9.36)."""
        at = 2
        for each in range(min(int.from_bytes(data[:2], "little"), _LEVELS)):
            level = each
            if kind >= 5:
                level = min(int.from_bytes(data[at : at + 2], "little"), _LEVELS - 1)
                at += 2
            if at + 4 > len(data):
                return
            block, at = _block(data, at)
            text, at = _letters(data, at)
            self.block[kind, level], self.text[kind, level] = block, text

    def of(self, kind: int, level: int) -> tuple[Properties, Properties]:
        """The properties of paragraphs and letters, with those of the type that this one is a variant of."""
        sizes = _SIZES.get(kind, (_USUAL,))
        block: Properties = {"bullets": int(kind in _BODIES)}
        text: Properties = {"size": sizes[min(level, len(sizes) - 1)]}
        for each in (*((_PARENT[kind],) if kind in _PARENT else ()), kind):
            for step in range(level + 1):  # each level has what the one above it has
                block |= self.block.get((each, step), {})
                text |= self.text.get((each, step), {})
        return block, text


def paragraphs(
    body: Element, text: Text, file: SlidesFile, styles: Styles, colours: list[str], *, number: int, links: Any
) -> None:
    """Append the paragraphs of a text; `links` gives the relationship of an address, `number` is that of the slide."""
    blocks, runs = _runs(text)
    at = 0
    for line in text.text.split("\r"):
        end = at + len(line)
        _, level, own = next((each for each in blocks if at < each[0]), (0, 0, Properties()))
        level = min(level, _LEVELS - 1)
        block, usual = styles.of(text.kind, level)
        made = etree.SubElement(body, A + "p")
        _write_block(made, level, block | own, file.fonts)
        for begin, stop, looks in _pieces(at, end, runs, text):
            _write_run(made, text, begin, stop, usual | looks, file, colours, number, links)
        at = end + 1


def _pieces(begin: int, end: int, runs: list[tuple[int, Properties]], text: Text) -> list[tuple[int, int, Properties]]:
    edges = {begin, end}
    edges |= {each for last, _ in runs for each in (last,) if begin < each < end}
    edges |= {each for first, last, _ in text.links for each in (first, last) if begin < each < end}
    edges |= {each for place in text.fields for each in (place, place + 1) if begin < each < end}
    places = sorted(edges)
    found = []
    at = 0
    for first, last in itertools.pairwise(places):
        while at < len(runs) and runs[at][0] <= first:
            at += 1
        found.append((first, last, runs[at][1] if at < len(runs) else {}))
    return found


def _write_block(made: Element, level: int, found: Properties, fonts: list[str]) -> None:
    properties = etree.SubElement(made, A + "pPr")
    if level:
        properties.set("lvl", str(level))
    if found.get("align", 9) < len(_ALIGNMENTS):
        properties.set("algn", _ALIGNMENTS[found["align"]])
    left, indent = (min(found.get(name, 0), 5_000) * 1_587 for name in ("left", "indent"))
    if found.get("bullets"):
        properties.set("marL", str(left or 342_900 * (level + 1)))
        properties.set("indent", str(indent - left if left else -342_900))
        letter = chr(found.get("bullet", 0x2022))
        mark = (
            letter
            if letter.isprintable() and not "\ue000" <= letter <= "\uf8ff" and found.get("bullet", 0) > 32
            else "•"
        )
        number = found.get("bulletFont", -1) if found.get("ownFont") else -1
        if 0 <= number < len(fonts) and fonts[number]:
            etree.SubElement(properties, A + "buFont").set("typeface", fonts[number])
        etree.SubElement(properties, A + "buChar").set("char", mark)
    else:
        if left:
            properties.set("marL", str(left))
        etree.SubElement(properties, A + "buNone")


def _write_run(
    made: Element,
    text: Text,
    begin: int,
    end: int,
    looks: Properties,
    file: SlidesFile,
    colours: list[str],
    number: int,
    links: Any,
) -> None:
    shown = text.text[begin:end]
    if begin in text.fields and end == begin + 1:
        shown = str(number) if file.is_number(text.fields[begin]) else ""
    address = next((address for first, last, address in text.links if first <= begin < last), "")
    for at, part in enumerate(shown.split("\x0b")):
        if at:
            etree.SubElement(made, A + "br")
        part = "".join(each for each in part if each == "\t" or (each >= " " and each not in "\ufffe\uffff"))
        if not part:
            continue
        run = etree.SubElement(made, A + "r")
        properties = etree.SubElement(run, A + "rPr")
        if 1 <= looks.get("size", 0) <= 4_000:
            properties.set("sz", str(looks["size"] * 100))
        for name, flag in (("b", 1), ("i", 2)):
            if looks.get("style", 0) & flag:
                properties.set(name, "1")
        if looks.get("style", 0) & 4:
            properties.set("u", "sng")
        raised = looks.get("raised", 0)
        if raised and raised != 0xFFFF:
            properties.set("baseline", str((raised - 0x10000 if raised > 0x7FFF else raised) * 1_000))
        if (colour := colour_of(looks.get("colour"), colours)) is not None:
            fill = etree.SubElement(properties, A + "solidFill")
            etree.SubElement(fill, A + "srgbClr").set("val", colour)
        font = looks.get("font", -1)
        if 0 <= font < len(file.fonts) and file.fonts[font]:
            etree.SubElement(properties, A + "latin").set("typeface", file.fonts[font])
        if address:
            etree.SubElement(properties, A + "hlinkClick").set(R + "id", links(address))
        etree.SubElement(run, A + "t").text = part


def colour_of(value: int | None, colours: list[str]) -> str | None:
    """A colour of text as hexadecimal digits ([MS-PPT], 2.12.2)."""
    if value is None:
        return None
    index = value >> 24
    if index == _RGB:
        return value.to_bytes(4, "little")[:3].hex().upper()
    return colours[index] if index < len(colours) else None


def _runs(text: Text) -> tuple[list[tuple[int, int, Properties]], list[tuple[int, Properties]]]:
    """The end, level and properties of paragraphs, and the end and properties of letters."""
    data, at, place = text.looks, 0, 0
    blocks: list[tuple[int, int, Properties]] = []
    runs: list[tuple[int, Properties]] = []
    while place <= len(text.text) and at + 10 <= len(data):
        count, level = struct.unpack_from("<IH", data, at)
        block, at = _block(data, at + 6)
        place += max(count, 1)
        blocks.append((place, level, block))
    place = 0
    while place <= len(text.text) and at + 8 <= len(data):
        (count,) = struct.unpack_from("<I", data, at)
        letters, at = _letters(data, at + 4)
        place += max(count, 1)
        runs.append((place, letters))
    return blocks, runs


def _number(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "little")


def _block(data: bytes, at: int) -> tuple[Properties, int]:
    mask, at = _number(data, at, 4), at + 4
    found: Properties = {}
    if mask & _BULLET_FLAGS:
        if mask & 1:
            found["bullets"] = _number(data, at, 2) & 1
        if mask & 2:
            found["ownFont"] = _number(data, at, 2) & 2
        at += 2
    if mask & _BULLET_LETTER:
        found["bullet"] = _number(data, at, 2)
        at += 2
    if mask & _BULLET_FONT:
        found["bulletFont"] = _number(data, at, 2)
        at += 2
    at += 2 * bool(mask & _BULLET_SIZE) + 4 * bool(mask & _BULLET_COLOUR)
    for flag, size, name in _BLOCK:
        if mask & flag:
            found[name] = _number(data, at, size)
            at += size
    if mask & _TABS:
        at += 2 + 4 * _number(data, at, 2)
    return found, at + 2 * bool(mask & _FONT_ALIGN) + 2 * bool(mask & _WRAPS) + 2 * bool(mask & _DIRECTION)


def _letters(data: bytes, at: int) -> tuple[Properties, int]:
    mask, at = _number(data, at, 4), at + 4
    found: Properties = {}
    if mask & _STYLE:
        found["style"] = _number(data, at, 2)
        at += 2
    for flag, size, name in _LETTERS:
        if mask & flag:
            found[name] = _number(data, at, size)
            at += size
    return found, at
