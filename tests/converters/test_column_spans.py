"""Elements that span all columns are limited, as PlutoPrint takes the square of their number."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.plutoprint.layout import prepared
from engine.families.html_pdf.render import render
from engine.toolkit.warnings import Warn

SPANNING = "<p>w</p><h2 style='column-span:all'>h</h2>"
RULED = "<p>w</p><h2>h</h2>"


def spanning(number: int, *, ruled: bool) -> tuple[int, list[str]]:
    warn = Warn()
    inside = "<style>h2{column-span:all}</style>" + RULED * number if ruled else SPANNING * number
    page, _ = prepared(f"<div style='columns:3'>{inside}</div>", warn, media="print", backgrounds=True)
    kept = sum("column-span:none!important" not in (each.get("style") or "") for each in page.root.iter("h2"))
    return kept, [each.code for each in warn.warnings]


@pytest.mark.parametrize("ruled", [False, True], ids=["styled", "by a rule"])
def test_elements_beyond_the_first_stay_within_a_column(ruled: bool) -> None:
    kept, codes = spanning(600, ruled=ruled)
    assert 50 < kept < 100
    assert codes == ["CSS_UNSUPPORTED"]
    assert spanning(150, ruled=ruled) == (150, [])


def test_very_many_spanning_elements_are_laid_out_in_time(tmp_path: Path) -> None:
    started = time.process_time()
    page = f"<style>p,h2{{margin:0;font-size:8px}}</style><div style='columns:3'>{SPANNING * 300}</div>"
    render(page, tmp_path / "page.pdf", PageOptions(), Warn())
    assert time.process_time() - started < 3
