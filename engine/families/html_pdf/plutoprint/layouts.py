"""Lay a prepared page out again and again, until its words, columns and named pages are where they belong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from io import BytesIO

import pikepdf
import plutoprint

from engine.families.html_pdf.css import margin_boxes, pages
from engine.families.html_pdf.css.pages import Paper
from engine.families.html_pdf.css.sheets import Sheets
from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.plutoprint import breaks, column_pages, exponential_layout, hyphens, open_rows
from engine.families.html_pdf.plutoprint.column_boxes import Columns
from engine.families.html_pdf.plutoprint.keeping import Kept
from engine.families.html_pdf.plutoprint.laying_again import PageWork, Work
from engine.families.html_pdf.plutoprint.layout import PX, SMALLEST_SCALE, laid_out, style_sheet, warn_fitted
from engine.families.html_pdf.plutoprint.output import Written, opened
from engine.families.html_pdf.plutoprint.paged import Paged
from engine.families.html_pdf.plutoprint.papers import Papers
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.warnings import Warn


class Layouts:
    """The layouts of one page, whose tree each step changes; its last style sheet has the rules of the paper.

    `own` is the paper that the page's own rules request, if it is the main one, and `divided` are its named pages.
    """

    def __init__(
        self,
        page: Page,
        sheets: Sheets,
        papers: Papers,
        divided: Paged | None,
        options: PageOptions,
        warn: Warn,
        *,
        wanted: Paper,
        own: Paper | None,
        title: str,
    ) -> None:
        self._page, self._sheets, self._papers, self._divided = page, sheets, papers, divided
        self._options, self._warn, self._wanted, self._title = options, warn, wanted, title
        self._rules = style_sheet(page.root, "")
        self.scale = None if options.fit_to_width and options.scale == 1 else options.scale
        asked = own if options.scale == 1 and divided is None else None
        self._rules.text = pages.sheet(asked, wanted, options, title, scale=self.scale)
        self._main = self._rules.text
        self._fits = self.scale is not None and options.fit_to_width
        self._columned = breaks.in_columns(sheets.lowered)

    def first(self, *, last: bool) -> plutoprint.Book:
        """The page on its main paper, made smaller where it is wider and the options say so; `last` if this will do."""
        options, wanted = self._options, self._wanted
        room = wanted.room[0] * PX
        book = self._laid(wanted, last=last and not (self._fits or self._columned))
        if self._columned and book.get_document_width() * options.scale > room + 2:
            breaks.free_columns(self._page, self._sheets.lowered, media=options.media_type)
            book = self._laid(wanted, last=last and not self._fits)
        if self._fits and book.get_document_width() * options.scale > room + 2:
            self.scale = max(room / book.get_document_width(), SMALLEST_SCALE)
            self._main = self._rules.text = pages.sheet(None, wanted, options, self._title, scale=self.scale)
            book = self._laid(wanted)
        return book

    def lay(self, paper: Paper | None = None, rules: str = "") -> plutoprint.Book:
        """The page on a paper, by default the main one, with `rules` of the page's own."""
        main = paper is None or paper == self._wanted
        paper = paper or self._wanted
        self._rules.text = (self._main if main else self._of(paper, self.scale)) + rules
        book = self._laid(paper)
        if rules and not main:
            warn_fitted(book.get_document_width(), paper.room[0] * PX, self._options, self._warn)
        return book

    def alone(self, paper: Paper) -> plutoprint.Book:
        """The page on a paper of its own, as large as the others, whatever else is wider than it."""
        self._rules.text = self._of(paper, self.scale or self._options.scale)
        return self._laid(paper)

    def _of(self, paper: Paper, scale: float | None) -> str:
        """The rules of a paper beside the main one."""
        return pages.sheet(None, paper, self._options, self._title, scale=scale) + margin_boxes.without_outside(paper)

    def opened_rows(self, book: plutoprint.Book) -> plutoprint.Book:
        """The page with the rows of its layout tables broken where they would leave a page half empty."""
        if book.get_page_count() <= 1:
            return book
        media = self._options.media_type
        size = exponential_layout.size(self._page, self._sheets.lowered, media=media)
        return open_rows.opened(
            self._page,
            self._sheets.lowered,
            book,
            self._wanted,
            self.scale or self._options.scale,
            Work(self.lay, size),
            self.opened,
            media=media,
        )

    def hyphened(self, book: plutoprint.Book) -> plutoprint.Book:
        """The page with hyphens where its lines break words."""
        if hyphens.show(self._page, self.opened, without=self._papers.elsewhere()):
            return self.lay()
        return book

    def columned(self, book: plutoprint.Book, parted: Sequence[Columns]) -> plutoprint.Book:
        """The page with its columns filled page by page, on each paper."""
        if not parted or (book.get_page_count() <= 1 and not any(each.fills for each in parted)):
            return book
        size = exponential_layout.size(self._page, self._sheets.lowered, media=self._options.media_type)
        # Each page visits all columns, which takes a twentieth of the time for laying a box out.
        work: PageWork = Work(self.lay, size + len(parted) * book.get_page_count() // 20)
        main, *others = self._papers.all
        for paper in others:
            self._papers.show(paper)
            own = self._on(parted, paper)
            work.lay = partial(self.lay, paper)
            with self._papers.dividing([each.element for each in own]):
                column_pages.kept(self._page.root, own, paper, self.scale, work, self._warn)
            self._papers.show(main)
        work.lay = self.lay
        own = self._on(parted, main)
        return column_pages.kept(self._page.root, own, self._wanted, self.scale, work, self._warn)

    def written(self, book: plutoprint.Book) -> tuple[Written, int]:
        """The PDF of a layout, and the number of its pages."""
        stream = Written(book.get_page_count(), self._warn)
        book.write_to_pdf_stream(stream)
        return stream, book.get_page_count()

    def kept(self, book: plutoprint.Book, blocks: Mapping[Paper, Kept]) -> Written:
        """The PDF of a layout on the main paper, with the blocks of each paper on the pages of what follows them."""
        main, *others = self._papers.all
        for paper in others:
            if paper in blocks:
                self._papers.show(paper)
                lay = partial(self._written_on, paper)
                blocks[paper].written(*lay(), lay, self._warn)
                self._papers.show(main)
                book = self.lay()
        stream, count = self.written(book)
        if main in blocks:
            return blocks[main].written(stream, count, lambda: self.written(self.lay()), self._warn)
        return stream

    def _written_on(self, paper: Paper) -> tuple[Written, int]:
        return self.written(self.lay(paper))

    def divided(self, stream: Written) -> tuple[Written, list[Paper]]:
        """The PDF with its named pages on their papers, and the paper of each page; without any it stays as it is."""
        if self._divided is None:
            return stream, []
        return self._divided.drawn(stream, self._wanted, self.lay, self._warn)

    def again(self) -> Written:
        """The PDF of the page as it is now."""
        self._papers.show(self._wanted)
        return self.divided(self.written(self.lay())[0])[0]

    def _on(self, parted: Sequence[Columns], paper: Paper) -> list[Columns]:
        return [each for each in parted if self._papers.on(each.element) == paper]

    def _laid(self, paper: Paper, *, last: bool = False) -> plutoprint.Book:
        return laid_out(self._page.root, paper, self._options, self._warn, scale=self.scale, last=last)

    def opened(self, root: Element) -> pikepdf.Pdf:
        """The PDF of a copy of the page's tree, on the main paper."""
        stream = BytesIO()
        laid_out(root, self._wanted, self._options, self._warn, scale=self.scale).write_to_pdf_stream(stream)
        return opened(stream)
