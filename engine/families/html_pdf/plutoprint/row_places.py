"""Measure where the rows of tables are, by named marks in a copy of the page."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pikepdf

from engine.families.html_pdf.css.pages import Paper
from engine.families.html_pdf.plutoprint.finishing import destinations
from engine.families.html_pdf.source.cleaning import Element

Draw = Callable[[Element], pikepdf.Pdf]
"""Lays out a copy of the page's tree as the page will be, and gives its PDF."""
MOST_CELLS = 3_000
"""The cells of a page that are measured: three named destinations each, 0.05 ms."""
_NEAR = 1.0
_HERE = "data-fc-cell"
_NAME = "fc-o-"
_BARE = "margin:0!important;border:0!important;padding:0!important"
_LINE = f"display:flex!important;width:100%!important;height:0!important;{_BARE}"
_MARK = f"display:block!important;flex:none!important;width:1px!important;height:1px!important;{_BARE}"


@dataclass(frozen=True)
class Cell:
    """The page on which a cell begins and the one on which it ends, with the distances from their tops, and where its
    content begins and where the last pixel of its room does, from the left; in points."""

    page: int
    top: float
    last: int
    bottom: float
    left: float
    right: float


@dataclass(frozen=True)
class Row:
    """A row of a table with its measured cells."""

    element: Element
    cells: tuple[Cell, ...]

    @property
    def page(self) -> int:
        """The page on which the row begins."""
        return self.cells[0].page

    @property
    def top(self) -> float:
        """The distance of the row from the top of its page in points."""
        return self.cells[0].top

    @property
    def bottom(self) -> float | None:
        """The distance of its end from the top of its page in points; None for one that ends on another page."""
        if any((each.page, each.last) != (self.page, self.page) for each in self.cells):
            return None
        return max(each.bottom for each in self.cells)


def cells_of(row: Element) -> list[Element]:
    """The cells of a row."""
    return [each for each in row if each.tag in ("td", "th")]


def rows_of(table: Element) -> Iterator[Element]:
    """The rows of a table, not those of tables within it."""
    for each in table:
        if each.tag == "tr":
            yield each
        elif each.tag in ("tbody", "thead", "tfoot"):
            yield from (row for row in each if row.tag == "tr")


def measured(root: Element, paper: Paper, draw: Draw) -> list[Row]:
    """The rows of all tables that are drawn on pages of a paper; none of a page with too many cells."""
    cells = [each for row in root.iter("tr") for each in cells_of(row)]
    if len(cells) > MOST_CELLS:
        return []
    for at, cell in enumerate(cells):
        cell.set(_HERE, str(at))
    copied = copy.deepcopy(root)
    for cell in cells:
        del cell.attrib[_HERE]
    links = copied.makeelement("div", hidden="")
    names: dict[int, str] = {}
    for cell in [each for each in copied.iter("td", "th") if _HERE in each.attrib]:
        at = int(cell.attrib.pop(_HERE))
        names[at] = cell.get("id") or f"{_NAME}{at}"
        cell.set("id", names[at])
        line = cell.makeelement("fc-run", style=_LINE)
        left, right = (cell.makeelement("fc-run", id=f"{_NAME}{at}{side}", style=_MARK) for side in "ab")
        line[:] = [left, cell.makeelement("fc-run", style="flex:1 1 0"), right]
        cell.append(line)
        links.extend([links.makeelement("a", href=f"#{each}") for each in (names[at], left.get("id"), right.get("id"))])
    copied.find("body").append(links)
    with draw(copied) as pdf:
        places = _places(pdf)
    found: dict[Element, Cell] = {}
    for at, cell in enumerate(cells):
        start, left, right = (places.get(each) for each in (names.get(at, ""), f"{_NAME}{at}a", f"{_NAME}{at}b"))
        if start is not None and left is not None and right is not None:
            page, _, top = start
            while page and top < paper.margins.top - _NEAR:  # the position of a cell is known on its last page
                page, top = page - 1, top + paper.room[1]
            found[cell] = Cell(page, top, left[0], left[2], left[1], right[1])
    rows = [(row, tuple(map(found.get, cells_of(row)))) for row in root.iter("tr")]
    return [Row(row, own) for row, own in rows if own and all(own)]  # type: ignore[arg-type]  # none is None


def _places(pdf: pikepdf.Pdf) -> dict[str, tuple[int, float, float]]:
    """The index of the page of each named position, and its distances from the left and the top in points."""
    pages = {page.obj.objgen: (at, float(page.mediabox[3])) for at, page in enumerate(pdf.pages)}
    found = {}
    for name, place in destinations(pdf).items():
        if place[0].objgen in pages:
            at, height = pages[place[0].objgen]
            found[name] = at, float(place[2]), height - float(place[3])
    return found
