r"""Mark the styles of an RTF file that differ from its most common text (RTF 1.9.1)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine.families.documents.ooxml.made import element
from engine.families.documents.rich_text import document, words
from engine.families.documents.rich_text.head import Head
from engine.families.documents.rich_text.properties import (
    BLOCK,
    PLAIN,
    Edges,
    Properties,
    with_paragraph_property,
    with_text_property,
    write_paragraph_properties,
    write_run_properties,
)
from engine.families.documents.rich_text.sections import RUNNING
from engine.families.documents.rich_text.story import Sheet
from engine.families.documents.rich_text.tables import MOST_COLUMNS, Row, table
from engine.families.documents.style_transfer import word_styles
from engine.families.documents.style_transfer.marks import OURS, TAB, Marks
from engine.families.documents.style_transfer.styles import NAMED_STYLES, Block, Cell, Run
from engine.families.documents.word import properties
from engine.families.documents.word.names import child
from engine.families.documents.word.sections import sections
from engine.families.documents.word.styles import Styles
from engine.families.documents.word.table_grid import TableGrid
from engine.families.documents.word.theme import Theme
from engine.toolkit.warnings import Warn

_ELSEWHERE = frozenset(("pict", "info", "fldinst", "shptxt", "listtext", "pntext", "bkmkstart", "annotation",
                        "atnauthor", "mmath", "moMath", *RUNNING))  # fmt: skip
"""Destinations whose text is not part of the document text."""
_FULL = frozenset(("pict", "object", "shp", "shppict", "nonshppict", "do", "field", "footnote", "mmath", "pntext",
                   "listtext"))  # fmt: skip
"""Destinations that show something in a paragraph, or make it an item of a list."""
_ROOM = 9_360


def marked(source: Path, target: Path, marks: Marks) -> None:
    """Write the RTF file `source`, in UTF-8, to `target` with marks in its text. Raises Unreadable as `opened` does."""
    text = OURS.sub("\ufffd", source.read_text("utf-8", "replace"))
    body = child((made := document.opened(source, Warn())).xml(made.main() or ""), "body")
    marks.bylined = False
    marks.set_paper(sections(body, {})[0].paper)
    seen = _Walk(text, None, Run())
    for _ in seen.pieces():
        pass
    common = (
        word_styles.run_formatting(seen.formatting(max(seen.lengths, key=seen.lengths.__getitem__)))
        if seen.lengths
        else Run()
    )
    usual = Run(font=common.font, size=common.size)
    marks.usual = word_styles.usual_formatting({"font": common.font, "size": common.size})
    unmarked = replace(word_styles.run_formatting({}), font=usual.font, size=usual.size)
    target.write_text("".join(_Walk(text, marks, unmarked).pieces()), "utf-8", newline="")


@dataclass(frozen=True)
class _State:
    """The state that a group passes on to nested groups."""

    text_format: Properties = field(default_factory=lambda: PLAIN)
    block: Properties = field(default_factory=lambda: BLOCK)
    place: str = "text"
    alone: bool = False
    """In a footnote, which is not part of the body text."""


class _Walk:
    """Goes through a file once; inserts marks if there are any."""

    def __init__(self, text: str, marks: Marks | None, usual: Run) -> None:
        self._text, self._marks, self._usual = text, marks, usual
        self.lengths: Counter[tuple[tuple[str, object], ...]] = Counter()
        """The amount of text in each style."""
        self._theme = Theme(None)
        self._styles = Styles(None, self._theme)
        self._sheet, self._edges = Sheet(), Edges()
        self._head = Head(self._sheet, self._edges)
        self._state = _State()
        self._groups: list[_State] = []
        self._starred = self._opened = False
        self._begun = self._breaks = self._written = self._full = False
        self._row, self._cell = Row(), 0
        self._cell_begun = False
        self._cells: list[Cell] | None = None
        self._run_properties: dict[tuple[tuple[str, object], ...], properties.Properties] = {}

    def pieces(self) -> Iterator[str]:
        """The file, token by token."""
        bare = False
        for token in words.TOKEN.finditer(self._text):
            piece = self._piece(token)
            # The space after a control word belongs to it; another character does not.
            yield f" {piece}" if bare and OURS.match(piece) else piece
            bare = token[1] is not None and not piece.endswith((" ", TAB))

    def _piece(self, token: re.Match[str]) -> str:
        word, number, _, brace, text = token.groups()
        if word is not None:
            return self._word(word, int(number) if number else None, token[0])
        if text is not None:
            return self._read_text(text)
        if brace == "{":
            self._groups.append(self._state)
            self._opened, self._starred = True, False
        elif brace == "}" and self._groups:
            self._state = self._groups.pop()
            self._opened = self._starred = False
        elif token[0] == "\\*":
            self._starred = True
        return token[0]

    def formatting(self, key: tuple[tuple[str, object], ...]) -> properties.Properties:
        """The run style of these properties."""
        if key not in self._run_properties:
            made = element("rPr")
            write_run_properties(made, dict(key), self._sheet.fonts, self._sheet.colours)
            self._run_properties[key] = properties.run(made, self._theme)
        return self._run_properties[key]

    def _read_text(self, text: str) -> str:
        if self._state.place in words.TABLES:
            self._head.read_text(text, self._state.place)
        if self._state.place != "text" or not text.strip():
            return text
        self._opened = False
        key = tuple(sorted(self._state.text_format.items()))
        self.lengths[key] += len(text)
        if self._marks is None:
            return text
        effective = self.formatting(key)
        heading = 0 <= self._state.block.get("outline", 9) < 9 or bool(self._named())
        formatting = word_styles.marked_formatting(effective, self._usual, heading=heading)
        shown = self._marks.around(text, formatting)
        return self._before() + shown

    def _before(self) -> str:
        """The marks of a paragraph, and of the cell that it begins, before its first text."""
        if self._begun or self._marks is None:
            return ""
        self._begun = True
        state = self._state
        in_table = bool(state.block.get("table")) and not state.alone
        found = self._of_cell() if in_table else ""
        made = element("pPr")
        write_paragraph_properties(made, state.block, self._sheet.colours)
        listed = bool(state.block.get("list"))
        effective = properties.paragraph(made, self._theme) | ({"numId": 1} if listed else {})
        block = word_styles.block_formatting(effective, packed=in_table or listed or state.alone)
        if self._breaks and not in_table and not state.alone:
            block, self._breaks = replace(block, new_page=True), False
        if named := self._named():
            block = word_styles.titled_formatting(block, named)
        self._written = True
        return found + self._marks.before(block)

    def _blank(self) -> str:
        """The mark of the paragraph that ends, if it has nothing and follows another one."""
        state, block = self._state, self._state.block
        full = self._begun or self._full or self._marks is None or not self._written or state.place != "text"
        if full or state.alone or self._marks is None or block.get("table") or block.get("list"):
            return ""
        return self._before() or self._marks.mark_for(Block())

    def _named(self) -> str:
        """The named style of the paragraph, such as a title, if it has one."""
        block = self._state.block
        apart = block.get("table") or block.get("list") or self._state.alone or 0 <= block.get("outline", 9) < 9
        name: str = block.get("named", "")
        return name if name in NAMED_STYLES and not apart else ""

    def _of_cell(self) -> str:
        if self._cell_begun or self._marks is None:
            return ""
        self._cell_begun = True
        if self._cells is None:
            filled = [[element("p")] for _ in self._row.cells[:MOST_COLUMNS]]
            self._cells = []
            if filled:
                grid = TableGrid(self._styles, table([(self._row, filled)], _ROOM, self._sheet.colours))
                shown = (each for each in grid.cells[0] if each.element is not None)
                self._cells = [
                    word_styles.cell_formatting(grid.formatting(each), height=grid.height(each)) for each in shown
                ]
        formatting = self._cells[self._cell] if self._cell < len(self._cells) else Cell()
        return self._marks.before(formatting)

    def _word(self, word: str, number: int | None, written: str) -> str:
        starred, opened = self._starred, self._opened
        self._starred = self._opened = False
        place = self._state.place
        if place == "nowhere":
            return written
        if opened or starred:
            if word in ("fonttbl", "colortbl", "stylesheet"):
                table = {"fonttbl": "fonts", "colortbl": "colours", "stylesheet": "styles"}[word]
                self._state = replace(self._state, place=table)
                return written
            if word == "footnote":
                self._begun = False
                self._state = _State(text_format=self._head.usual, alone=True)
                return written
            self._full |= word in _FULL
            skipped = starred and word not in words.STARRED and place != "styles"
            if word in _ELSEWHERE or word in words.SKIPPED or skipped:
                self._state = replace(self._state, place="nowhere")
                return written
        if place in words.TABLES:
            self._head.word(word, number, place)
            return written
        return self._text_word(word, number, written)

    def _text_word(self, word: str, number: int | None, written: str) -> str:
        state = self._state
        if (text_format := with_text_property(state.text_format, word, number)) is not None:
            self._state = replace(state, text_format=text_format)
        elif (block := with_paragraph_property(state.block, word, number)) is not None:
            self._state = replace(state, block=block)
        elif word == "pard":
            self._state = replace(state, block=BLOCK)
        elif word == "plain":
            self._state = replace(state, text_format=self._head.usual)
        elif word == "s" and number is not None:
            styled, text_format = self._head.styles.get(number, (BLOCK, state.text_format))
            kept = {name: state.block[name] for name in ("table", "itap") if name in state.block}
            kept["named"] = self._head.names.get(number, "")
            self._state = replace(state, block={**styled, **kept}, text_format=text_format)
        elif word == "cs" and number is not None:
            self._state = replace(
                state, text_format={**state.text_format, **self._head.character_styles.get(number, {})}
            )
        elif word == "ls" and number:
            self._state = replace(state, block={**state.block, "list": number})
        elif word == "deff" and number is not None:
            self._head.usual = {**PLAIN, "f": number}
            self._state = replace(state, text_format=self._head.usual)
        elif word == "tab" and self._marks is not None:
            return self._before() + TAB
        elif word == "par":
            blank = self._blank()
            self._begun = self._full = False
            return blank + written
        elif word in ("page", "sect"):
            self._breaks, self._begun = self._written and not state.alone, self._begun and word == "page"
        elif word == "sbknone":
            self._breaks = False
        elif word in ("cell", "row", "trowd"):
            return self._table_word(word) + written
        elif (bordered := self._edges.paragraph(state.block, word)) is not None:
            self._state = replace(state, block=bordered)
        elif not self._row.word(word, number, self._edges):
            self._edges.word(word, number)
        return written

    def _table_word(self, word: str) -> str:
        if word == "cell":
            before = self._of_cell()
            self._cell, self._cell_begun, self._begun = self._cell + 1, False, False
            return before
        self._cell, self._cell_begun, self._cells = 0, False, None
        if word == "trowd":
            self._row = Row()
        return ""
