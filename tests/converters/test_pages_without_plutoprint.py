"""Real pages as PDF where PlutoPrint isn't installed: no letter of them may be lost, wherever it comes to be."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from conversions.families.html_pdf import render
from conversions.families.html_pdf.options import PageOptions
from conversions.toolkit.warnings import Warn
from tests.converters import page_references as references
from tests.converters import printed

LOSING = {
    "exam_paper": "What @page puts into the margins is left out.",
    "mail_order": "A column that gets no width is set so small that two of its letters are read as one.",
    "minutes": "What @page puts into the margins is left out.",
    "report_margin_boxes": "What @page puts into the margins is left out.",
    "report_russian": "What @page puts into the margins is left out.",
    "report_toc": "What @page puts into the margins is left out.",
    "statement": "What @page puts into the margins is left out.",
}
"""Pages that lose letters on xhtml2pdf, each with the reason; one that loses none any more must be taken out."""


@pytest.mark.parametrize("name", references.names())
def test_page_loses_no_letter(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "engine", "xhtml2pdf")
    target, warn = tmp_path / "output.pdf", Warn()
    render.render(references.source(name).read_bytes(), target, PageOptions(), warn)
    lost = _letters(references.words(name)) - _letters(printed.words(target.read_bytes()))
    assert bool(lost) == (name in LOSING), lost
    assert not lost or warn.warnings, "letters are lost without a warning"


def _letters(words: list[str]) -> Counter[str]:
    """How often there is each letter, large or small: where words end is a guess where two lie side by side."""
    return Counter("".join(words).upper())
