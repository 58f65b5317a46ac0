"""No warning of what is no loss: numbers of lists, heads of pages that are named, files with a password."""

from __future__ import annotations

import io
import zipfile
from datetime import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pikepdf
import pyarrow
import pytest
from PIL import Image
from pyarrow import parquet
from reportlab.pdfgen.canvas import Canvas

from engine.families import auditing
from engine.families.documents.counting.open_document import count as count_open_text
from engine.families.documents.counting.plain import notation
from engine.families.documents.counting.word import count as count_word
from engine.families.documents.declared_columns import written_out
from engine.families.mail.counting.contents import add_page
from engine.families.mail.counting.outlook import _NOT_ASCII
from engine.families.registry import CONVERTERS
from engine.toolkit.census import Census
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from engine.toolkit.word_search import DIVISION, WordSearch
from tests.families.data.files import workbook


def warned(folder: Path, slug: str, data: bytes, **options: Any) -> Warn:
    converter, warn = CONVERTERS[slug], Warn()
    source = folder / f"input.{converter.input.id}"
    source.write_bytes(data)
    auditing.run(converter, source, folder / f"output.{converter.output.id}", build(converter.options, options), warn)
    return warn


_DOT = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
)
_OPEN, _PACKAGE = "http://schemas.openxmlformats.org", "http://schemas.openxmlformats.org/package/2006"
_TYPES = f"{_OPEN}/officeDocument/2006/relationships"


def missing(folder: Path, slug: str, data: bytes) -> list[str]:
    """What the counting, and no other check, says is missing."""
    return [str(each.message) for each in warned(folder, slug, data).warnings if "missing from" in str(each.message)]


def relations(*links: tuple[str, str, str]) -> str:
    each = "".join(f'<Relationship Id="{id}" Type="{_TYPES}/{kind}" {rest}/>' for id, kind, rest in links)
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{each}</Relationships>'


def word(body: str, *links: tuple[str, str, str]) -> bytes:
    """A Word document of this body, with these relationships."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as parts:
        main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
        parts.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{_PACKAGE}/content-types"><Default '
            'Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{main}"/></Types>',
        )
        parts.writestr("_rels/.rels", relations(("r1", "officeDocument", 'Target="word/document.xml"')))
        parts.writestr("word/_rels/document.xml.rels", relations(*links))
        parts.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{_OPEN}/wordprocessingml/2006/main" xmlns:r="{_TYPES}"><w:body>{body}</w:body>'
            "</w:document>",
        )
    return file.getvalue()


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def pages(*texts: str, head: str = "") -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 500), invariant=True)
    for number, text in enumerate(texts, 1):
        if head:
            canvas.drawString(40, 475, f"{head} {number}")
        canvas.drawString(40, 300, text)
        canvas.drawString(40, 280, "It goes on here with some more words of the text.")
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def test_numbers_of_a_list_are_no_words(tmp_path: Path) -> None:
    items = "".join(f"{number}. item\n" for number in range(1, 9))
    assert warned(tmp_path, "markdown-to-html", f"# A list\n\n{items}".encode()).warnings == ()


def test_heads_of_pages_that_are_named_as_left_out_are_not_missing_again(tmp_path: Path) -> None:
    texts = ("Chapter of the sea.", "Chapter of the sky.", "Chapter of the land.", "Chapter of fire.")
    warn = warned(tmp_path, "pdf-to-markdown", pages(*texts, head="Zebra yearbook"))
    (only,) = [str(each.message) for each in warn.warnings]
    assert only.startswith("Headers and footers that repeat on every page were left out: 4 (“Zebra yearbook 1”")


def test_a_file_with_a_password_is_counted(tmp_path: Path) -> None:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(pages("A secret."))) as document:
        document.save(out, encryption=pikepdf.Encryption(user="xyz", owner="abc"))
    warn = warned(tmp_path, "pdf-to-txt", out.getvalue(), password="xyz")
    assert warn.warnings == ()
    assert "notCounted" not in warn.detected


def test_letters_that_no_font_has_are_named_once(tmp_path: Path) -> None:
    warn = warned(tmp_path, "html-to-pdf", "<meta charset=utf-8><p>An eye: \U00013080 it is</p>".encode())
    assert [each.code for each in warn.warnings] == ["GLYPH_MISSING"]


def test_deleted_text_is_none(tmp_path: Path) -> None:
    text = rb"{\rtf1\ansi The price is {\deleted 900}{\revised 1000} euros.\par}"
    said = [str(each.message) for each in warned(tmp_path, "rtf-to-html", text).warnings]
    assert said
    assert not [each for each in said if "missing from the result" in each]


def test_pictures_from_elsewhere_and_in_code_are_none_of_the_document(tmp_path: Path) -> None:
    text = (
        "![a](https://example.org/a.png) ![b][badge]\n\n```\n![c](c.png) [d](https://example.org)\n```\n\n"
        "Write `![e](e.png)` and `[f](https://example.org)`.\n\n[badge]: https://example.org/b.png\n"
    )
    said = [str(each.message) for each in warned(tmp_path, "markdown-to-html", text.encode()).warnings]
    assert not [each for each in said if "missing from the result" in each]


def test_pictures_that_are_named_by_their_type_are_not_missing_again(tmp_path: Path) -> None:
    text = b"A drawing: ![lines](data:image/x-emf;base64,AQAAAAAAAAA=)\n"
    (only,) = [str(each.message) for each in warned(tmp_path, "markdown-to-epub", text).warnings]
    assert only == "Pictures in formats that the output can't show were left out: 1 (image/x-emf)."


def test_pictures_that_are_named_as_not_loaded_are_not_missing_again(tmp_path: Path) -> None:
    data = b"<p>A picture: <img src='/logo.png' alt='x'> and <img src='other.png' alt='y'></p>"
    said = [(each.code, str(each.message)) for each in warned(tmp_path, "html-to-docx", data).warnings]
    assert [code for code, _ in said] == ["REMOTE_RESOURCE_BLOCKED", "REMOTE_RESOURCE_BLOCKED"]


def test_links_around_pictures_or_nothing_are_links_in_markdown(tmp_path: Path) -> None:
    page = (
        f"<p><a href='https://example.org/a'><img src='{_DOT}' alt='a dot'></a> <a href='https://example.org/c'></a> "
        "and <a href='https://example.org/b'>b</a></p>"
    )
    assert missing(tmp_path, "html-to-markdown", page.encode()) == []


def test_bytes_of_rtf_are_letters_of_the_code_page_of_their_font(tmp_path: Path) -> None:
    text = (
        rb"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}}"
        rb"{\f1 \'d3\'e2\'e0\'e6\'e0\'e5\'ec\'fb\'e9} caf\'e9 \f1\'ea\'eb\'e8\'e5\'ed\'f2\f0 \'fcber\par}"
    )
    assert missing(tmp_path, "rtf-to-txt", text) == []


def test_results_of_fields_in_feet_of_pages_are_no_text_of_the_body(tmp_path: Path) -> None:
    field = rb"{\field{\*\fldinst NUMPAGES}{\fldrslt 6817}}"
    assert missing(tmp_path, "rtf-to-txt", rb"{\rtf1\ansi{\footer Page " + field + rb"}The text.\par}") == []


def test_links_are_found_in_rtf(tmp_path: Path) -> None:
    links = ("r2", "hyperlink", 'Target="https://example.org/" TargetMode="External"')
    data = word(f'<w:p><w:hyperlink r:id="r2">{run("a link")}</w:hyperlink></w:p>', links)
    assert missing(tmp_path, "docx-to-rtf", data) == []
    inside = rb"{\rtf1\ansi {\field{\*\fldinst HYPERLINK \"#below\"}{\fldrslt down}} {\*\bkmkstart below}here\par}"
    assert missing(tmp_path, "rtf-to-docx", inside) == []


def test_links_that_run_code_are_named_as_removed_and_not_missing_again(tmp_path: Path) -> None:
    links = ("r2", "hyperlink", 'Target="javascript:go()" TargetMode="External"')
    data = word(f'<w:p><w:hyperlink r:id="r2">{run("a link")}</w:hyperlink></w:p>', links)
    assert [each.code for each in warned(tmp_path, "docx-to-odt", data).warnings] == ["SCRIPT_REMOVED"]


def test_readings_in_another_place_are_not_missing(tmp_path: Path) -> None:
    ruby = f"<w:ruby><w:rt>{run('とうきょう')}</w:rt><w:rubyBase>{run('東京')}</w:rubyBase></w:ruby>"
    data = word(f"<w:p>{run('Here: ')}<w:r>{ruby}</w:r></w:p>")
    assert missing(tmp_path, "docx-to-odt", data) == []


def test_times_of_day_are_found_in_open_document_tables(tmp_path: Path) -> None:
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in (("when", "what"), (time(0, 0, 1), "one"), (time(16, 24, 9), "two")):
        book.active.append(row)
    book.save(file)
    assert missing(tmp_path, "xlsx-to-ods", file.getvalue()) == []


def test_rows_in_which_all_cells_are_errors_are_empty(tmp_path: Path) -> None:
    book, file = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["a", "b"])
    for number in range(3000):
        book.active.append(["#N/A", "#N/A"] if number % 3 else [number, "text"])
    book.save(file)
    assert missing(tmp_path, "xlsx-to-csv", file.getvalue()) == []


def test_documents_of_json_that_follow_each_other_over_several_lines_are_counted(tmp_path: Path) -> None:
    warn = warned(tmp_path, "json-to-yaml", b'{\n "a": 1\n}\n{\n "a": 2\n}\n')
    assert warn.warnings == ()
    assert "notCounted" not in warn.detected


def test_links_are_in_the_page_that_json_has_of_a_mail(tmp_path: Path) -> None:
    mail = b"Subject: x\r\nContent-Type: text/html\r\n\r\n<p>See <a href='https://example.org'>there</a></p>\r\n"
    assert warned(tmp_path, "eml-to-json", mail).warnings == ()


def test_words_with_a_hyphen_at_the_end_of_a_line_may_be_two(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 500), invariant=True)
    canvas.drawString(40, 400, "Methods were described in volume 15 and issue 1, on pages 1-")
    canvas.drawString(40, 386, "26 of the same journal in that year, as everybody there knows.")
    canvas.save()
    for slug in ("pdf-to-markdown", "pdf-to-docx", "pdf-to-pptx"):
        assert missing(tmp_path, slug, file.getvalue()) == []


def test_a_picture_of_one_bit_keeps_it(tmp_path: Path) -> None:
    file = io.BytesIO()
    Image.new("1", (16, 16), 1).save(file, "pcx")
    assert missing(tmp_path, "pcx-to-png", file.getvalue()) == []
    assert "COLOR_CONVERTED" not in {each.code for each in warned(tmp_path, "pcx-to-png", file.getvalue()).warnings}


def test_a_fraction_that_stands_alone_is_found() -> None:
    result = WordSearch(("| half | \u00be |",))
    assert result.has_word("\u00be")
    assert not result.has_word("\u00bd")
    assert not WordSearch(("| 34 | 3 | 4 |",)).has_word("\u00be")


def test_the_parts_of_a_divided_word_are_found_apart() -> None:
    divided = DIVISION.join(("over", "view"))
    assert WordSearch(("a view over the hill",)).has_word(divided)
    assert not WordSearch(("a view of the hill",)).has_word(divided)


def test_the_codes_of_glyphs_are_no_words_where_the_page_is_recognised(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(500, 200), invariant=True)
    canvas.setFont("Helvetica", 24)
    canvas.drawString(40, 120, "The harbour lies behind the hills.")
    canvas.save()
    codes = "".join(f"<{code:02x}> <{code % 10 + 1:04x}>\n" for code in range(97, 123))
    codes += "<54> <0047>\n<68> <0039>\n<20> <0020>\n<2e> <0004>\n"
    with pikepdf.open(io.BytesIO(file.getvalue())) as pdf:
        font = next(iter(pdf.pages[0].Resources.Font.values()))
        cmap = f"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 30 beginbfchar\n{codes}endbfchar endcmap"
        font.ToUnicode = pdf.make_stream(cmap.encode())
        pdf.save(tmp_path / "codes.pdf")
    told = missing(tmp_path, "pdf-to-txt", (tmp_path / "codes.pdf").read_bytes())
    assert "harbour" in (tmp_path / "output.txt").read_text()
    assert told == []


@pytest.mark.parametrize("target", ["pdf", "docx", "odt", "markdown"])
def test_words_that_a_rule_hides_are_not_missing(tmp_path: Path, target: str) -> None:
    page = b"<style>.early{display:none} @media print{.menu{display:none}}</style>"
    page += b"<p class=early>Preview for a list of messages</p><p>The letter itself.</p>"
    assert not missing(tmp_path, f"html-to-{target}", page + b"<p class=menu>Home Search" * (target == "pdf"))


def test_a_number_with_the_mark_of_a_note_is_found(tmp_path: Path) -> None:
    raised = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>1</w:t></w:r>'
    (tmp_path / "made.docx").write_bytes(word(f"<w:p>{run('People: 750')}{raised}</w:p>"))
    found = WordSearch(count_word(tmp_path / "made.docx").texts)
    assert found.has_word("750")
    assert not found.has_word("75")


def test_notes_in_a_table_that_markdown_has_as_html_are_notes() -> None:
    table = '<table><tr><td>A<a href="#fn1" class="footnote-ref" role="doc-noteref">1</a></td></tr></table>'
    assert notation(f"{table}\n\nB[^1]\n\n[^1]: Some note\n").total("notes") == 2


@pytest.mark.parametrize(("root", "pictures"), [("math", 0), ("office:document-content", 1)])
def test_the_picture_beside_a_formula_is_the_formula(tmp_path: Path, root: str, pictures: int) -> None:
    names = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
        for name, space in (("office", "office"), ("text", "text"), ("draw", "drawing"))
    )
    frame = '<draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="Pictures/a"/></draw:frame>'
    with zipfile.ZipFile(tmp_path / "text.odt", "w") as archive:
        archive.writestr(
            "content.xml",
            f'<office:document-content{names} xmlns:xlink="http://www.w3.org/1999/xlink"><office:body><office:text>'
            f"<text:p>Half: {frame}</text:p></office:text></office:body></office:document-content>",
        )
        archive.writestr("Object 1/content.xml", f"<{root} />")
        archive.writestr("Pictures/a", b"x")
    assert count_open_text(tmp_path / "text.odt").total("pictures") == pictures


def test_formulas_that_were_never_calculated_are_named_once(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append([2, 3, "=A1*B1"])
    file = io.BytesIO()
    book.save(file)
    assert [each.code for each in warned(tmp_path, "xlsx-to-csv", file.getvalue()).warnings] == ["FORMULA_VALUE"]


def test_an_address_in_a_parameter_that_is_kept_is_not_named(tmp_path: Path) -> None:
    data = (
        b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Meeting\r\n"
        b'DTSTART:20240105T100000Z\r\nORGANIZER;SENT-BY="mailto:sender@example.org":mailto:chief@example.org\r\n'
        b"END:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    assert warned(tmp_path, "ics-to-json", data).warnings == ()
    assert b"sender@example.org" in (tmp_path / "output.json").read_bytes()


@pytest.mark.parametrize("head", [r"{\header }", r"{\footer\pard\plain\qc\par}", r"{\*\headerf {\b\fs20 }\par }"])
def test_an_empty_header_is_none(head: str, tmp_path: Path) -> None:
    data = rb"{\rtf1\ansi" + head.encode() + rb"\pard Some words of the text.\par}"
    assert warned(tmp_path, "rtf-to-txt", data).warnings == ()


@pytest.mark.parametrize(
    "head", [r"{\header A}", r"{\footer\pard {\b\'e4}\par}", r"{\headerl\pard\chpgn\par}", r"{\header{\header A}}"]
)
def test_a_header_of_a_letter_or_a_number_is_named(head: str, tmp_path: Path) -> None:
    data = rb"{\rtf1\ansi" + head.encode() + rb"\pard Some words of the text.\par}"
    (only,) = warned(tmp_path, "rtf-to-txt", data).warnings
    assert str(only.message) == "Page headers and footers were left out: 1."


@pytest.mark.parametrize("output", ["yaml", "xml"])
def test_a_sample_of_rows_is_compared_with_a_result_that_is_read_as_a_whole(output: str, tmp_path: Path) -> None:
    rows = "".join(f"{number},value {number}\n" for number in range(2_000))
    warn = warned(tmp_path, f"csv-to-{output}", f"id,text\n{rows}".encode())
    assert warn.warnings == ()
    assert warn.detected["countedInPart"] == "values"
    assert "notCounted" not in warn.detected


@pytest.mark.parametrize("text", [f"over D{DIVISION}n{DIVISION}, then", "over dn7, then"])
def test_a_short_word_with_a_raised_letter_or_digit_is_found(text: str) -> None:
    assert WordSearch((text,)).has_word("Dn")
    assert not WordSearch((text,)).has_word("On")
    assert not WordSearch((text,)).has_word("th")


def test_a_title_that_stands_in_the_text_is_named_once(tmp_path: Path) -> None:
    page = b"{% page %}<title>Zebras of old</title><h1>Found</h1><p>It is here.</p>"
    said = [str(each.message) for each in warned(tmp_path, "html-to-markdown", page).warnings]
    assert said == ["The title of the document was left out: Zebras of old."]


def test_what_only_looks_like_a_link_in_markdown_is_none() -> None:
    text = "![none]() [open](\n\n[open](http://a.b/ 'test'\n\n[no link](b c)\n\n[a link](b 'test')\n\n[the last](c"
    assert notation(text).items == {"links": {"": 1}}


@pytest.mark.parametrize(
    "defined", ["[7]:\n zebra/8", "[7]: zebra/8\n 'Lion'", "[7]:\nzebra/8 (Lion)\n", "[7]:\n 8\n'Lion'"]
)
def test_the_address_and_title_of_a_label_are_no_words(defined: str) -> None:
    (text,) = notation(f"It is [here][7].\n\n{defined}\n").texts
    assert text == "It is [here]."
    assert "zebra too" in notation(f"[7]:\nzebra too\n{defined}").texts[0]


def test_lines_between_the_emails_of_a_mailbox_are_no_words(tmp_path: Path) -> None:
    box = b"".join(b"From zebra-%d Mon Jun 01 1%d:00:00 2009\n\nContent\n\n" % (each, each) for each in range(2))
    assert missing(tmp_path, "mbox-to-txt", box) == []


def test_values_of_an_extension_type_are_those_that_are_stored(tmp_path: Path) -> None:
    fields = [pyarrow.field("shape", pyarrow.binary(), metadata={"ARROW:extension:name": "geoarrow.wkb"})]
    table = pyarrow.table([[b"\1\2", None, b"zebra"]], pyarrow.schema(fields))
    out = io.BytesIO()
    with pyarrow.ipc.new_file(out, table.schema) as writer:
        writer.write_table(table)
    assert missing(tmp_path, "arrow-to-csv", out.getvalue()) == []


def test_marks_inside_of_words_of_asciidoc_are_no_words(tmp_path: Path) -> None:
    text = (
        "Wordfootnote:[It is told.] and &auml; in un**believ**able, Un[.red]##told## and x{blank}y{empty}z here.\n\n"
        "See link:pass:[Old Zebras/lion.pdf][the list].\n"
    )
    assert missing(tmp_path, "asciidoc-to-html", text.encode()) == []


def test_words_between_letters_of_an_unknown_code_page_stay_apart() -> None:
    page = "<p><b>保全課</b><i>Zebra</i><b>射出課</b><i>Lion</i></p>".encode("big5")
    census = Census()
    add_page(census, _NOT_ASCII.sub(b" ", page).decode("ascii"), set())
    assert [each.split() for each in census.texts] == [["Zebra", "Lion"]]


def test_brackets_in_a_subtitle_are_no_tags(tmp_path: Path) -> None:
    cue = b"WEBVTT\n\n00:01.000 --> 00:02.000\nIf a &lt;&amp; b &lt; c then <i>Oh my!</i> &gt; d\n"
    assert missing(tmp_path, "vtt-to-ass", cue) == []
    assert missing(tmp_path, "vtt-to-srt", cue) == []


def test_new_numbers_of_the_notes_of_a_page_are_no_loss(tmp_path: Path) -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 500), invariant=True)
    text = canvas.beginText(40, 300)
    text.setFont("Helvetica", 12)
    text.textOut("It is said of the Zebra5")
    text.setRise(5)
    text.setFont("Helvetica", 7)
    text.textOut("16")
    text.setRise(0)
    text.setFont("Helvetica", 12)
    text.textLine(" that it is striped, and here is more of the text.")
    text.textLine("It goes on here with some more words of the text.")
    canvas.drawText(text)
    note = canvas.beginText(40, 60)
    note.setFont("Helvetica", 5)
    note.setRise(3)
    note.textOut("16")
    note.setRise(0)
    note.setFont("Helvetica", 8)
    note.textLine(" As told by the lion of the hill.")
    canvas.drawText(note)
    canvas.save()
    assert missing(tmp_path, "pdf-to-markdown", out.getvalue()) == []
    assert "Zebra5[^1]" in (tmp_path / "output.markdown").read_text()


@pytest.mark.parametrize(
    ("slug", "text"),
    [
        ("mediawiki-to-html", "It is a<sup>bc</sup>d of H<sub>2</sub>O."),
        ("rst-to-html", "It is a\\ :sup:`bc`\\ d of H\\ :sub:`2`\\ O.\n\ni.  one\nii. two\n"),
        ("textile-to-html", "Hi(tm) and (c) 2008 and *(foo)bold words* here.\n\ntable{far:bar}.\n|one|two|\n"),
    ],
)
def test_marks_and_classes_of_wikis_are_no_words(tmp_path: Path, slug: str, text: str) -> None:
    assert missing(tmp_path, slug, text.encode()) == []


def test_an_address_of_mail_in_brackets_is_a_link_of_markdown(tmp_path: Path) -> None:
    page = b'<p>Write to <a href="mailto:zebra@example.org">zebra@example.org</a>.</p>'
    assert missing(tmp_path, "html-to-markdown", page) == []
    assert "<zebra@example.org>" in (tmp_path / "output.markdown").read_text()


def test_a_raised_letter_of_markdown_is_a_part_of_its_word() -> None:
    census = notation("Of *C**<sub>F</sub>* and H<sub>2</sub>O and n^th^ in {*p**<sub>M</sub>*}.")
    found = WordSearch((*census.texts, *census.markup))
    assert found.has_word("CF")
    assert found.has_word("pM")
    assert found.has_word("nth")
    assert not found.has_word("HF")


def test_text_boxes_of_rich_text_are_in_the_text(tmp_path: Path) -> None:
    box = rb"{\shp{\*\shpinst{\sp{\sn shapeType}{\sv 202}}{\shptxt \pard Boxed words\par}}"
    again = rb"{\shprslt{\*\do\dptxbx{\dptxbxtext\pard Boxed words\par}}}}"
    warn = warned(tmp_path, "rtf-to-markdown", rb"{\rtf1\ansi Before " + box + again + rb" after.\par}")
    assert [str(each.message) for each in warn.warnings] == ["1 text boxes were moved after their paragraphs."]
    assert (tmp_path / "output.markdown").read_text().count("Boxed words") == 1


def test_text_boxes_of_old_rich_text_are_counted(tmp_path: Path) -> None:
    box = rb"{\*\do\dobxcolumn\dptxbx{\dptxbxtext\pard Zebra crossing\par}}"
    found = missing(tmp_path, "rtf-to-markdown", rb"{\rtf1\ansi Before " + box + rb" after.\par}")
    assert found == ["Words are missing from the result: 2 (“Zebra”, “crossing”)."]


def test_backslashes_of_jira_are_no_words(tmp_path: Path) -> None:
    assert warned(tmp_path, "jira-to-html", b"Backslash: &bsol; and AT&amp;T").warnings == ()


def test_texts_for_readers_without_nested_tables_are_none(tmp_path: Path) -> None:
    inner = rb"\intbl\itap2 Inner\nestcell{\*\nesttableprops\trowd\cellx1000\nestrow}{\nonesttables OLDREADER\par}"
    outer = rb"{\rtf1\ansi\trowd\cellx4000\pard " + inner + rb"\pard\intbl Outer\cell\row\pard After\par}"
    assert missing(tmp_path, "rtf-to-markdown", outer) == []


def test_a_declaration_of_several_columns_keeps_all_cells(tmp_path: Path) -> None:
    rows = "<tr><td>Normal</td><td>abc<br>def</td></tr><tr><td>Formula</td><td>ghi</td></tr>"
    page = f"<table><col width=87 span=2 style='width:65pt'>{rows}</table>".encode()
    assert missing(tmp_path, "html-to-markdown", page) == []
    assert missing(tmp_path, "html-to-docx", page) == []


def test_declarations_of_columns_are_repeated_within_bounds() -> None:
    row = "<tr>" + "<td>x</td>" * 3 + "</tr>"
    assert written_out(f"<table><col span=2><col>{row}</table>").count("<col") == 3
    assert "<col" not in written_out(f"<table><col span=9999>{row}</table>")
    assert written_out(f"<table><col span=100>{row}</table>" * 200).count("<col") < 6_000


def test_raised_letters_of_books_are_part_of_their_words(tmp_path: Path) -> None:
    book = (
        '<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description><title-info/></description>'
        "<body><section><p>Raised: a<sup>bc</sup>d and H<sub>two</sub>O</p></section></body></FictionBook>"
    )
    assert missing(tmp_path, "fb2-to-html", book.encode()) == []
    assert missing(tmp_path, "fb2-to-epub", book.encode()) == []


def test_links_of_markdown_in_a_block_of_html_are_text(tmp_path: Path) -> None:
    block = b"Text with [one](https://example.org/1).\n\n<img src='a.png' width='9'>\nA [two](https://example.org/2).\n"
    assert notation(block.decode()).items["links"].total() == 1
    assert missing(tmp_path, "markdown-to-html", block) == []
    assert notation("<div>\n\nA [link](https://example.org)\n").items["links"].total() == 1


@pytest.mark.parametrize("output", ["csv", "json", "xlsx", "sqlite"])
def test_decimals_of_more_than_28_digits_are_compared_in_full(output: str, tmp_path: Path) -> None:
    kind = pyarrow.decimal128(38, 17)
    column = pyarrow.array([Decimal("-922337236854775807.92233720306854775")], kind)
    file = io.BytesIO()
    parquet.write_table(pyarrow.table({"amount": column}), file)
    assert missing(tmp_path, f"parquet-to-{output}", file.getvalue()) == []


def test_sheets_without_columns_that_are_named_are_not_missing_again(tmp_path: Path) -> None:
    data = workbook({"full": [["a"], [1]], "empty": []})
    found = warned(tmp_path, "xlsx-to-sqlite", data).warnings
    assert [each.code for each in found] == ["SHEET_SKIPPED"]


def test_a_command_of_latex_inside_of_a_word_is_no_gap(tmp_path: Path) -> None:
    link = ("r9", "hyperlink", 'Target="https://example.org/" TargetMode="External"')
    body = f'<w:p>{run("Kevin的")}<w:hyperlink r:id="r9">{run("Foundations")}</w:hyperlink></w:p>'
    assert warned(tmp_path, "docx-to-latex", word(body, link)).warnings == ()


def test_pieces_of_one_link_are_one_link(tmp_path: Path) -> None:
    links = [(f"r{n}", "hyperlink", 'Target="https://example.org/a" TargetMode="External"') for n in (7, 8)]
    other = ("r9", "hyperlink", 'Target="https://example.org/b" TargetMode="External"')
    body = "".join(
        f'<w:hyperlink r:id="{id}">{run(text)}</w:hyperlink>'
        for id, text in (("r7", "https://"), ("r8", "example.org"), ("r9", "another"))
    )
    source = word(f"<w:p>{body}</w:p>", *links, other)
    path = tmp_path / "own.docx"
    path.write_bytes(source)
    assert count_word(path).total("links") == 2
    assert warned(tmp_path, "docx-to-odt", source).warnings == ()


def test_relative_links_of_docbook_are_links(tmp_path: Path) -> None:
    assert (
        warned(tmp_path, "markdown-to-docbook", b"See [one](other.md) and [two](https://example.org/).").warnings == ()
    )


def test_a_picture_outside_of_the_file_is_named_once_for_slides(tmp_path: Path) -> None:
    warn = warned(tmp_path, "html-to-pptx", b'<p>hello</p><img src="pic/a.png" alt="x">')
    assert [each.code for each in warn.warnings] == ["REMOTE_RESOURCE_BLOCKED"]
