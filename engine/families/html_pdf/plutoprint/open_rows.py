"""Let pages break inside the rows of layout tables that would leave the rest of a page empty.

PlutoPrint moves a row that is shorter than a page to the next page, as a whole; browsers break it (CSS Fragmentation 3,
4.1). The drawn pages tell which rows were moved. These become boxes that can break, with the widths that their cells
had; rows of tables with data stay whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO

import plutoprint
import pypdfium2

from engine.families.html_pdf.css.pages import Paper
from engine.families.html_pdf.plutoprint import page_gaps, row_boxes, row_places
from engine.families.html_pdf.plutoprint.declared import Declared, declared, word_of
from engine.families.html_pdf.plutoprint.laying_again import PageWork
from engine.families.html_pdf.plutoprint.row_places import Draw, Row, cells_of, rows_of
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.families.html_pdf.tagged.tables import is_data

_ROUNDS = 4
"""The times that rows are opened: what is behind them moves, and may leave another gap."""
_LAYOUTS = 2
"""The layouts of each time: one to measure, and one to see whether the gaps are smaller."""
_MOST_ROWS = 60
"""The rows of a table that is opened: each becomes a box of its own."""
_NEAR = 6.0
"""Points between the top of a page and the first row on it: the border and the spacing of its table."""
_LONGER = 0.1
"""The part of a page by which all that is drawn may become longer, as columns below each other would be."""
_WIDER = 1.0
"""CSS pixels by which it may become wider: cells are measured in hundredths of them."""
_INSIDE = ("break-inside", "page-break-inside")
_BACKGROUND = ("background", "background-color")
_NAMES = (
    "display", "float", "position", "vertical-align", "border-collapse", "border-spacing", *_INSIDE, *_BACKGROUND,
)  # fmt: skip
_SHOWN = {
    "table": ("", "table"), "tbody": ("", "table-row-group"), "tr": ("", "table-row"), "td": ("", "table-cell"),
}  # fmt: skip
_LINED = ("rules", "frame")
_WHOLE = ("avoid", "avoid-page")


def may_occur(page: Page) -> bool:
    """Whether a page has layout tables: nested ones, or one whose first row is a single cell."""
    if "table" not in page.names:
        return False
    for table in page.root.iter("table"):
        first = next(rows_of(table), None)
        if next(table.iterancestors("table"), None) is not None or (first is not None and len(cells_of(first)) == 1):
            return True
    return False


def opened(
    page: Page,
    sheets: Sequence[str],
    book: plutoprint.Book,
    paper: Paper,
    scale: float,
    work: PageWork,
    draw: Draw,
    *,
    media: str,
) -> plutoprint.Book:
    """The page with rows opened where that makes the gaps smaller; the same layout if there are none.

    A layout without some of the letters, or with more pages, is not kept.
    """
    filled = page_gaps.found(book, paper)
    said: Declared | None = None
    letters = ""
    for _ in range(_ROUNDS):
        if not filled.gaps or not work.affords(_LAYOUTS):
            break
        work.left -= work.size
        rows = row_places.measured(page.root, paper, draw)
        if said is None:
            parts = list(page.root.iter("table", "tbody", "tr", "td"))
            said = declared(page.root, sheets, _NAMES, parts, media=media)
        torn = _torn(rows, filled.gaps, paper, said)
        if not torn:
            break
        letters = letters or _letters(book)
        before = row_boxes.opened(page.root, torn, rows, said, scale)
        again = work()
        now = page_gaps.found(again, paper)
        if (
            again.get_page_count() > book.get_page_count()
            or sum(now.gaps.values()) > sum(filled.gaps.values()) - _NEAR
            or again.get_document_width() > book.get_document_width() + _WIDER
            or now.height > filled.height + _LONGER * paper.room[1]
            or _letters(again) != letters
        ):
            row_boxes.restore(before)
            break
        book, filled = again, now
    return book


def _letters(book: plutoprint.Book) -> str:
    """The letters on all pages, sorted."""
    stream = BytesIO()
    book.write_to_pdf_stream(stream)
    with pypdfium2.PdfDocument(stream) as document:
        texts = [each.get_textpage().get_text_range() for each in document]
    return "".join(sorted("".join("".join(texts).split())))


def _torn(rows: Sequence[Row], gaps: Mapping[int, float], paper: Paper, said: Declared) -> list[Row]:
    """The rows that were moved and left a gap, and those within them that would leave one again."""
    inside: dict[Element, list[Row]] = {}
    known = {each.element: each for each in rows}
    ends: dict[Element, float | None] = {}
    for each in rows:
        around = next((up for up in each.element.iterancestors("tr") if up in known), None)
        if around is not None:
            inside.setdefault(around, []).append(each)
        ends[each.element] = _end(each, known, around)
    found: list[Row] = []
    least = page_gaps.LEAST * paper.room[1]
    for page, gap in gaps.items():
        moved = [each for each in rows if each.page == page + 1 and each.top - paper.margins.top < _NEAR]
        within = {each.element for each in moved}
        for each in moved:
            if within.isdisjoint(each.element.iterancestors("tr")):
                found += _opening(each, gap, least, inside, ends, said)
    return found


def _end(row: Row, known: Mapping[Element, Row], around: Element | None) -> float | None:
    """Where a row ends, with the padding of its cells: its content ends before the row behind it, or around it."""
    if row.bottom is None:
        return None
    following = row.element.getnext()
    if following is not None:
        behind = known.get(following)
        return max(row.bottom, behind.top) if behind is not None and behind.page == row.page else row.bottom
    outer = known[around] if around is not None else None
    return max(row.bottom, outer.bottom or 0.0) if outer is not None and outer.page == row.page else row.bottom


def _opening(
    row: Row,
    gap: float,
    least: float,
    inside: Mapping[Element, Sequence[Row]],
    ends: Mapping[Element, float | None],
    said: Declared,
) -> Iterator[Row]:
    """A row to be opened for a gap of a height, and the rows within it that would move again."""
    end = ends[row.element]
    if gap < least or end is None or end - row.top < gap or not _is_open(row, said):
        return
    yield row
    for each in inside.get(row.element, ()):
        offset = each.top - row.top
        if each.page == row.page and offset < gap:
            yield from _opening(each, gap - offset, least, inside, ends, said)


def _is_open(row: Row, said: Declared) -> bool:
    """Whether a row may break, and its table can be drawn as boxes."""
    table = next(row.element.iterancestors("table"), None)
    if table is None or is_data(table) or not _is_plain(table, said):
        return False
    cells = cells_of(row.element)
    if any(word_of(said, each, name) in _WHOLE for each in (table, row.element) for name in _INSIDE):
        return False
    if len(cells) == 1:
        return True
    return len({_background(each, said) for each in cells}) == 1 and all(_is_at_top(each, said) for each in cells)


def _is_plain(table: Element, said: Declared) -> bool:
    """Whether a table has rows of cells and nothing else, and no lines that its cells share."""
    rows = list(rows_of(table))
    if len(rows) > _MOST_ROWS or any(each.tag not in ("tr", "tbody") for each in table):
        return False
    if word_of(said, table, "float") not in ("", "none") or word_of(said, table, "position") not in (
        "", "static", "relative",
    ):  # fmt: skip
        return False
    if any(table.get(each) for each in _LINED) or (table.get("border") or "0").strip() not in ("0", "0px"):
        return False
    parts = [table, *table.iterchildren("tbody"), *rows, *(cell for row in rows for cell in row)]
    if any(each.tag not in _SHOWN or word_of(said, each, "display") not in _SHOWN[each.tag] for each in parts):
        return False
    return all(cell.get("rowspan", "1").strip() == "1" for row in rows for cell in row)


def _is_at_top(cell: Element, said: Declared) -> bool:
    """Whether the content of a cell begins at its top, which a box that breaks can't do otherwise."""
    for each in (cell, *cell.iterancestors("tr", "tbody", "table")):
        asked = word_of(said, each, "vertical-align") or (each.get("valign") or "").strip().lower()
        if asked or each.tag == "table":
            return asked == "top"
    return False


def _background(cell: Element, said: Declared) -> tuple[str, ...]:
    """What a cell declares behind its content: a box does not go on to the end of a longer one beside it."""
    return (
        cell.get("bgcolor") or "",
        cell.get("background") or "",
        *(word_of(said, cell, each) for each in _BACKGROUND),
    )
