"""Boxes side by side whose shares are more than all by rounding stay in one row, as in browsers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.converters.test_plutoprint import Result

ROWS = {
    "floats": ("overflow: hidden", "float: left; width: {share}; box-sizing: border-box; padding: 10px"),
    "flex items": ("display: flex; flex-wrap: wrap", "flex: 0 0 {share}"),
    "boxes in a line": ("font-size: 0", "display: inline-block; font-size: 12px; width: {share}"),
}


@pytest.mark.parametrize(("outer", "inner"), ROWS.values(), ids=ROWS)
@pytest.mark.parametrize("share", ["33.3334%", "33.334%", "33.33333333%"])
def test_thirds_that_are_rounded_up_fit_their_row(outer: str, inner: str, share: str, tmp_path: Path) -> None:
    items = "".join(f"<div style='{inner.format(share=share)}'>{each}</div>" for each in ("aaa", "nnn", "ooo"))
    made = Result(f"<div style='{outer}'>{items}</div>", tmp_path)
    tops = [made.at(each)[1] for each in ("aaa", "nnn", "ooo")]
    assert max(tops) - min(tops) < 2


def test_shares_that_are_clearly_more_than_all_do_not_fit(tmp_path: Path) -> None:
    items = "".join(f"<div style='float: left; width: 33.4%'>{each}</div>" for each in ("aaa", "nnn", "ooo"))
    made = Result(items, tmp_path)
    assert made.at("ooo")[1] > made.at("nnn")[1] + 5
