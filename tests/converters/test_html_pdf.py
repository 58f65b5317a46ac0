"""The HTML to PDF engine: what it reports, what it refuses, what it never does, and how its pages are made."""

from __future__ import annotations

import os
import socket
import subprocess
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdf
import pypdfium2
import pytest
from fontTools.ttLib import TTFont
from PIL import Image

from engine.families.html_pdf.css.media import media_matches
from engine.families.html_pdf.fonts.bundled import FOLDER, font_for
from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.paper import margins, paper
from engine.families.html_pdf.source import cleaning, limits
from engine.families.html_pdf.xhtml2pdf import engine as render
from engine.families.html_pdf.xhtml2pdf.tables import column_widths
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable
from engine.toolkit.warnings import Warn


class Result:
    def __init__(self, html: str | bytes, folder: Path, **options: object) -> None:
        title = options.pop("document_title", None)
        self.warn = Warn()
        target = folder / "output.pdf"
        render.render(html, target, PageOptions(**options), self.warn, title=title)  # type: ignore[arg-type]
        self.reader = pypdf.PdfReader(BytesIO(target.read_bytes()))
        self.pages = [page.extract_text() for page in self.reader.pages]
        self.text = "\n".join(self.pages)

    def messages(self, code: str) -> str:
        return "\n".join(each.message for each in self.warn.warnings if each.code == code)


@pytest.mark.parametrize(
    ("markup", "reference"),
    [
        ("<img src=http://192.0.2.1/a.png>", "http://192.0.2.1/a.png"),
        ("<img src=HTTP://example.com/a.png>", "HTTP://example.com/a.png"),
        ("<img src=/etc/passwd>", "/etc/passwd"),
        ("<img src=file:///etc/passwd>", "file:///etc/passwd"),
        ("<style>@import url(//example.com/a.css);</style>", "//example.com/a.css"),
        ("<style>@font-face { font-family: F; src: url('f.woff') }</style>", "f.woff"),
        ("<link rel=stylesheet href=a.css>", "a.css"),
        ("<p style='background: url(b.png)'>x", "b.png"),
        ("<style>li { list-style-image: url(c.png) }</style><ul><li>x</ul>", "c.png"),
        ("<table background=d.png><tr><td>x</table>", "d.png"),
        ("<object data=e.swf></object>", "e.swf"),
        ("<embed src=e.swf>", "e.swf"),
        ("<meta http-equiv=refresh content='0; url=http://example.com/'>", "http://example.com/"),
        ("<svg><image href='g.png' width=9 height=9 /></svg>", "g.png"),
        ("<pdf:insertpdf src=h.pdf>", "h.pdf"),
        ("<pdffont name=x src=i.ttf>", "i.ttf"),
        ("<script src=j.js></script>", "j.js"),
        ("<style>@page { background-image: url(k.pdf) }</style>", "k.pdf"),
    ],
)
def test_a_reference_to_the_outside_is_named_and_not_followed(
    markup: str, reference: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError(f"{args} was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert reference in Result(markup, tmp_path).messages("REMOTE_RESOURCE_BLOCKED")


def test_an_svg_that_names_a_font_starts_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError(f"{args} was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setattr(os, "system", refuse)
    result = Result("<svg width=90 height=30><text x=5 y=20 font-family='Inter'>Ünï 東京</text></svg>", tmp_path)
    assert "Ünï" in result.text
    assert "東京" in result.text


def test_a_picture_that_is_no_picture_is_left_out_with_its_description(tmp_path: Path) -> None:
    eps = "data:image/png;base64,JSFQUy1BZG9iZS0zLjAgRVBTRi0zLjAK"
    result = Result(f"<p>a<img src='{eps}' alt='the logo'>b", tmp_path)
    assert "the logo" in result.text
    assert "the logo" in result.messages("CONTENT_DROPPED")


EPS = "JSFQUy1BZG9iZS0zLjAgRVBTRi0zLjAKJSVCb3VuZGluZ0JveDogMCAwIDkgOQo="
SVG = "PHN2ZyB3aWR0aD0iOSIgaGVpZ2h0PSI5Ij48L3N2Zz4="


@pytest.mark.parametrize("where", ["background-image: {}", "background: {}", "list-style-image: {}", "content: {}"])
@pytest.mark.parametrize("data", [EPS, SVG], ids=["EPS", "SVG"])
def test_a_picture_of_a_style_reaches_no_reader_that_starts_programs_or_loads_files(
    where: str, data: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import xhtml2pdf.xhtml2pdf_reportlab

    reached: list[object] = []
    Image.init()
    monkeypatch.setitem(Image.OPEN, "EPS", (lambda *given: reached.append(given), lambda prefix: True))
    monkeypatch.setattr(xhtml2pdf.xhtml2pdf_reportlab, "svg2rlg", lambda *given, **named: reached.append(given))
    style = where.format(f"url(data:image/png;base64,{data})")
    page = f"<style>p, li, p::before {{ {style} }}</style><p>kept <b>kept</b></p><ul><li>kept</ul>"
    assert Result(page, tmp_path).text.count("kept") == 3
    assert not reached


def test_code_in_a_colour_is_not_run(tmp_path: Path) -> None:
    code = "[[[getattr(pow, Word('__globals__'))['os'].system('touch pwned') for Word in [type]]]]"
    result = Result(f'<font color="{code}">a</font><p style=\'color: "{code}"\'>b', tmp_path)
    assert "CSS_UNSUPPORTED" in {each.code for each in result.warn.warnings}
    assert not Path("pwned").exists()


@pytest.mark.parametrize(
    ("style", "named"),
    [
        ("display: ruby", "display: ruby"),
        ("opacity: 0.5", "opacity"),
        ("transform: rotate(3deg)", "transform"),
        ("box-shadow: 0 0 3px red", "box-shadow"),
        ("text-shadow: 0 0 3px red", "text-shadow"),
        ("columns: 2", "columns: 2"),
        ("float: left", "float: left"),
        ("background: linear-gradient(#111, #eee)", "linear-gradient()"),
        ("width: calc(100% - 2px)", "calc"),
        ("position: sticky", "position: sticky"),
        ("font-family: Nonesuch", "nonesuch"),
    ],
)
def test_a_style_that_is_not_applied_is_named(style: str, named: str, tmp_path: Path) -> None:
    assert named in Result(f"<p style='{style}'>x", tmp_path).messages("CSS_UNSUPPORTED")
    assert named in Result(f"<style>p {{ {style} }}</style><p>x", tmp_path).messages("CSS_UNSUPPORTED")


PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)
EVERYTHING = (
    "<div class=x><p class=x>text <b class=x>bold</b><span class=x style='display: inline-block'>box</span></p></div>"
    f"<table class=x><tr class=x><td class=x>cell</table><ul class=x><li class=x>item</ul><img class=x src='{PIXEL}'>"
)


@pytest.mark.parametrize(
    "style",
    [
        "vertical-align: center", "vertical-align: 1px 2px", "zoom: reset", "font-weight: 1px 2px", "width: ,",
        "font-style: 10px", "text-transform: 1px", "height: 1fr 2fr", "max-width: 1px / 2px", "line-height: 10px auto",
        "letter-spacing: 1px 2px", "background-color: #fff no-repeat", "border-top-color: a b c", "color: 1.5",
        "background-image: 50%", "list-style: 10px", "list-style-image: none none",
        "font-size: 1px, 2px", "font: /", "text-decoration: none,", "margin: 1px / 2px", "width: Infinity",
        "-pdf-outline-level: red", "-pdf-outline-level: 1.5",
    ],
)  # fmt: skip
def test_a_declaration_without_a_proper_value_is_named_and_the_page_is_drawn(style: str, tmp_path: Path) -> None:
    result = Result(f"<style>.x {{ {style} }}</style>{EVERYTHING}", tmp_path)
    assert style.partition(":")[0] in result.messages("CSS_UNSUPPORTED")
    assert all(word in result.text for word in ("text", "bold", "box", "cell", "item"))


@pytest.mark.parametrize("value", ["-0.125em", "10px", "50%", "0", "middle", "text-top", "inherit"])
def test_anything_can_be_aligned_by_a_length(value: str, tmp_path: Path) -> None:
    result = Result(f"<style>.x {{ vertical-align: {value} }}</style>{EVERYTHING}", tmp_path)
    assert not result.warn.warnings
    assert "cell" in result.text


def test_a_picture_is_moved_up_by_its_alignment(tmp_path: Path) -> None:
    def height_of_image(value: str) -> float:
        Result(f"<p>text <img width=20 height=20 src='{PIXEL}' style='vertical-align: {value}'></p>", tmp_path)
        with pypdfium2.PdfDocument(tmp_path / "output.pdf") as document:
            text = document[0].get_textpage()
            (image,) = document[0].get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE])
            return float(image.get_bounds()[1] - text.get_charbox(0)[1])

    assert height_of_image("12px") - height_of_image("0") == pytest.approx(9, abs=0.2)
    assert height_of_image("-4pt") - height_of_image("0") == pytest.approx(-4, abs=0.2)


@pytest.mark.parametrize(
    "markup",
    [
        "<p style='line-height: 100'>tall</p>",
        "<div style='break-inside: avoid'>a <p style='line-height: 100'>tall</p></div>",
        "<div style='break-inside: avoid'><p style='page-break-before: always; line-height: 100'>tall</p></div>",
    ],
)
def test_what_no_page_has_room_for_is_shrunk_and_reported(markup: str, tmp_path: Path) -> None:
    result = Result(f"<p>before</p>{markup}<p>after</p>", tmp_path)
    assert all(word in result.text for word in ("before", "tall", "after"))
    assert result.messages("CONTENT_CLIPPED")


CONTAINERS = {
    "page": "{}",
    "box": "<div style='border: 1px solid'>{}</div>",
    "flex container": "<div style='display: flex'>{}</div>",
    "flex item": "<div style='display: flex'><div>{}</div></div>",
    "grid item": "<div style='display: grid'><div>{}</div></div>",
    "cell": "<table><tr><td>{}</td></tr></table>",
    "box in a box": "<div style='border: 1px solid'><div style='padding: 3px'>{}</div></div>",
    "box in a cell": "<table><tr><td><div style='border: 1px solid'><p>x</p>{}</div></td></tr></table>",
    "inline block": "<p>x <span style='display: inline-block'>{}</span></p>",
    "positioned box": "<div style='position: absolute; top: 10px'>{}</div>",
}
PLACED = {
    "kept together": "<div style='page-break-inside: avoid'><p>first</p><p>second</p></div>",
    "kept text": "<div style='break-inside: avoid'>first second</div>",
    "break before": "<p>first</p><div style='page-break-before: always'>second</div>",
    "break after": "<div style='page-break-after: always'>first</div><p>second</p>",
    "kept twice": "<div style='break-inside: avoid'><div style='break-inside: avoid'>first</div>second</div>",
    "kept break": "<div style='break-inside: avoid'>first<p style='page-break-before: always'>second</p></div>",
    "kept heading": "<h2 style='page-break-after: avoid'>first</h2><p>second</p>",
    "pill": "<p>first <b style='display: inline-flex; height: 2em; padding: 0 1em'>second</b></p>",
    "flat": "<div style='display: flex; height: 0'>first second</div>",
    "fitted": "<div style='width: fit-content; background: #eee'>first second</div>",
    "table as grid": "<table style='display: grid'><tr><td>first</td><td>second</td></tr></table>",
    "cells as items": "<table><tr style='display: flex'><td style='display: grid'>first<td>second</table>",
}


@pytest.mark.parametrize("outer", CONTAINERS)
@pytest.mark.parametrize("inner", PLACED)
def test_nothing_is_lost_wherever_it_is_placed(inner: str, outer: str, tmp_path: Path) -> None:
    result = Result(CONTAINERS[outer].format(PLACED[inner]), tmp_path)
    assert {"first", "second"} <= set(result.text.split())


@pytest.mark.parametrize("outer", sorted(CONTAINERS.keys() - {"positioned box"}))
def test_what_is_placed_beside_no_text_is_drawn(outer: str, tmp_path: Path) -> None:
    markup = "<p><span style='position: absolute'>first</span></p><p>second</p>"
    result = Result(CONTAINERS[outer].format(markup), tmp_path)
    assert {"first", "second"} <= set(result.text.split())


def test_what_is_to_be_kept_together_is_cut_like_any_other_and_named(tmp_path: Path) -> None:
    card = "<div style='break-inside: avoid'>" + "<p>line</p>" * 12 + "</div>"
    result = Result(card * 20, tmp_path)
    assert result.text.split() == ["line"] * 240
    assert "break-inside: avoid" in result.messages("CSS_UNSUPPORTED")


def test_a_table_without_room_is_drawn(tmp_path: Path) -> None:
    result = Result("<div style='width: 0'><table><tr><td>cell</table></div>", tmp_path)
    assert "".join(result.text.split()) == "cell"


def test_a_page_template_that_is_not_there_is_named(tmp_path: Path) -> None:
    result = Result("<p style='-pdf-next-page: nowhere'>text</p>", tmp_path)
    assert "nowhere" in result.messages("CSS_UNSUPPORTED")
    assert "text" in result.text


@pytest.mark.parametrize(
    "style",
    ["opacity: 1", "float: none", "transition: all 1s", "-webkit-print-color-adjust: exact", "color: inherit",
     "color: hsl(120 50% 30% / 50%)", "color: rgb(10% 20% 30%)", "--x: red; color: var(--x)", "box-sizing: border-box"],
)  # fmt: skip
def test_a_style_without_loss_is_not_reported(style: str, tmp_path: Path) -> None:
    assert not Result(f"<p style='{style}'>x", tmp_path).warn.warnings


@pytest.mark.parametrize(
    "selector",
    [".m [hidden]", "div [data-x=y]", ".m [title~=y], .m [title|=y]", ".m > [title=y]", ".m /* */ [title=y]",
     "p:not([title])", ".m :is([title=y], b)", "div:has([title=y])", '.m [data-a="[b]"]'],
)  # fmt: skip
def test_a_rule_for_an_attribute_is_for_no_other_element(selector: str, tmp_path: Path) -> None:
    html = f"<style>{selector} {{ display: none }}</style><div class=m><p title=x>kept</p></div>"
    assert "kept" in Result(html, tmp_path).text


@pytest.mark.parametrize("selector", [".m [title]", "div [title=x]", ".m > [title^=x]", ".m :is([title], b)"])
def test_a_rule_for_an_attribute_is_for_those_that_have_it(selector: str, tmp_path: Path) -> None:
    html = f"<style>{selector} {{ display: none }}</style><div class=m><p title=x>gone</p><p>kept</p></div>"
    assert Result(html, tmp_path).text.split() == ["kept"]


def test_rules_that_match_nothing_are_not_reported(tmp_path: Path) -> None:
    assert not Result(
        "<style>.unused { opacity: 0.5 } @media screen { p { opacity: 0.5 } }</style><p>x", tmp_path
    ).warn.warnings


def test_a_missing_glyph_is_named_by_its_code_point(tmp_path: Path) -> None:
    assert "U+13080" in Result("<p>&#x13080;", tmp_path).messages("GLYPH_MISSING")


@pytest.mark.parametrize("char", "AßŻΩЖאبहไ漢かカ한€→∑☑✓😀ক")
def test_every_script_has_a_font(char: str) -> None:
    assert font_for(ord(char), ("LiberationSans-Regular",), False, False)


def test_an_embedded_font_has_the_widths_of_its_file(tmp_path: Path) -> None:
    result = Result("<p>東京 i", tmp_path)
    resources: Any = result.reader.pages[0]["/Resources"]
    fonts = [font.get_object() for font in resources["/Font"].values()]
    seen = set()
    for font in fonts:
        if "/FontDescriptor" not in font:
            continue
        embedded = TTFont(BytesIO(font["/FontDescriptor"]["/FontFile2"].get_data()))
        file = next(FOLDER.glob(f"*/{str(font['/BaseFont']).rpartition('+')[2]}*.ttf"))
        own = {advance for advance, _ in TTFont(file)["hmtx"].metrics.values()}
        assert {advance for advance, _ in embedded["hmtx"].metrics.values()} <= own
        seen.add(file.stem)
    assert "DroidSansFallback" in seen


def test_text_can_be_copied_as_it_was_written(tmp_path: Path) -> None:
    assert "क्षत्रिय श्री हिन्दी" in Result("<p>क्षत्रिय श्री हिन्दी", tmp_path).text
    assert "น้ำดื่ม" in Result("<p>น้ำดื่ม", tmp_path).text


def test_no_word_is_cut_off_at_the_edge(tmp_path: Path) -> None:
    result = Result("<p>" + "x" * 500 + "</p><p>" + "漢字" * 300, tmp_path)
    assert result.text.count("x") == 500
    assert result.text.count("漢") == 300


def test_a_long_paragraph_goes_over_pages_whole(tmp_path: Path) -> None:
    words = " ".join(f"w{at}" for at in range(12_000))
    result = Result(f"<p>{words}", tmp_path)
    assert result.text.split() == words.split()


@pytest.mark.parametrize("rows", [20, 200])
def test_a_table_in_a_box_loses_no_row(rows: int, tmp_path: Path) -> None:
    body = "".join(f"<tr><td>r{at}<td>{at}" for at in range(rows))
    result = Result(
        f"<div style='padding: 9px; border: 1px solid'><h2>Head</h2><table>{body}</table><p>last</div>", tmp_path
    )
    assert all(f"r{at}\n" in result.text for at in range(rows))
    assert "Head" in result.pages[0]
    assert "r0" in result.pages[0]


@pytest.mark.parametrize("rows", [3, 100])
def test_a_cell_that_spans_more_than_a_page_is_cut_and_reported(rows: int, tmp_path: Path) -> None:
    body = f"<tr><td rowspan={rows}>{'tall ' * 4000}<td>0" + "".join(f"<tr><td>{at}" for at in range(1, rows))
    result = Result(f"<table>{body}</table>", tmp_path)
    assert result.text.count("tall") == 4000
    assert result.messages("CONTENT_CLIPPED")


def test_a_row_height_is_the_least_a_row_has(tmp_path: Path) -> None:
    result = Result("<table><tr><td style='height: 9px'>" + "text " * 200 + "<tr><td>next</table>", tmp_path)
    assert result.text.count("text") == 200
    assert not result.warn.warnings


def test_the_title_is_the_options_then_the_documents_then_the_callers(tmp_path: Path) -> None:
    html = "<title>of the page</title><p>x"
    titles = [
        Result(html, tmp_path, title="of the options", document_title="of the caller"),
        Result(html, tmp_path, document_title="of the caller"),
        Result("<p>x", tmp_path, document_title="of the caller"),
    ]
    assert [each.reader.metadata.title for each in titles if each.reader.metadata] == [
        "of the options", "of the page", "of the caller",
    ]  # fmt: skip


def test_header_and_footer_make_room_and_are_no_markup(tmp_path: Path) -> None:
    result = Result("<p>body", tmp_path, header_text="<b>{title}</b>\nsecond {nothing}", title="A & B", margin="1mm")
    assert "<b>A & B</b>" in result.text
    assert "second {nothing}" in result.text


@pytest.mark.parametrize(
    ("name", "size"),
    [("a4", (210, 297)), ("A0", (841, 1189)), ("a6", (105, 148)), ("B5", (176, 250)), ("Letter", (215.9, 279.4)),
     ("LEGAL", (215.9, 355.6)), ("tabloid", (279.4, 431.8)), ("Ledger", (431.8, 279.4)), ("210 x 297mm", (210, 297)),
     ("8.5in x 11in", (215.9, 279.4)), ("21cm×297mm", (210, 297))],
)  # fmt: skip
def test_paper_is_as_large_as_it_is_named(name: str, size: tuple[float, float]) -> None:
    width, height = (each * 25.4 / 72 for each in paper(name))
    assert (width, height) == pytest.approx(size, abs=0.6)


@pytest.mark.parametrize("name", ["A7", "", "210mm", "0mm x 5mm", "9999in x 1in", "10 x 10", "a4 a4"])
def test_paper_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(InvalidOption):
        paper(name)


def test_margins_are_read_as_css_reads_them() -> None:
    one, four = margins("1in"), margins("1in 2in 36pt 96px")
    assert (one.top, one.right, one.bottom, one.left) == (72, 72, 72, 72)
    assert (four.top, four.right, four.bottom, four.left) == (72, 144, 36, 72)


def test_columns_share_the_room_by_their_content() -> None:
    assert column_widths([10, 10], [30, 90], [None, None], None, 500) == [30, 90]
    assert column_widths([10, 10], [30, 90], [None, None], 240, 500) == [60, 180]
    narrow = column_widths([10, 10], [100, 300], [None, None], None, 210)
    assert sum(narrow) == pytest.approx(210)
    assert narrow[1] > narrow[0] > 10
    assert column_widths([300, 300], [300, 300], [None, None], None, 400) == [300, 300]
    assert column_widths([10, 10], [10, 10], ["25%", None], 400, 500) == pytest.approx([100, 300])


@pytest.mark.parametrize(
    ("query", "result"),
    [("print", True), ("screen", False), ("all", True), ("screen, print", True), ("not screen", True),
     ("(min-width: 600px)", True),
     ("print and (max-width: 30em)", False), ("(prefers-color-scheme: dark)", False), ("(min-width: nonsense)", False)],
)  # fmt: skip
def test_media_queries_are_answered_for_paper(query: str, result: bool) -> None:
    assert media_matches(query) is result


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>" * 20,
        "<p>x" * (limits.MOST_ELEMENTS + 1),
        "<p " + " ".join(f"a{at}" for at in range(2000)) + ">",
        "<b>" * 5000,
        "<style>" + "p { color: red } " * 35_000 + "</style><p>x",
    ],
)
def test_more_than_a_page_can_hold_is_refused(html: str, tmp_path: Path) -> None:
    with pytest.raises((OverLimit, Unreadable)):
        Result(html, tmp_path)


def test_an_svg_that_repeats_itself_without_end_is_left_out(tmp_path: Path) -> None:
    groups = "".join(f"<g id=a{at}>" + f"<use xlink:href='#a{at - 1}'></use>" * 10 + "</g>" for at in range(1, 12))
    result = Result(f"<p>kept<svg><g id=a0><rect width=1 height=1></rect></g>{groups}</svg>", tmp_path)
    assert "kept" in result.text
    assert result.messages("CONTENT_DROPPED")


def test_documents_of_one_process_do_not_change_each_other(tmp_path: Path) -> None:
    first = tmp_path / "first.pdf"
    render.render("<h1>नमस्ते</h1><p>ไทย", first, PageOptions(), Warn())
    before = first.read_bytes()
    render.warm()
    render.render("<p>बदलाव স্বাধীনতা", tmp_path / "other.pdf", PageOptions(), Warn())
    render.render("<h1>नमस्ते</h1><p>ไทย", first, PageOptions(), Warn())
    assert first.read_bytes() == before


@pytest.mark.parametrize("name", ["main", "section", "article", "header", "nav", "figure"])
def test_what_does_not_belong_to_the_head_is_in_the_body(name: str) -> None:
    root = cleaning.parse(f"<style>b {{}}</style><{name}>one</{name}>two<p>three")
    head, body = root
    assert [each.tag for each in head] == ["style"]
    assert [each.tag for each in body] == [name, "p"]
    assert "".join(body.itertext()).split() == ["onetwothree"]
