"""Web pages as Word documents: what their styles say of text, tables and paper is kept, the rest is named."""

from __future__ import annotations

import base64
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from engine.toolkit.failures import OverLimit, Unreadable
from tests.converters.test_documents import Convert
from tests.families.documents.files import png

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


class Word:
    """The text of a Word document made of a page, by its elements; with what was warned of."""

    def __init__(self, folder: Path, html: str) -> None:
        made = Convert(folder, "html-to-docx", html)
        self.codes, self.messages = made.codes, made.messages
        with zipfile.ZipFile(BytesIO(made.data)) as parts:
            self.parts = {name: parts.read(name) for name in parts.namelist()}
        self.root: Any = etree.fromstring(self.parts["word/document.xml"])

    def paragraph(self, text: str) -> Any:
        """The innermost paragraph with a text."""
        return [each for each in self.root.iter(f"{W}p") if text in text_of(each)][-1]

    def run(self, text: str) -> Any:
        return next(each for each in self.root.iter(f"{W}r") if text_of(each).strip() == text)


def text_of(element: Any) -> str:
    return "".join(each.text or "" for each in element.iter(f"{W}t"))


def values(element: Any, path: str) -> Any:
    """The attributes of the element at a path, or None where there is none."""
    found = element.find("/".join(f"{W}{each}" for each in path.split("/")))
    return None if found is None else {name.removeprefix(W): value for name, value in found.attrib.items()}


def value(element: Any, path: str) -> str | None:
    return (values(element, path) or {}).get("val")


def test_text_looks_as_style_sheets_and_attributes_say(tmp_path: Path) -> None:
    made = Word(
        tmp_path,
        "<style>:root{--ink:#123456}p{font:11pt/1.5 Georgia,serif;color:var(--ink)}.big{font-size:2em;font-weight:700}"
        "</style><p>Plain <span class=big>Big <i>it</i></span> <span style='background:#ff0;text-decoration:"
        "line-through'>gone</span> <font color=red>old</font></p>",
    )
    plain, big, gone = made.run("Plain"), made.run("Big"), made.run("gone")
    assert values(plain, "rPr/rFonts")["ascii"] == "Georgia"
    assert (value(plain, "rPr/sz"), value(plain, "rPr/color"), value(plain, "rPr/b")) == ("22", "123456", "0")
    assert (value(big, "rPr/sz"), values(big, "rPr/b"), values(made.run("it"), "rPr/i")) == ("44", {}, {})
    assert (values(gone, "rPr/strike"), values(gone, "rPr/shd")["fill"]) == ({}, "FFFF00")
    assert value(made.run("old"), "rPr/color") == "FF0000"


@pytest.mark.parametrize(
    ("weight", "bold"),
    [("normal", "0"), ("lighter", "0"), ("400", "0"), ("599", "0"), ("600", None), ("1000", None), ("bolder", None)],
)
def test_only_heavy_weights_are_bold(tmp_path: Path, weight: str, bold: str | None) -> None:
    made = Word(tmp_path, f"<p style='font-weight:{weight}'>Said</p>")
    found = values(made.run("Said"), "rPr/b")
    assert found == ({"val": bold} if bold else {})


def test_lengths_are_told_by_the_size_of_the_page_itself(tmp_path: Path) -> None:
    made = Word(
        tmp_path,
        "<style>html{font-size:62.5%}body{font-size:1.6rem}h2{font-size:2em;margin-top:2rem}</style><p>Text</p>"
        "<h2>Head</h2>",
    )
    assert [value(made.run(each), "rPr/sz") for each in ("Text", "Head")] == ["24", "48"]
    assert values(made.paragraph("Head"), "pPr/spacing")["before"] == "300"


def test_rows_and_what_follows_on_them_are_counted_in_their_order(tmp_path: Path) -> None:
    made = Word(
        tmp_path,
        "<style>tr{counter-increment:row}td:first-child::before{content:counter(row)': '}"
        "ul::after{content:counter(item)' items'}li{counter-increment:item}"
        "</style><table><tr><td>A<td>x<tr><td>B<td>y</table><ul><li>p<li>q</ul>",
    )
    assert [text_of(made.paragraph(each)) for each in ("A", "B", "items")] == ["1: A", "2: B", "2 items"]


def test_paragraphs_keep_alignment_room_lines_and_page_breaks(tmp_path: Path) -> None:
    made = Word(
        tmp_path,
        "<div style='text-align:justify'><p style='margin:6pt 0 12pt;line-height:1.5'>Long</p></div>"
        "<h2 style='text-align:center;border-bottom:2px solid #c00'>Head</h2><p align=right>Right</p>"
        "<p style='page-break-before:always;text-indent:1em;font-size:10pt'>Next</p><center>Mid</center>",
    )
    long, head, following = (made.paragraph(each) for each in ("Long", "Head", "Next"))
    assert value(long, "pPr/jc") == "both"
    assert values(long, "pPr/spacing") == {"before": "120", "after": "240", "line": "360", "lineRule": "auto"}
    assert (value(head, "pPr/jc"), value(head, "pPr/pStyle")) == ("center", "Heading2")
    line = values(head, "pPr/pBdr/bottom")
    assert (line["val"], line["color"], line["sz"]) == ("single", "CC0000", "12")
    assert (value(made.paragraph("Right"), "pPr/jc"), value(made.paragraph("Mid"), "pPr/jc")) == ("right", "center")
    assert (values(following, "pPr/pageBreakBefore"), values(following, "pPr/ind")) == ({}, {"firstLine": "200"})


def test_properties_stand_in_the_order_of_the_schema(tmp_path: Path) -> None:
    made = Word(
        tmp_path,
        "<p style='text-align:center;background:#eee;border:1px solid;page-break-before:always;margin:1em;"
        "line-height:2;text-indent:1em;font:italic bold 9pt Arial;color:red;letter-spacing:1px'>All of it</p>",
    )
    found = [each.tag.removeprefix(W) for each in made.paragraph("All").find(f"{W}pPr")]
    assert found == ["pStyle", "pageBreakBefore", "pBdr", "shd", "spacing", "ind", "jc"]
    letters = [each.tag.removeprefix(W) for each in made.run("All of it").find(f"{W}rPr")]
    assert letters == ["rFonts", "b", "bCs", "i", "iCs", "color", "spacing", "sz", "szCs"]


def test_tables_keep_widths_lines_and_shading(tmp_path: Path) -> None:
    made = Word(
        tmp_path,
        "<table style='width:80%;margin:0 auto'><tr><td style='width:25%;background:#eef'>A</td>"
        "<td style='border:1px solid #999'><table><tr><td bgcolor=red>Inner</td></tr></table></td></tr>"
        "<tr style='background:#fed'><td></td><td valign=bottom>B</td></tr></table>",
    )
    outer, inner = made.root.iter(f"{W}tbl")
    assert (values(outer, "tblPr/tblW"), value(outer, "tblPr/jc")) == ({"w": "4000", "type": "pct"}, "center")
    cells = list(made.root.iter(f"{W}tc"))
    fills = [(values(cell, "tcPr/shd") or {}).get("fill") for cell in cells]
    assert fills == ["EEEEFF", None, "FF0000", "FFEEDD", "FFEEDD"]
    assert values(cells[1], "tcPr/tcBorders/left")["color"] == "999999"
    first, second = (int(each.get(f"{W}w")) for each in outer.findall(f"{W}tblGrid/{W}gridCol"))
    assert second > 2.5 * first
    assert int(inner.find(f"{W}tblGrid/{W}gridCol").get(f"{W}w")) < second
    assert value(cells[4], "tcPr/vAlign") == "bottom"
    assert [len(cell.findall(f"{W}p")) for cell in cells] == [1, 1, 1, 1, 1]


def test_paper_and_what_style_sheets_write_are_kept(tmp_path: Path) -> None:
    made = Word(
        tmp_path,
        "<style>@page{size:A4 landscape;margin:20mm 15mm}h2{counter-increment:part}"
        "h2::before{content:counter(part,upper-roman)'. '}q::after{content:'!'}</style>"
        "<h2>One</h2><h2>Two</h2><p><q>Say</q></p>",
    )
    section = made.root.find(f"{W}body/{W}sectPr")
    assert values(section, "pgSz") == {"w": "16838", "h": "11906", "orient": "landscape"}
    assert (values(section, "pgMar")["top"], values(section, "pgMar")["left"]) == ("1134", "850")
    assert [text_of(made.paragraph(each)) for each in ("One", "Two")] == ["I. One", "II. Two"]
    assert "Say!" in text_of(made.paragraph("Say"))


def test_what_is_hidden_on_the_page_is_hidden_text(tmp_path: Path) -> None:
    made = Word(tmp_path, "<p style='display:none'>Preview</p><p>Seen</p>")
    assert (values(made.run("Preview"), "rPr/vanish"), values(made.run("Seen"), "rPr/vanish")) == ({}, None)


def test_styles_that_word_does_not_have_are_named_once(tmp_path: Path) -> None:
    made = Word(tmp_path, "<p style='float:left;border-radius:3px;cursor:pointer;color:red'>A</p>" * 3)
    assert made.codes == {"CSS_UNSUPPORTED"}
    assert made.messages.count("border-radius, float") == 1
    assert "cursor" not in made.messages


def test_letters_spelled_anew_and_the_ground_of_the_page_are_named(tmp_path: Path) -> None:
    made = Word(tmp_path, "<body style='background:#eef'><p style='text-transform:capitalize'>some words</p>")
    assert "page background, text-transform: capitalize" in made.messages
    assert Word(tmp_path, "<body style='background:#fff'><p>A</p>").codes == set()


def test_a_page_without_styles_has_no_looks(tmp_path: Path) -> None:
    made = Word(tmp_path, "<h1>T</h1><p>One <b>two</b></p><ul><li>x</ul>")
    assert made.codes == set()
    assert not list(made.root.iter(f"{W}color", f"{W}jc", f"{W}sz"))


def test_marks_in_the_page_itself_mean_nothing(tmp_path: Path) -> None:
    made = Word(tmp_path, "<p style='color:red'>a\ufdd0\ufde9\ufdd5b\ufdd4c</p>")
    assert text_of(made.paragraph("a")) == "a\ufffd\ufffd\ufffdb\ufffdc"


def test_headings_keep_the_names_that_links_lead_to(tmp_path: Path) -> None:
    made = Word(
        tmp_path,
        "<style>h2{color:red}</style><p><a href='#here'>go</a></p><h2 id=here>Here <em>1</em></h2><h2>Second one</h2>",
    )
    assert [each.get(f"{W}name") for each in made.root.iter(f"{W}bookmarkStart")] == ["here", "second-one"]
    assert values(made.root, "body/p/hyperlink") == {"anchor": "here"}


def test_no_mark_is_left_whatever_the_page(tmp_path: Path) -> None:
    made = Word(
        tmp_path,
        "<body style='color:#111'>loose<pre>a\n  b <b>c</b></pre><ul><li>x<ul><li>y</ul></ul>"
        "<dl><dt>t<dd>d</dl><br><table><caption>cap</caption><tr><th>h<td><p>1<p>2</table><blockquote>q<hr>"
        "</blockquote><details><summary>s</summary>t</details><input type=checkbox checked> done",
    )
    texts = b"".join(each for name, each in made.parts.items() if name.endswith("xml")).decode()
    assert not [each for each in texts if "\ufdd0" <= each <= "\ufdef"]
    assert "".join(text_of(made.root).split()) == "looseabcxytdcaph12qst☒done"


def test_a_page_nested_too_deep_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        Convert(tmp_path, "html-to-docx", "<style>p{color:red}</style>" + "<div>" * 230 + "x")


def test_texts_in_the_margins_of_the_page_are_headers_and_footers(tmp_path: Path) -> None:
    made = Word(
        tmp_path,
        "<style>@page{@top-right{content:'Report {page}'}@bottom-center{content:'Page ' counter(page) ' of '"
        " counter(pages)}}@page :first{@top-right{content:none}}</style><p>Text</p>",
    )
    section = made.root.find(f"{W}body/{W}sectPr")
    kinds = [(each.tag.removeprefix(W), each.get(f"{W}type")) for each in section][:3]
    assert kinds == [("footerReference", "first"), ("headerReference", "default"), ("footerReference", "default")]
    assert values(section, "titlePg") == {}
    header, footer = (etree.fromstring(made.parts[f"word/margin{at}.xml"]) for at in (2, 3))
    assert text_of(header) == "Report {page}"
    assert [each.get(f"{W}instr") for each in footer.iter(f"{W}fldSimple")] == ["PAGE", "NUMPAGES"]
    assert b"margin3.xml" in made.parts["[Content_Types].xml"]


def test_a_whole_framework_of_styles_counts_as_what_the_page_uses_of_it(tmp_path: Path) -> None:
    unused = "".join(f".u{at}\\:x{{color:blue}}" for at in range(31_000))
    sheet = f"/* {{ */{unused}@media print{{.used{{color:red}} .not{{color:blue}}}}"
    made = Word(tmp_path, f"<style>{sheet}</style><p class=used>Seen</p>")
    assert value(made.run("Seen"), "rPr/color") == "FF0000"
    assert made.codes == set()


def test_what_is_in_a_comment_that_does_not_end_is_no_rule(tmp_path: Path) -> None:
    made = Word(tmp_path, f"<style>{'/*' * 40_000}{'x{' * 31_000}</style><p>Seen</p>")
    assert "Seen" in text_of(made.root)


@pytest.mark.parametrize("sheet", ["a" * 1_900_000 + "{x" * 31_000, 'a{"' * 31_000])
def test_a_broken_sheet_of_many_rules_is_refused_without_delay(tmp_path: Path, sheet: str) -> None:
    with pytest.raises(OverLimit) as refused:
        Word(tmp_path, f"<style>{sheet}</style><p>Seen</p>")
    assert refused.value.reason == "timeout"


@pytest.mark.parametrize(
    ("style", "attributes", "size"),
    [
        ("width:96px", "", (914_400, 457_200)),
        ("height:36pt;width:auto", "width=500", (914_400, 457_200)),
        ("width:50%", "", (2_667_000, 1_333_500)),
        ("max-width:100%;height:auto", "width=96 height=9", (914_400, 457_200)),
        ("", "width=48 height=48", (457_200, 457_200)),
        ("max-width:96px", "", (914_400, 457_200)),
        ("max-height:48px", "", (914_400, 457_200)),
        ("width:100%;max-width:6em", "", (914_400, 457_200)),
        ("max-width:96px", "width=192 height=48", (914_400, 457_200)),
        ("min-width:96px;width:10px", "", (914_400, 457_200)),
        ("width:50vw", "", (2_667_000, 1_333_500)),
    ],
)
def test_pictures_have_the_size_that_styles_give_them(
    tmp_path: Path, style: str, attributes: str, size: tuple[int, int]
) -> None:
    picture = f"data:image/png;base64,{base64.b64encode(png(400, 200)).decode()}"
    page = f"<style>.a{{{style}}}</style><p>Text <img class=a {attributes} src='{picture}'></p>"
    extent = Word(tmp_path, page).root.find(".//{*}extent")
    assert (int(extent.get("cx")), int(extent.get("cy"))) == size


def test_what_pages_show_without_scripts_is_read_as_markup(tmp_path: Path) -> None:
    picture = base64.b64encode(png()).decode()
    made = Word(
        tmp_path,
        "<noscript><iframe src='https://example.com/ns.html'></iframe></noscript><p>Text</p>"
        f"<NOSCRIPT class='x'><p>Seen <b>here</b><img src='data:image/png;base64,{picture}'></p></NOSCRIPT>",
    )
    assert text_of(made.root) == "TextSeen here"
    assert any(name.startswith("word/media/") for name in made.parts)
