"""Ruby: the readings above words are there whatever a document becomes."""

from __future__ import annotations

import html
import io
import re
import zipfile
from pathlib import Path

import pypdfium2
import pytest

from engine.families.documents import ruby
from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT
from tests.converters.test_documents import Convert
from tests.families.documents import files
from tests.families.documents import seen as texts

_RUN = "<w:r><w:t xml:space='preserve'>{}</w:t></w:r>"
_ODT = (
    "<text:p>before <text:ruby text:style-name='Ru1'><text:ruby-base>base</text:ruby-base>"
    "<text:ruby-text>reading</text:ruby-text></text:ruby> after</text:p>"
)
_PAGE = "<p>before <ruby>base<rt>reading</rt></ruby> after</p>"
_RTF = (
    r'{\rtf1\ansi before {\field{\*\fldinst { EQ \\* jc2 \\* "Font:Calibri" \\* hps10 \\o\\ad(\\s\\up 10(reading),'
    r"base)}}{\fldrslt {}}} after\par}"
)


def _docx() -> bytes:
    reading = "<w:rt><w:r><w:rPr><w:sz w:val='10'/></w:rPr><w:t>reading</w:t></w:r></w:rt>"
    base = f"<w:rubyBase>{_RUN.format('base')}</w:rubyBase>"
    above = f"<w:r><w:ruby><w:rubyPr><w:hps w:val='10'/></w:rubyPr>{reading}{base}</w:ruby></w:r>"
    return files.word(f"<w:p>{_RUN.format('before ')}{above}{_RUN.format(' after')}</w:p>")


SOURCES: dict[str, bytes | str] = {
    "docx": _docx(),
    "odt": files._odt(_ODT),
    "rtf": _RTF,
    "epub": files._epub({"one": _PAGE}, "<dc:title>Title</dc:title>", {}),
    "html": _PAGE,
    "markdown": _PAGE[3:-4],
}


def _words(data: bytes, kind: str) -> str:
    if kind == "pdf":
        return " ".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(io.BytesIO(data)))
    return texts.SEEN[kind](data).text


@pytest.mark.parametrize("source", sorted(SOURCES))
@pytest.mark.parametrize("target", ["markdown", "docx", "odt", "rtf", "epub"])
def test_readings_stand_behind_their_words_where_nothing_holds_them_above(
    tmp_path: Path, source: str, target: str
) -> None:
    if source == target:
        return
    done = Convert(tmp_path, f"{source}-to-{target}", SOURCES[source])
    assert "before base(reading) after" in " ".join(_words(done.data, target).split())
    assert "Readings above words (ruby) follow them in brackets: 1." in done.messages


@pytest.mark.parametrize("source", ["docx", "odt", "rtf"])
def test_pages_for_browsers_have_readings_above_words(tmp_path: Path, source: str) -> None:
    done = Convert(tmp_path, f"{source}-to-html", SOURCES[source])
    plain = re.sub(r"</?span[^>]*>", "", done.text)
    assert "before <ruby>base<rp>(</rp><rt>reading</rt><rp>)</rp></ruby> after" in html.unescape(plain)
    assert not done.codes


@pytest.mark.skipif(HTML_PDF is not PLUTOPRINT, reason="only PlutoPrint draws the looks of documents")
@pytest.mark.parametrize("source", ["docx", "odt", "rtf"])
def test_pdfs_have_readings_above_words(tmp_path: Path, source: str) -> None:
    page = pypdfium2.PdfDocument(io.BytesIO(Convert(tmp_path, f"{source}-to-pdf", SOURCES[source]).data))[0]
    text = page.get_textpage()
    low, high = (text.get_charbox(text.get_text_range().index(word)) for word in ("base", "reading"))
    assert high[1] > low[3] - 2
    assert high[3] - high[1] < low[3] - low[1]


@pytest.mark.skipif(HTML_PDF is not PLUTOPRINT, reason="it is a rule of a style sheet for this engine")
def test_pages_and_markdown_in_pdf_have_readings_in_brackets(tmp_path: Path) -> None:
    own = "<p>words <ruby>own<rp>(</rp><rt>brackets</rt><rp>)</rp></ruby></p>"
    text = _words(Convert(tmp_path, "html-to-pdf", _PAGE + own).data, "pdf")
    assert "before base(reading) after" in text
    assert "words own(brackets)" in text
    assert "base(reading)" in _words(Convert(tmp_path, "markdown-to-pdf", SOURCES["markdown"]).data, "pdf")


def test_brackets_that_a_page_has_are_not_doubled(tmp_path: Path) -> None:
    own = "<p>words <ruby>own<rp>(</rp><rt>brackets</rt><rp>)</rp></ruby> go on</p>"
    for kind in ("html", "markdown"):
        assert "words own(brackets) go on" in Convert(tmp_path, f"{kind}-to-txt", own).text


def test_other_formula_fields_are_reported(tmp_path: Path) -> None:
    done = Convert(tmp_path, "rtf-to-html", r"{\rtf1 a {\field{\*\fldinst EQ \\f(1,2)}{\fldrslt }} b\par}")
    assert "Formulas written as fields (EQ) were left out: 1." in done.messages


def test_ruby_that_never_ends_is_left_as_it_is() -> None:
    cut = b"<w:ruby><w:rt>" * 20_000
    assert ruby.in_word(cut) == (cut, 0)
    with zipfile.ZipFile(io.BytesIO(files.word("<w:p><w:r><w:ruby/></w:r></w:p>"))) as parts:
        data = parts.read("word/document.xml")
    assert ruby.in_word(data) == (data, 0)
