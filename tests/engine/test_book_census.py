"""A writer of books that loses one thing of a kind is noticed, and one that loses nothing is not."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest

from tests.converters.test_book_pages import REFERENCE, book, with_drawing
from tests.engine.test_torn_results import Tear, told, without
from tests.families.books import files
from tests.families.documents import files as documents

_NOTE = '<aside id="n1" epub:type="footnote"><p>Said</p></aside>'
_LINK = '<p><a href="https://example.org/">Elsewhere</a></p>'
BOOK = book({"one.xhtml": f"<h1>One</h1>{_LINK}{REFERENCE.format('two.xhtml#n1')}", "two.xhtml": _NOTE})
FICTION = (
    b'<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">'
    b"<description><title-info><book-title>T</book-title></title-info></description><body><section>"
    b'<p>Text<a l:href="#n1" type="note">1</a> <a l:href="https://example.org/">Elsewhere</a></p></section></body>'
    b'<body name="notes"><section id="n1"><p>Said</p></section></body></FictionBook>'
)


def without_page(made: bytes) -> bytes:
    with pikepdf.open(io.BytesIO(made)) as document:
        del document.pages[0]
        out = io.BytesIO()
        document.save(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("slug", "data", "tear", "kind"),
    [
        ("epub-to-markdown", BOOK, without("[^1]", ""), "Footnotes"),
        ("epub-to-markdown", BOOK, without("(https://example.org/)", ""), "Links"),
        ("epub-to-html", BOOK, without('<a href="https://example.org/"', "<a"), "Links"),
        ("epub-to-txt", BOOK, without("Said"), "Words"),
        ("epub-to-html", with_drawing(), without("<img", "<input"), "Pictures"),
        ("fb2-to-markdown", FICTION, without("[^1]", ""), "Footnotes"),
        ("fb2-to-markdown", FICTION, without("(https://example.org/)", ""), "Links"),
        *((f"{each}-to-txt", getattr(files, each)(), without("Ende"), "Words") for each in ("mobi", "azw3")),
        *((f"{each}-to-html", getattr(files, each)(), without("<img", "<b"), "Pictures") for each in ("mobi", "azw3")),
        ("cbz-to-pdf", files.comic(), without_page, "Pages or pictures"),
    ],
)
def test_what_a_book_loses_is_named(tmp_path: Path, slug: str, data: bytes, tear: Tear, kind: str) -> None:
    (tmp_path / "whole").mkdir()
    assert told(tmp_path / "whole", slug, data, None) == []
    found = told(tmp_path, slug, data, tear)
    assert [each for each in found if each.startswith(f"{kind} are missing from the result")] == found
    assert found


@pytest.mark.parametrize("target", ["epub", "pdf", "html", "txt"])
@pytest.mark.parametrize("source", ["mobi", "azw3"])
def test_a_whole_kindle_book_is_no_warning(tmp_path: Path, source: str, target: str) -> None:
    assert told(tmp_path, f"{source}-to-{target}", getattr(files, source)(), None) == []


@pytest.mark.parametrize("source", ["docx", "odt", "rtf"])
def test_notes_and_links_of_a_document_are_those_of_its_book(tmp_path: Path, source: str) -> None:
    made = {"docx": documents.docx, "odt": documents.odt, "rtf": documents.RTF.encode}[source]()
    assert told(tmp_path, f"{source}-to-epub", made, None) == []


@pytest.mark.parametrize("target", ["docx", "odt", "rtf", "fb2", "markdown", "latex"])
def test_notes_and_links_of_a_book_are_those_of_its_document(tmp_path: Path, target: str) -> None:
    assert told(tmp_path, f"epub-to-{target}", BOOK, None) == []


@pytest.mark.parametrize("target", ["html", "txt", "docx"])
def test_readings_inside_of_a_sentence_are_no_loss(tmp_path: Path, target: str) -> None:
    page = "<p><ruby>山路<rt>やまみち</rt></ruby>を<ruby>登<rp>(</rp><rt>のぼ</rt><rp>)</rp></ruby>りながら</p>"
    assert told(tmp_path, f"epub-to-{target}", book({"one.xhtml": page}), None) == []


def test_a_comic_whose_book_has_all_its_pages_is_no_warning(tmp_path: Path) -> None:
    assert told(tmp_path, "cbz-to-epub", files.manga(), None) == []
    assert told(tmp_path, "cbz-to-pdf", files.manga(), None) == []


@pytest.mark.parametrize("target", ["png", "jpg", "tiff", "webp", "gif", "cbz"])
def test_all_pages_of_a_document_are_in_its_pictures(tmp_path: Path, target: str) -> None:
    made = io.BytesIO()
    with pikepdf.new() as document:
        for _ in range(3):
            document.add_blank_page(page_size=(100, 100))
        document.save(made)
    assert told(tmp_path, f"pdf-to-{target}", made.getvalue(), None) == []


def test_links_of_rich_text_are_counted(tmp_path: Path) -> None:
    page = b'<p>See <a href="https://example.org/">here</a></p>'
    assert told(tmp_path, "html-to-rtf", page, None) == []
    assert told(tmp_path, "html-to-rtf", page, without("HYPERLINK")) == ["Links are missing from the result: 1."]


def test_the_number_of_a_note_is_no_word(tmp_path: Path) -> None:
    numbered = FICTION.replace(b'id="n1">', b'id="n1"><title>\n<p>41</p></title>')
    assert told(tmp_path, "fb2-to-epub", numbered, None) == []


def test_formulas_with_a_prefix_are_no_words(tmp_path: Path) -> None:
    formula = '<m:math xmlns:m="http://www.w3.org/1998/Math/MathML"><m:mi>y</m:mi></m:math>'
    assert told(tmp_path, "epub-to-docx", book({"one.xhtml": f"<p>It is {formula}.</p>"}), None) == []
