"""Footnotes of pages (`float: footnote`) are after the text, with a number in their place, and counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pypdf
import pytest
from PIL import Image

from engine.conversion import convert
from engine.families.html_pdf.plutoprint import page_notes

_PAGE = """<!DOCTYPE html><html lang=en><title>Notes</title><style>
@page { size: 400pt 300pt } .n { float: footnote; font-size: 8pt } .none { display: none } #a i { background: #f00 }
</style><body><div id=a><p>First<span class=n>A <i>first</i> note</span> text, <b>second<span
style='float: footnote'>A second note</span></b> text <span class='n none'>hidden</span>.</p></div>
<table><tr><td>cell<div class=n>A third note</div> after</table></body>"""
_MESSAGE = "Footnotes were moved to the end of the text: 3."


def test_footnotes_are_after_the_text_with_links(tmp_path: Path) -> None:
    source, target = tmp_path / "input.html", tmp_path / "output.pdf"
    source.write_text(_PAGE)
    warnings = convert(source, target, sandbox=False).warnings
    assert [(each.code, str(each.message)) for each in warnings] == [("VALUE_CONVERTED", _MESSAGE)]
    (page,) = pypdf.PdfReader(target).pages
    assert " ".join(page.extract_text().split()) == (
        "First1 text, second2 text . cell3 after 1. A first note 2. A second note 3. A third note"
    )
    assert len(page["/Annots"]) == 6


def test_footnotes_that_are_too_many_stay_in_their_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_notes, "_MOST", 1)
    source, target = tmp_path / "input.html", tmp_path / "output.pdf"
    source.write_text(_PAGE)
    warnings = {each.code: str(each.message) for each in convert(source, target, sandbox=False).warnings}
    assert warnings == {
        "NOT_UNDERSTOOD": "Styles have no effect here: 2 (float: footnote, …).",
        "VALUE_CONVERTED": "Footnotes were moved to the end of the text: 1.",
    }
    assert " ".join(pypdf.PdfReader(target).pages[0].extract_text().split()) == (
        "First1 text, secondA second note text . cell A third note after 1. A first note"
    )


def test_a_moved_footnote_keeps_the_styles_of_where_it_was(tmp_path: Path) -> None:
    source, target = tmp_path / "input.html", tmp_path / "output.png"
    source.write_text(_PAGE)
    convert(source, target, sandbox=False)
    picture = np.asarray(Image.open(target).convert("RGB"))
    red = np.argwhere((picture == (255, 0, 0)).all(axis=2))
    ink = np.argwhere((picture < 100).all(axis=2))
    assert red[:, 0].min() > (ink[:, 0].min() + ink[:, 0].max()) / 2


def test_footnotes_of_a_tagged_page_are_in_its_structure(tmp_path: Path) -> None:
    source, target = tmp_path / "input.html", tmp_path / "output.pdf"
    source.write_text(_PAGE)
    warnings = convert(source, target, sandbox=False, pdfStandard="ua-1").warnings
    assert [str(each.message) for each in warnings] == [_MESSAGE]
    assert "A third note" in pypdf.PdfReader(target).pages[0].extract_text()
