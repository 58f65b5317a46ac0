"""Head cells of tables are aligned as browsers align them."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from engine.families.html_pdf import render
from engine.families.html_pdf.options import HTML_PDF, PageOptions
from engine.toolkit.warnings import Warn

pytestmark = pytest.mark.skipif(HTML_PDF.distribution != "plutoprint", reason="PlutoPrint is not installed")

_PAGE = (
    "<!DOCTYPE html><style>@page{size:400px 400px;margin:0}body{margin:0}table{width:400px}.r{text-align:right}</style>"
)


@pytest.mark.parametrize(
    ("table", "side"),
    [
        ("<table><tr><th>X</table>", "centre"),
        ("<table class=r><tr><th>X</table>", "right"),
        ("<table><thead class=r><tr><th>X</table>", "right"),
        ("<table><tr style='text-align:left'><th>X</table>", "left"),
        ("<table><tr align=right><th>X</table>", "right"),
        ("<div class=r><table><tr><th>X</table></div>", "right"),
        ("<style>body{text-align:justify}</style><table><tr><th>X</table>", "left"),
        ("<table class=r><tr style='text-align:start'><th>X</table>", "centre"),
        ("<table class=r><tr style='text-align:inherit'><th>X</table>", "right"),
        ("<table class=r><tr><th style='text-align:left'>X</table>", "left"),
        ("<style>th{text-align:left}</style><table class=r><tr><th>X</table>", "left"),
        ("<table class=r><tr><th align=left>X</table>", "left"),
    ],
)
def test_a_head_cell_inherits_an_alignment_that_is_not_the_initial_one(tmp_path: Path, table: str, side: str) -> None:
    render.render(_PAGE + table, tmp_path / "page.pdf", PageOptions(), Warn())
    left, _, right, _ = pypdfium2.PdfDocument(tmp_path / "page.pdf")[0].get_textpage().get_charbox(0)
    middle = (left + right) / 2
    assert {middle < 50: "left", middle > 250: "right"}.get(True, "centre") == side
