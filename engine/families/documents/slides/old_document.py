"""A PowerPoint presentation of 97 to 2003 ([MS-PPT]) as one of Office Open XML, with its text, pictures and notes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from lxml import etree

from engine.families.documents.old_office import compound
from engine.families.documents.old_office.pictures import Picture, Record, all_records
from engine.families.documents.ooxml.package import Element
from engine.families.documents.ooxml.packing import Parts
from engine.families.documents.slides.deck import COMMENT, MEDIA, OBJECT, P
from engine.families.documents.slides.old_file import (
    DOCUMENT_ATOM,
    MASTERS,
    NOTES,
    NUMBER,
    SLIDES,
    Entry,
    SlidesFile,
    Text,
)
from engine.families.documents.slides.old_shapes import DATE, FURNITURE, Page, Shape, background, shapes, write
from engine.families.documents.slides.old_texts import Styles, paragraphs
from engine.families.documents.word.names import A, R
from engine.toolkit.formats import PPT
from engine.toolkit.warnings import Kind, Warn

_ATOM, _SHOWING, _COLOURS, _MASTER_TEXT = 0x03EF, 0x03F9, 0x07F0, 0x0FA3
_HIDDEN, _FOLLOWS_SHAPES, _FOLLOWS_BACKGROUND = 0x0004, 0x0001, 0x0004
_OBJECTS, _EMBEDDED = 0x0409, 0x0FCC
_MEDIA = frozenset({0x1004, 0x1005, 0x1006, 0x1007, 0x100D, 0x100E, 0x100F, 0x1010})
_TAGS, _TAG, _BLOB, _COMMENT, _ANIMATED = 0x1388, 0x138A, 0x138B, 0x2EE0, 0x0FF1
_EFFECTS = frozenset(range(0xF12B, 0xF133))
"""Records of what a shape does in time ([MS-PPT], 2.8.29 to 2.8.61); programs write the containers without it."""
_RUNNING, _RUNNING_ATOM, _OF_SLIDES, _NUMBER_HOLDER = 0x0FD9, 0x0FDA, 3, 8
_TODAY, _OWN_DATE, _NUMBERED, _FOOTED = 0x0003, 0x0005, 0x0008, 0x0020
_UNIT = 914_400 / 576
_MAIN = "ppt/presentation.xml"
_EDGES = ("FFFFFF", "000000", "808080", "000000", "FFFFFF", "333399", "009999", "99CC00")
_MOST_MASTERS = 1_000


def to_pptx(source: Path, target: Path, warn: Warn) -> None:
    """Write a presentation as pptx. Raises Unreadable for a file that is damaged, protected or of another kind."""
    with compound.opened(source, PPT, warn) as found:
        made = _Presentation(SlidesFile(found))
        made.read()
        made.parts.core(*found.names_of_itself())
        for kind, count in made.found.items():
            warn.tally(kind, count)
    made.parts.write(target)


class _Presentation:
    def __init__(self, file: SlidesFile) -> None:
        self._file = file
        self.parts = Parts()
        self.found: Counter[Kind] = Counter()
        self._media: dict[Picture, str] = {}
        self._masters = {each.number: each for each in file.lists[MASTERS][:_MOST_MASTERS]}
        self._notes = {each.number: each for each in file.lists[NOTES]}
        self._layouts: dict[int, str] = {}
        self._styles: dict[int, Styles] = {}

    def read(self) -> None:
        file = self._file
        root = etree.Element(P + "presentation")
        held = etree.SubElement(root, P + "sldIdLst")
        atom = file.first(file.document, DOCUMENT_ATOM)
        size = etree.SubElement(root, P + "sldSz")
        for name, offset, usual in (("cx", 0, 5_760), ("cy", 4, 4_320)):
            length = 0 if atom is None else file.number(atom, offset)
            size.set(name, str(round((length if 100 <= length <= 32_000 else usual) * _UNIT)))
        for number, entry in enumerate(file.lists[SLIDES], start=1):
            name = f"ppt/slides/slide{number}.xml"
            self.parts.put(name, self._slide(number, entry, name), "presentationml.slide")
            each = etree.SubElement(held, P + "sldId")
            each.set("id", str(255 + number))
            each.set(R + "id", self.parts.relate(_MAIN, "slide", name))
        objects = file.first(file.document, _OBJECTS)
        for record in file.inside(objects) if objects is not None else ():
            self.found[OBJECT] += record.kind == _EMBEDDED
            self.found[MEDIA] += record.kind in _MEDIA
        self.parts.put(_MAIN, root, "presentationml.presentation.main")
        self.parts.relate("", "officeDocument", _MAIN)

    def _page(self, part: str, number: int, master: int, colours: list[str]) -> Page:
        return Page(self._file, self.parts, part, number, self._styles_of(master), colours, self._media, self.found)

    def _slide(self, number: int, entry: Entry, name: str) -> Element:
        file, record = self._file, self._file.at(entry.place)
        atom = file.first(record, _ATOM)
        master, notes, flags = (0, 0, 0) if atom is None else (
            file.number(atom, 12), file.number(atom, 16), file.number(atom, 20, 2)
        )  # fmt: skip
        colours = self._colours(record if not flags & 2 else None, master)
        page = self._page(name, number, master, colours)
        found = shapes(file, record, entry.texts)
        root, tree = _root("sld")
        if not flags & _FOLLOWS_BACKGROUND:
            background(found, page, root[0])
            root[0].insert(0, root[0][-1])
        if not flags & _FOLLOWS_SHAPES:
            root.set("showMasterSp", "0")
        showing = file.first(record, _SHOWING)
        if showing is not None and file.number(showing, 10, 2) & _HIDDEN:
            root.set("show", "0")
        found += [each for each in self._furniture(record, master) if each.holder not in {one.holder for one in found}]
        referred = {id(text) for shape in found for text in shape.texts}
        write(tree, found, page, master=False)
        left = [each for each in entry.texts if id(each) not in referred and each.text.strip()]
        # A text of the outline that no shape shows is in the file all the same.
        places = [(300, 300 + 200 * at, 5_400, 500 + 200 * at) for at in range(len(left))]
        rest = [Shape(202, {}, place, 13, [each]) for place, each in zip(places, left, strict=True)]
        write(tree, rest, page, master=False)
        if self._beside(record):
            etree.SubElement(root, P + "timing")
        if master in self._masters:
            self.parts.relate(name, "slideLayout", self._layout(master))
        if notes in self._notes:
            self._note(self._notes[notes], number, name, colours)
        return root

    def _beside(self, record: Record) -> bool:
        """Count the comments of a slide, and return whether it has animations."""
        file, moves = self._file, any(True for _ in self._file.all(record, _ANIMATED))
        for tags in file.inside(record):
            for tag in file.inside(tags) if tags.kind == _TAGS else ():
                blob = file.first(tag, _BLOB) if tag.kind == _TAG else None
                for each in all_records(file.data, blob.begin, blob.end) if blob is not None else ():
                    self.found[COMMENT] += each.kind == _COMMENT
                    moves |= each.kind in _EFFECTS
        return moves

    def _note(self, entry: Entry, number: int, slide: str, colours: list[str]) -> None:
        name = f"ppt/notesSlides/notesSlide{number}.xml"
        root, tree = _root("notes")
        page = self._page(name, number, 0, colours)
        body = etree.Element(P + "txBody")
        for shape in shapes(self._file, self._file.at(entry.place), entry.texts):
            for each in shape.texts if shape.holder not in FURNITURE else ():
                if each.text.strip():
                    paragraphs(body, each, self._file, Styles(), colours, number=number, links=page.link)
        if len(body):
            made = etree.SubElement(tree, P + "sp")
            names = etree.SubElement(made, P + "nvSpPr")
            etree.SubElement(etree.SubElement(names, P + "nvPr"), P + "ph").set("type", "body")
            made.append(body)
        if len(tree):
            self.parts.put(name, root, "presentationml.notesSlide")
            self.parts.relate(slide, "notesSlide", name)

    def _furniture(self, record: Record, master: int) -> list[Shape]:
        """The date, the number and the footer of a slide, where its master has them ([MS-PPT], 2.4.15)."""
        file, above = self._file, self._above(master)
        held = file.first(record, _RUNNING) or next(
            (each for each in file.inside(file.document) if each.kind == _RUNNING and each.instance == _OF_SLIDES), None
        )
        atom = None if held is None else file.first(held, _RUNNING_ATOM)
        if held is None or atom is None or above is None:
            return []
        flags = file.number(atom, 2, 2)
        texts = {
            7: file.string(held, 0) if flags & _OWN_DATE == _OWN_DATE else "",
            8: "*" if flags & _NUMBERED else "",
            9: file.string(held, 2) if flags & _FOOTED else "",
        }
        if flags & _TODAY == _TODAY:
            self.found[DATE] += 1
        made = []
        for shape in shapes(file, above, []):
            if text := texts.get(shape.holder):
                looks = next((each for each in shape.texts), Text(4))
                fields = {0: NUMBER} if shape.holder == _NUMBER_HOLDER else {}
                made.append(replace(shape, texts=[Text(looks.kind, text, looks.looks, fields)]))
        return made

    def _layout(self, number: int) -> str:
        """The part of a master, whose shapes slides show behind their own."""
        if number not in self._layouts:
            name = self._layouts[number] = f"ppt/slideLayouts/slideLayout{len(self._layouts) + 1}.xml"
            entry = self._masters[number]
            record = self._file.at(entry.place)
            page = self._page(name, 0, number, self._colours(record, number))
            found = shapes(self._file, record, entry.texts)
            root, tree = _root("sldLayout")
            background(found, page, root[0])
            root[0].insert(0, root[0][-1])
            write(tree, found, page, master=True)
            self.parts.put(name, root, "presentationml.slideLayout")
        return self._layouts[number]

    def _above(self, number: int) -> Record | None:
        return self._file.at(self._masters[number].place) if number in self._masters else None

    def _styles_of(self, number: int) -> Styles:
        if number not in self._styles:
            made = self._styles[number] = Styles()
            for master in self._chain(number):
                for each in self._file.inside(master):
                    if each.kind == _MASTER_TEXT:
                        made.read(each.instance, self._file.data[each.begin : each.end])
        return self._styles[number]

    def _chain(self, number: int) -> list[Record]:
        """A master behind the one that it follows, as title masters do."""
        record = self._above(number)
        if record is None:
            return []
        atom = self._file.first(record, _ATOM)
        other = None if atom is None else self._above(self._file.number(atom, 12))
        return [record] if other is None or other == record else [other, record]

    def _colours(self, record: Record | None, master: int) -> list[str]:
        """The eight colours of a slide, or of its master."""
        for each in (record, *reversed(self._chain(master))):
            if each is None:
                continue
            for scheme in self._file.inside(each):
                if scheme.kind == _COLOURS and scheme.instance == 1 and scheme.end - scheme.begin >= 32:
                    data = self._file.data[scheme.begin : scheme.begin + 32]
                    return [data[at : at + 3].hex().upper() for at in range(0, 32, 4)]
        return list(_EDGES)


def _root(name: str) -> tuple[Element, Element]:
    root = etree.Element(P + name, nsmap={"p": P[1:-1], "a": A[1:-1], "r": R[1:-1]})
    tree = etree.SubElement(etree.SubElement(root, P + "cSld"), P + "spTree")
    return root, tree
