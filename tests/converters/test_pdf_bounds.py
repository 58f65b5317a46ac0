"""Pages of a PDF with more pieces than any text has are read in linear time."""

from __future__ import annotations

from engine.families.pdf.page import order
from engine.families.pdf.page.aligned import tables_in
from engine.families.pdf.page.glyphs import Style
from engine.families.pdf.page.segments import Segment, Span

_STYLE = Style(10.0, False, False, False, "000000", "Helvetica", 0)


def _segment(x: float, y: float, text: str, number: int) -> Segment:
    return Segment([Span(text, _STYLE)], x, x + 50, y, 10.0, number)


def _in_columns(columns: int, rows: int) -> list[Segment]:
    places = ((column, row) for row in range(rows) for column in range(columns))
    return [_segment(60 * x, 12 * y, f"words in {x}/{y}", number) for number, (x, y) in enumerate(places)]


def test_columns_of_a_page_with_very_many_pieces_are_not_searched() -> None:
    columns = 24
    segments = _in_columns(columns, order.MOST_VISITED // columns**2 + 1)
    (region,) = order.regions(segments, [], aligned=False)
    assert [piece.what for piece in region] == segments


def test_columns_of_a_page_with_many_pieces_are_searched() -> None:
    assert len(order.regions(_in_columns(2, 200), [], aligned=False)) == 2


def test_a_row_of_more_columns_than_paper_has_room_for_is_no_table() -> None:
    segments = _in_columns(300, 4)
    assert tables_in(segments) == ([], segments)
    assert [len(each.cells) for each in tables_in(_in_columns(150, 4))[0]] == [600]
