"""Lengths that mix a share of the room with other units are as wide as in browsers."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.families.html_pdf.plutoprint import layout
from tests.converters.test_plutoprint import Result

_PAPER = "<style>@page { margin: 0; size: 600pt 400pt } body, p { margin: 0 }</style>"


def _lefts(style: str, body: str, folder: Path) -> list[float]:
    result = Result(f"{_PAPER}<style>{style}</style>{body}", folder)
    assert result.messages("CSS_UNSUPPORTED") == ""
    return [result.at(word)[0] for word in ("one", "two", "three") if word in result.text]


_ROW = "<div class=row><p>one</p><p>two</p><p>three</p></div>"


@pytest.mark.parametrize(
    ("style", "lefts"),
    [
        (".row { display: flex } p { width: calc(50% - 100pt) }", (0, 200, 400)),
        (".row { display: flex } p { flex: 0 0 calc(25% + 10pt) }", (0, 160, 320)),
        (".row { display: flex } p { flex-basis: calc(25% + 10pt) }", (0, 160, 320)),
        ("p { float: left; width: calc(100% / 3 - 20pt); margin-right: 20pt }", (0, 200, 400)),
        (".row { display: flex } p { width: clamp(50pt, 10% + 40pt, 300pt) }", (0, 100, 200)),
        (".row { display: flex } p { width: max(10%, 70pt) }", (0, 70, 140)),
        (".row { display: flex; padding: 0 calc(10% + 40pt) } p { width: 100pt }", (100, 200, 300)),
        ("p { float: left; width: calc(50% - 100pt) !important } p { width: 90% }", (0, 200, 400)),
        (".row { display: flex } p { width: calc(50% - 10pt) } p { width: 100pt }", (0, 100, 200)),
        (":root { --gap: 20pt } p { float: left; width: calc(25% - var(--gap)) }", (0, 130, 260)),
        (".row { width: calc(100% - 300pt); display: flex } p { width: calc(20% + 10pt) }", (0, 70, 140)),
        ("body { display: grid; grid: auto / 300pt 1fr } p { float: left; width: calc(50% - 50pt) }", (0, 100, 200)),
    ],
)  # fmt: skip
def test_a_length_that_mixes_units_is_as_wide_as_in_browsers(
    style: str, lefts: tuple[int, ...], tmp_path: Path
) -> None:
    assert _lefts(style, _ROW, tmp_path) == pytest.approx(lefts, abs=3)


def test_a_bar_and_what_remains_beside_it_are_one_row(tmp_path: Path) -> None:
    style = "p { float: left } .bar { width: 200pt } .main { width: calc(100% - 200pt) }"
    assert _lefts(style, "<p class=bar>one</p><p class=main>two</p>", tmp_path) == pytest.approx((0, 200), abs=3)


@pytest.mark.parametrize(
    "body",
    [
        "<table><tr><td style='width: calc(50% - 10px)'>one</table>",
        "<p style='position: absolute; width: calc(50% - 10px)'>one</p>",
        "<div style='display: grid'><p style='width: calc(50% - 10px)'>one</div>",
    ],
)
def test_a_length_whose_room_is_not_its_parents_is_a_percentage_and_named(body: str, tmp_path: Path) -> None:
    assert "calc(50% - 10px) was treated as 50%" in Result(_PAPER + body, tmp_path).messages("CSS_UNSUPPORTED")


def test_a_rule_that_applies_to_nothing_measures_and_names_nothing(tmp_path: Path) -> None:
    assert _lefts(".other { width: calc(50% - 10px) }", "<p>one</p>", tmp_path) == pytest.approx([0], abs=3)


_ALL = (
    "<div style='display: grid; grid: auto / 300pt 1fr'><p>one</p><p>two</p></div>"
    "<p style='width: calc(50% - 100pt); text-align: right'>three</p>"
    "<p style='width: 50pt; overflow: hidden; text-overflow: ellipsis; white-space: nowrap'>much longer than that</p>"
)


def test_what_a_page_is_too_large_to_measure_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Result(_PAPER + _ALL, tmp_path).messages("CSS_UNSUPPORTED") == ""
    monkeypatch.setattr(layout, "MOST_LAID_OUT", 0)
    monkeypatch.setattr(layout, "_LEAST_MEASURED", 0)
    named = Result(_PAPER + _ALL, tmp_path).messages("CSS_UNSUPPORTED")
    assert len(named.split("\n")) == 3
    assert "calc(50% - 100pt) was treated as 50%" in named


def test_boxes_among_thousands_of_blocks_are_as_wide_as_in_browsers(tmp_path: Path) -> None:
    assert _lefts("", _ALL + "<p>x" * 3_000 + _ALL, tmp_path)[:2] == pytest.approx((0, 300), abs=3)
