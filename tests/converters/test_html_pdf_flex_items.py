"""Flex items that have a width shrink as in browsers, down to the least width of their contents."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT
from tests.converters.test_plutoprint import Result

pytestmark = pytest.mark.skipif(HTML_PDF is not PLUTOPRINT, reason="only PlutoPrint has flex boxes")

_PAPER = (
    "<style>@page { margin: 0; size: 600pt 400pt } body, p { margin: 0 } .row { display: flex }"
    " i { display: block; width: 250pt } .row > p:first-child { color: #222 }</style>"
)
_ROW = "<div class=row><p>one</p><p>two</p><p>three</p></div>"


def _lefts(style: str, body: str, folder: Path) -> list[float]:
    result = Result(f"{_PAPER}<style>{style}</style>{body}", folder)
    assert not result.messages("WIDTH_FITTED")
    return [result.at(word)[0] for word in ("one", "two", "three") if word in result.text]


@pytest.mark.parametrize(
    ("style", "lefts"),
    [
        ("p { width: 400pt }", (0, 200, 400)),
        (".row > p { width: 400pt; flex: 0 1 auto }", (0, 200, 400)),
        ("p { width: 400pt } p:nth-child(2) { flex-shrink: 0 }", (0, 100, 500)),
        ("p { width: 400pt } .row { gap: 30pt }", (0, 210, 420)),
        ("p { width: 400pt; overflow: hidden }", (0, 200, 400)),
        ("p { width: 380pt; padding: 0 10pt }", (10, 210, 410)),
        ("* { box-sizing: border-box } p { width: 400pt; padding: 0 10pt }", (10, 210, 410)),
        ("p { width: 100pt }", (0, 100, 200)),
        ("p { width: 400pt } .row { flex-wrap: wrap }", (0, 0, 0)),
        ("p { width: 900pt } .row { flex-wrap: wrap }", (0, 0, 0)),
    ],
)
def test_items_with_a_width_shrink_where_their_line_is_too_narrow(
    style: str, lefts: tuple[float, ...], tmp_path: Path
) -> None:
    assert _lefts(style, _ROW, tmp_path) == pytest.approx(lefts, abs=3)


def test_an_item_does_not_shrink_below_its_contents(tmp_path: Path) -> None:
    body = "<div class=row><p><i>one</i></p><p>two</p><p>three</p></div>"
    assert _lefts("p { width: 400pt }", body, tmp_path) == pytest.approx((0, 250, 425), abs=3)


def test_an_item_narrower_than_its_contents_keeps_its_width(tmp_path: Path) -> None:
    body = "<div class=row><p style='width: 100pt'><i>one</i></p><p>two</p><p>three</p></div>"
    assert _lefts("p { width: 400pt }", body, tmp_path) == pytest.approx((0, 100, 350), abs=3)


def test_items_within_an_item_count_with_their_width(tmp_path: Path) -> None:
    inner = "<div class=row><p style='width: 250pt'>one</p></div>"
    body = f"<div class=row><p style='width: 900pt'></p><div style='width: 400pt'>{inner}</div><p>two</p></div>"
    result = Result(f"{_PAPER}{body}", tmp_path)
    assert result.at("two")[0] - result.at("one")[0] == pytest.approx(250, abs=3)


def test_a_line_that_can_not_shrink_is_made_smaller_and_named(tmp_path: Path) -> None:
    result = Result(f"{_PAPER}<style>p {{ width: 400pt; flex: none }}</style>{_ROW}", tmp_path)
    assert result.messages("WIDTH_FITTED") == "The page is wider than the paper and was scaled to 50%."
