"""Pages break between rows of tables where styles force it, as in browsers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.converters.test_plutoprint import Result

_STYLE = (
    "<style>@page { size: 300pt 300pt; margin: 20pt } body { margin: 0 }"
    "table { width: 200pt; border-collapse: collapse } th, td { padding: 0; border: 1pt solid }</style>"
)
_HEAD = "<table><thead><tr><th>Head<th>Other</thead>"


@pytest.mark.parametrize(
    "rows",
    [
        "<tr><td>one<td>x<tr style='break-before: page'><td>two<td>x</table>",
        "<tr style='page-break-after: always'><td>one<td>x<tr><td>two<td>x</table>",
        "<tbody style='page-break-after: always'><tr><td>one<td>x</tbody><tbody><tr><td>two<td>x</tbody></table>",
        "<style>tbody + tbody { break-before: page }</style><tbody><tr><td>one<td>x<tbody><tr><td>two<td>x</table>",
    ],
)
def test_a_page_breaks_between_rows_and_the_head_is_repeated(rows: str, tmp_path: Path) -> None:
    made = Result(f"{_STYLE}{_HEAD}{rows}", tmp_path)
    assert ["one" in each for each in made.pages] == [True, False]
    assert ["two" in each for each in made.pages] == [False, True]
    assert ["Head" in each for each in made.pages] == [True, True]
    assert made.warn.warnings == ()


def test_the_head_of_a_new_page_is_above_its_rows(tmp_path: Path) -> None:
    made = Result(f"{_STYLE}{_HEAD}<tr><td>one<tr style='break-before: page'><td>two</table>", tmp_path)
    own = Result(f"{_STYLE}{_HEAD}<tr><td>two</table>", tmp_path)
    assert made.at("two") == pytest.approx(own.at("two"), abs=2)


def test_rows_after_a_break_keep_the_colours_of_every_second_row(tmp_path: Path) -> None:
    style = "<style>tr:nth-child(even) td { background: #00f } tr:last-child td { background: #f00 }</style>"
    rows = "<tbody><tr><td>one<tr><td>two<tr style='break-before: page'><td>three<tr><td>four<tr><td>five</tbody>"
    made = Result(f"{_STYLE}{style}<table>{rows}</table>", tmp_path, page_ranges="2")
    lines = [made.at(each)[1] + 4 for each in ("three", "four", "five")]
    assert [made.pixel(150, each) for each in lines] == [(255, 255, 255), (0, 0, 255), (255, 0, 0)]


def test_a_break_after_the_last_row_is_after_the_table(tmp_path: Path) -> None:
    made = Result(f"{_STYLE}<style>tr {{ break-after: page }}</style>{_HEAD}<tbody><tr><td>one</table>end", tmp_path)
    assert ["end" in each for each in made.pages] == [False, True]


@pytest.mark.parametrize("rows", [0, 250])
def test_breaks_within_cells_of_several_rows_are_named(rows: int, tmp_path: Path) -> None:
    first = f"<tr><td rowspan={rows + 2}>one<td>x{'<tr><td>y' * rows}"
    made = Result(f"{_STYLE}<table>{first}<tr style='break-before: page'><td>two</table>", tmp_path)
    assert made.messages("CSS_UNSUPPORTED") == "Page breaks between rows of tables that are not made: 1."
