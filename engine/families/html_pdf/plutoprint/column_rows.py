"""Fill the columns of one section of a document sheet by sheet, and level the last ones."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

import plutoprint

from engine.families.html_pdf.paper import LARGEST
from engine.families.html_pdf.plutoprint import column_cuts, footnotes
from engine.families.html_pdf.plutoprint.column_stage import Stage
from engine.families.html_pdf.plutoprint.columns import FILLED, Placed, Sheets, shape
from engine.families.html_pdf.plutoprint.layout import PX

_BLOCK, _FRESH = "fc-column", "data-fresh"
_TO_COLUMN, _TO_PAGE = "break-before:column", "break-before:page"
_LEAST = 24.0
"""The height in points below which columns begin on the next sheet."""
_NEAR = 2.0
"""How exactly columns are levelled, in points."""
_MOST_BLOCKS, _MOST_CHARACTERS = 4_000, 100_000
"""Sections with more are not levelled, and blocks with more not parted."""


@dataclass
class Filled:
    """Sheets, and the height that is used on the last one, in points below its upper margin."""

    sheets: Sheets = field(default_factory=lambda: [[]])
    used: float = 0.0

    def turn(self) -> None:
        """Begin a sheet, unless the last one is empty."""
        if self.sheets[-1]:
            self.sheets.append([])
        self.used = 0.0


class Section:
    """The columns of one section; `beside` are the indents of the text within the margins, in points."""

    def __init__(self, stage: Stage, wrapper: Any, beside: float) -> None:
        style = wrapper.get("style") or ""
        self._stage = stage
        found = shape(wrapper, stage.paper, beside, stage.scale)
        self.number, self._gap, self._step = found.number, found.gap, found.width + found.gap
        self._levelled, self._ruled = FILLED not in style, "column-rule" in style
        self._rest = deepcopy(wrapper)
        self._rest.tail = None
        self._rest.set("style", f"width:{found.width:.2f}pt")
        for each in self._rest.iter():
            own = each.get("style") or ""
            if _TO_PAGE in own:
                each.set(_FRESH, "")
            elif _TO_COLUMN in own:
                each.set("style", own.replace(_TO_COLUMN, _TO_PAGE))
        for at, each in enumerate((*self._rest[:_MOST_BLOCKS], *self._rest.iterfind(f".//*[@{_FRESH}]"))):
            if each.get("id") is None:
                each.set("id", f"{_BLOCK}-{at}")

    def fill(self, made: Filled, *, followed: bool) -> None:
        """Add the columns to the sheets; `followed` if something is to stand below them."""
        stage = self._stage
        level = self._levelled and followed and len(self._rest) <= _MOST_BLOCKS
        if made.used and stage.room - made.used < _LEAST:
            made.turn()
        while True:
            paper = stage.part(made.used)
            book, rows = self._rows(paper)
            if len(rows) == 1:
                self._end(made, book, rows[0], level=level, followed=followed)
                return
            if not made.used and not level:
                self._place(made, book, rows)
                made.used = stage.room
                return
            kept = 1 if made.used else len(rows) - 1
            after = self._parted(paper, rows[kept][0])
            if after is None and made.used:
                made.turn()
                continue
            if after is not None:
                book, rows = self._rows(paper)
            self._place(made, book, rows)
            made.used = stage.room
            if after is None:
                return
            made.turn()
            self._rest = after

    def _rows(self, paper: Any) -> tuple[plutoprint.Book, list[list[int]]]:
        """The narrow pages that stand side by side; a forced page break starts a new sheet."""
        fresh = [each.get("id") for each in self._rest.iter() if each.get(_FRESH) is not None]
        book = self._stage.book([self._rest], paper, fresh)
        begins = set()
        if fresh:
            begins = {page for page, _ in footnotes.find_marks(book, frozenset(fresh)).places.values()}
        rows: list[list[int]] = []
        for each in range(book.get_page_count()):
            if not rows or len(rows[-1]) == self.number or each in begins:
                rows.append([])
            rows[-1].append(each)
        return book, rows

    def _place(self, made: Filled, book: plutoprint.Book, rows: list[list[int]], height: float | None = None) -> None:
        step = self._step * self._stage.scale
        for at, row in enumerate(rows):
            if at:
                made.turn()
            made.sheets[-1] += [Placed(book, page, column * step) for column, page in enumerate(row)]
            if self._ruled and len(row) > 1:
                made.sheets[-1].append(Placed(self._rules(made.used, len(row), height), 0))

    def _rules(self, top: float, count: int, height: float | None) -> plutoprint.Book:
        """The lines between columns."""
        scale = self._stage.scale
        high = ((self._stage.room - top if height is None else height) - 1) / scale
        holder = self._rest.makeelement("div", style="position:relative;height:0")
        for column in range(1, count):
            left = column * self._step - self._gap / 2
            style = f"position:absolute;top:0;left:{left:.2f}pt;height:{high:.2f}pt;border-left:0.5pt solid #000000"
            holder.append(holder.makeelement("div", style=style))
        return self._stage.book([holder], self._stage.part(top))

    def _end(self, made: Filled, book: plutoprint.Book, row: list[int], *, level: bool, followed: bool) -> None:
        """Place the columns of the last sheet, as high as they need to be."""
        stage, top = self._stage, made.used
        if not followed:
            self._place(made, book, [row])
            made.used = stage.room
            return
        forced = any(_TO_PAGE in (each.get("style") or "") for each in self._rest.iter())
        most = self.number if level and not forced else len(row)
        high = stage.room - top
        low = self._lowest(most, forced)
        tried = low
        while high - low > _NEAR:
            if stage.book([self._rest], stage.part(top, tried)).get_page_count() <= most:
                high = tried
            else:
                low = tried
            tried = (low + high) / 2 if high < stage.room - top else min(low + max(low * 0.1, 4 * _NEAR), high - 1)
        book, rows = self._rows(stage.part(top, high))
        self._place(made, book, rows, high)
        made.used += high

    def _lowest(self, most: int, forced: bool) -> float:
        """A height that the columns have at least: that of their share, and of a picture."""
        stage = self._stage
        endless = replace(stage.paper, height=LARGEST, margins=replace(stage.paper.margins, top=0.0, bottom=0.0))
        names = [each.get("id") for each in self._rest if each.get("id")]
        pictures = stage.places([self._rest], endless, names[:_MOST_BLOCKS]).pictures
        low = max((bottom - top for each in pictures for top, bottom in each), default=0.0)
        if not forced:
            low = max(low, stage.book([self._rest], endless).get_document_height() / PX * stage.scale / most)
        return min(max(low, _LEAST / 2), stage.room)

    def _parted(self, paper: Any, page: int) -> Any | None:
        """Part the content where this narrow page begins; return what is on it, or None if it can't be parted."""
        blocks, top = list(self._rest)[:_MOST_BLOCKS], paper.margins.top
        places = self._stage.places([self._rest], paper, [each.get("id") for each in blocks]).places
        stands = [places.get(each.get("id"), (-1, 0.0)) for each in blocks]
        at = next((at for at, (on, _) in enumerate(stands) if on >= page), len(blocks))
        begins = at < len(blocks) and stands[at][0] == page and stands[at][1] <= top + 3
        if not begins and at:
            node = self._first_word(blocks[at - 1], paper, page)
            if node is not None:
                after = column_cuts.split(self._rest, node)
                for each in column_cuts.words_of([self._rest, after]):
                    column_cuts.unwrap(each)
                return self._detached(after)
            at -= 1
        if not at or at == len(blocks):
            return None
        return self._detached(column_cuts.split(self._rest, blocks[at]))

    def _first_word(self, block: Any, paper: Any, page: int) -> Any | None:
        if column_cuts.is_whole(block) or len(block.text_content()) > _MOST_CHARACTERS:
            return None
        words = column_cuts.wrapped(block)
        places = self._stage.places([self._rest], paper, [each.get("id") for each in words]).places
        found = next((each for each in words if places.get(each.get("id"), (-1, 0.0))[0] >= page), None)
        for each in words:
            if each.tag != "fc-run" and each.get("id").startswith(f"{column_cuts.NAME}-w"):
                del each.attrib["id"]
            elif found is None and each.tag == "fc-run":
                column_cuts.unwrap(each)
        return found

    def _detached(self, after: Any) -> Any:
        parent = after.getparent()
        if parent is not None:
            parent.remove(after)
        for at, each in enumerate(after[:_MOST_BLOCKS]):
            if each.get("id") is None:
                each.set("id", f"{_BLOCK}-again-{at}")
        return after
