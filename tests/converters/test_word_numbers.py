"""Numbers that Word computes: the labels of lists, and the numbers of pages in headers and in the text."""

from __future__ import annotations

import io
from pathlib import Path

import pypdfium2
import pytest

from engine.families.documents.word.number_formats import ordinal
from tests.converters.test_documents import Convert
from tests.converters.test_word_looks import drawn, p
from tests.families.documents import files

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def _numbering(format: str, text: str = "%1.", start: str = '<w:start w:val="1"/>') -> dict[str, tuple[str, str, str]]:
    level = f'<w:lvl w:ilvl="0">{start}<w:numFmt w:val="{format}"/><w:lvlText w:val="{text}"/></w:lvl>'
    plan = f'<w:abstractNum w:abstractNumId="1">{level}</w:abstractNum>'
    listed = '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
    return {"n": ("numbering", "numbering.xml", f"<w:numbering {_W}>{plan}{listed}</w:numbering>")}


_ITEMS = "".join(p(each, '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>') for each in ("a", "b", "c"))


def _pages(data: bytes) -> list[str]:
    return [" ".join(page.get_textpage().get_text_range().split()) for page in pypdfium2.PdfDocument(io.BytesIO(data))]


@pytest.mark.parametrize(
    ("format", "number", "written"),
    [
        ("ordinalText", 1, "First"),
        ("chineseLegalSimplified", 101, "壹佰零壹"),
        ("ideographLegalTraditional", 10, "壹拾"),
        ("japaneseLegal", 2345, "弐阡参百四拾伍"),
        ("koreanCounting", 21, "이십일"),
        ("koreanLegal", 21, "스물하나"),
        ("koreanDigital", 10, "일영"),
        ("hebrew1", 15, "טו"),
        ("hebrew1", 121, "קכא"),
        ("thaiLetters", 3, "ค"),
        ("ordinalText", 12, "Twelfth"),
        ("ordinalText", 20, "Twentieth"),
        ("ordinalText", 121, "One hundred twenty-first"),
        ("cardinalText", 1, "One"),
        ("cardinalText", 42, "Forty-two"),
        ("cardinalText", 1000, "One thousand"),
        ("hex", 255, "FF"),
        ("chicago", 5, "**"),
        ("numberInDash", 3, "- 3 -"),
        ("decimalEnclosedCircle", 20, "⑳"),
        ("decimalEnclosedCircle", 21, "21"),
        ("decimalFullWidth", 10, "１０"),
        ("chineseCountingThousand", 105, "一百〇五"),
        ("chineseCounting", 11, "十一"),
        ("japaneseCounting", 123, "百二十三"),
        ("ideographTraditional", 2, "乙"),
        ("russianLower", 3, "в"),
        ("thaiNumbers", 12, "๑๒"),
    ],
)
def test_a_number_is_written_in_its_format(format: str, number: int, written: str) -> None:
    assert ordinal(number, format) == written


@drawn
def test_labels_of_lists_are_written_in_words(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-pdf", files.word(_ITEMS, _numbering("cardinalText", "Clause %1:")))
    assert _pages(done.data) == ["Clause One: a Clause Two: b Clause Three: c"]
    assert not done.codes


@drawn
def test_labels_of_a_format_that_is_not_known_are_named(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-pdf", files.word(_ITEMS, _numbering("vietnameseCounting")))
    assert _pages(done.data) == ["1. a 2. b 3. c"]
    assert done.codes == {"NOT_UNDERSTOOD"}
    assert "decimal: 1 (vietnameseCounting × 3)." in done.messages


@drawn
def test_labels_of_a_level_without_a_start_begin_with_zero(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-pdf", files.word(_ITEMS, _numbering("decimal", start="")))
    assert _pages(done.data) == ["0. a 1. b 2. c"]
    assert not done.codes


@pytest.mark.parametrize("output", ["markdown", "rst", "txt"])
def test_a_text_of_a_list_without_a_start_begins_with_zero(output: str, tmp_path: Path) -> None:
    done = Convert(tmp_path, f"docx-to-{output}", files.word(_ITEMS, _numbering("decimal", start="")))
    assert [each.split() for each in done.text.splitlines() if each] == [["0.", "a"], ["1.", "b"], ["2.", "c"]]


def _field(instruction: str, stored: str = "") -> str:
    begin, middle, end = (f'<w:r><w:fldChar w:fldCharType="{each}"/></w:r>' for each in ("begin", "separate", "end"))
    result = f"{middle}<w:r><w:t>{stored}</w:t></w:r>" if stored else ""
    return f"{begin}<w:r><w:instrText> {instruction} </w:instrText></w:r>{result}{end}"


def _text(*parts: str) -> str:
    return f"<w:p>{''.join(each if each[:1] == '<' else f'<w:r><w:t>{each}</w:t></w:r>' for each in parts)}</w:p>"


_NEXT = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
_CHAPTER = '<w:p><w:bookmarkStart w:id="1" w:name="two"/><w:r><w:t>Chapter</w:t></w:r><w:bookmarkEnd w:id="1"/></w:p>'


@drawn
def test_fields_in_the_text_show_the_pages_that_they_are_on(tmp_path: Path) -> None:
    line = _text("P", _field("PAGE", "7"), "of", _field("NUMPAGES", "9"))
    done = Convert(tmp_path, "docx-to-pdf", files.word(line + _NEXT + line + _NEXT + _text("P", _field("PAGE"))))
    assert _pages(done.data) == ["P1of3", "P2of3", "P3"]
    assert not done.codes


@drawn
def test_a_table_of_contents_shows_the_pages_that_its_headings_are_on(tmp_path: Path) -> None:
    body = _text("Chapter on ", _field("PAGEREF two \\h", "88")) + _text("None on ", _field("PAGEREF gone", "5"))
    done = Convert(tmp_path, "docx-to-pdf", files.word(body + _NEXT + _NEXT + _CHAPTER))
    assert _pages(done.data)[0] == "Chapter on 3 None on 5"


@drawn
def test_numbers_of_pages_have_the_format_of_their_section_or_field(tmp_path: Path) -> None:
    line = _text("F", _field("PAGE", "1"), "X", _field("PAGE \\* ALPHABETIC", "1"))
    foot = f"<w:ftr {_W}>{line}</w:ftr>"
    numbers = '<w:sectPr><w:footerReference r:id="f"/><w:pgNumType w:fmt="lowerRoman" w:start="4"/></w:sectPr>'
    body = _text("B", _field("PAGE", "1")) + _NEXT + _text("C", _field("PAGE \\* MERGEFORMAT", "1"))
    done = Convert(tmp_path, "docx-to-pdf", files.word(body + numbers, {"f": ("footer", "footer1.xml", foot)}))
    assert [sorted(each.split()) for each in _pages(done.data)] == [["Biv", "FivXD"], ["Cv", "FvXE"]]


@drawn
def test_a_section_that_begins_with_a_page_break_has_an_empty_page(tmp_path: Path) -> None:
    first = f"<w:p><w:pPr><w:sectPr/></w:pPr><w:r><w:t>One</w:t></w:r></w:p>{_NEXT}"
    done = Convert(tmp_path, "docx-to-pdf", files.word(first + _text("Two") + _NEXT + _NEXT + _text("Three")))
    assert _pages(done.data) == ["One", "", "Two", "", "Three"]


_KINDS = ("default", "first", "even")


def _headed(name: str = "{}.xml") -> bytes:
    """Three pages with headers of their own, by their kind, in parts of these names."""
    said = {"default": "Ordinary", "first": "Opening", "even": "Left"}
    extra = {
        each: ("header", name.format(each), f'<w:hdr xmlns:w="{files._W}">{p(f"{said[each]} head")}</w:hdr>')
        for each in _KINDS
    }
    settings = f'<w:settings xmlns:w="{files._W}"><w:evenAndOddHeaders/></w:settings>'
    extra["settings"] = ("settings", "settings.xml", settings)
    references = "".join(f'<w:headerReference w:type="{each}" r:id="{each}"/>' for each in _KINDS)
    turn = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
    return files.word(f"{p('One')}{turn}{p('Two')}{turn}<w:sectPr>{references}<w:titlePg/></w:sectPr>", extra)


def test_headers_of_later_pages_are_named_where_there_are_no_pages(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-html", _headed())
    assert "Opening head" in done.text
    assert "were left out: 2 (“Ordinary head”, “Left head”)." in done.messages
    assert "were left out" not in Convert(tmp_path, "docx-to-pdf", _headed()).messages


@pytest.mark.parametrize("target", ["markdown", "txt", "epub"])
def test_headers_are_named_as_left_out_whatever_their_parts_are_called(tmp_path: Path, target: str) -> None:
    done = Convert(tmp_path, f"docx-to-{target}", _headed("top-{}.xml"))
    assert "Page headers and footers were left out: 3." in done.messages


def test_headers_that_no_section_has_are_not_named(tmp_path: Path) -> None:
    unused = ("header", "header1.xml", f'<w:hdr xmlns:w="{files._W}">{p("Unused head")}</w:hdr>')
    assert not Convert(tmp_path, "docx-to-txt", files.word(p("One"), {"unused": unused})).codes
