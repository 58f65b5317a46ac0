"""A cover and a table of contents before a document."""

from __future__ import annotations

import re
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from tests.converters.test_plutoprint import Result

_TEXT = (
    "<title>Report</title><h1>Intro</h1><p>text<h2>Why</h2><p style='break-before: page'>x<h2>How</h2><h4>Deep</h4>"
    "<p style='break-before: page'><h1>End</h1>"
)


def test_contents_have_the_page_numbers_that_the_pages_show(tmp_path: Path) -> None:
    made = Result(_TEXT, tmp_path, contents=True, footer_text="p{page}of{pages}", first_page_number=5)
    assert made.pages[0].split() == ["Report", "Intro", "6", "Why", "6", "How", "7", "End", "8", "p5of8"]
    assert [f"p{at}of8" in each for at, each in enumerate(made.pages, 5)] == [True] * 4


def test_contents_of_two_pages_count_both(tmp_path: Path) -> None:
    text = "".join(f"<h1>H{at}</h1>" for at in range(80)) + "<h1 style='break-before: page'>Last</h1>"
    made = Result(text, tmp_path, contents=True)
    words = f"{made.pages[0]} {made.pages[1]}".split()
    assert int(words[words.index("Last") + 1]) == len(made.pages)


def test_entries_of_contents_lead_to_their_headings(tmp_path: Path) -> None:
    made = Result(_TEXT, tmp_path, contents=True, contents_depth=1)
    with pikepdf.open(made.path) as pdf:
        names = {str(name): place for name, place in pikepdf.NameTree(pdf.Root.Names.Dests).items()}
        links = [names[str(each.Dest)] for each in pdf.pages[0].Annots]
        assert [pdf.pages.index(pikepdf.Page(each[0])) for each in links] == [1, 3]


def test_a_cover_fills_its_page_and_is_not_counted(tmp_path: Path) -> None:
    cover = "<body style='background: #00f; margin: 0'><h1>Annual</h1>"
    made = Result(_TEXT, tmp_path, cover_html=cover, header_text="p{page}of{pages}", css="h1 { color: #fff }")
    assert made.pages[0].split() == ["Annual"]
    assert "p1of3" in made.pages[1]
    with pypdfium2.PdfDocument(made.path) as document:
        assert document[0].render(scale=1).to_pil().convert("RGB").getpixel((2, 2)) == (0, 0, 255)


def test_contents_without_headings_are_named(tmp_path: Path) -> None:
    made = Result("<p>x", tmp_path, contents=True)
    assert len(made.pages) == 1
    assert made.messages("CONTENT_DROPPED") != ""


def test_contents_leave_out_headings_that_are_not_drawn(tmp_path: Path) -> None:
    made = Result("<h1>Shown</h1><h1 hidden>Hidden</h1><h2 style='display: none'>None</h2>", tmp_path, contents=True)
    assert made.pages[0].split() == ["Shown", "2"]


@pytest.mark.parametrize(("count", "dotted"), [(400, True), (600, False)])
def test_lines_of_long_contents_are_solid(tmp_path: Path, count: int, dotted: bool) -> None:
    made = Result("".join(f"<h2>{number}</h2>" for number in range(count)), tmp_path, contents=True)
    with pikepdf.open(made.path) as pdf:
        drawn = pdf.pages[0].Contents.read_bytes()
    assert (re.search(rb"\[ ?[\d.][^\]]*\] [\d.]+ d\b", drawn) is not None) == dotted
