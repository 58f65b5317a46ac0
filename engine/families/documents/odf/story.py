"""Convert the content of one OpenDocument part to WordprocessingML blocks."""

from __future__ import annotations

from engine.families.documents.odf.frames import Frames
from engine.families.documents.odf.job import Job
from engine.families.documents.odf.lists import LEVELS
from engine.families.documents.odf.names import DC, DRAW, FO, STYLE, TABLE, TEXT, count
from engine.families.documents.odf.properties import Properties, write_indent
from engine.families.documents.odf.sheets import Master, Masters
from engine.families.documents.odf.styles import Scope
from engine.families.documents.odf.tables import table
from engine.families.documents.odf.text import Text, part_of
from engine.families.documents.ooxml.made import add, element
from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import job as kinds

_DEEPEST = 30
_SECTIONS = ("table-of-content", "illustration-index", "table-index", "object-index", "user-index", "index-body",
             "alphabetical-index", "bibliography", "index-title", "numbered-paragraph")  # fmt: skip
_BETWEEN = ("change-start", "change-end", "change")


class Story:
    """Writes the blocks of one part, and tracks its open lists and page style."""

    def __init__(self, job: Job, scope: Scope, part: str, *, room: int, left: int = 0, depth: int = 0) -> None:
        self._job = job
        self._scope = scope
        self._part = part
        self._room = room
        self._left = left
        self._master: Master | None = None
        self._masters: Masters | None = None
        self._first: Element | None = None
        self.outline: dict[int, int] = {}
        self._depth = depth
        self._waiting: list[Element] = []
        self._list: tuple[int, int] | None = None
        self._label = False
        self._after_break = False
        self._body: Element | None = None
        self._number: int | None = None
        self._kind = "nextPage"
        self._switch = ""
        self._current = ""

    def write_body(self, source: Element, target: Element, masters: Masters) -> None:
        """Write the document body with its sections."""
        self._body = target
        self._masters = masters
        first = next(source.iter(TEXT + "p", TEXT + "h", TABLE + "table"), None)
        self._start(self._named_master(first) or "Standard", None)
        self._number = self._page_number(first)
        self._first = first
        self.blocks(source, target)
        self._end(None)

    def _start(self, name: str, number: int | None) -> None:
        assert self._masters is not None
        self._master = self._masters.find(name)
        self._room, self._left = self._master.room, self._master.left
        self._number = number
        following = self._master.next
        after = self._masters.find(following) if following else None
        self._switch = following if after is not None and after.width != self._master.width else ""

    def _end(self, columns: Element | None) -> None:
        assert self._body is not None
        assert self._masters is not None
        assert self._master is not None
        self._body.append(self._masters.section(self._master, columns=columns, kind=self._kind, number=self._number))
        self._number = None
        self._kind = "continuous"

    def _named_master(self, each: Element | None) -> str:
        if each is None:
            return ""
        family = "table" if each.tag == TABLE + "table" else "paragraph"
        name = each.get((TABLE if family == "table" else TEXT) + "style-name") or ""
        own = self._scope.own(family, name)
        if own is not None and own.get(STYLE + "master-page-name") is not None:
            return own.get(STYLE + "master-page-name") or ""
        return self._scope.attribute(family, name, STYLE + "master-page-name") or ""

    def _page_number(self, each: Element | None) -> int | None:
        if each is None:
            return None
        family, space = ("table", TABLE) if each.tag == TABLE + "table" else ("paragraph", TEXT)
        text = self._scope.resolved(family, each.get(space + "style-name") or "", family).get(
            STYLE + "page-number", "auto"
        )
        return int(text) if text.isdecimal() and len(text) < 6 and int(text) else None

    def _turn(self, each: Element) -> None:
        """Start a section if a paragraph or table names a master page."""
        if self._body is None or each is self._first or self._depth > 1:
            return
        name = self._named_master(each)
        family, space = ("table", TABLE) if each.tag == TABLE + "table" else ("paragraph", TEXT)
        if not name and self._switch:
            style = self._scope.resolved(family, each.get(space + "style-name") or "", family)
            name = self._switch if style.get(FO + "break-before") == "page" else ""
        if name:
            self._end(None)
            self._start(name, self._page_number(each))
            self._kind = "nextPage"

    def blocks(self, source: Element, target: Element) -> None:
        """Write paragraphs, lists, tables and sections."""
        if self._depth > _DEEPEST:
            self._job.made.found[kinds.DEEP] += 1
            return
        self._depth += 1
        for each in source:
            tag = each.tag
            if tag in (TEXT + "p", TEXT + "h"):
                self._turn(each)
                self._paragraph(each, target)
            elif tag == TEXT + "list":
                self._write_list(each, target, None, 0)
            elif tag == TABLE + "table":
                self._turn(each)
                self._table(each, target)
            elif tag == TEXT + "section":
                self._section(each, target)
            elif isinstance(tag, str) and tag.startswith(TEXT) and tag.removeprefix(TEXT) in _SECTIONS:
                self.blocks(each, target)
            else:
                self._wait(each)
        self._depth -= 1
        if self._depth == 0 and self._waiting:
            self._paragraph(element("none"), target)

    def _wait(self, each: Element) -> None:
        """Defer elements between paragraphs to the next paragraph."""
        name = each.tag if isinstance(each.tag, str) else ""
        if name == DRAW + "enhanced-geometry":
            return  # the form of the shape whose text this is
        if name.startswith(DRAW) or name.removeprefix(TEXT) in _BETWEEN:
            self._waiting.append(each)

    def _section(self, each: Element, target: Element) -> None:
        style = self._scope.own("section", each.get(TEXT + "style-name") or "")
        columns = None if style is None else style.find(f"{STYLE}section-properties/{STYLE}columns")
        if (
            self._body is None
            or self._body is not target
            or columns is None
            or count(columns.get(FO + "column-count"), most=12) < 2
        ):
            self.blocks(each, target)
            return
        if len(target) and not target[-1].tag.endswith("}sectPr"):
            self._end(None)
        held = self._room
        self.blocks(each, target)
        self._end(columns)
        self._room = held

    def _table(self, each: Element, target: Element) -> None:
        held = self._room, self._body, self._list

        def cell(source: Element, made: Element) -> None:
            self.blocks(source, made)
            if not len(made) or made[-1].tag.endswith("}tcPr"):
                add(made, "p")

        self._body, self._list = None, None
        style = self._scope.resolved("table", each.get(TABLE + "style-name") or "", "table")
        self._break(style, target)
        if self._depth <= _DEEPEST:
            target.append(table(each, self._scope, cell, self._room, self._job.cells))
            if beyond := self._job.cells.pop("beyond", 0):
                self._job.made.found[kinds.WIDE] += beyond
        else:
            self._job.made.found[kinds.DEEP] += 1
        self._room, self._body, self._list = held
        self._after_break = style.get(FO + "break-after") == "page"

    def _break(self, style: Properties, target: Element) -> None:
        before = style.get(FO + "break-before")
        if before in ("page", "column") or self._after_break:
            kind = "column" if before == "column" else "page"
            add(add(add(target, "p"), "r"), "br", type=kind)
            self._after_break = False

    def _paragraph(self, each: Element, target: Element) -> None:
        name = each.get(TEXT + "style-name") or "Standard"
        style = self._scope.resolved("paragraph", name, "paragraph")
        paragraph = add(target, "p")
        block = add(paragraph, "pPr")
        if id := self._scope.paragraph(name):
            add(block, "pStyle", val=id)
        if self._after_break:
            add(block, "pageBreakBefore")
            self._after_break = False
        level = None
        if each.tag == TEXT + "h":
            level = count(each.get(TEXT + "outline-level"), most=10)
            add(block, "outlineLvl", val=level - 1)
        if (
            self._list is None
            and level is not None
            and level in self.outline
            and each.get(TEXT + "is-list-header") != "true"
        ):
            self._numbered(block, self.outline[level], level - 1, name)
        elif self._list is not None:
            number, depth = self._list
            if self._label:
                self._numbered(block, number, depth, name)
                self._label = False
            else:
                self._indented(block, number, depth, name)
        frames = Frames(
            self._job.made, self._job.file, self._part, self._boxed, self._room, self._left, self._job.named
        )
        text = Text(self._job, self._scope, self._part, paragraph, name, boxes=frames.draw, notes=self._note)
        if style.get(FO + "break-before") == "column":
            add(text.run(), "br", type="column")
        waiting, self._waiting = self._waiting, []
        for held in waiting:
            text.one(held)
        text.read(each)
        if style.get(FO + "break-after") in ("page", "column"):
            self._after_break = True

    def _numbered(self, block: Element, number: int, level: int, name: str) -> None:
        places = add(block, "numPr")
        add(places, "ilvl", val=min(level, LEVELS - 1))
        add(places, "numId", val=number)
        own = self._scope.own("paragraph", name)
        if own is not None:
            properties = own.find(STYLE + "paragraph-properties")
            if properties is not None:
                write_indent(block, properties.attrib)

    def _indented(self, block: Element, number: int, level: int, name: str) -> None:
        """Indent an item's paragraph without a label like the item's text."""
        own = self._scope.own("paragraph", name)
        properties = None if own is None else own.find(STYLE + "paragraph-properties")
        if properties is not None and properties.get(FO + "margin-left") is not None:
            return
        left = self._job.lists.left(number, min(level, LEVELS - 1))
        if left is not None:
            add(block, "ind", left=left, firstLine=0)

    def _note(self, kind: str, source: Element) -> str:
        """Write a note or comment, and return its id."""
        part: Element = self._job.notes.setdefault(kind, element(part_of(kind)))
        id = str(len(part) + 1)
        written: Element = add(part, kind, id=id)
        if kind == "comment":
            written.set(written.tag.replace("comment", "author"), source.findtext(DC + "creator") or "unknown")
        Story(self._job, self._scope, part_of(kind), room=self._room, depth=self._depth).blocks(source, written)
        return id

    def _boxed(self, source: Element, made: Element, room: int) -> None:
        held = self._room, self._body, self._list, self._after_break
        self._room, self._body, self._list = room, None, None
        self.blocks(source, made)
        self._room, self._body, self._list, self._after_break = held

    def _write_list(self, each: Element, target: Element, around: int | None, level: int, name: str = "") -> None:
        if level > _DEEPEST:
            self._job.made.found[kinds.DEEP] += 1
            return
        own = each.get(TEXT + "style-name") or ""
        name = own or name or self._style_of(each)
        if around is None or (own and level == 0):
            number = self._begun(each, name)
        elif own and self._found(own)[1] is not None and own != self._current:
            number = self._begun(each, own)
        else:
            number = around
        held, self._current = self._current, name
        for item in each:
            if item.tag not in (TEXT + "list-item", TEXT + "list-header"):
                continue
            start = item.get(TEXT + "start-value")
            if start is not None and start.isdecimal() and len(start) < 6:
                number = self._job.lists.restarted(number, min(level, LEVELS - 1), int(start))
            labelled = item.tag == TEXT + "list-item"
            for inner in item:
                if inner.tag == TEXT + "list":
                    outer, self._label = self._label, False
                    self._write_list(inner, target, number, level + 1, name)
                    self._label = outer
                    labelled = False
                    continue
                self._list = (self._overridden(item, number, level), level)
                self._label = labelled
                if inner.tag in (TEXT + "p", TEXT + "h"):
                    self._turn(inner)
                    self._paragraph(inner, target)
                    labelled = False
                elif inner.tag == TABLE + "table":
                    self._table(inner, target)
                else:
                    self._wait(inner)
                self._list = None
        self._current = held

    def _style_of(self, each: Element) -> str:
        """The list style of the first item's paragraph style, if the list names none."""
        first = next(each.iter(TEXT + "p", TEXT + "h"), None)
        name = "" if first is None else first.get(TEXT + "style-name") or ""
        return self._scope.attribute("paragraph", name, STYLE + "list-style-name") or ""

    def _found(self, name: str) -> tuple[str, Element | None]:
        mark = "s" if self._scope is self._job.running else "c"
        own = self._job.list_styles[mark].get(name)
        return (mark, own) if own is not None else ("", self._job.list_styles[""].get(name))

    def _overridden(self, item: Element, number: int, level: int) -> int:
        """The numbering of one item, which may have a list style of its own."""
        name = item.get(TEXT + "style-override")
        mark, style = self._found(name) if name else ("", None)
        if name is None or style is None:
            self._job.lists.use(number)
            return number
        return self._job.lists.overridden(self._scope, number, min(level, LEVELS - 1), mark, name, style)

    def _begun(self, each: Element, name: str) -> int:
        mark, style = self._found(name)
        return self._job.lists.begin(self._scope, mark, name, style, each)
