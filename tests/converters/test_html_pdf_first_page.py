"""A cover has the size and margins of `@page :first`, and the pages after it those of `@page`."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from engine.families.html_pdf import render
from engine.families.html_pdf.options import HTML_PDF, PrintOptions
from engine.families.html_pdf.plutoprint import finishing
from engine.toolkit.warnings import Warn

pytestmark = pytest.mark.skipif(HTML_PDF.distribution != "plutoprint", reason="PlutoPrint is not installed")

_RULES = "@page{size:300pt 400pt;margin:60pt}@page :first{margin:0}body,h1,p{margin:0}"
_COVER = "<div class=cover><h1 id=top>Cover</h1><a href=#next>on</a> <a href=https://example.org/>web</a></div>"
_NEXT = "<h1 id=next>Next</h1><p><a href=#top>back</a>"
_BREAK = ".cover{height:399pt;background:#08f;break-after:page}"


class _Made:
    def __init__(self, page: str, folder: Path, **options: object) -> None:
        self.warn, self.path = Warn(), folder / "page.pdf"
        render.render(page, self.path, PrintOptions(**options), self.warn)  # type: ignore[arg-type]
        with pypdfium2.PdfDocument(self.path) as document:
            self.words = [each.get_textpage().get_text_range().split() for each in document]
            self.pictures = [each.render(scale=1).to_pil().convert("RGB") for each in document]

    def left(self, number: int) -> int:
        """Where the first thing on a page begins, in points."""
        picture = self.pictures[number]
        columns = range(picture.width)
        rows = range(picture.height)
        return next(x for x in columns if any(picture.getpixel((x, y)) != (255, 255, 255) for y in rows))

    @property
    def messages(self) -> list[str]:
        return [each.message for each in self.warn.warnings]


@pytest.mark.parametrize(
    ("style", "body"),
    [
        (_BREAK, f"{_COVER}{_NEXT}"),
        (_BREAK.replace("break", "page-break").replace(":page", ":always"), f"<body><main>{_COVER}{_NEXT}</main>"),
        (_BREAK.replace("break-after:page", "") + "h1#next{break-before:page}", f"{_COVER}{_NEXT}"),
        (
            _BREAK.replace(";break-after:page", ""),
            f"<body>{_COVER}{_NEXT.replace('<h1', '<h1 style=break-before:page')}",
        ),
        (_BREAK + ".no{display:none}", f"<p class=no>none</p>{_COVER}{_NEXT}"),
    ],
)
def test_a_cover_fills_the_first_page_and_the_others_have_margins(style: str, body: str, tmp_path: Path) -> None:
    made = _Made(f"<style>{_RULES}{style}</style>{body}", tmp_path)
    assert made.words == [["Cover", "on", "web"], ["Next", "back"]]
    assert made.pictures[0].getpixel((2, 2)) == made.pictures[0].getpixel((297, 397)) == (0, 136, 255)
    assert 58 <= made.left(1) <= 63
    assert not made.messages


@pytest.mark.parametrize(
    ("style", "body"),
    [
        (".cover{height:399pt;background:#08f}", f"{_COVER}{_NEXT}"),
        (".cover{height:395pt;background:#08f}", f"<main>{_COVER}{_NEXT}</main>"),
    ],
)
def test_a_cover_that_fills_its_page_needs_no_break(style: str, body: str, tmp_path: Path) -> None:
    made = _Made(f"<style>{_RULES}{style}</style>{body}", tmp_path)
    assert made.words == [["Cover", "on", "web"], ["Next", "back"]]
    assert 58 <= made.left(1) <= 63
    assert not made.messages


def test_a_box_with_room_behind_it_is_no_cover(tmp_path: Path) -> None:
    made = _Made(f"<style>{_RULES}.cover{{height:200pt}}</style>{_COVER}{_NEXT}{'<p>line' * 60}", tmp_path)
    assert made.words[0][:4] == ["Cover", "on", "web", "Next"]
    assert made.messages == ["@page :first: its size and margin were not applied; the first page is like the others."]


@pytest.mark.parametrize("rules", [_RULES, _RULES.replace(" :first", " cover") + ".cover{page:cover}"])
def test_what_runs_in_margins_does_not_cover_a_page_without_them(rules: str, tmp_path: Path) -> None:
    boxes = "@page{@top-center{content:element(head)}@bottom-right{content:'Page ' counter(page)}}"
    head = "<p style='position:running(head);background:#ff0'>Running</p>"
    made = _Made(f"<style>{rules}{boxes}{_BREAK}</style>{head}{_COVER}{_NEXT}", tmp_path)
    assert [sorted(each) for each in made.words] == [["Cover", "on", "web"], ["2", "Next", "Page", "Running", "back"]]
    assert made.pictures[0].getpixel((150, 1)) == made.pictures[0].getpixel((150, 397)) == (0, 136, 255)
    assert not made.messages


def test_a_cover_on_other_paper_keeps_its_links_and_places(tmp_path: Path) -> None:
    rules = _RULES.replace("margin:0}body", "size:500pt 400pt;margin:0}body")
    made = _Made(f"<style>{rules}{_BREAK}</style>{_COVER}{_NEXT}", tmp_path)
    assert [each.size for each in made.pictures] == [(500, 400), (300, 400)]
    with pikepdf.open(made.path) as pdf:
        on, web = pdf.pages[0].Annots
        assert on.Dest == "next"
        assert web.A.URI == "https://example.org/"
        assert float(on.Rect[0]) < 1
        places = finishing.destinations(pdf)
        assert places["top"][0].objgen == pdf.pages[0].obj.objgen
        assert float(places["top"][3]) > 395
        with pdf.open_outline() as outline:
            assert [each.title for each in outline.root] == ["Cover", "Next"]


def test_numbers_of_pages_count_the_cover(tmp_path: Path) -> None:
    foot = "@page{@bottom-center{content:counter(page) '/' counter(pages)}}"
    made = _Made(f"<style>{foot}{_RULES}{_BREAK}</style>{_COVER}{_NEXT}", tmp_path)
    assert made.words[1] == ["Next", "back", "2/2"]


def test_a_document_of_one_page_has_the_margins_of_the_first(tmp_path: Path) -> None:
    made = _Made(f"<style>{_RULES}</style><p style='background:red'>one", tmp_path)
    assert made.left(0) == 0
    assert not made.messages


@pytest.mark.parametrize(
    "body", ["<p>one" + " two" * 900, f"text{_COVER}{_NEXT}", _COVER.replace("Cover", "x " * 9000)]
)
def test_a_first_page_that_is_no_cover_is_like_the_others_and_named(body: str, tmp_path: Path) -> None:
    made = _Made(f"<style>{_RULES}.cover{{break-after:page}}</style>{body}", tmp_path)
    assert 58 <= made.left(0) <= 63
    assert 58 <= made.left(1) <= 63
    assert [each.startswith("@page :first: its size and margin were not") for each in made.messages] == [True]


def test_margins_that_are_asked_for_apply_to_all_pages(tmp_path: Path) -> None:
    made = _Made(f"<style>{_RULES}.cover{{break-after:page}}</style>{_COVER}{_NEXT}", tmp_path, margin="10mm")
    assert [27 <= made.left(each) <= 31 for each in (0, 1)] == [True, True]
    assert not made.messages


def test_headers_are_at_the_edge_of_the_paper_of_the_cover(tmp_path: Path) -> None:
    style = _RULES.replace(":first{margin:0}", ":first{size:600pt 400pt;margin:60pt}")
    made = _Made(f"<style>{style}{_BREAK.replace('399', '279')}</style>{_COVER}{_NEXT}", tmp_path, header_right="Edge")
    with pypdfium2.PdfDocument(made.path) as document:
        ends = []
        for page in document:
            text = page.get_textpage()
            at = text.get_text_range().index("Edge")
            ends.append((page.get_width(), round(text.get_charbox(at + 3)[2])))
    assert ends == [(600, pytest.approx(540, abs=2)), (300, pytest.approx(240, abs=2))]
