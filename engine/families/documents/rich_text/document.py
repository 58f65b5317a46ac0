r"""Convert RTF (1.9.1) to a Word document in memory, to share its layout code.

Groups pass their formatting on to nested groups; a destination, such as `\footnote`, determines where its text goes.
The text has already been converted to UTF-8 by `rtf`, which knows the code pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from engine.families.documents import rtf, ruby
from engine.families.documents.ooxml.made import MAIN, Made, W, add, element
from engine.families.documents.ooxml.package import Element
from engine.families.documents.ooxml.packing import pack
from engine.families.documents.rich_text import links, vocabulary, words
from engine.families.documents.rich_text.head import Head
from engine.families.documents.rich_text.lists import Lists
from engine.families.documents.rich_text.pictures import Picture, Shape, inline
from engine.families.documents.rich_text.properties import (
    BLOCK,
    PLAIN,
    Edges,
    Properties,
    with_frame_property,
    with_paragraph_property,
    with_text_property,
)
from engine.families.documents.rich_text.sections import RUNNING, Sections
from engine.families.documents.rich_text.sheet import Sheet
from engine.families.documents.rich_text.story import Story
from engine.families.documents.rich_text.tables import Row
from engine.families.documents.word import job as kinds
from engine.families.documents.word.names import R
from engine.toolkit import vocabulary as elements
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

MARKS = Kind("CONTENT_DROPPED", "List markers that the file doesn't include were left out: {count}{places}.")


@dataclass(frozen=True)
class State:
    """The state that a group passes on to nested groups."""

    text_format: Properties
    block: Properties
    place: str = "text"
    """The target of text: the story, a destination's buffer, or nothing."""
    ends: Callable[[], None] | None = None
    """Called at the end of the group in which this started."""
    labels: bool = False
    """Whether this is a list label, which inherits its size from the item unless it sets its own."""


@dataclass(frozen=True)
class Named:
    """The title and the author in a file's information, unless its text names them by their styles.

    The title is `shown` above a text that has no headings and does not begin with it.
    """

    title: str
    author: str
    subject: str
    shown: bool


def to_docx(path: Path, target: Path, warn: Warn) -> Named:
    """Write a file as docx, with lists that count. Raises Unreadable as `opened` does."""
    reader, made = _read(path, warn, numbered=True)
    for kind, count in made.found.items():
        warn.tally(kind, count)
    if reader.changed:
        warn("VALUE_CONVERTED", "Tracked deletions are struck out; insertions are part of the text.")
    pack(made, target)
    return reader.named()


def opened(path: Path, warn: Warn) -> Made:
    """Open a file. Raises Unreadable if it isn't RTF, is nested too deep, or is truncated."""
    reader, made = _read(path, warn, numbered=False)
    elements.report(Counter({f"\\{word}": count for word, count in reader.unknown.items()}), warn)
    return made


def _read(path: Path, warn: Warn, *, numbered: bool) -> tuple[_Reader, Made]:
    data = path.read_bytes()
    if not data.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"{\\rtf"):
        raise Unreadable("The file is not RTF.", reason="format")
    text, replaced = rtf.to_utf8(data)
    if replaced:
        warn("ENCODING_REPLACED", say("{replaced} characters could not be read and became U+FFFD.", replaced=replaced))
    reader = _Reader(text.decode("utf-8", "replace"), numbered=numbered)
    return reader, reader.read()


class _Reader:
    """Reads a file once.

    If `numbered`, its lists are numbered by their definitions, and its styles have their names; else labels are text,
    and there is a style for each height of text.
    """

    def __init__(self, text: str, *, numbered: bool) -> None:
        self._text = text
        self._numbered = numbered
        self._lists = Lists()
        self._label = ""
        self.changed = False
        """Whether changes were tracked."""
        self._made = Made()
        self._sheet = Sheet()
        self._sections = Sections()
        self._body = element("body")
        self._stories = [Story(self._sheet, self._body, MAIN, 8_640)]
        self._state = State(PLAIN, BLOCK)
        self._groups: list[State] = []
        self._starred = self._begun = False
        self._buffer: list[str] = []
        self._row, self._nested = Row(), Row()
        self._in_nested = False
        self._edges = Edges()
        self._head = Head(self._sheet, self._edges)
        if numbered:
            self._sheet.names, self._sheet.looks = self._head.names, self._head.styles
        self._picture: Picture | None = None
        self._shapes: list[Shape] = []
        self._fields: list[str] = []
        """What the open fields are: a field or a link; empty until their instruction."""
        self._notes: dict[str, Element] = {}
        self._author = ""
        self._named: dict[str, str] = {}
        self._values: list[str] = []
        self._bookmarks = 0
        self._listed = False
        self._part = 0
        self._larger = False
        self.unknown: Counter[str] = Counter()
        """Counts the unsupported control words that affect the appearance."""

    def read(self) -> Made:
        for token in words.TOKEN.finditer(self._text):
            word, number, symbol, brace, text = token.groups()
            if word is not None:
                self._word(word, int(number) if number else None)
            elif text is not None:
                self._read_text(text)
            elif brace == "{":
                self._open()
            elif brace == "}":
                self._close()
            elif symbol is not None:
                self._symbol(symbol)
        if self._groups:
            raise Unreadable("The file is damaged: it ends in the middle of a group.", reason="damaged")
        made = self._done()
        if self._sheet.beyond:
            made.found[kinds.WIDE] += self._sheet.beyond
        return made

    def named(self) -> Named:
        """The title and the author in the document's information."""
        texts = ("".join(each.itertext(f"{W}t")).strip() for each in self._body.iter(f"{W}p"))
        styles = {self._head.names.get(each, "") for each in self._sheet.used}
        title, author = ("" if each in styles else self._named.get(each, "") for each in ("title", "author"))
        headed = bool(self._sheet.headings) or any(each.startswith("heading ") for each in styles)
        return Named(
            title,
            author,
            self._named.get("subject", ""),
            shown=not headed and next(filter(None, texts), "") != title,
        )

    @property
    def _story(self) -> Story:
        return self._stories[-1]

    def _open(self) -> None:
        if len(self._groups) >= words.DEEPEST:
            raise Unreadable(
                say("The file's groups are nested more than {deepest} deep.", deepest=words.DEEPEST),
                reason="limit",
            )
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
            self._read_text(words.SYMBOLS[symbol])

    def _read_text(self, text: str) -> None:
        place = self._state.place
        if place == "text":
            self._begun = False
            self._story.append_text(words.CONTROL.sub("", text), self._state.text_format)
        elif place == "picture" and self._picture is not None:
            self._picture.digits.append(text)
        elif place in words.TABLES:
            self._head.read_text(text, place)
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
        if place == "lists" and (begun or starred):
            if word == "leveltext":
                self._take(self._lists.pattern)
                return
            if starred or word in ("levelnumbers", "listname"):
                self._within("nowhere")
                return
        elif begun or starred:
            if self._destination(word):
                return
            if word == "background":
                self._made.found[kinds.GROUND] += 1
            if word in words.SKIPPED or (starred and word not in words.STARRED and place != "styles"):
                self._within("nowhere")
                return
        if place == "picture":
            self._picture_word(word, number)
        elif place == "lists":
            self._lists.word(word, number)
        elif place == "buffer":
            self._buffer.append(words.CHARACTERS.get(word, ""))
        elif place in words.TABLES:
            self._head.word(word, number, place)
        elif place in ("text", "shape"):
            self._text_word(word, number)

    def _destination(self, word: str) -> bool:
        """Start a destination, if the word is one."""
        if word == "fonttbl":
            self._within("fonts")
        elif word == "colortbl":
            self._within("colours")
        elif word == "stylesheet":
            self._within("styles")
        elif word in ("listtable", "listoverridetable") and self._numbered:
            self._within("lists")
        elif word in ("title", "author", "subject") and self._state.place == "info":
            self._take(lambda text: self._named.setdefault(word, text))
        elif word == "info":
            self._within("info")
        elif word in RUNNING:
            if len(self._stories) == 1:  # one in another is a part of it
                self._run_along(word)
        elif word in words.NOTES:
            self._note(words.NOTES[word])
        elif word == "atnauthor":
            self._take(lambda text: setattr(self, "_author", text))
        elif word == "bkmkstart":
            self._take(self._begin_bookmark)
        elif word == "field":
            self._fields.append("")
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
        elif word in ("listtext", "pntext") and self._numbered:
            self._take(lambda text: setattr(self, "_label", text))
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
        """Collect the text of this group for another use than the story."""
        held, self._buffer = self._buffer, []

        def end() -> None:
            text = words.CONTROL.sub("", "".join(self._buffer)).strip()
            self._buffer = held
            use(text)

        self._within("buffer", end)

    def _text_word(self, word: str, number: int | None) -> None:
        story, state = self._story, self._state
        if self._numbered and word in ("revised", "deleted"):
            self.changed = True
            if word == "deleted":
                self._state = replace(state, text_format={**state.text_format, "strike": number != 0})
        elif (text_format := with_text_property(state.text_format, word, number)) is not None:
            self._state = replace(state, text_format=text_format)
        elif self._numbered and (framed := with_frame_property(state.block, word, number)) is not None:
            self._state = replace(state, block=framed)
        elif (block := with_paragraph_property(state.block, word, number)) is not None:
            self._state = replace(state, block=block)
        elif word == "par":
            self._end_paragraph()
        elif word == "pard":
            self._state = replace(state, block=BLOCK)
        elif word == "plain":
            size = {"fs": state.text_format["fs"]} if state.labels and "fs" in state.text_format else {}
            self._state = replace(state, text_format={**self._head.usual, **size})
        elif word == "s" and number is not None:
            styled, text_format = self._head.styles.get(number, (BLOCK, state.text_format))
            kept = {name: state.block[name] for name in ("table", "itap") if name in state.block}
            self._state = replace(state, block={**styled, **kept, "style": number}, text_format=text_format)
        elif word == "cs" and number is not None:
            self._state = replace(
                state, text_format={**state.text_format, **self._head.character_styles.get(number, {})}
            )
        elif word == "tab":
            story.put(state.text_format, "tab")
        elif word in words.BREAKS:
            attributes = {"type": words.BREAKS[word]} if words.BREAKS[word] else {}
            story.put(state.text_format, "br", **attributes)
        elif word in words.CHARACTERS:
            self._read_text(words.CHARACTERS[word])
        elif word in ("cell", "nestcell"):
            story.cell(self._ended(), state.text_format, nested=word == "nestcell")
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
        elif len(self._stories) > 1 and self._sections.has(word):
            pass  # Word resets section properties after each field of a header or note, which has no sections
        elif self._sections.word(word, number):
            self._story.room = self._sections.room
        elif word == "chpgn":
            self._counted("PAGE")
        elif word == "ls" and number:
            self._state = replace(state, block={**state.block, "list": number})
        elif word == "htmautsp":
            self._larger = True
        elif word == "ftnalt" and len(self._stories) > 1 and self._story.part == "footnotes":
            self._story.part = "endnotes"
        elif word == "deff" and number is not None:
            self._head.usual = {**PLAIN, "f": number}
            self._state = replace(state, text_format=self._head.usual)
        elif self._shapes:
            self._shapes[-1].word(word, number)
        elif number != 0 and not vocabulary.is_unseen(word):
            self.unknown[word] += 1

    def _edged(self, word: str, number: int | None) -> bool:
        """Handle a word for rows, cells or their borders; return whether it is one."""
        row = self._nested if self._in_nested else self._row
        return row.word(word, number, self._edges) or self._edges.word(word, number)

    def _ended(self) -> Properties:
        """The properties of the paragraph that ends, with the numbering if it is an item of a list."""
        block, label, self._label = self._state.block, self._label, ""
        number, depth = block.get("list"), block.get("ilvl", 0)
        if self._numbered and number and (found := self._lists.numbering(number, depth, label)) is not None:
            return {**block, "numbering": (found, depth)}
        if label:
            self._story.flush()
            run = element("r")
            add(run, "t").text = f"{'•' if label == '·' else label}\u00a0"
            self._story.paragraph.insert(0, run)
        return block

    def _end_paragraph(self) -> None:
        block = self._ended()
        if block.get("list") and not self._numbered and not self._listed and len(self._story.paragraph):
            self._made.found[MARKS] += 1
        self._listed = False
        self._story.end(block, self._state.text_format)

    def _counted(self, name: str) -> None:
        self._story.flush()
        field = add(self._story.paragraph, "fldSimple", instr=f" {name} ")
        add(add(field, "r"), "t").text = "1"

    def _end_section(self) -> None:
        if len(self._stories) > 1:
            return
        self._story.close(self._ended(), self._state.text_format)
        section = self._sections.end()
        if self._numbered:
            last = self._body[-1] if len(self._body) else None
            if last is None or last.tag != f"{W}p" or last.find(f"{W}pPr/{W}sectPr") is not None:
                last = add(self._body, "p")
            properties = last.find(f"{W}pPr")
            (add(last, "pPr") if properties is None else properties).append(section)
        else:
            self._body.append(section)

    def _begin_story(self, target: Element, part: str, room: int, ends: Callable[[], None]) -> None:
        self._stories.append(Story(self._sheet, target, part, room))

        def end() -> None:
            self._story.close(self._ended(), self._state.text_format)
            ends()

        held_row, self._row = self._row, Row()

        def restored() -> None:
            end()
            self._row = held_row

        self._state = replace(self._state, text_format=self._head.usual, block=BLOCK, place="text", ends=restored)

    def _run_along(self, word: str) -> None:
        head = word.startswith("header")
        target = element("hdr" if head else "ftr")
        self._part += 1
        name = f"running{self._part}"

        def end() -> None:
            self._stories.pop()
            relation = self._made.put(name, target, source=MAIN, kind="header" if head else "footer")
            self._sections.parts["header" if head else "footer", RUNNING[word]] = relation
            self._sections.even = self._sections.even or RUNNING[word] == "even"

        self._begin_story(target, name, self._sections.room, end)

    def _note(self, kind: str) -> None:
        outer, text_format = self._story, self._state.text_format
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
            outer.put({**text_format, "vertAlign": "baseline"}, f"{name}Reference", id=id)

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

    def _begin_bookmark(self, name: str) -> None:
        self._bookmarks += 1
        add(self._story.paragraph, "bookmarkStart", id=self._bookmarks, name=name)

    def _begin_field(self, instruction: str) -> None:
        if not self._fields or self._fields[-1]:
            return
        reading = ruby.parse_field(instruction)
        if reading is not None:
            self._read_above(*reading)
            return
        link = self._link(instruction)
        if link is not None:
            self._fields[-1] = "link"
            self._story.flush()
            self._story.links.append(link)
            return
        self._fields[-1] = "field"
        self._story.put(self._state.text_format, "fldChar", fldCharType="begin")
        add(self._story.run(self._state.text_format), "instrText").text = f" {instruction} "
        self._story.put(self._state.text_format, "fldChar", fldCharType="separate")

    def _link(self, instruction: str) -> dict[str, str] | None:
        """The attributes of a link, if the instruction is one."""
        found = links.read(instruction)
        if found is None:
            return None
        link = {_name_of("anchor"): found.place} if found.place else {}
        if found.address:
            link[f"{R}id"] = self._made.relate(self._story.part, "hyperlink", found.address, external=True)
        return link or None

    def _read_above(self, base: str, reading: str) -> None:
        """Write a base text with its reading (17.3.3.25)."""
        made = self._story.put(self._state.text_format, "ruby")
        for name, text in (("rt", reading), ("rubyBase", base)):
            run = add(add(made, name), "r")
            run.append(self._sheet.run_properties(self._state.text_format))
            add(run, "t").text = text

    def _end_field(self) -> None:
        kind = self._fields.pop()
        if kind == "link" and self._story.links:
            self._story.flush()
            self._story.links.pop()
        elif kind == "field":
            self._story.put(self._state.text_format, "fldChar", fldCharType="end")

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
        relation = self._made.put(say("picture{part}", part=self._part), data, source=part, kind="image")
        if self._shapes:
            self._shapes[-1].picture = (relation, picture)
        else:
            self._story.run(self._state.text_format).append(inline(relation, picture))

    def _shape_value(self, text: str) -> None:
        if self._values and len(self._shapes[-1].properties) < 300:
            self._shapes[-1].properties[self._values[-1]] = text

    def _end_shape(self) -> None:
        shape = self._shapes.pop()
        drawing = shape.drawing()
        if drawing is None:
            self._made.found[kinds.SHAPE] += 1
        else:
            self._story.run({}).append(drawing)

    def _done(self) -> Made:
        story, made = self._stories[0], self._made
        story.close(self._ended(), self._state.text_format)
        self._body.append(self._sections.end())
        main = element("document")
        main.append(self._body)
        settings = element("settings")
        if self._sections.even:
            add(settings, "evenAndOddHeaders")
        if not self._larger:
            add(add(settings, "compat"), "doNotUseHTMLParagraphAutoSpacing")
        if (lists := self._lists.written()) is not None:
            made.put("numbering", lists, source=MAIN, kind="numbering")
        for name, part in {"styles": self._sheet.whole(), "settings": settings,
                           **{f"{kind}s": part for kind, part in self._notes.items()}}.items():  # fmt: skip
            made.put(name, part, source=MAIN, kind=name)
        core = element("core")
        for name, key in (("title", "title"), ("creator", "author")):
            if self._named.get(key):
                each = add(core, name)
                each.tag, each.text = f"{{http://purl.org/dc/elements/1.1/}}{name}", self._named[key]
        made.put("core", core, source="", kind="core-properties")
        made.put(MAIN, main, source="", kind="officeDocument")
        made.close()
        return made


def _name_of(attribute: str) -> str:
    return f"{element('p').tag[:-1]}{attribute}"
