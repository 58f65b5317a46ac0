"""Draw the pages of each name by their own rules: size, margins, background, margin boxes and numbers.

PlutoPrint knows no names, and lays out all pages of a document on one paper. The document is laid out once for each
paper, and the pages of each name are taken from the layout on theirs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, pairwise
from typing import Any

import plutoprint

from engine.families.html_pdf.css import page_selectors
from engine.families.html_pdf.css.page_selectors import PageRule, Stretch
from engine.families.html_pdf.css.pages import Paper
from engine.families.html_pdf.css.sheets import Sheets
from engine.families.html_pdf.plutoprint import named_pages, output, page_texts
from engine.families.html_pdf.plutoprint.first_words import Marks, pages_of
from engine.families.html_pdf.plutoprint.layout import PX, style_sheet
from engine.families.html_pdf.plutoprint.output import Written
from engine.families.html_pdf.plutoprint.papers import Papers
from engine.families.html_pdf.source import embedded, limits
from engine.families.html_pdf.source.cleaning import Page
from engine.toolkit.warnings import Kind, Warn

_MOST_STRETCHES = 1_000
"""Changes of name or text that get rules: PlutoPrint compares every page with every rule."""
_MOST_RULES = 20_000
"""The rules that they get in all, for each paper."""
_LEFT_OUT = Kind("CSS_UNSUPPORTED", "Changes of page names and of texts in margins that are not shown: {count}.")
_TRIES = 2
_Places = tuple[dict[str, int], int]
"""The index of the page of each mark in a layout, and the number of its pages."""
Lay = Callable[[Paper, str], plutoprint.Book]
"""Lays out the page on a paper, with the given rules in place of its own `@page` rules if there are any."""


@dataclass
class _Run:
    """Pages of one name: where they begin in the layout on their paper, and the number of them."""

    name: str
    mark: str
    paper: Paper
    first: int = 0
    count: int = 0


@dataclass
class Paged:
    """A page whose `@page` rules depend on where its elements are."""

    rules: Sequence[PageRule]
    runs: list[_Run]
    texts: page_texts.PageTexts
    papers: Papers

    def drawn(self, stream: Written, main: Paper, lay: Lay, warn: Warn) -> tuple[Written, list[Paper]]:
        """The document with its pages as their rules say, and their papers; `stream` has it on its `main` one."""
        for _ in range(_TRIES):
            places = {main: _places(stream)}
            for paper in dict.fromkeys(each.paper for each in self.runs):
                if paper != main:
                    self.papers.show(paper)
                    places[paper] = _places(_written(lay(paper, ""), warn))
                    self.papers.show(main)
            runs = self._found(places)
            at = _indexes(runs, places)
            numbers = self._numbers(sum(each.count for each in runs), at)
            if not self.texts.number(at, numbers):
                break
            stream = _written(lay(main, ""), warn)
        limits.check_pages(len(numbers))
        return self._assembled(runs, at, numbers, main, lay, warn), [
            each.paper for each in runs for _ in range(each.count)
        ]

    def _found(self, places: Mapping[Paper, _Places]) -> list[_Run]:
        """The runs that have pages."""
        made: list[_Run] = []
        for run in self.runs:
            found, _ = places[run.paper]
            first = found.get(run.mark) if run.mark else 0
            if first is not None:
                made.append(_Run(run.name, run.mark, run.paper, first))
        for run, after in zip(made, [*made[1:], None], strict=True):
            found, total = places[run.paper]
            end = total if after is None else found.get(after.mark, total)
            run.count = max(end - run.first, 0)
        return [each for each in made if each.count]

    def _numbers(self, count: int, at: Mapping[str, int]) -> list[int]:
        """The number that each page has."""
        restarts = {at[mark]: value for mark, value in reversed(self.texts.restarts) if mark in at}
        numbers: list[int] = []
        for each in range(count):
            numbers.append(restarts.get(each, numbers[-1] + 1 if numbers else 1))
        return numbers

    def _stretches(
        self, runs: Sequence[_Run], at: Mapping[str, int], numbers: Sequence[int], paper: Paper
    ) -> Iterator[Stretch]:
        """The pages of a paper, parted where a string or the numbers change."""
        strings = self.texts.placed(at)
        changes = {at[mark] + more for mark in self.texts.marks if mark in at for more in (0, 1)}
        begin = 0
        for run in runs:
            end = begin + run.count
            cuts = [begin, *sorted(each for each in changes if begin < each < end), end]
            for start, stop in pairwise(cuts):
                if run.paper == paper:
                    first = run.first + start - begin + 1
                    restarts = numbers[start] != (numbers[start - 1] + 1 if start else 1) or start == begin
                    text = partial(page_texts.on_page, strings, start)
                    yield Stretch(run.name, first, first + stop - start - 1, numbers[start], text, restarts)
            begin = end

    def _assembled(
        self, runs: Sequence[_Run], at: Mapping[str, int], numbers: Sequence[int], main: Paper, lay: Lay, warn: Warn
    ) -> Written:
        papers = list(dict.fromkeys([*(each.paper for each in runs), main]))
        books: dict[Paper, plutoprint.Book] = {}
        for paper in papers:
            stretches = list(self._stretches(runs, at, numbers, paper))
            most = min(_MOST_STRETCHES, _MOST_RULES // max(len(self.rules), 1))
            warn.tally(_LEFT_OUT, max(len(stretches) - most, 0), part=f"{paper}")
            rules = page_selectors.resolved(self.rules, stretches[:most], len(numbers))
            if stretches and len(papers) == 1:
                return _written(lay(paper, rules), warn)
            self.papers.show(paper)
            books[paper] = lay(paper, rules)
        stream = Written(len(numbers), warn)
        canvas = plutoprint.PDFCanvas.create_for_stream(stream, plutoprint.PageSize(papers[0].width, papers[0].height))
        for run in runs:
            for page in range(run.first, run.first + run.count):
                _draw(canvas, books[run.paper], page, run.paper)
        canvas.finish()
        return stream


def prepare(
    page: Page, sheets: Sheets, runs: named_pages.Runs, papers: Papers, warn: Warn, *, media: str
) -> Paged | None:
    """Mark where names and texts of pages change; None if no rule depends on them."""
    marks = Marks("page-")
    texts = page_texts.prepare(page, sheets.lowered, marks, warn, media=media)
    rules = page_selectors.rules(sheets.lowered)
    has_strings = texts.strings and any(each.has_strings for each in rules)
    if not (runs.begins or texts.restarts or texts.links or has_strings):
        return None
    made = [_Run(runs.name, "", papers.of(runs.name))]
    made += [_Run(name, marks.inside(each), papers.of(name)) for each, name in runs.begins]
    marks.refer(page.root.find("body"))
    for element in page.sheets:
        element.text = page_selectors.without_rules(element.text or "")
    files: dict[str, str] = {}
    rules = [replace(each, body=sheets.set_aside.named(each.body, files)) for each in rules]
    if files:
        values = "".join(f"{name}:{embedded.checked(value, warn)};" for name, value in files.items())
        style_sheet(page.root, f":root{{{values}}}", first=True)
    return Paged(rules, made, texts, papers)


def _indexes(runs: Sequence[_Run], places: Mapping[Paper, _Places]) -> dict[str, int]:
    """The index in the whole document of the page of each mark."""
    found: dict[str, int] = {}
    begins = [0, *accumulate(each.count for each in runs)]
    for paper, (marks, _) in places.items():
        own = [(run.first, run.count, begin) for run, begin in zip(runs, begins, strict=False) if run.paper == paper]
        for mark, page in marks.items() if own else ():
            first, count, begin = own[max(bisect_right(own, page, key=lambda each: each[0]) - 1, 0)]
            if 0 <= page - first < count:
                found[mark] = begin + page - first
    return found


def _written(book: plutoprint.Book, warn: Warn) -> Written:
    stream = Written(book.get_page_count(), warn)
    book.write_to_pdf_stream(stream)
    return stream


def _places(stream: Written) -> _Places:
    with output.opened(stream) as pdf:
        return pages_of(pdf), len(pdf.pages)


def _draw(canvas: Any, book: plutoprint.Book, page: int, paper: Paper) -> None:
    canvas.set_size(plutoprint.PageSize(paper.width, paper.height))
    canvas.save_state()
    canvas.scale(1 / PX, 1 / PX)
    book.render_page(canvas, page)
    canvas.restore_state()
    canvas.show_page()
