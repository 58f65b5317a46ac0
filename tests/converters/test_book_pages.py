"""Pages of an EPUB that pandoc would leave out are in the result."""

from __future__ import annotations

import io
import re
import zipfile
from base64 import b64decode
from pathlib import Path

import pypdfium2
import pytest

from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT
from tests.converters.test_documents import Convert
from tests.families.documents import files

_NAMED = '<dc:identifier id="id">7</dc:identifier><dc:title>Book</dc:title><dc:language>en</dc:language>'
_DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 300 200">'
    '<image width="90" height="60" xlink:href="logo.png"/><text x="9" y="90">Words <tspan>inside</tspan></text></svg>'
)
REFERENCE = '<p>Text<a epub:type="noteref" href="{}">1</a>.</p>'


def book(pages: dict[str, str], **parts: str | bytes) -> bytes:
    return files._epub(pages, _NAMED, parts)


def with_drawing() -> bytes:
    made = book({"one.xhtml": "<h1>One</h1>", "draw.svg": ""}, **{"logo.png": files.png(), "draw.svg": _DRAWING})
    with zipfile.ZipFile(io.BytesIO(made)) as parts:
        held = {name: parts.read(name) for name in parts.namelist()}
    listed = held["book.opf"].decode()
    held["book.opf"] = re.sub(r'(href="draw.svg" media-type=)"[^"]*"', r'\1"image/svg+xml"', listed).encode()
    return files.archive(held)


@pytest.mark.parametrize("kind", ["titlepage", "halftitlepage", "toc", "frontmatter titlepage"])
def test_pages_are_there_whatever_they_are_marked_as(tmp_path: Path, kind: str) -> None:
    page = f'<section epub:type="{kind}"><h1>Great Title</h1><p>&eacute;t&eacute; &amp; more</p></section>'
    done = Convert(tmp_path, "epub-to-txt", book({"one.xhtml": page}))
    assert "Great Title" in done.text
    assert "été & more" in done.text


@pytest.mark.parametrize("note", ["<aside{}><p>Said</p></aside>", "<ol><li{}><p>Said</p></li></ol>", "<p{}>Said</p>"])
@pytest.mark.parametrize("kind", ["footnote", "endnote", "rearnote"])
def test_notes_in_another_page_are_notes(tmp_path: Path, note: str, kind: str) -> None:
    marked = note.format(f' id="n1" epub:type="{kind}"')
    pages = {"one.xhtml": REFERENCE.format("two.xhtml#n1"), "two.xhtml": f"<h2>Notes</h2>{marked}"}
    done = Convert(tmp_path, "epub-to-markdown", book(pages))
    assert "Text[^1]." in done.text
    assert "[^1]: Said" in done.text
    assert done.text.count("Said") == 1


def test_a_note_has_no_way_back_of_its_own(tmp_path: Path) -> None:
    note = '<aside id="n1" epub:type="footnote"><p>Said <a epub:type="backlink" href="#r">Return</a></p></aside>'
    done = Convert(tmp_path, "epub-to-markdown", book({"one.xhtml": REFERENCE.format("#n1") + note}))
    assert "[^1]: Said\n" in done.text
    assert "Return" not in done.text


def test_notes_that_no_or_several_places_refer_to_are_text(tmp_path: Path) -> None:
    notes = '<aside id="n1" epub:type="footnote"><p>Twice</p></aside><aside epub:type="footnote"><p>Never</p></aside>'
    pages = {"one.xhtml": REFERENCE.format("two.xhtml#n1") * 2, "two.xhtml": notes}
    done = Convert(tmp_path, "epub-to-txt", book(pages))
    assert done.text.count("Twice") == 1
    assert done.text.count("Never") == 1


def test_notes_in_notes_are_text(tmp_path: Path) -> None:
    inner = '<a epub:type="noteref" href="#n2">2</a>'
    notes = f'<aside id="n1" epub:type="footnote"><p>Outer{inner}</p></aside><aside id="n2"><p>Inner</p></aside>'
    done = Convert(tmp_path, "epub-to-txt", book({"one.xhtml": REFERENCE.format("#n1") + notes}))
    assert "Outer" in done.text
    assert done.text.count("Inner") == 1


@pytest.mark.parametrize("place", ["html", "body"])
def test_the_direction_of_a_page_is_kept(tmp_path: Path, place: str) -> None:
    made = book({"one.xhtml": "<p>שלום</p>"})
    with zipfile.ZipFile(io.BytesIO(made)) as parts:
        held = {name: parts.read(name) for name in parts.namelist()}
    held["one.xhtml"] = held["one.xhtml"].replace(f"<{place}".encode(), f'<{place} dir="rtl" lang="he"'.encode())
    (tmp_path / "docx").mkdir()
    page = Convert(tmp_path, "epub-to-html", files.archive(held)).text
    assert re.search(r'<(?:div|section)(?=[^>]* dir="rtl")(?=[^>]* lang="he")', page)
    with zipfile.ZipFile(io.BytesIO(Convert(tmp_path / "docx", "epub-to-docx", files.archive(held)).data)) as made_file:
        assert b"<w:bidi" in made_file.read("word/document.xml")


def test_a_page_that_is_a_drawing_is_a_picture_described_by_its_words(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("html", "txt", "docx")]
    for folder in folders:
        folder.mkdir()
    page = Convert(folders[0], "epub-to-html", with_drawing())
    assert 'src="data:image/svg+xml;base64,' in page.text
    assert 'alt="Words inside"' in page.text
    assert "[Words inside]" in Convert(folders[1], "epub-to-txt", with_drawing()).text
    with zipfile.ZipFile(io.BytesIO(Convert(folders[2], "epub-to-docx", with_drawing()).data)) as made:
        assert any(name.endswith(".svg") for name in made.namelist())


@pytest.mark.skipif(HTML_PDF is not PLUTOPRINT, reason="The other engine draws no pictures in drawings.")
def test_a_page_that_is_a_drawing_is_drawn_with_its_pictures(tmp_path: Path) -> None:
    done = Convert(tmp_path, "epub-to-pdf", with_drawing())
    with pypdfium2.PdfDocument(done.data) as document:
        assert "Words inside" in document[0].get_textpage().get_text_bounded()
        colours = {each[1] for each in document[0].render(scale=0.5).to_pil().convert("RGB").getcolors(100_000)}
    assert any(red > 150 and green < 90 and blue < 90 for red, green, blue in colours)


_INSIDE = (
    '<div><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 40 30">'
    "<title>Cover</title>{content}</svg></div>"
)
_PICTURE = '<image width="40" height="30" xlink:href="logo.png"/>'


def test_a_cover_that_is_a_picture_in_a_drawing_is_that_picture(tmp_path: Path) -> None:
    cover = book({"one.xhtml": _INSIDE.format(content=_PICTURE)}, **{"logo.png": files.png()})
    for name in ("html", "docx"):
        (tmp_path / name).mkdir()
    page = Convert(tmp_path / "html", "epub-to-html", cover)
    assert page.text.count("data:image/png;base64,") == 1
    assert "svg+xml" not in page.text
    assert page.codes == set()
    with zipfile.ZipFile(io.BytesIO(Convert(tmp_path / "docx", "epub-to-docx", cover).data)) as made:
        assert any(name.endswith(".png") for name in made.namelist())


def test_a_drawing_inside_of_a_page_keeps_what_it_holds(tmp_path: Path) -> None:
    content = f'{_PICTURE}<text x="1" y="15">Drawn words</text>'
    page = Convert(
        tmp_path, "epub-to-html", book({"one.xhtml": _INSIDE.format(content=content)}, **{"logo.png": files.png()})
    )
    drawing = b64decode(re.search(r"data:image/svg\+xml;base64,([^\"]*)", page.text)[1]).decode()  # type: ignore[index]
    assert 'viewBox="0 0 40 30"' in drawing
    assert "data:image/png;base64," in drawing
    assert "Drawn words" in drawing
    assert 'alt="Drawn words"' in page.text
    assert page.codes == set()


def test_pictures_for_other_screens_are_not_named(tmp_path: Path) -> None:
    one = '<p><img srcset="logo.png 2x" src="logo.png" alt="a"/><img srcset="logo.png 1x, big.png 2x" alt="b"/></p>'
    page = Convert(tmp_path, "epub-to-html", book({"one.xhtml": one}, **{"logo.png": files.png()}))
    assert "srcset" not in page.text
    assert page.text.count("data:image/png;base64,") == 2


def test_a_page_that_is_not_well_formed_is_read_all_the_same(tmp_path: Path) -> None:
    done = Convert(tmp_path, "epub-to-txt", book({"one.xhtml": '<section epub:type="chapter"><p>Open<br></section>'}))
    assert "Open" in done.text


def test_a_wide_picture_does_not_make_the_text_small(tmp_path: Path) -> None:
    page = '<p>Words</p><p><img src="wide.png" alt="w"/></p>'
    done = Convert(tmp_path, "epub-to-pdf", book({"one.xhtml": page}, **{"wide.png": files.png(3_000, 40)}))
    assert "WIDTH_FITTED" not in done.codes


def test_what_a_book_says_of_itself_is_named_where_it_has_no_place(tmp_path: Path) -> None:
    named = _NAMED + "<dc:publisher>House</dc:publisher><dc:rights>All</dc:rights>"
    made = files._epub({"one.xhtml": "<p>Text</p>"}, named, {})
    for target in ("txt", "docx"):
        (tmp_path / target).mkdir()
        done = Convert(tmp_path / target, f"epub-to-{target}", made)
        assert ("no place for these book details: 2 (publisher, rights)." in done.messages) == (target == "txt")


@pytest.mark.parametrize(
    ("page", "parts"),
    [
        ("<p>Text</p>", {"style.css": "p{color:red}"}),
        ('<p style="color:red">Text</p>', {}),
        ("<style>p{color:red}</style><p>Text</p>", {}),
        ("<p>Text</p>", {}),
    ],
)
def test_the_styles_of_a_book_are_named_as_ignored(tmp_path: Path, page: str, parts: dict[str, str]) -> None:
    done = Convert(tmp_path, "epub-to-html", book({"one.xhtml": page}, **parts))
    assert ("CSS_UNSUPPORTED" in done.codes) == ("style" in page or bool(parts))


def test_pages_outside_of_the_reading_order_are_there(tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(book({"one.xhtml": "<p>First</p>", "two.xhtml": "<p>Glossary</p>"}))) as parts:
        held = {name: parts.read(name) for name in parts.namelist()}
    held["book.opf"] = held["book.opf"].replace(b'<itemref idref="two', b'<itemref linear="no" idref="two')
    assert "Glossary" in Convert(tmp_path, "epub-to-txt", files.archive(held)).text


_TABLE = (
    "<table>{}<tr><td>one</td><td>two</td><td>three</td></tr><tr><td colspan='2'>four</td>"
    "<td><table><col/><col/><tr><td>in</td><td>ner</td></tr></table></td></tr></table>"
)


@pytest.mark.parametrize(
    "columns", ["<col/>", '<colgroup><col span="2"/></colgroup>', "<col/><col/><col/>", "<col span='2'/><col/>"]
)
@pytest.mark.parametrize("source", ["epub", "html"])
def test_tables_with_fewer_columns_declared_than_cells_are_whole(tmp_path: Path, source: str, columns: str) -> None:
    table = _TABLE.format(columns)
    made = book({"one.xhtml": table}) if source == "epub" else table.encode()
    text = Convert(tmp_path, f"{source}-to-txt", made).text
    assert [each for each in ("one", "two", "three", "four", "in", "ner") if each not in text] == []


def test_a_column_that_spans_others_keeps_its_width_in_each(tmp_path: Path) -> None:
    table = "<table><col span=2 width='20%'><col width='60%'><tr><td>a<td>b<td>c</table>"
    text = Convert(tmp_path, "html-to-rst", table).text
    assert [len(each) for each in text.split("\n")[0].strip("+").split("+")] == [13, 13, 42]


def test_scripts_and_canvases_of_a_book_are_named(tmp_path: Path) -> None:
    done = Convert(tmp_path, "epub-to-html", book({"one.xhtml": "<p>Text</p><canvas></canvas>"}, **{"a.js": "x()"}))
    assert done.codes == {"SCRIPT_REMOVED", "CONTENT_DROPPED"}
    assert "canvas" in done.messages


def test_a_book_may_have_thousands_of_parts(tmp_path: Path) -> None:
    made = book({"one.xhtml": "<p>Text</p>"}, **{f"p{number}.png": b"x" for number in range(2_500)})
    assert "Text" in Convert(tmp_path, "epub-to-txt", made).text


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        ('<input type="text" name="n" value="typed"/>', "typed"),
        ('<textarea rows="2" name="n">written words</textarea>', "written words"),
        ('<select name="n"><option value="1">one</option><option selected="selected">two</option></select>', "two"),
        ('<input type="checkbox" checked="checked"/> done', "☒ done"),
        ("<textarea/>after", "after"),
    ],
)
def test_the_values_of_form_fields_are_text(tmp_path: Path, field: str, shown: str) -> None:
    done = Convert(tmp_path, "epub-to-txt", book({"one.xhtml": f"<p>Before {field} behind</p>"}))
    assert f"Before {shown} behind" in " ".join(done.text.split())


@pytest.mark.parametrize("slug", ["epub-to-txt", "html-to-txt"])
def test_a_caption_is_text_where_its_picture_is_left_out(tmp_path: Path, slug: str) -> None:
    figure = f'<figure><img src="{files.DATA_URI}" alt="a dot"/><figcaption>What it <i>shows</i></figcaption></figure>'
    source = book({"one.xhtml": figure}) if slug == "epub-to-txt" else figure.encode()
    done = Convert(tmp_path, slug, source)
    assert "a dot" in done.text
    assert "What it shows" in done.text
