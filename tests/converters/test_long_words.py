"""Words of very many elements may break, as PlutoPrint takes the square of their number."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.render import render
from engine.toolkit.warnings import Warn


@pytest.mark.parametrize("element", ["<ruby>a<rt>b</rt></ruby>", "<bdo dir=rtl>a</bdo>"], ids=["ruby", "bdo"])
def test_words_of_any_elements_are_laid_out_in_linear_time(element: str, tmp_path: Path) -> None:
    started = time.process_time()
    render(element * 4_500, tmp_path / "page.pdf", PageOptions(), Warn())
    assert time.process_time() - started < 4
