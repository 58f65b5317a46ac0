r"""An RTF file (1.9.1) as a Word document in memory, for the reader that knows how pages look.

Groups hand on what they look like; a destination, such as `\footnote`, says where its text goes. The text comes as
UTF-8 from the module that knows the code pages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from conversions.families.documents import rtf
from conversions.families.documents.ooxml.made import MAIN, Made, add, element
from conversions.families.documents.ooxml.package import Element
from conversions.families.documents.rich_text import words
from conversions.families.documents.rich_text.head import Head
from conversions.families.documents.rich_text.pictures import Picture, Shape, inline
from conversions.families.documents.rich_text.properties import (
    BLOCK,
    LETTERS,
    Edges,
    Said,
    with_block,
    with_letters,
)
from conversions.families.documents.rich_text.sections import RUNNING, Sections
from conversions.families.documents.rich_text.story import Sheet, Story
from conversions.families.documents.rich_text.tables import Row
from conversions.families.documents.word import job as kinds
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Kind, Warn

MARKS = Kind("CONTENT_DROPPED", "Marks of list items that the file does not spell out were left out")


@dataclass(frozen=True)
class State:
    """What a group hands on to the groups in it."""

    letters: Said
    block: Said
    place: str = "text"
    """Where text goes: into the story, a buffer of some destination, or nowhere."""
    ends: Callable[[], None] | None = None
    """What is to be done at the end of the group that this began in."""
    labels: bool = False
    """Whether this is the mark of a list item, which is as large as the item where it says nothing else."""


def opened(path: Path, warn: Warn) -> Made:
    """Read a file. Raises Unreadable for what is no RTF, nested too deep, or cut off."""
    data = path.read_bytes()
    if not data.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"{\\rtf"):
        raise Unreadable("The file is not one of the format RTF.")
    text, replaced = rtf.to_utf8(data)
    if replaced:
        warn("ENCODING_REPLACED", f"{replaced:,} characters could not be read and became U+FFFD.")
    return _Reader(text.decode("utf-8", "replace")).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._made = Made()
        self._sheet = Sheet()
        self._sections = Sections()
        self._body = element("body")
        self._stories = [Story(self._sheet, self._body, MAIN, 8_640)]
        self._state = State(LETTERS, BLOCK)
        self._groups: list[State] = []
        self._starred = self._begun = False
        self._buffer: list[str] = []
        self._row, self._nested = Row(), Row()
        self._in_nested = False
        self._edges = Edges()
        self._head = Head(self._sheet, self._edges)
        self._picture: Picture | None = None
        self._shapes: list[Shape] = []
        self._fields: list[bool] = []
        self._notes: dict[str, Element] = {}
        self._author = ""
        self._named: dict[str, str] = {}
        self._values: list[str] = []
        self._listed = False
        self._part = 0
        self._larger = False

    def read(self) -> Made:
        for token in words.TOKEN.finditer(self._text):
            word, number, symbol, brace, text = token.groups()
            if word is not None:
                self._word(word, int(number) if number else None)
            elif text is not None:
                self._say(text)
            elif brace == "{":
                self._open()
            elif brace == "}":
                self._close()
            elif symbol is not None:
                self._symbol(symbol)
        if self._groups:
            raise Unreadable("The file is damaged: it ends in the middle of a group.")
        made = self._done()
        if self._sheet.beyond:
            made.found[kinds.WIDE] += self._sheet.beyond
        return made

    @property
    def _story(self) -> Story:
        return self._stories[-1]

    def _open(self) -> None:
        if len(self._groups) >= words.DEEPEST:
            raise Unreadable(f"The groups of the file are nested more than {words.DEEPEST:,} deep.")
        self._groups.append(self._state)
        self._state = replace(self._state, ends=None)
        self._begun, self._starred = True, False

    def _close(self) -> None:
        if not self._groups:
            return
        if self._state.ends is not None:
            self._state.ends()
        self._state = self._groups.pop()
        self._begun = self._starred = False

    def _symbol(self, symbol: str) -> None:
        if symbol == "*":
            self._starred = True
        elif symbol in ("\n", "\r"):
            self._word("par", None)
        elif symbol in words.SYMBOLS:
            self._say(words.SYMBOLS[symbol])

    def _say(self, text: str) -> None:
        place = self._state.place
        if place == "text":
            self._begun = False
            self._story.say(words.CONTROL.sub("", text), self._state.letters)
        elif place == "picture" and self._picture is not None:
            self._picture.digits.append(text)
        elif place in words.TABLES:
            self._head.say(text, place)
        elif place == "buffer":
            self._buffer.append(text)

    def _within(self, place: str, ends: Callable[[], None] | None = None) -> None:
        if not self._groups:
            return
        self._state = replace(self._state, place=place, ends=ends or self._state.ends)

    def _word(self, word: str, number: int | None) -> None:
        starred, begun = self._starred, self._begun
        self._starred = self._begun = False
        place = self._state.place
        if place == "nowhere":
            return
        if begun or starred:
            if self._destination(word):
                return
            if word == "background":
                self._made.found[kinds.GROUND] += 1
            if word in words.SKIPPED or (starred and word not in words.STARRED and place != "styles"):
                self._within("nowhere")
                return
        if place == "picture":
            self._picture_word(word, number)
        elif place in words.TABLES:
            self._head.word(word, number, place)
        elif place in ("text", "shape"):
            self._text_word(word, number)

    def _destination(self, word: str) -> bool:
        """Begin a destination, if the word does."""
        if word == "fonttbl":
            self._within("fonts")
        elif word == "colortbl":
            self._within("colours")
        elif word == "stylesheet":
            self._within("styles")
        elif word in ("title", "author") and self._state.place == "info":
            self._take(lambda text: self._named.setdefault(word, text))
        elif word == "info":
            self._within("info")
        elif word in RUNNING:
            self._run_along(word)
        elif word in words.NOTES:
            self._note(words.NOTES[word])
        elif word == "atnauthor":
            self._take(lambda text: setattr(self, "_author", text))
        elif word == "bkmkstart":
            self._take(lambda name: add(self._story.paragraph, "bookmarkStart").set(_name_of("name"), name))
        elif word == "field":
            self._fields.append(False)
            self._within("text", self._end_field)
        elif word == "fldinst":
            self._take(self._begin_field)
        elif word == "pict":
            self._picture = Picture()
            self._within("picture", self._end_picture)
        elif word == "object":
            self._made.found[kinds.OBJECT] += 1
        elif word == "shp":
            self._shapes.append(Shape())
            self._within("shape", self._end_shape)
        elif word == "shptxt" and self._shapes:
            self._box()
        elif word == "sp" and self._shapes:
            self._values = []
            self._within("shape")
        elif word == "sv" and self._shapes:
            self._take(self._shape_value)
        elif word == "sn" and self._shapes:
            self._take(self._values.append)
        elif word == "nesttableprops":
            self._in_nested = True
            self._within("text", lambda: setattr(self, "_in_nested", False))
        elif word in ("listtext", "pntext"):
            self._listed = True
            self._state = replace(self._state, labels=True)
        elif word == "mmath":
            self._made.found[kinds.EQUATION] += 1
        elif word == "do":
            self._made.found[kinds.SHAPE] += 1
            return False
        else:
            return word in words.STARRED
        return True

    def _take(self, use: Callable[[str], object]) -> None:
        """Collect the text of this group for something else than the story."""
        held, self._buffer = self._buffer, []

        def end() -> None:
            text = words.CONTROL.sub("", "".join(self._buffer)).strip()
            self._buffer = held
            use(text)

        self._within("buffer", end)

    def _text_word(self, word: str, number: int | None) -> None:
        story, state = self._story, self._state
        if (letters := with_letters(state.letters, word, number)) is not None:
            self._state = replace(state, letters=letters)
        elif (block := with_block(state.block, word, number)) is not None:
            self._state = replace(state, block=block)
        elif word == "par":
            self._end_paragraph()
        elif word == "pard":
            self._state = replace(state, block=BLOCK)
        elif word == "plain":
            size = {"fs": state.letters["fs"]} if state.labels and "fs" in state.letters else {}
            self._state = replace(state, letters={**self._head.usual, **size})
        elif word == "s" and number is not None:
            styled, letters = self._head.styles.get(number, (BLOCK, state.letters))
            kept = {name: state.block[name] for name in ("table", "itap") if name in state.block}
            self._state = replace(state, block={**styled, **kept, "style": number}, letters=letters)
        elif word == "cs" and number is not None:
            self._state = replace(state, letters={**state.letters, **self._head.letters.get(number, {})})
        elif word == "tab":
            story.put(state.letters, "tab")
        elif word in words.BREAKS:
            attributes = {"type": words.BREAKS[word]} if words.BREAKS[word] else {}
            story.put(state.letters, "br", **attributes)
        elif word in words.CHARACTERS:
            self._say(words.CHARACTERS[word])
        elif word in ("cell", "nestcell"):
            story.cell(state.block, state.letters, nested=word == "nestcell")
            self._listed = False
        elif word in ("row", "nestrow"):
            story.row(self._nested if word == "nestrow" else self._row, nested=word == "nestrow")
        elif word == "trowd":
            if self._in_nested:
                self._nested = Row()
            else:
                self._row = Row()
        elif (bordered := self._edges.paragraph(state.block, word)) is not None:
            self._state = replace(state, block=bordered)
        elif self._edged(word, number):
            pass
        elif word == "chbrdr":
            self._edges.begin()
        elif word == "sect":
            self._end_section()
        elif self._sections.word(word, number):
            self._story.room = self._sections.room if len(self._stories) == 1 else self._story.room
        elif word == "chpgn":
            self._counted("PAGE")
        elif word == "ls" and number:
            self._state = replace(state, block={**state.block, "list": number})
        elif word == "htmautsp":
            self._larger = True
        elif word == "ftnalt" and len(self._stories) > 1 and self._story.part == "footnotes":
            self._story.part = "endnotes"
        elif word == "deff" and number is not None:
            self._head.usual = {**LETTERS, "f": number}
            self._state = replace(state, letters=self._head.usual)
        elif self._shapes:
            self._shapes[-1].word(word, number)

    def _edged(self, word: str, number: int | None) -> bool:
        """Follow a word of rows, cells and their edges; whether it is one."""
        row = self._nested if self._in_nested else self._row
        return row.word(word, number, self._edges) or self._edges.word(word, number)

    def _end_paragraph(self) -> None:
        block = self._state.block
        if block.get("list") and not self._listed and len(self._story.paragraph):
            self._made.found[MARKS] += 1
        self._listed = False
        self._story.end(block, self._state.letters)

    def _counted(self, name: str) -> None:
        self._story.flush()
        field = add(self._story.paragraph, "fldSimple", instr=f" {name} ")
        add(add(field, "r"), "t").text = "1"

    def _end_section(self) -> None:
        if len(self._stories) > 1:
            return
        self._story.close(self._state.block, self._state.letters)
        self._body.append(self._sections.end())

    def _begin_story(self, target: Element, part: str, room: int, ends: Callable[[], None]) -> None:
        self._stories.append(Story(self._sheet, target, part, room))

        def end() -> None:
            self._story.close(self._state.block, self._state.letters)
            ends()

        held_row, self._row = self._row, Row()

        def restored() -> None:
            end()
            self._row = held_row

        self._state = replace(self._state, letters=self._head.usual, block=BLOCK, place="text", ends=restored)

    def _run_along(self, word: str) -> None:
        head = word.startswith("header")
        target = element("hdr" if head else "ftr")
        self._part += 1
        name = f"running{self._part}"

        def end() -> None:
            self._stories.pop()
            relation = self._made.put(name, target, of=MAIN, kind="header" if head else "footer")
            self._sections.parts["header" if head else "footer", RUNNING[word]] = relation
            self._sections.even = self._sections.even or RUNNING[word] == "even"

        self._begin_story(target, name, self._sections.room, end)

    def _note(self, kind: str) -> None:
        outer, letters = self._story, self._state.letters
        target = element(kind)

        def end() -> None:
            endnote = self._stories.pop().part == "endnotes"
            name = "endnote" if endnote else kind
            target.tag = element(name).tag
            notes: Element = self._notes.setdefault(name, element(f"{name}s"))
            id = str(len(notes) + 1)
            target.set(_name_of("id"), id)
            if kind == "comment":
                target.set(_name_of("author"), self._author or "unknown")
            notes.append(target)
            outer.put({**letters, "vertAlign": "baseline"}, f"{name}Reference", id=id)

        self._begin_story(target, f"{kind}s", self._sections.room, end)

    def _box(self) -> None:
        shape = self._shapes[-1]
        target = element("txbxContent")
        held, self._shapes = self._shapes, []

        def end() -> None:
            self._stories.pop()
            self._shapes = held
            shape.text = target

        self._begin_story(target, self._story.part, max(shape.size()[0] - 288, 400), end)

    def _begin_field(self, instruction: str) -> None:
        if not self._fields or self._fields[-1]:
            return
        self._fields[-1] = True
        self._story.put(self._state.letters, "fldChar", fldCharType="begin")
        add(self._story.run(self._state.letters), "instrText").text = f" {instruction} "
        self._story.put(self._state.letters, "fldChar", fldCharType="separate")

    def _end_field(self) -> None:
        if self._fields.pop():
            self._story.put(self._state.letters, "fldChar", fldCharType="end")

    def _picture_word(self, word: str, number: int | None) -> None:
        if self._picture is not None:
            self._picture.word(word, number)

    def _end_picture(self) -> None:
        picture, self._picture = self._picture, None
        data = picture.data() if picture is not None else b""
        if picture is None or not data:
            return
        part = self._story.part
        self._part += 1
        relation = self._made.put(f"picture{self._part}", data, of=part, kind="image")
        if self._shapes:
            self._shapes[-1].picture = (relation, picture)
        else:
            self._story.run(self._state.letters).append(inline(relation, picture))

    def _shape_value(self, text: str) -> None:
        if self._values and len(self._shapes[-1].said) < 300:
            self._shapes[-1].said[self._values[-1]] = text

    def _end_shape(self) -> None:
        shape = self._shapes.pop()
        drawing = shape.drawing()
        if drawing is None:
            self._made.found[kinds.SHAPE] += 1
        else:
            self._story.run({}).append(drawing)

    def _done(self) -> Made:
        story, made = self._stories[0], self._made
        story.close(self._state.block, self._state.letters)
        self._body.append(self._sections.end())
        main = element("document")
        main.append(self._body)
        settings = element("settings")
        if self._sections.even:
            add(settings, "evenAndOddHeaders")
        if not self._larger:
            add(add(settings, "compat"), "doNotUseHTMLParagraphAutoSpacing")
        for name, part in {"styles": self._sheet.written, "settings": settings,
                           **{f"{kind}s": part for kind, part in self._notes.items()}}.items():  # fmt: skip
            made.put(name, part, of=MAIN, kind=name)
        core = element("core")
        for name, key in (("title", "title"), ("creator", "author")):
            if self._named.get(key):
                each = add(core, name)
                each.tag, each.text = f"{{http://purl.org/dc/elements/1.1/}}{name}", self._named[key]
        made.put("core", core, of="", kind="core-properties")
        made.put(MAIN, main, of="", kind="officeDocument")
        made.close()
        return made


def _name_of(attribute: str) -> str:
    return f"{element('p').tag[:-1]}{attribute}"
