"""Titles, authors, dates and abstracts of documents: what their file knows of them and how they look both arrive."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from lxml import etree

from engine.families.documents.odf.names import FO, OFFICE, STYLE, TEXT
from tests.converters.test_documents import Convert
from tests.converters.test_open_document_looks import odt, paragraph_style
from tests.families.documents import files

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_X = "{http://www.w3.org/1999/xhtml}"
_SAID = {
    "Title": ("Bees", "C00000", "center", 80), "Subtitle": ("Honey", "00B050", "right", 40),
    "Author": ("Ada", "117711", "left", 26), "Date": ("March", "7030A0", "right", 26),
    "Abstract": ("Summary", "3366AA", "center", 20),
}  # fmt: skip
_STYLES = (
    f'<w:styles xmlns:w="{W[1:-1]}"><w:style w:type="paragraph" w:default="1" w:styleId="Normal">'
    '<w:name w:val="Normal"/></w:style>'
    + "".join(
        f'<w:style w:type="paragraph" w:styleId="{name}"><w:name w:val="{name}"/><w:pPr><w:jc w:val="{align}"/></w:pPr>'
        f'<w:rPr><w:rFonts w:ascii="Verdana"/><w:color w:val="{colour}"/><w:sz w:val="{size}"/></w:rPr></w:style>'
        for name, (_, colour, align, size) in _SAID.items()
    )
    + '<w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 1"/></w:style></w:styles>'
)
_BODY = "".join(
    f'<w:p><w:pPr><w:pStyle w:val="{name}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'
    for name, (text, *_) in _SAID.items()
)
_BODY += (
    '<w:p><w:pPr><w:pStyle w:val="H"/></w:pPr><w:r><w:t>Begin</w:t></w:r></w:p><w:p><w:r><w:t>Text</w:t></w:r></w:p>'
)


def _source() -> bytes:
    return files.word(_BODY, {"s": ("styles", "styles.xml", _STYLES)})


def _parts(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(BytesIO(data)) as parts:
        return {name: parts.read(name).decode("utf-8", "replace") for name in parts.namelist()}


def test_the_title_of_an_open_document_text_looks_as_that_of_the_word_document(tmp_path: Path) -> None:
    parts = _parts(Convert(tmp_path, "docx-to-odt", _source()).data)
    root = etree.fromstring(parts["content.xml"].encode())
    styles = {each.get(f"{STYLE}name"): each for each in root.iter(f"{STYLE}style")}
    body = root.find(f"{OFFICE}body/{OFFICE}text")
    assert not any((each.tail or "").strip() for each in body)
    for text, colour, align, size in _SAID.values():
        paragraph = next(each for each in body.iter(f"{TEXT}p") if "".join(each.itertext()) == text)
        block = styles[paragraph.get(f"{TEXT}style-name")].find(f"{STYLE}paragraph-properties")
        assert block.get(f"{FO}text-align") == {"right": "end", "left": "start"}.get(align, align)
        run = styles[paragraph.find(f"{TEXT}span").get(f"{TEXT}style-name")].find(f"{STYLE}text-properties")
        assert (run.get(f"{FO}color"), run.get(f"{FO}font-size")) == (f"#{colour}", f"{size / 2:g}pt")
        assert run.get(f"{FO}font-family") == "'Verdana'"
    plain = next(each for each in body.iter(f"{TEXT}h"))
    run = styles[plain.find(f".//{TEXT}span").get(f"{TEXT}style-name")].find(f"{STYLE}text-properties")
    assert run.get(f"{STYLE}use-window-font-color") == "true"
    assert "<dc:title>Bees</dc:title>" in parts["meta.xml"]
    assert not re.search("[\ufdd0-\ufdef]", "".join(parts.values()))


def test_the_title_of_an_rtf_file_looks_as_that_of_the_word_document_and_its_order_holds(tmp_path: Path) -> None:
    text = Convert(tmp_path, "docx-to-rtf", _source()).text
    colours = re.search(r"\{\\colortbl;([^}]*);\}", text)
    assert colours
    at = 0
    for texts, colour, align, size in _SAID.values():
        found = re.compile(rf"\\(q[lcr])[^{{}}]*\{{\\f\d+\\fs{size}\D[^{{}}]*\\cf(\d+)[^{{}}]* {texts}\}}").search(
            text, at
        )
        assert found, texts
        at = found.end()
        red, green, blue = (int(colour[each : each + 2], 16) for each in (0, 2, 4))
        assert colours[1].split(";")[int(found[2]) - 1] == f"\\red{red}\\green{green}\\blue{blue}"
        assert found[0].rpartition("\\q")[2][0] == align[0]
    assert not re.search("[\ufdd0-\ufdef]", text)


def test_the_title_page_of_a_book_looks_as_the_title_of_the_word_document(tmp_path: Path) -> None:
    parts = _parts(Convert(tmp_path, "docx-to-epub", _source()).data)
    sheet = next(text for name, text in parts.items() if name.endswith(".css"))
    page = etree.fromstring(next(text for name, text in parts.items() if "title_page" in name).encode())
    assert page.findtext(f"{_X}head/{_X}title") == "Bees"
    for text, colour, align, _ in _SAID.values():
        shown = next(each for each in page.iter(f"{_X}h1", f"{_X}p") if "".join(each.itertext()) == text)
        block = re.search(rf"\.{shown.get('class').split()[-1]}\{{([^}}]*)", sheet)
        run = re.search(rf"\.{shown.find(f'{_X}span').get('class')}\{{([^}}]*)", sheet)
        assert block
        assert run
        assert f"text-align:{align}" in block[1]
        assert f"color:#{colour}" in run[1]
    assert not re.search("[\ufdd0-\ufdef]", "".join(parts.values()))


@pytest.mark.parametrize(("target", "part"), [("docx", "word/document.xml"), ("odt", "content.xml")])
def test_the_author_that_an_rtf_file_alone_knows_of_is_not_put_into_its_text(
    tmp_path: Path, target: str, part: str
) -> None:
    source = (
        r"{\rtf1\ansi{\fonttbl{\f0 Arial;}}{\info{\author Ghost}}\pard\outlinelevel0\b Begin\par\pard\plain Text\par}"
    )
    parts = _parts(Convert(tmp_path, f"rtf-to-{target}", source).data)
    assert "Ghost" not in parts[part]
    assert "Ghost" in "".join(parts.values())


def test_black_headings_of_an_rtf_file_stay_black_in_word(tmp_path: Path) -> None:
    source = (
        r"{\rtf1\ansi{\fonttbl{\f0 Arial;}}\pard\outlinelevel0\b\fs40 Begin\par\pard\plain\fs22 Text that goes on\par}"
    )
    root = etree.fromstring(_parts(Convert(tmp_path, "rtf-to-docx", source).data)["word/document.xml"].encode())
    run = next(each for each in root.iter(f"{W}r") if "".join(each.itertext()) == "Begin")
    assert run.find(f"{W}rPr/{W}color").get(f"{W}val") == "auto"


def test_blanks_between_pieces_of_an_open_document_line_are_as_wide_as_their_letters(tmp_path: Path) -> None:
    names = " ".join(f'xmlns:{name}="{space[1:-1]}"' for name, space in
                     (("office", OFFICE), ("text", TEXT), ("style", STYLE), ("fo", FO)))  # fmt: skip
    source = files.archive(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "META-INF/manifest.xml": '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
            "content.xml": f'<office:document-content {names}><office:automatic-styles><style:style style:name="B" '
            'style:family="text"><style:text-properties fo:font-size="40pt"/></style:style></office:automatic-styles>'
            '<office:body><office:text><text:p>One<text:span text:style-name="B"> and </text:span>two</text:p>'
            "</office:text></office:body></office:document-content>",
            "styles.xml": f"<office:document-styles {names}/>",
        }
    )
    root = etree.fromstring(_parts(Convert(tmp_path, "odt-to-docx", source).data)["word/document.xml"].encode())
    large = [each for each in root.iter(f"{W}r") if each.find(f"{W}rPr/{W}sz") is not None]
    assert "".join(text for each in large for text in each.itertext()) == " and "


def _styled(data: bytes) -> list[tuple[str, str, str | None]]:
    """The style, text and colour of each paragraph of a Word document."""
    root = etree.fromstring(_parts(data)["word/document.xml"].encode())
    found = []
    for each in root.iter(f"{W}p"):
        colour = each.find(f"{W}r/{W}rPr/{W}color")
        style = each.find(f"{W}pPr/{W}pStyle").get(f"{W}val")
        found.append((style, "".join(each.itertext(f"{W}t")), None if colour is None else colour.get(f"{W}val")))
    return found


def test_titles_of_an_open_document_have_the_styles_of_their_names_in_word_and_look_as_they_did(tmp_path: Path) -> None:
    named = "".join(
        paragraph_style(name, f'fo:text-align="{ {"left": "start", "right": "end"}.get(align, align) }"',
                        f'fo:color="#{colour}"')
        for name, (_, colour, align, _) in _SAID.items()
    )  # fmt: skip
    # What is set on top of a style, and what is made from one under a name of its own.
    automatic = paragraph_style("P1", text='fo:font-style="italic"', parent="Title")
    named += paragraph_style("Special", parent="Subtitle")
    texts = {"P1" if name == "Title" else name: text for name, (text, *_) in _SAID.items()} | {"Special": "Plain"}
    body = "".join(f'<text:p text:style-name="{name}">{text}</text:p>' for name, text in texts.items())
    body += '<text:list><text:list-item><text:p text:style-name="Title">Item</text:p></text:list-item></text:list>'
    data = Convert(tmp_path, "odt-to-docx", odt(body, automatic, named=named)).data
    found = _styled(data)
    assert found[: len(_SAID)] == [(name, text, colour) for name, (text, colour, *_) in _SAID.items()]
    assert [style for style, text, _ in found if text in ("Plain", "Item")] == ["BodyText", "Compact"]
    root = etree.fromstring(_parts(data)["word/document.xml"].encode())
    for paragraph, (_, _, align, _) in zip(root.iter(f"{W}p"), _SAID.values(), strict=False):
        assert paragraph.find(f"{W}pPr/{W}jc").get(f"{W}val") == align
        assert paragraph.find(f"{W}pPr/{W}spacing").get(f"{W}before") == "0"


_RTF = (
    r"{\rtf1\ansi{\fonttbl{\f0 Arial;}}{\colortbl;\red192\green0\blue0;}{\stylesheet{\s0 Normal;}{\s1\qc\cf1\fs40 "
    r"Title;}{\s2\fs30 Subtitle;}{\s3\sbasedon1\fs30 Special;}}{\info{\title Bees}}\pard\s1\qc\cf1\fs40 Bees\par"
    r"\pard\plain\s2\fs30 Honey\par\pard\plain\s3\fs30 Plain\par\pard\plain\s0 Text\par}"
)


def test_titles_of_an_rtf_file_have_the_styles_of_their_names_in_word(tmp_path: Path) -> None:
    data = Convert(tmp_path, "rtf-to-docx", _RTF).data
    assert [each[:2] for each in _styled(data)] == [
        ("Title", "Bees"), ("Subtitle", "Honey"), ("FirstParagraph", "Plain"), ("BodyText", "Text")
    ]  # fmt: skip
    assert _styled(data)[0][2] == "C00000"
    assert "<dc:title>Bees</dc:title>" in _parts(data)["docProps/core.xml"]


@pytest.mark.parametrize("target", ["odt", "markdown", "txt"])
def test_a_title_that_an_rtf_file_begins_with_is_not_repeated(tmp_path: Path, target: str) -> None:
    made = Convert(tmp_path, f"rtf-to-{target}", _RTF)
    text = _parts(made.data)["content.xml"] if target == "odt" else made.text
    assert text.count("Bees") == 1
    assert all(each in text for each in ("Honey", "Plain", "Text"))


_BOOK = "<dc:title>Bees</dc:title><dc:creator>Ada</dc:creator><dc:date>2020</dc:date><dc:date>2021</dc:date>"


@pytest.mark.parametrize("output", ["markdown", "txt", "rst"])
def test_the_author_of_a_book_is_named_where_its_title_does_not_stand_above_the_text(
    output: str, tmp_path: Path
) -> None:
    done = Convert(tmp_path, f"epub-to-{output}", files.epub_about(_BOOK, heading="Bees"))
    assert "Ada" not in done.text
    assert "2 (author, date)" in done.messages


@pytest.mark.parametrize("output", ["markdown", "txt"])
def test_two_dates_of_a_book_stand_apart(output: str, tmp_path: Path) -> None:
    done = Convert(tmp_path, f"epub-to-{output}", files.epub_about(_BOOK, heading="Begin"))
    assert "Ada" in done.text
    assert "20202021" not in done.text
