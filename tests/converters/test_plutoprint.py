"""HTML to PDF by PlutoPrint: what it reports and refuses, its grids, its outline, and what the options do."""

from __future__ import annotations

import base64
import os
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdf
import pypdfium2
import pytest

from engine.families.html_pdf.options import PLUTOPRINT, PrintOptions
from engine.toolkit.failures import OverLimit
from engine.toolkit.warnings import Warn
from tests.families.html_pdf.vectors import png

if not PLUTOPRINT.available:
    pytest.skip("there is no wheel of PlutoPrint for this platform", allow_module_level=True)

from engine.families.html_pdf.css.supported import UNDERSTOOD
from engine.families.html_pdf.plutoprint import engine


class Result:
    def __init__(self, html: str | bytes, folder: Path, **options: object) -> None:
        self.warn = Warn()
        self.path = folder / "output.pdf"
        engine.render(html, self.path, PrintOptions(**options), self.warn)  # type: ignore[arg-type]
        self.reader = pypdf.PdfReader(BytesIO(self.path.read_bytes()))
        self.pages = [page.extract_text() for page in self.reader.pages]
        self.text = "\n".join(self.pages)

    def messages(self, code: str) -> str:
        return "\n".join(each.message for each in self.warn.warnings if each.code == code)

    def at(self, word: str) -> tuple[float, float]:
        """Where a word begins on its page, in points from the left and from the top."""
        with pypdfium2.PdfDocument(self.path) as document:
            for page in document:
                text = page.get_textpage()
                found = text.search(word, match_case=True).get_next()
                if found is not None:
                    left, _, _, top = text.get_charbox(found[0])
                    return left, page.get_height() - top
        raise AssertionError(f"{word} is not in {self.text}")

    def pixel(self, x: float, y: float) -> tuple[int, int, int]:
        """The colour at a point from the left and from the top."""
        with pypdfium2.PdfDocument(self.path) as document:
            red, green, blue = document[0].render(scale=1).to_pil().convert("RGB").getpixel((int(x), int(y)))
            return red, green, blue


@pytest.mark.parametrize(
    ("markup", "reference"),
    [
        ("<img src=http://192.0.2.1/a.png>", "http://192.0.2.1/a.png"),
        ("<img src=file:///etc/passwd>", "file:///etc/passwd"),
        ("<style>@import url(//example.com/a.css);</style>", "//example.com/a.css"),
        ("<style>@font-face { font-family: F; src: url('f.woff') } p { font-family: F }</style><p>x", "f.woff"),
        ("<link rel=stylesheet href=a.css>", "a.css"),
        ("<p style='background: url(b.png)'>x", "b.png"),
        ("<style>li { list-style-image: url(c.png) }</style><ul><li>x</ul>", "c.png"),
        ("<table background=d.png><tr><td>x</table>", "d.png"),
        ("<object data=e.swf></object>", "e.swf"),
        ("<meta http-equiv=refresh content='0; url=http://example.com/'>", "http://example.com/"),
        ("<svg><image href='g.png' width=9 height=9 /></svg>", "g.png"),
        ("<svg><use href='h.svg#a' /></svg>", "h.svg#a"),
        ("<script src=j.js></script>", "j.js"),
        ("<style>@page { background-image: url(k.png) }</style>x", "k.png"),
        ("<style>p::before { content: url(l.png) }</style><p>x", "l.png"),
    ],
)
def test_a_reference_to_the_outside_is_named_once_and_not_followed(
    markup: str, reference: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    messages = Result(markup, tmp_path).messages("REMOTE_RESOURCE_BLOCKED").splitlines()
    assert [each.split(" was not loaded")[0] for each in messages] == [reference]
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ("<span>" * 50_000, "memory"),
        ("<table><tr><td>" * 30 + "x", "timeout"),
        ("<p " + " ".join(f"a{n}" for n in range(600)) + ">x", "timeout"),
        ("<p>" + "word " * 2_000_000, "timeout"),
        ("<div style='height: 1e9px'>x</div>", "output"),
        ("<style>div { margin-top: calc(1px * 1e8); padding: 1e8px }</style><div>x</div>", "output"),
        ("<style>" + "body{b:c}" * 40_000 + "</style>x", "timeout"),
        ("<style>p { width: " + "(" * 5_000 + "}</style>x", "memory"),
    ],
)
def test_what_it_would_crash_on_is_refused_before(page: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(OverLimit) as refused:
        Result(page, tmp_path)
    assert refused.value.reason == reason


def test_a_drawing_that_repeats_itself_without_end_is_left_out(tmp_path: Path) -> None:
    uses = "".join(f"<g id=a{n + 1}>" + f"<use href='#a{n}'/>" * 10 + "</g>" for n in range(8))
    result = Result(f"before<svg><g id=a0><circle r=1 /></g>{uses}</svg>after", tmp_path)
    assert "repeats" in result.messages("CONTENT_DROPPED")
    assert "after" in result.text


def test_a_text_of_a_hundred_thousand_words_keeps_all_of_them(tmp_path: Path) -> None:
    result = Result("<p>" + " ".join(f"w{n}" for n in range(100_000)), tmp_path)
    words = result.text.split()
    assert len(words) == 100_000
    assert words[-1] == "w99999"


@pytest.mark.parametrize(
    ("style", "named"),
    [
        ("height: calc(100% - 2px)", "height: calc(100% - 2px)"),
        ("display: contents", "display: contents"),
        ("background: radial-gradient(circle at 0 0, red, blue)", "radial-gradient"),
    ],
)
def test_a_style_that_is_not_applied_is_named_where_it_would_count(style: str, named: str, tmp_path: Path) -> None:
    assert named in Result(f"<p style='{style}'>x", tmp_path).messages("CSS_UNSUPPORTED")
    assert Result(f"<style>.other {{ {style} }}</style><p>x", tmp_path).messages("CSS_UNSUPPORTED") == ""


@pytest.mark.parametrize("style", ["text-wrap: balance", "text-wrap: pretty", "text-wrap-style: balance"])
def test_balanced_lines_are_named_where_there_is_more_than_one(style: str, tmp_path: Path) -> None:
    words = "A heading that is long enough for two lines"
    assert "text-wrap" in Result(f"<h1 style='{style}'>{words}", tmp_path).messages("NOT_UNDERSTOOD")
    assert "text-wrap" in Result(f"<style>h1 {{ {style} }}</style><h1>{words}", tmp_path).messages("NOT_UNDERSTOOD")
    short = f"<style>h1 {{ {style} }} p {{ text-wrap: nowrap }}</style><h1>Short</h1><p>{words}"
    assert Result(short, tmp_path).messages("NOT_UNDERSTOOD") == ""


def test_a_box_that_opens_has_the_word_of_browsers_if_it_has_no_summary(tmp_path: Path) -> None:
    page = "<details open>one</details><details open><summary>Own</summary>two</details>"
    assert [each.strip(" ▾") for each in Result(page, tmp_path).text.split("\n")] == ["Details", "one", "Own", "two"]


def test_the_properties_that_are_taken_as_known_are_in_the_library() -> None:
    mapped = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "libplutobook" in line}
    (library,) = mapped
    data = Path(library).read_bytes()
    assert [each for each in UNDERSTOOD if each.encode() not in data] == []


def test_new_syntax_counts_as_it_does_in_browsers(tmp_path: Path) -> None:
    style = (
        ".a { & .b::after { content: 'nested' } } @media (300px <= width) { .a::after { content: ' ranged' } }"
        "@supports not (display: grid) { p { display: none } } :where(.c)::before { content: 'where ' }"
        "@layer late, early; @layer early { .d::after { content: 'layered' } } .d::after { content: 'plain' }"
    )
    page = f"<style>{style}</style><p class=a>x <b class=b></b></p><p class=c>y<p class=d>z "
    text = " ".join(Result(page, tmp_path).text.split())
    assert text == "x nested ranged where y z plain"


def test_colours_of_today_and_gradients_are_drawn(tmp_path: Path) -> None:
    boxes = "".join(
        f"<div style='height: 100px; background: {each}'></div>"
        for each in ("oklch(0.63 0.26 29)", "color-mix(in srgb, red 50%, blue)", "linear-gradient(to right, red, blue)")
    )
    result = Result(f"<style>@page {{ margin: 0 }} body {{ margin: 0 }}</style>{boxes}", tmp_path)
    red, green, blue = result.pixel(300, 40)
    assert red > 200
    assert max(green, blue) < 80
    assert result.pixel(300, 110) == (128, 0, 128)
    (left, _, _), (right, _, last) = result.pixel(5, 190), result.pixel(590, 190)
    assert left > 240
    assert right < 20
    assert last > 240


GRID = "<style>@page { margin: 0; size: 600pt 400pt } body { margin: 0 } div > * { border: 1px solid red }</style>"


@pytest.mark.parametrize(
    ("columns", "lefts"),
    [
        ("1fr 1fr 2fr", (0, 150, 300)),
        ("100pt 1fr 100pt", (0, 100, 500)),
        ("repeat(3, minmax(0, 1fr))", (0, 200, 400)),
        ("repeat(auto-fill, minmax(150pt, 1fr))", (0, 150, 300)),
        ("repeat(auto-fit, minmax(150pt, 1fr))", (0, 200, 400)),
        ("25% 25% 50%", (0, 150, 300)),
        ("[a] 100pt [b] 200pt [c] 1fr", (0, 100, 300)),
        ("var(--c)", (0, 200, 250)),
        ("calc(var(--s) * 3 + 50pt) calc((100pt - var(--s)) / 1) 1fr", (0, 200, 250)),
    ],
)
def test_columns_of_a_grid_are_as_wide_as_they_are_in_browsers(
    columns: str, lefts: tuple[int, ...], tmp_path: Path
) -> None:
    style = f"--c: 200pt 50pt 1fr; --s: 50pt; display: grid; grid-template-columns: {columns}"
    result = Result(f"{GRID}<div style='{style}'><p>one<p>two<p>three</div>", tmp_path)
    for word, left in zip(("one", "two", "three"), lefts, strict=True):
        assert abs(result.at(word)[0] - left) < 3
    assert abs(result.at("one")[1] - result.at("two")[1]) < 3


def test_items_of_a_grid_are_where_lines_areas_and_spans_put_them(tmp_path: Path) -> None:
    style = (
        "display: grid; grid-template: 'head head' 'side main' 'side foot' / 150pt 1fr; gap: 10pt 50pt; width: 600pt"
    )
    items = "".join(f"<p style='margin: 0; grid-area: {each}'>{each}</p>" for each in ("foot", "main", "side", "head"))
    result = Result(f'{GRID}<div style="{style}">{items}</div>', tmp_path)
    places = {word: result.at(word) for word in ("head", "side", "main", "foot")}
    assert places["head"][1] < places["side"][1]
    assert abs(places["side"][1] - places["main"][1]) < 3
    assert places["main"][1] < places["foot"][1]
    assert abs(places["main"][0] - 200) < 3
    assert abs(places["foot"][0] - 200) < 3


def test_holes_spans_and_auto_columns_of_a_grid_are_kept(tmp_path: Path) -> None:
    style = "display: grid; grid-template-columns: auto 1fr 1fr; column-gap: 10pt"
    items = (
        "<p>label</p><p style='grid-column: 2 / -1'>wide</p><p style='grid-column: 3'>third</p>"
        "<p>longer</p><p style='justify-self: end'>end</p><p>last</p>"
    )
    result = Result(f"{GRID}<div style='{style}'>{items}</div>", tmp_path)
    assert set(result.text.split()) == {"label", "wide", "third", "longer", "end", "last"}
    assert result.at("third")[0] > result.at("wide")[0] + 200
    assert abs(result.at("label")[0] - result.at("longer")[0]) < 3
    assert result.at("end")[0] > result.at("wide")[0] + 150
    ordered = Result(f"{GRID}<div style='{style}'><p>one<p>two<p style='order: -1'>three</div>", tmp_path)
    assert ordered.at("three")[0] < ordered.at("one")[0] < ordered.at("two")[0]


def test_a_grid_that_is_longer_than_a_page_loses_no_word(tmp_path: Path) -> None:
    cells = "".join(f"<div>cell{n} {'text ' * 40}</div>" for n in range(120))
    style = "display: grid; grid-template-columns: repeat(3, 1fr); gap: 1em"
    result = Result(f"<div style='{style}'>{cells}</div>", tmp_path)
    assert len(result.pages) > 2
    assert [each for each in result.text.split() if each.startswith("cell")] == [f"cell{n}" for n in range(120)]


def test_headings_are_the_outline_and_links_lead_to_their_places(tmp_path: Path) -> None:
    page = (
        "<h1>First</h1><p><a href='#größe'>to</a> <a href='#nowhere'>dead</a><h2>Under <i>it</i></h2>"
        "<h1 id='größe' style='break-before: page'>Größe</h1><h3 hidden>unseen</h3>"
    )
    reader = Result(page, tmp_path).reader
    outline: list[Any] = reader.outline
    assert [outline[0].title, outline[1][0].title, outline[2].title] == ["First", "Under it", "Größe"]
    assert [reader.get_destination_page_number(each) for each in (outline[0], outline[2])] == [0, 1]
    (link,) = [each.get_object() for each in reader.pages[0].annotations or ()]
    assert reader.get_destination_page_number(reader.named_destinations[link["/Dest"]]) == 1


def test_title_author_keywords_and_language_are_kept_and_dates_fixed(tmp_path: Path) -> None:
    page = "<html lang=pt-BR><title>Título</title><meta name=author content='Ana'><meta name=keywords content='a, b'>x"
    result = Result(page, tmp_path)
    assert result.reader.metadata is not None
    assert (result.reader.metadata.title, result.reader.metadata.author) == ("Título", "Ana")
    assert str(result.reader.metadata["/Keywords"]) == "a, b"
    assert str(result.reader.metadata["/CreationDate"]) == "D:20000101000000+00'00'"
    assert str(result.reader.root_object["/Lang"]) == "pt-BR"
    first = result.path.read_bytes()
    assert Result(page, tmp_path).path.read_bytes() == first


WIDE = "<style>body { margin: 0 }</style><div style='width: 1500px; height: 20px; background: #f00'>wide</div>"


def test_a_page_wider_than_its_paper_is_fitted_and_reported(tmp_path: Path) -> None:
    fitted = Result(WIDE, tmp_path)
    assert "45%" in fitted.messages("WIDTH_FITTED")
    assert fitted.pixel(550, 45) == (255, 0, 0)
    assert fitted.pixel(570, 45) == (255, 255, 255)
    cut = Result(WIDE, tmp_path, fit_to_width=False)
    assert cut.messages("WIDTH_FITTED") == ""
    assert "wide as the paper" in cut.messages("CONTENT_CLIPPED")


def test_scale_makes_all_of_the_page_smaller_or_larger(tmp_path: Path) -> None:
    page = "<style>@page { margin: 0 } body { margin: 0 }</style><div style='margin: 100px'>word</div>"
    assert abs(Result(page, tmp_path).at("word")[0] - 75) < 2
    assert abs(Result(page, tmp_path, scale=0.5).at("word")[0] - 37.5) < 2
    large = Result(page, tmp_path, scale=2.0)
    assert abs(large.at("word")[0] - 150) < 2
    assert not large.warn.warnings
    assert "45%" in Result(WIDE, tmp_path, scale=0.9).messages("WIDTH_FITTED")


def test_without_backgrounds_light_text_can_be_read(tmp_path: Path) -> None:
    page = "<style>@page { margin: 0 } body { margin: 0 }</style>" + (
        "<h1 style='margin: 0; background: #135 !important; color: #fff; font-size: 100pt; line-height: 1'>███</h1>"
    )
    assert Result(page, tmp_path).pixel(500, 50) == (17, 51, 85)
    plain = Result(page, tmp_path, background=False)
    assert plain.pixel(500, 50) == (255, 255, 255)
    assert plain.pixel(60, 60) == (0, 0, 0)


def test_rules_for_the_screen_count_where_they_are_asked_for(tmp_path: Path) -> None:
    page = "<style>@media print { .s { display: none } } @media screen { .p { display: none } }</style>"
    page += "<p class=s>screen<p class=p>print"
    assert Result(page, tmp_path).text.split() == ["print"]
    assert Result(page, tmp_path, media_type="screen").text.split() == ["screen"]


def test_orientation_turns_the_paper_of_the_document_and_texts_find_room(tmp_path: Path) -> None:
    page = "<style>@page { size: A5; margin: 1cm; @top-left { content: 'own' } }</style><p>x"
    turned = Result(page, tmp_path, orientation="landscape", header_text='Say "\\{page}/{pages}"\nsecond line')
    box = turned.reader.pages[0].mediabox
    assert (round(box.width), round(box.height)) == (595, 420)
    assert 'Say "\\1/1"' in turned.text
    assert "second line" in turned.text
    assert turned.at("second")[1] < turned.at("x")[1]


@pytest.mark.parametrize(
    "family", ["Arial", "Times New Roman", "Courier New", "Calibri", "Cambria", "system-ui", "Nonesuch"]
)
def test_only_the_bundled_fonts_are_used(family: str, tmp_path: Path) -> None:
    result = Result(f"<p style='font-family: \"{family}\"'>Text 東京 हिन्दी 😀", tmp_path)
    names = {
        str(font.get_object()["/BaseFont"]).partition("+")[2]
        for page in result.reader.pages
        for font in page["/Resources"]["/Font"].values()  # type: ignore[index]
    }
    known = ("Liberation", "Carlito", "Caladea", "DejaVu", "DroidSansFallback", "NotoSans", "NotoEmoji")
    assert names
    assert all(each.startswith(known) for each in names)
    assert [each.code for each in result.warn.warnings] == ["FONT_SUBSTITUTED"] * (family == "Nonesuch")


def test_characters_that_no_font_has_are_named_once(tmp_path: Path) -> None:
    result = Result("<p>a\U00013080 b\U00013080 \U00012000<style>p::after { content: '\\13081' }</style>", tmp_path)
    (messages,) = result.messages("GLYPH_MISSING").splitlines()
    assert all(each in messages for each in ("U+12000", "U+13080", "U+13081"))
    assert Result("<p>Ünï Ελ Рус אב عرب हि ไทย 東 한 ☑ 😀", tmp_path).messages("GLYPH_MISSING") == ""


def test_pictures_are_drawn_and_those_that_are_none_are_described(tmp_path: Path) -> None:
    eps = "data:image/png;base64,JSFQUy1BZG9iZS0zLjAgRVBTRi0zLjAK"
    result = Result(f"<img src='{png(40, 30)}'><img src='{eps}' alt='the logo'><img src='{png(9000, 9000)}'>", tmp_path)
    assert len(result.reader.pages[0].images) == 1
    assert "the logo" in result.text
    assert "too many pixels" in result.messages("CONTENT_DROPPED")


def test_warming_up_leaves_no_thread_behind(tmp_path: Path) -> None:
    engine.warm()
    Result("<p>x", tmp_path)
    before = len(os.listdir("/proc/self/task"))
    Result("<h1>y</h1>", tmp_path)
    assert len(os.listdir("/proc/self/task")) == before


def test_a_header_is_text_and_nothing_else(tmp_path: Path) -> None:
    header = 'a\x01\x0b <b>&amp; </style> "\\A\ud800'
    made = Result("<p>body", tmp_path, header_text=header)
    assert 'a <b>&amp; </style> "\\A' in made.text


BARE = "<!DOCTYPE html><style>@page { margin: 0; size: 600pt 400pt } body { margin: 0 }</style>"
NARROW = "<table width=400 cellpadding=0 cellspacing=0><tr><td>Word and more</td></tr></table>"


@pytest.mark.parametrize(
    ("markup", "left"),
    [
        (NARROW.replace("width", "align=center width"), 150),
        (NARROW.replace("width", "align=right width"), 300),
        (f"<center>{NARROW}</center>", 150),
        (f"<div align=right>{NARROW}</div>", 300),
        (f"<div align=center><div>{NARROW}</div></div>", 150),
        (f"<table width=100%><tr><td align=center>{NARROW}</table>", 150),
        (f"<table width=100%><tr><td align=center style='text-align: left'>{NARROW}</table>", 0),
        (f"<style>table {{ margin-left: 50pt }}</style>{NARROW.replace('width', 'align=center width')}", 50),
        (f"<style>table {{ margin: 0 }}</style><center>{NARROW}</center>", 150),
        (f"<div style='text-align: center'>{NARROW.replace('Word and', '<p align=left>Word and')}</div>", 0),
    ],
)
def test_align_moves_boxes_and_not_the_texts_of_tables(markup: str, left: int, tmp_path: Path) -> None:
    assert abs(Result(BARE + markup, tmp_path).at("Word")[0] - left) < 6


@pytest.mark.parametrize(
    ("before", "style", "left"),
    [
        ("<table width=100% cellpadding=0 cellspacing=0><tr><td align=center>", "", 250),
        ("<center><a>", "", 250),
        ("<div align=right>", "margin: 0", 500),
        ("<div align=center>", "margin-left: 50pt", 50),
        ("<div align=center><div style='text-align: left'>", "", 0),
    ],
)
def test_align_moves_pictures_that_are_blocks(before: str, style: str, left: int, tmp_path: Path) -> None:
    picture = f"<img src={png(4, 4)} style='display: block; width: 100pt; height: 20pt; {style}'>"
    result = Result(f"{BARE}{before}{picture}", tmp_path)
    white = (255, 255, 255)
    assert [result.pixel(at, 10) == white for at in (left + 4, left + 96)] == [False, False]
    assert [result.pixel(at % 600, 10) == white for at in (left - 4, left + 104)] == [True, True]


def test_text_flows_beside_a_table_that_is_aligned_left(tmp_path: Path) -> None:
    result = Result(f"{BARE}{NARROW.replace('width', 'align=left width')}beside", tmp_path)
    assert result.at("beside")[0] > 299
    assert abs(result.at("beside")[1] - result.at("Word")[1]) < 6


@pytest.mark.parametrize("none", ["0", "0px", "00", " 0.0 "])
def test_tables_fill_a_cell_without_padding(none: str, tmp_path: Path) -> None:
    column = "<table align=left width=200 cellspacing=0 cellpadding=0><tr><td>{}</table>"
    columns = "".join(map(column.format, ("one", "other", "own")))
    outer = f"<table width=600 cellspacing=0 cellpadding='{none}'><tr><td>{columns}</table>"
    result = Result(BARE + outer, tmp_path)
    assert result.at("one")[0] < 0.7
    assert abs(result.at("own")[1] - result.at("one")[1]) < 1


@pytest.mark.parametrize(
    ("rule", "left"),
    [
        ("td { padding: 20pt }", 20),
        ("td { padding-left: 20pt; padding-inline-end: 9pt }", 20),
        (".none { padding-inline: 20pt }", 20),
        ("* { padding: 20pt } html, body, table, tr, tbody { padding: 0 }", 20),
        ("td { padding-top: 20pt }", 0),
        ("td { padding-top: 20pt } a * { color: red }", 0),
        ("td { padding-left: 20pt } a * { color: red }", 20),
        ("@media screen { td { padding: 20pt } }", 0),
    ],
)
def test_a_rule_sets_the_padding_of_cells_that_have_none(rule: str, left: int, tmp_path: Path) -> None:
    table = "<table cellspacing=0 cellpadding=0><tr><td class=none>Word</table>"
    assert abs(Result(f"{BARE}<style>{rule}</style>{table}", tmp_path).at("Word")[0] - left) < 0.7


def test_a_table_in_a_cell_without_padding_has_its_own(tmp_path: Path) -> None:
    inner = "<table cellspacing=0 cellpadding=40><tr><td>Word</table>"
    table = f"<table cellspacing=0 cellpadding=0><tr><td>{inner}<tr><td>Next</table>"
    result = Result(BARE + table, tmp_path)
    assert abs(result.at("Word")[0] - 30) < 1
    assert result.at("Next")[0] < 0.7


def test_a_flexible_box_that_does_not_shrink_keeps_its_words_on_one_line(tmp_path: Path) -> None:
    text = "Text that has a lot to say and takes all the room there is. " * 3
    date = "<div style='flex-shrink: 0'>March 2013 - Present</div>"
    result = Result(f"{BARE}<div style='display: flex'><div>{text}</div>{date}</div>", tmp_path)
    assert abs(result.at("March")[1] - result.at("Present")[1]) < 1
    assert "flex-shrink" not in result.messages("NOT_UNDERSTOOD")


def test_an_element_that_runs_in_the_margins_is_drawn_and_not_named(tmp_path: Path) -> None:
    rules = "@page { @bottom-center { content: element(foot) } } #f { position: running(foot) }"
    result = Result(f"<style>{rules}</style><p id=f>Foot<p>one<p style='break-before: page'>two", tmp_path)
    assert [each.extract_text().count("Foot") for each in result.reader.pages] == [1, 1]
    assert not result.messages("NOT_UNDERSTOOD")


def test_a_grid_that_a_rule_for_a_tag_with_a_class_makes_is_laid_out(tmp_path: Path) -> None:
    style = "<style>dl.meta { display: grid; grid-template-columns: max-content 1fr } dd { margin: 0 }</style>"
    result = Result(f"{BARE}{style}<dl class=meta><dt>Term<dd>first<dt>Longer<dd>second</dl>", tmp_path)
    assert abs(result.at("Term")[1] - result.at("first")[1]) < 3
    assert abs(result.at("first")[0] - result.at("second")[0]) < 3
    unsupported = Result("<style>p.x { filter: blur(2px) }</style><p class=x>y", tmp_path)
    assert "filter" in unsupported.messages("NOT_UNDERSTOOD")


def test_gaps_of_a_grid_are_computed_from_variables(tmp_path: Path) -> None:
    style = "--s: 5pt; display: grid; grid-template-columns: 1fr 1fr; gap: calc(var(--s) * 4) calc(var(--s)*20)"
    items = "".join(f"<div>{each}</div>" for each in ("one", "two", "three"))
    result = Result(f"{BARE}<div style='{style}'>{items}</div>", tmp_path)
    assert abs(result.at("two")[0] - 350) < 3
    assert 30 < result.at("three")[1] - result.at("one")[1] < 40


def test_tiles_with_padding_beside_a_tall_one_stay_in_their_row(tmp_path: Path) -> None:
    style = (
        "display: grid; grid-template-columns: 45mm repeat(3, 1fr); gap: 4mm;"
        "grid-template-areas: 'nav a b c' 'nav chart chart list' 'nav foot foot foot'"
    )
    words = ("nav", "a", "b", "c", "chart", "list", "foot")
    tiles = "".join(f"<p style='padding: 4mm; border: 1px solid; grid-area: {each}'>tile{each}</p>" for each in words)
    result = Result(f'{BARE}<div style="{style}">{tiles}</div>', tmp_path)
    assert abs(result.at("tilea")[1] - result.at("tilec")[1]) < 3
    assert abs(result.at("tilec")[0] - result.at("tilelist")[0]) < 3


def test_the_least_height_of_an_item_of_a_grid_is_that_of_its_content(tmp_path: Path) -> None:
    style = "<style>div > div { min-height: 50pt; padding: 20pt; border: 5pt solid }</style>"
    grid = (
        "<div style='display: grid; grid-template-columns: 1fr 1fr'><div>one</div><div>two</div><div>three</div></div>"
    )
    result = Result(BARE + style + grid, tmp_path)
    assert abs(result.at("three")[1] - result.at("one")[1] - 100) < 2


def test_a_radius_without_end_makes_a_circle(tmp_path: Path) -> None:
    box = "<div style='width: 100pt; height: 100pt; background: red; border-radius: calc(infinity * 1px)'></div>"
    result = Result(BARE + box, tmp_path)
    assert result.pixel(3, 3) == (255, 255, 255)
    assert result.pixel(50, 50) == (255, 0, 0)


@pytest.mark.ci
def test_a_hundred_thousand_paragraphs_are_drawn_and_too_many_that_depend_on_each_other_refused(tmp_path: Path) -> None:
    paragraphs = "".join(f"<p>w{n}" for n in range(100_000))
    style = "<style>@page { size: 500pt 3000pt; margin: 0 } body { margin: 0 } p { margin: 0 0 2pt }"
    engine.render(f"{style}</style>{paragraphs}", tmp_path / "long.pdf", PrintOptions(), Warn())
    with pypdfium2.PdfDocument(tmp_path / "long.pdf") as document:
        last = document[len(document) - 1].get_textpage().get_text_range().split()[-1]
    assert last == "w99999"
    with pytest.raises(OverLimit) as refused:
        Result(f"{style} p:nth-child(even) {{ color: red }}</style>{paragraphs}", tmp_path)
    assert refused.value.reason == "limit"


def test_paragraphs_that_are_drawn_in_batches_are_where_they_were(tmp_path: Path) -> None:
    page = BARE + "".join(f"<p>w{n}" for n in range(2_500)) + "<h2 style='break-before: page'>end</h2>"
    together = Result(page, tmp_path)
    alone = Result(
        "<!DOCTYPE html><style>p:only-child { margin: 1em 0 } p:first-child { margin: 1em 0 }</style>" + page[15:],
        tmp_path,
    )
    assert together.pages == alone.pages
    assert together.at("w2499") == alone.at("w2499")


@pytest.mark.parametrize(
    "parts",
    [
        "<p>one</p><h2>two</h2>",
        "<p style='page-break-after: always'>one</p><h2>two</h2>",
        "<div style='break-after: page'><p>one</p></div><p hidden>x</p><section><h2>two</h2></section>",
        "<p>one</p><p style='display: none'>x</p><h2 style='page-break-before: always'>two</h2>",
    ],
)
def test_a_forced_break_makes_one_new_page_and_keeps_the_margin(parts: str, tmp_path: Path) -> None:
    style = "<style>h2 { break-before: page; margin: 60pt 0 0; font-size: 12pt }</style>"
    result = Result(BARE + style + parts, tmp_path)
    assert [each.split() for each in result.pages] == [["one"], ["two"]]
    assert 58 < result.at("two")[1] < 70


def test_boxes_that_are_not_to_be_parted_stay_in_the_columns(tmp_path: Path) -> None:
    style = "<style>div { column-count: 2; column-gap: 8mm } section { break-inside: avoid; padding: 3mm }</style>"
    text = f"<p>first {'word ' * 30}</p>" + f"<section>box {'word ' * 6}</section>" * 3
    result = Result(f"{BARE}{style}<div>{text}</div>", tmp_path)
    assert result.messages("WIDTH_FITTED") == ""
    assert result.at("box")[0] < 600


@pytest.mark.parametrize(
    ("style", "messages"),
    [
        ("font-family: Nonesuch, Arial", ["Nonesuch", "Liberation Sans"]),
        ("font: bold 12px/1.5 'None Such', monospace", ["None Such", "Liberation Mono"]),
        ("font-family: Arial, Nonesuch", []),
        ("font: 12pt -apple-system, Nonesuch", []),
    ],
)
def test_a_font_that_is_not_there_is_named_with_the_one_that_is_taken(
    style: str, messages: list[str], tmp_path: Path
) -> None:
    message = Result(f'<p style="{style}">x<p style="{style}">y', tmp_path).messages("FONT_SUBSTITUTED")
    assert len(message.splitlines()) == bool(messages)
    assert all(each in message for each in messages)


def test_a_ring_and_stripes_are_drawn(tmp_path: Path) -> None:
    boxes = (
        "<div style='margin: 20px; width: 100px; height: 40px; box-shadow: 0 0 0 8px #f00'></div>"
        "<div style='height: 40px; background: repeating-linear-gradient(90deg, #000 0 20px, #fff 20px, #fff 60px)'>"
    )
    result = Result(BARE + boxes, tmp_path)
    assert result.pixel(12, 30) == (255, 0, 0)
    assert result.pixel(20, 30) == (255, 255, 255)
    assert [result.pixel(x, 70)[0] for x in (8, 30, 52, 75)] == [0, 255, 0, 255]
    assert result.messages("CSS_UNSUPPORTED") == ""


def test_a_grid_of_too_many_items_is_reported_as_one_column(tmp_path: Path) -> None:
    items = "".join(f"<p>{n}" for n in range(2_100))
    result = Result(f"<div style='display: grid; grid-template-columns: 1fr 1fr'>{items}</div>", tmp_path)
    assert "2,000 items" in result.messages("CSS_UNSUPPORTED")


def test_a_heading_of_a_section_is_as_large_as_one_outside_unless_a_rule_says(tmp_path: Path) -> None:
    page = "<nav><h1>Inside</h1></nav><h1>Outside</h1><section><h1>Small</h1></section>"
    result = Result(f"{BARE}<style>section h1 {{ font-size: 16px; margin: 0 }}</style>{page}", tmp_path)
    with pypdfium2.PdfDocument(result.path) as document:
        text = document[0].get_textpage()
        heights = [
            text.get_charbox(text.search(each).get_next()[0])[3] - text.get_charbox(text.search(each).get_next()[0])[1]
            for each in ("Inside", "Outside", "Small")
        ]
    assert abs(heights[0] - 24 * 0.69) < 1
    assert heights[2] < 10


def test_hundreds_of_grids_are_all_laid_out(tmp_path: Path) -> None:
    style = "<style>.g { display: grid; grid-template-columns: 1fr 1fr }</style>"
    made = Result(style + "".join(f"<div class=g><b>k{at}</b><i>v{at}</i></div>" for at in range(500)), tmp_path)
    assert made.at("v499")[1] == pytest.approx(made.at("k499")[1], abs=6)
    assert made.warn.warnings == ()


def test_pages_that_are_to_be_unlike_the_first_are_named(tmp_path: Path) -> None:
    style = "@page { size: A5 } @page wide:left { margin: 1cm } @page :left { margin-left: 5cm }"
    style += "@page :right { color: red } @page :first { margin: 3cm }"
    messages = (
        Result(f"<style>{style}</style>y<p style='page: wide'>x", tmp_path).messages("CSS_UNSUPPORTED").splitlines()
    )
    assert [each.split(": ")[0] for each in messages] == ["@page wide:left", "@page :left", "@page :first"]


def test_a_rule_that_stops_the_lowering_does_not_stop_it_for_the_others(tmp_path: Path) -> None:
    style = "@media (--nowhere) { p { color: red } } .a { & .b::after { content: 'nested' } }"
    assert Result(f"<style>{style}</style><p class=a><b class=b>x </b>", tmp_path).text.split() == ["x", "nested"]


def test_fields_of_a_form_look_as_the_rules_of_the_page_say(tmp_path: Path) -> None:
    result = Result(
        "<style>@page { margin: 20px; size: 400px 600px } body, p { margin: 0 } input.a { background: #f00 }"
        " form input[type=text] { display: block; width: 100%; height: 60px; border: 0; background: #0f0 }"
        " textarea { display: block; height: 100px; width: 200px; background: #00f; border: 0 }"
        " li[data-x=select] { color: #123456 }</style>"
        "<form><input type=Text value=Ada><textarea></textarea><p><input class=a><p>after</form>"
        "<ul><li data-x=select>item</ul>",
        tmp_path,
        media_type="screen",
    )
    to = 0.75
    assert result.pixel(370 * to, 50 * to) == (0, 255, 0)
    assert result.pixel(210 * to, 160 * to) == (0, 0, 255)
    assert result.pixel(230 * to, 160 * to) == (255, 255, 255)
    assert result.pixel(150 * to, 190 * to) == (255, 0, 0)
    assert result.text.split() == ["Ada", "after", "•", "item"]
    assert result.messages("CSS_UNSUPPORTED") == ""


def test_a_field_has_the_width_that_its_size_says_and_loses_no_letter(tmp_path: Path) -> None:
    long = "m" * 60
    result = Result(f"<input size=40 value=wide><b>A</b><br><input value={long}><b>B</b>", tmp_path)
    assert result.at("A")[0] - result.at("wide")[0] >= 40 * 7 * 0.75
    assert result.at("B")[0] < result.at("A")[0]
    assert result.text.count("m") == 60


def test_a_ring_that_is_made_of_variables_is_drawn(tmp_path: Path) -> None:
    result = Result(
        "<style>@page { margin: 20px } body { margin: 0 } *, ::before { --tw-ring-inset: ; --tw-ring-offset-width: 0px;"
        " --tw-shadow: 0 0 #0000 } .ring { --tw-ring-color: #f00; --tw-ring-shadow: var(--tw-ring-inset) 0 0 0"
        " calc(8px + var(--tw-ring-offset-width)) var(--tw-ring-color); box-shadow: var(--tw-ring-offset-shadow),"
        " var(--tw-ring-shadow), var(--tw-shadow, 0 0 #0000) }</style>"
        "<div class=ring style='margin: 20px; width: 100px; height: 40px'></div>",
        tmp_path,
    )
    assert result.pixel(36 * 0.75, 60 * 0.75) == (255, 0, 0)
    assert result.pixel(60 * 0.75, 60 * 0.75) == (255, 255, 255)
    assert result.messages("CSS_UNSUPPORTED") == ""


def test_the_name_of_a_group_of_fields_is_in_the_line_around_it(tmp_path: Path) -> None:
    style = "<style>fieldset { border: 2px solid #f00; padding: 5px 20px; margin: 40px 0 }</style>"
    result = Result(f"{style}<fieldset><legend>Name</legend>inside</fieldset>", tmp_path)
    left, top = result.at("Name")

    def line_at(x: float) -> bool:
        pixels = [result.pixel(x, top + each) for each in range(-4, 12)]
        return any(red - green > 100 for red, green, _ in pixels)

    assert [line_at(left - 8), line_at(left + 8), line_at(left + 60)] == [True, False, True]
    assert result.at("inside")[1] > top + 10


@pytest.mark.parametrize(
    "rule",
    [
        "legend { float: left; width: 100% }",
        "fieldset { border: 0 }",
        "fieldset { border-style: none }",
        "legend { position: relative }",
    ],
)
def test_the_name_of_a_group_stays_where_the_page_has_it(rule: str, tmp_path: Path) -> None:
    plain = Result(f"<style>{rule}</style><fieldset><legend>Name</legend><p>inside</fieldset>", tmp_path)
    assert plain.at("inside")[1] > plain.at("Name")[1] + 8
    assert plain.at("Name")[1] > 43  # below the upper edge of the group, which begins at the margin of 15 mm


ASKING = (
    "@media (min-width: 780px) { p { page-break-before: always } } @media (max-width: 780px) { b { display: none } }"
)


@pytest.mark.parametrize(
    ("options", "count"),
    [({}, 2), ({"page_size": "A5"}, 1), ({"page_size": "A5", "orientation": "landscape", "scale": 0.5}, 2)],
)
def test_questions_for_a_width_are_answered_for_the_whole_paper(
    options: dict[str, object], count: int, tmp_path: Path
) -> None:
    result = Result(f"<style>{ASKING}</style><div><b>wide</b></div><p>text", tmp_path, **options)
    assert len(result.pages) == count
    assert ("wide" in result.text) == (count == 2)


def test_classes_with_escaped_names_are_found(tmp_path: Path) -> None:
    style = (
        r".md\:grid { display: grid } .cols-\[1fr\,1fr\] { grid-template-columns: 1fr 1fr } .w-1\/2 > i { order: 1 }"
    )
    result = Result(
        f"<style>{style}</style><div class='md:grid cols-[1fr,1fr] w-1/2'><i>one</i><i>two</i></div>", tmp_path
    )
    assert result.at("one")[1] == pytest.approx(result.at("two")[1], abs=4)
    assert result.at("two")[0] > result.at("one")[0] + 200


def test_rules_for_nothing_on_the_page_are_left_out(tmp_path: Path) -> None:
    style = ".other { no-such: 1 } p:not(.other, .a) { color: #00f } .a, .b { no-such: 2 } .other, p { so: 3 }"
    result = Result(f"<style>{style}</style><p>text", tmp_path)
    assert [each.message for each in result.warn.warnings] == ["Styles have no effect here: 1 (so: 3)."]


def test_children_counted_among_those_of_a_selector_are_named(tmp_path: Path) -> None:
    style = "p:nth-child(2 of .a) { color: #00f } p:nth-child(2n + 1) { color: #080 } .of:nth-child(2) { color: red }"
    result = Result(f"<style>{style}</style><p class=a>one<p class=of>two<p class=a>three", tmp_path)
    assert [each.message for each in result.warn.warnings] == [
        "Styles have no effect here: 1 (:nth-child() of a selector)."
    ]


def test_what_programs_of_mail_read_alone_is_not_named(tmp_path: Path) -> None:
    style = ":root { supported-color-schemes: light dark } p { -premailer-width: 9px; mso-hide: all }"
    assert not Result(f"<style>{style}</style><p>text", tmp_path).warn.warnings


def test_the_only_page_of_a_document_is_that_of_all_whatever_its_name(tmp_path: Path) -> None:
    style = "@page WordSection1 { size: 612pt 792pt; margin: 100pt } div { page: WordSection1 }"
    result = Result(f"<style>{style}</style><div>word</div>", tmp_path)
    assert tuple(map(round, result.reader.pages[0].mediabox[2:])) == (612, 792)
    assert result.at("word")[0] == pytest.approx(106, abs=1)
    assert not result.warn.warnings


def test_gradients_of_variables_are_drawn_or_are_their_first_colour(tmp_path: Path) -> None:
    style = (
        "@page { margin: 0 } body { margin: 0 } div { height: 100pt } :root { --a: var(--b); --b: #00ff00 }"
        ".root { background: linear-gradient(var(--a), var(--a)) }"
        ".own { --own: #0000ff; background-image: linear-gradient(to right, var(--own), red) }"
        ".none { background-image: linear-gradient(to right, var(--none), red) }"
    )
    boxes = "<div class=root></div><div class=own></div>"
    result = Result(f"<style>{style}</style>{boxes}", tmp_path)
    assert result.pixel(100, 50) == (0, 255, 0)
    assert result.pixel(10, 150)[2] > 240
    assert result.pixel(590, 150)[0] > 240
    assert result.warn.warnings == ()
    result = Result(f"<style>{style}</style>{boxes}<div class=none></div>", tmp_path)
    assert "first colour" in result.messages("CSS_UNSUPPORTED")


@pytest.mark.parametrize(
    "style",
    ["font-size: 1000000px", "font: bold 1e6pt serif", "font-size: 900em!important"],
)
def test_text_larger_than_any_paper_is_made_smaller_and_reported(style: str, tmp_path: Path) -> None:
    result = Result(f"<p>before<p style='{style}'>Huge text<p>after", tmp_path)
    assert result.text.split() == ["before", "Huge", "text", "after"]
    assert {each.code for each in result.warn.warnings} == {"SIZE_REDUCED", "WIDTH_FITTED"}


def test_text_that_grows_with_every_box_stays_on_the_page(tmp_path: Path) -> None:
    result = Result("<p>before<p>" + "<b style='font-size: 1000%'>a" * 12 + "</b>" * 12 + "<p>after", tmp_path)
    assert result.text.replace("\n", " ").count("a") == 12 + 1
    assert result.messages("WIDTH_FITTED")


def test_text_for_a_picture_that_is_not_there_looks_as_it_is_said_to(tmp_path: Path) -> None:
    picture = "<img src='http://192.0.2.1/a.png' alt=Logo style='color: #f00; font-size: 40pt; width: 10px'>"
    result = Result(f"<p>{picture}", tmp_path)
    with pypdfium2.PdfDocument(result.path) as document:
        left, bottom, right, top = document[0].get_textpage().get_charbox(0)
    assert top - bottom > 20
    assert right - left > 10


def test_a_break_before_missing_content_is_none(tmp_path: Path) -> None:
    page = "<p>one</p><hr style='page-break-before: always; display: none'><p>two"
    assert len(Result(page, tmp_path).pages) == 1


@pytest.mark.parametrize("tag", ["p", "b"])
def test_marks_that_are_drawn_as_one_can_be_copied(tmp_path: Path, tag: str) -> None:
    words = "مُحَمَّد رُبَّما تقدُّم كلٌّ مدرِّس العامِّ بِسْمِ"
    made = Result(f"<{tag} dir=rtl>{words}</{tag}>", tmp_path)
    copied = Counter(pypdfium2.PdfDocument(made.path)[0].get_textpage().get_text_bounded())
    marks = {each: count for each, count in Counter(words).items() if "\u064b" <= each <= "\u0652"}
    assert {each: copied[each] for each in marks} == marks
    assert copied["\ufffd"] == 0


@pytest.mark.parametrize(
    ("list", "read"),
    [
        ("<ol><li></li><li>two</li><li> </li></ol>", "1. 2. two 3."),
        ("<ul style='list-style:none'><li></li><li>two</li></ul>", "two"),
        ("<ul><li style='display:block'></li><li>two</li></ul>", "• two"),
    ],
)
def test_empty_items_have_their_line_and_marker(tmp_path: Path, list: str, read: str) -> None:
    found = Result(list + "<p>After", tmp_path)
    assert " ".join(found.text.replace("\u00a0", " ").split()) == f"{read} After"
    assert not found.warn.warnings


def test_a_text_longer_than_its_area_is_not_over_what_follows(tmp_path: Path) -> None:
    lines = "\n".join(f"line{at}" for at in range(12))
    style = "<style>.code { display: block; height: 40px; max-height: 40px }</style>"
    result = Result(f"{style}<textarea class=code>{lines}</textarea><p>after", tmp_path)
    assert result.at("line0")[1] < result.at("line11")[1] < result.at("after")[1]


def test_a_style_sheet_in_a_data_uri_is_read_in_its_own_character_set(tmp_path: Path) -> None:
    def uri(text: str, encoding: str, named: str) -> str:
        return f"data:text/css{named};base64,{base64.b64encode(text.encode(encoding)).decode()}"

    wide = uri("b{color:red}", "utf-16-le", ";charset=utf-16le")
    latin = uri("i::after{content:'é'}", "latin-1", ";charset=iso-8859-1")
    said = uri('@charset "iso-8859-1";u::after{content:"è"}', "latin-1", "")
    page = f'<link rel=stylesheet href="{latin}"><link rel=stylesheet href="{said}"><style>@import "{wide}";</style>'
    result = Result(f"{page}<p><b>██████</b></p><p><i>one</i> <u>two</u></p>", tmp_path)
    left, top = result.at("██████")
    assert result.pixel(left + 10, top + 6) == (255, 0, 0)
    assert "oneé" in result.text
    assert "twoè" in result.text


@pytest.mark.parametrize("end", ["</body></html>", "</BODY >\n</html>\n", "</html>", "</body>"])
def test_what_follows_the_end_of_a_page_is_on_it(end: str, tmp_path: Path) -> None:
    result = Result(f"<html><body><p>before</p>{end}<p>after</p>\n<p>last</p>{end}", tmp_path)
    assert result.text.split() == ["before", "after", "last"]


def test_subgrids_share_the_columns_that_they_span(tmp_path: Path) -> None:
    outer = "display:grid;grid-template-columns:100px 1fr 80px;column-gap:20px"
    inner = "display:grid;grid-column:2/span 2;grid-template-columns:subgrid"
    result = Result(
        f"<div style='{outer}'><p>one<p>two<p>three<p>four<div style='{inner}'><p>five<p>six</div></div>", tmp_path
    )
    assert result.at("five")[0] == pytest.approx(result.at("two")[0], abs=0.6)
    assert result.at("six")[0] == pytest.approx(result.at("three")[0], abs=0.6)
    assert not result.warn.warnings


def test_subgrids_of_rows_are_named(tmp_path: Path) -> None:
    page = "<div style='display:grid'><div style='display:grid;grid-template-rows:subgrid'><p>one<p>two</div></div>"
    assert "grid-template-rows: subgrid" in Result(page, tmp_path).messages("CSS_UNSUPPORTED")
