"""Words of a drawing that is divided between pages are on one of them."""

from __future__ import annotations

from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from engine.families.html_pdf.visibility import pages
from engine.toolkit.warnings import Warn

_WIDTH, _STEP = A4[0], 500


def told(path: Path, *drawn: list[tuple[float, float, str]]) -> list[str]:
    """The warnings of a document whose pages have these texts."""
    canvas, warn = Canvas(str(path), pagesize=A4), Warn()
    for texts in drawn:
        for x, y, text in texts:
            canvas.drawString(x, y, text)
        canvas.showPage()
    canvas.save()
    pages.check(path, warn)
    return [f"{each.code} {each.message}" for each in warn.warnings]


def test_a_drawing_that_is_divided_between_pages_is_shown(tmp_path: Path) -> None:
    chart = [(500, 700, "Axis"), (640, 650, "Budget"), (640, 600, "Actual sales")]
    assert told(tmp_path / "a.pdf", chart, [(x - _STEP, y, text) for x, y, text in chart]) == []


def test_a_cell_that_begins_on_another_page_is_shown(tmp_path: Path) -> None:
    assert told(tmp_path / "a.pdf", [(450, 700, "Custom style")], [(450 - _STEP, 700, "Custom style")]) == []


def test_a_cell_that_goes_over_several_pages_is_shown(tmp_path: Path) -> None:
    drawn = [[(100 - at * _STEP, 700, "A long heading")] for at in range(3)]
    assert told(tmp_path / "a.pdf", *drawn) == []


def test_a_cell_that_is_cut_where_the_margin_begins_is_shown(tmp_path: Path) -> None:
    canvas, warn, path = Canvas(str(tmp_path / "a.pdf"), pagesize=A4), Warn(), tmp_path / "a.pdf"
    for x in (450, 450 - _STEP):
        clip = canvas.beginPath()
        clip.rect(48, 48, _STEP, 740)
        canvas.clipPath(clip, stroke=0, fill=0)
        canvas.drawString(x, 700, "A title of several pages")
        canvas.showPage()
    canvas.save()
    pages.check(path, warn)
    assert [str(each.message) for each in warn.warnings] == []


def test_a_text_beyond_the_edge_that_no_other_page_shows_is_named(tmp_path: Path) -> None:
    (warning,) = told(tmp_path / "a.pdf", [(640, 650, "Budget"), (100, 600, "Actual")], [(100, 500, "Actual")])
    assert warning.startswith("TEXT_NOT_SHOWN")
    assert "Budget" in warning


def test_the_same_word_elsewhere_on_another_page_does_not_show_it(tmp_path: Path) -> None:
    (warning,) = told(tmp_path / "a.pdf", [(640, 650, "Budget"), (100, 600, "Actual")], [(100, 400, "Budget")])
    assert warning.startswith("TEXT_NOT_SHOWN")


def test_a_drawing_that_is_cut_on_both_pages_is_named(tmp_path: Path) -> None:
    chart = [(500, 700, "Axis"), (1500, 650, "Budget")]
    (warning,) = told(tmp_path / "a.pdf", chart, [(x - _STEP, y, text) for x, y, text in chart])
    assert warning.startswith("TEXT_NOT_SHOWN")
    assert "Budget" in warning
