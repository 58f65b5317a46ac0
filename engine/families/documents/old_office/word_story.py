"""The paragraphs of a Word document of 97 to 2003 as those of WordprocessingML, story by story ([MS-DOC], 2.3)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.families.documents.old_office import word_drawings, word_formatting
from engine.families.documents.old_office.pictures import Picture
from engine.families.documents.old_office.sprms import Modifiers, unsigned
from engine.families.documents.old_office.word_drawings import Drawings, Place
from engine.families.documents.old_office.word_file import WordFile
from engine.families.documents.old_office.word_styles import Styles
from engine.families.documents.old_office.word_tables import Block, arranged
from engine.families.documents.ooxml.made import W, add, element
from engine.families.documents.ooxml.package import Element
from engine.families.documents.ooxml.packing import Parts
from engine.families.documents.word.names import R
from engine.toolkit.warnings import Kind

DRAWN = Kind("CONTENT_DROPPED", "Drawn shapes without text were left out: {count}{places}.")
LOST = Kind("CONTENT_DROPPED", "Pictures that are damaged or missing in the file were left out: {count}{places}.")
CHOICES = Kind("CONTENT_DROPPED", "The choices of drop-down lists in forms were left out: {count}{places}.", drawn=True)
REPLACED = Kind("ENCODING_REPLACED", "Unpaired surrogates became U+FFFD: {count}{places}.")
LINKED = Kind("REMOTE_RESOURCE_BLOCKED", "References to other files or websites were not loaded: {count}{places}.")

_ENDS = re.compile("[\r\x07\x0c]")
_PIECE = re.compile("[\x00-\x1f]|[^\x00-\x1f]+")
_CODE = re.compile("\x13[^\x13-\x15]*+\x14?")
_HALF = re.compile("[\ud800-\udfff]")
_FORBIDDEN = dict.fromkeys((0xFFFE, 0xFFFF))
_PICTURE, _NOTE, _COMMENT, _DRAWING, _CELL, _SYMBOL = "\x01", "\x02", "\x05", "\x08", "\x07", "("
_BEGIN, _SEPARATE, _END = "\x13", "\x14", "\x15"
_FIELDS = frozenset({_BEGIN, _SEPARATE, _END})
_WRITTEN = frozenset({"PAGE", "NUMPAGES", "SECTIONPAGES", "EQ", "LISTNUM", "AUTONUM", "AUTONUMLGL", "AUTONUMOUT"})
"""Fields whose value depends on the page or on their place; of all others the last result is the text."""
_OUTSIDE = frozenset({"INCLUDEPICTURE", "INCLUDETEXT", "LINK", "DDE", "DDEAUTO"})
_ADDRESS = re.compile(r'\s*+(?:"([^"]*+)"|([^\s"\\]++))')
_INSIDE = re.compile(r'\\l\s++"([^"]*+)"')
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_BREAKS: dict[str, tuple[str, dict[str, str]]] = {
    "\t": ("tab", {}), "\x0b": ("br", {}), "\x0c": ("br", {"type": "page"}), "\x0e": ("br", {"type": "column"}),
    "\x1e": ("noBreakHyphen", {}), "\x1f": ("softHyphen", {}),
}  # fmt: skip
_MOST_DRAWINGS = 20_000
_CHECKED, _BOX = ("☐", "☒"), 1
_NESTED = 4
"""The text boxes within text boxes that are read."""


class Notes:
    """The notes of one kind: where their marks are, and where their texts."""

    def __init__(self, file: WordFile, story: str, references: int, texts: int) -> None:
        self.begin, self.end = file.story(story)
        places, flags = file.positions(references, 2)
        self.numbers = {place: number for number, place in enumerate(places[: len(flags)], start=1)}
        self.own = {place for place, flag in zip(places, flags, strict=False) if flag == b"\0\0"}
        """The places of marks that are letters of the text."""
        data = file.part(texts)
        self.texts = [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data) - 3, 4)]


class Stories:
    """Reads the stories of one document; `found` counts what it can't express."""

    def __init__(self, file: WordFile, styles: Styles, fonts: list[str], parts: Parts) -> None:
        self._file, self._styles, self._fonts, self._parts = file, styles, fonts, parts
        self.found: Counter[Kind] = Counter()
        self.notes = {"footnote": Notes(file, "footnotes", 2, 3), "endnote": Notes(file, "endnotes", 46, 47)}
        self._drawings = Drawings(file)
        self._boxes = {
            **_boxes(file, "header_boxes", 58),
            **_boxes(file, "boxes", 56),
        }
        self._shown: set[int] = set()
        self._drawn = 0
        self._media: dict[Picture, str] = {}
        self._inside = 0

    def read(self, begin: int, end: int, part: str, sections: Mapping[int, Element] | None = None) -> list[Element]:
        """The paragraphs and tables of a part of the text; `sections` are those that end at a position."""
        return arranged(_Story(self, part, sections or {}).read(begin, end))

    def unshown(self) -> int:
        """The number of text boxes that nothing on a page leads to."""
        return sum(
            bool(_CODE.sub("", self._file.text[begin:end]).strip("\r\n\x01\x08\x15 "))
            for shape, (begin, end) in self._boxes.items()
            if shape not in self._shown
        )

    def image(self, picture: Picture | None, part: str) -> str | None:
        """The relationship of a part to a picture; None, and counted, for a lost one."""
        if picture is None:
            self.found[LOST] += 1
            return None
        if picture not in self._media:
            self._media[picture] = self._parts.picture("word", picture.data, picture.extension)
        return self._parts.relate(part, "image", self._media[picture])

    def linked(self, part: str, address: str) -> str:
        """The relationship of a part to an address outside the file."""
        return self._parts.relate(part, "hyperlink", address, external=True)

    def framed(self, width: int, height: int, place: Place | None) -> tuple[Element, Element] | None:
        self._drawn += 1
        return word_drawings.drawing(self._drawn, width, height, place) if self._drawn <= _MOST_DRAWINGS else None

    def box(self, shape: int, part: str) -> list[Element] | None:
        """The paragraphs of a text box; None for one that has none, or that was read before."""
        if shape not in self._boxes or shape in self._shown or self._inside >= _NESTED:
            return None
        self._shown.add(shape)
        self._inside += 1
        content = self.read(*self._boxes[shape], part)
        self._inside -= 1
        return content


def _boxes(file: WordFile, story: str, part: int) -> dict[int, tuple[int, int]]:
    begin, end = file.story(story)
    places, entries = file.positions(part, 22)
    return {
        int.from_bytes(entry[14:18], "little"): (begin + first, min(begin + last, end))
        for first, last, entry in zip(places, places[1:], entries, strict=False)
        if first <= last and begin + first <= end
    }


@dataclass
class _Field:
    """An open field: its code, whether its result has begun, and what its result is within."""

    code: list[str] = field(default_factory=list)
    shows: bool = False
    written: bool = False
    link: tuple[str, str] | None = None


class _Story:
    def __init__(self, stories: Stories, part: str, sections: Mapping[int, Element]) -> None:
        self._all, self._part, self._sections = stories, part, sections
        self._file = stories._file
        self._fields: list[_Field] = []
        self._made = element("p")
        self._above: Modifiers = {}

    def read(self, begin: int, end: int) -> list[Block]:
        blocks: list[Block] = []
        at = begin
        while at < end:
            mark = self._mark(at, end)
            blocks.append(self._paragraph(at, mark, end))
            at = mark + 1
        while self._fields:  # a field that the story doesn't end
            self._field(_END, {}, None)
        return blocks

    def _mark(self, at: int, end: int) -> int:
        """The position of the character that ends the paragraph."""
        for match in _ENDS.finditer(self._file.text, at, end):
            if match[0] != "\x0c" or match.start() + 1 in self._sections or match.start() + 1 == end:
                return match.start()
        return end

    def _paragraph(self, begin: int, mark: int, end: int) -> Block:
        style, found = self._file.paragraph(mark) if mark < end else (0, {})
        styles = self._all._styles
        self._above = styles.text(style)
        self._made = element("p")
        properties = add(self._made, "pPr")
        if style in styles:
            add(properties, "pStyle", val=styles.names[style])
        numbered = word_formatting.listed(found)
        for each in word_formatting.paragraph(found):
            properties.append(each)
        if numbered is not None:
            properties.insert(1 if style in styles else 0, numbered)
        for first, last, looks in self._file.runs(begin, mark):
            self._run(first, last, looks)
        if mark + 1 in self._sections:
            properties.append(self._sections[mark + 1])
        return Block(self._made, self._file.text[mark : min(mark + 1, end)], found)

    def _run(self, begin: int, end: int, looks: Modifiers) -> None:
        made = word_formatting.run(looks, self._all._fonts, self._all._styles.names, self._above)
        special = unsigned(looks, word_formatting.SPECIAL) == 1
        if word_formatting.SYMBOL in looks and len(looks[word_formatting.SYMBOL]) == 4:
            for position in range(begin, end):
                if self._file.text[position] == _SYMBOL:
                    self._symbol(looks, made)
                else:
                    self._text(self._file.text[position], looks, made)
            return
        for match in _PIECE.finditer(self._file.text, begin, end):
            each, position = match[0], match.start()
            if each in _FIELDS:
                self._field(each, looks, made)
            elif each in _BREAKS:
                name, attributes = _BREAKS[each]
                self._place(looks, made).append(element(name, **attributes))
            elif each == _PICTURE:
                self._picture(looks, made)
            elif each == _DRAWING and special:
                self._drawing(position, looks, made)
            elif each == _NOTE and special:
                self._note(position, looks, made)
            elif each >= " ":
                self._own_marks(position, position + len(each), looks, made)

    def _own_marks(self, begin: int, end: int, looks: Modifiers, made: Element | None) -> None:
        """Write text, in which letters may be the marks of notes."""
        at = begin
        for kind, notes in self._all.notes.items():
            for position in sorted(each for each in notes.own if begin <= each < end) if notes.own else ():
                self._text(self._file.text[at:position], looks, made)
                run = self._place(looks, made)
                add(run, f"{kind}Reference", customMarkFollows=1, id=notes.numbers[position])
                at = position
        self._text(self._file.text[at:end], looks, made)

    def _text(self, text: str, looks: Modifiers, made: Element | None) -> None:
        if _HALF.search(text):
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
            self._all.found[REPLACED] += text.count("\ufffd")
        text = text.translate(_FORBIDDEN)
        asked = next((each for each in reversed(self._fields) if not each.shows), None)
        if asked is not None:
            asked.code.append(text)
        elif text:
            name = "delText" if unsigned(looks, word_formatting.DELETED) == 1 else "t"
            run = add(self._place(looks, made), name)
            run.text = text
            run.set(_SPACE, "preserve")

    def _place(self, looks: Modifiers, made: Element | None) -> Element:
        """A new run, in a tracked change if it is one."""
        place = self._made
        link = next((each.link for each in reversed(self._fields) if each.link is not None), None)
        if link is not None:
            place = add(place, "hyperlink")
            place.set(*link)
        for modifier, name in ((word_formatting.DELETED, "del"), (word_formatting.INSERTED, "ins")):
            if unsigned(looks, modifier) == 1:
                place = add(place, name, id=0, author="")
        run = add(place, "r")
        if made is not None:
            run.append(_copied(made))
        return run

    def _symbol(self, looks: Modifiers, made: Element | None) -> None:
        operand = looks[word_formatting.SYMBOL]
        font, letter = (int.from_bytes(operand[at : at + 2], "little") for at in (0, 2))
        fonts = self._all._fonts
        add(self._place(looks, made), "sym", font=fonts[font] if font < len(fonts) else "", char=f"{letter:04X}")

    def _field(self, mark: str, looks: Modifiers, made: Element | None) -> None:
        if mark == _BEGIN:
            self._fields.append(_Field())
        elif not self._fields:
            return
        elif mark == _SEPARATE and not self._fields[-1].shows:
            self._show_result(looks, made)
        elif mark == _END:
            if not self._fields[-1].shows:
                self._show_result(looks, made)
            if self._fields.pop().written:
                add(self._place(looks, made), "fldChar", fldCharType="end")

    def _show_result(self, looks: Modifiers, made: Element | None) -> None:
        """Begin the result of a field, and write the field itself if its value depends on the page or on its place."""
        asked = self._fields[-1]
        asked.shows = True
        code = "".join(asked.code)
        name, _, rest = code.strip().partition(" ")
        if any(not each.shows for each in self._fields):
            return
        if name.upper() == "HYPERLINK":
            asked.link = self._target(rest)
        elif name.upper() in _WRITTEN and all(each.link is None for each in self._fields):
            asked.written = True
            add(self._place(looks, made), "fldChar", fldCharType="begin")
            add(self._place(looks, made), "instrText").text = code
            add(self._place(looks, made), "fldChar", fldCharType="separate")
        elif name.upper() in _OUTSIDE:
            self._all.found[LINKED] += 1
        elif name.upper() == "FORMDROPDOWN":
            self._all.found[CHOICES] += 1

    def _target(self, switches: str) -> tuple[str, str] | None:
        """The attribute of a link with its address, or with a place in the document."""
        address = _ADDRESS.match(switches)
        inside = _INSIDE.search(switches)
        if address is not None and (named := (address[1] or address[2] or "").strip()):
            named = named.replace("\\\\", "\\") + (f"#{inside[1]}" if inside else "")
            return f"{R}id", self._all.linked(self._part, "".join(each for each in named if each.isprintable()))
        return (f"{W}anchor", inside[1]) if inside else None

    def _picture(self, looks: Modifiers, made: Element | None) -> None:
        if word_formatting.PICTURE not in looks or unsigned(looks, word_formatting.OBJECT) == 1:
            return
        place = unsigned(looks, word_formatting.PICTURE)
        if unsigned(looks, word_formatting.IS_DATA) == 1:
            self._box_of_form(place, looks, made)
            return
        found = self._all._drawings.inline(place)
        if found is None:
            return
        picture, width, height, crop = found
        self._show(picture, (max(width, 1), max(height, 1)), crop, None, looks, made)

    def _box_of_form(self, place: int, looks: Modifiers, made: Element | None) -> None:
        """Show whether a box of a form is checked ([MS-DOC], 2.9.78)."""
        data = self._file.data
        head = int.from_bytes(data[place + 4 : place + 6], "little")
        flags = int.from_bytes(data[place + head + 4 : place + head + 6], "little")
        if not self._fields or "FORMCHECKBOX" not in "".join(self._fields[-1].code) or flags & 3 != _BOX:
            return
        result = flags >> 2 & 0x1F
        if result not in (0, 1):  # as the form was made
            name = place + head + 10
            name += 2 + 2 * (int.from_bytes(data[name : name + 2], "little") + 1)
            result = int.from_bytes(data[name : name + 2], "little") & 1
        self._fields[-1].shows = True
        add(self._place(looks, made), "t").text = _CHECKED[result]

    def _show(
        self,
        picture: Picture | None,
        size: tuple[int, int],
        crop: dict[str, int],
        place: Place | None,
        looks: Modifiers,
        made: Element | None,
    ) -> None:
        relation = self._all.image(picture, self._part)
        framed = None if relation is None else self._all.framed(*size, place)
        if relation is not None and framed is not None:
            drawing, data = framed
            word_drawings.show(data, relation, crop, size)
            self._place(looks, made).append(drawing)

    def _drawing(self, position: int, looks: Modifiers, made: Element | None) -> None:
        found = self._all._drawings.at(position)
        if found is None:
            return
        place, shape = found
        size = max(place.width, 1), max(place.height, 1)
        for picture, crop in shape.pictures:
            self._show(picture, size, crop, place, looks, made)
        for text in shape.texts:
            content = self._all.box(text, self._part)
            framed = None if content is None else self._all.framed(*size, place)
            if content is not None and framed is not None:
                drawing, data = framed
                word_drawings.box(data, content, size)
                self._place(looks, made).append(drawing)
        self._all.found[DRAWN] += shape.drawn

    def _note(self, position: int, looks: Modifiers, made: Element | None) -> None:
        for kind, notes in self._all.notes.items():
            if position in notes.numbers:
                add(self._place(looks, made), f"{kind}Reference", id=notes.numbers[position])
            elif notes.begin <= position < notes.end:
                add(self._place(looks, made), f"{kind}Ref")


def _copied(made: Element) -> Element:
    copy = element("rPr")
    for each in made:
        copy.append(
            element(each.tag.removeprefix(W), **{str(key).removeprefix(W): value for key, value in each.items()})
        )
    return copy
