"""Drawn pages are read back: words and pictures that nobody can see on them are named, and nothing else is."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from engine.families.html_pdf import render
from engine.families.html_pdf.options import PLUTOPRINT, XHTML2PDF, PageOptions
from engine.families.html_pdf.parts import Part
from engine.families.html_pdf.visibility import drawn as pages_drawn
from engine.families.html_pdf.visibility.against_html import check
from engine.toolkit.warnings import Warn

ENGINES = [each.distribution for each in (PLUTOPRINT, XHTML2PDF) if each.available]
needs_plutoprint = pytest.mark.skipif(not PLUTOPRINT.available, reason="PlutoPrint is not made for this platform")


def _picture(colour: str = "#36c", size: tuple[int, int] = (40, 30)) -> str:
    stream = io.BytesIO()
    Image.new("RGB", size, colour).save(stream, "PNG")
    return f"data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()}"


def _codes(html: str, target: Path, engine: str = "plutoprint", **options: object) -> dict[str, str]:
    """The warnings of a page by their code."""
    warn = Warn()
    before, render.engine = render.engine, engine
    try:
        render.render(html, target, PageOptions(**options), warn)  # type: ignore[arg-type]
    finally:
        render.engine = before
    return {each.code: str(each.message) for each in warn.warnings}


PHOTO = f"<img src='{_picture()}' width=200 height=60>"
BOX = "<div style='position:absolute;top:0;left:0;width:100%;height:100%;background:{}'></div></div>"
"""What lies on all of the box that it is in, and the end of that."""
UNDER = "<div style='position:relative'>"
UNSEEN = {
    "left of the paper": (
        "<style>@page{margin:20mm}</style><p style='position:absolute;left:-60mm;width:30mm'>Lost words</p>",
        "Lost words",
    ),
    "in the margin, where nothing is drawn": (
        "<div style='position:relative;left:-300px;width:200px'>Letterhead here</div>",
        "Letterhead here",
    ),
    "half outside a box": (
        "<div style='width:90px;overflow:hidden;white-space:nowrap'>A long cut sentence that goes on</div>",
        "sentence that goes on",
    ),
    "in a line of which the upper part is cut off": (
        "<div style='height:20px;overflow:hidden'><p style='margin-top:-30px;font:40px/40px Arial'>over vase</p></div>",
        "over vase",
    ),
    "below a box that is drawn later": (f"{UNDER}under the box{BOX.format('#fd0')}", "under the box"),
    "below a drawing": (
        f"{UNDER}<p>under the arrow</p><svg style='position:absolute;left:0;top:-20px' width='300' height='90'>"
        "<path d='M0 0 L250 0 L300 45 L250 90 L0 90Z' fill='#fc9'/></svg></div>",
        "under the arrow",
    ),
    "below a picture": (
        f"{UNDER}<p style='margin:9px'>under a photo</p><div style='position:absolute;top:0'>{PHOTO}</div></div>",
        "under a photo",
    ),
    "white on white": ("<p style='color:#fff'>written in white</p>", "written in white"),
    "nearly white on white": ("<p style='color:#fdfdfe'>barely there</p>", "barely there"),
    "in the colour of its box": ("<p style='color:#246;background:#246'>blue on blue</p>", "blue on blue"),
    "transparent": ("<p style='color:transparent'>clear letters</p>", "clear letters"),
    "transparent over a gradient": (
        "<h1 style='background:linear-gradient(90deg,#06b6d4,#a78bfa);color:transparent'>Gradient heading</h1>",
        "Gradient heading",
    ),
    "turned, under a box": (
        f"{UNDER}<p style='transform:rotate(9deg);width:120px;margin:20px'>turned aside</p>{BOX.format('#fff')}",
        "turned aside",
    ),
    "half transparent, under a box": (f"{UNDER}<p style='opacity:.5'>faded</p>{BOX.format('#eee')}", "faded"),
    "right to left, under a box": (f"<div dir=rtl>{UNDER}שלום{BOX.format('#fd0')}</div>", "שלום"),
    "in a field, in white": ("<input value='typed value' style='color:#fff'>", "typed value"),
    "Japanese, in white": ("<p style='color:#fff'>東京の天気</p>", "東京の天気"),
}


@needs_plutoprint
@pytest.mark.parametrize("way", UNSEEN)
def test_words_that_nobody_can_see_are_named(way: str, tmp_path: Path) -> None:
    html, words = UNSEEN[way]
    found = _codes(f"<p>Seen before.</p>{html}<p style='margin-top:150px'>Seen after.</p>", tmp_path / "output.pdf")
    assert words in found["TEXT_NOT_SHOWN"]
    assert "Seen" not in found["TEXT_NOT_SHOWN"]


def test_words_in_the_colour_behind_them_are_named_by_both_engines(tmp_path: Path) -> None:
    for engine in ENGINES:
        found = _codes("<p>Seen.</p><p style='color:#fff'>written in white</p>", tmp_path / "output.pdf", engine)
        assert "3 (“written in white” on page 1)" in found["TEXT_NOT_SHOWN"], engine


@needs_plutoprint
def test_the_page_of_what_cannot_be_seen_is_reported(tmp_path: Path) -> None:
    html = "<p>one</p><p style='break-before:page'>two</p><p style='color:#fff'>white words</p>"
    assert "“white words” on page 2" in _codes(html, tmp_path / "output.pdf")["TEXT_NOT_SHOWN"]


@needs_plutoprint
def test_of_chosen_pages_only_what_is_on_them_is_looked_at(tmp_path: Path) -> None:
    html = "<p>one</p><p style='break-before:page'>two</p><p style='break-before:page;color:#fff'>white words</p>"
    assert "TEXT_NOT_SHOWN" not in _codes(html, tmp_path / "output.pdf", page_ranges="1-2")
    assert "white words" in _codes(html, tmp_path / "output.pdf", page_ranges="2-")["TEXT_NOT_SHOWN"]


@needs_plutoprint
def test_a_head_of_bound_parts_that_cannot_be_seen_is_named(tmp_path: Path) -> None:
    warn = Warn()
    head = "<div style='position:absolute;top:20pt;left:20pt;color:{}'>Head of the firm</div>"
    for colour, named in (("#000", False), ("#fff", True)):
        part = Part("<p>Text of the part</p>", lambda *_, colour=colour: head.format(colour))
        render.bound([part], tmp_path / "output.pdf", PageOptions(), warn, title=None)
        assert [each.code for each in warn.warnings] == ["TEXT_NOT_SHOWN"] * named


HIDDEN = {
    "display: none": "<p style='display:none'>{}</p>",
    "in print": "<style>@media print{{.screen{{display:none}}}}</style><nav class=screen><ul><li>{}</ul></nav>",
    "important": "<style>.a{{display:none!important}}#b{{display:block}}</style><p class=a id=b>{}</p>",
    "visibility: hidden": "<div style='visibility:hidden'><p>{}</p></div>",
    "hidden": "<p hidden>{}</p>",
    "opacity: 0": "<p style='opacity:0'>{}</p>",
    "no size": "<p style='font-size:0'>{}</p>",
    "no size, in short": "<p style='font:0/0 a'>{}</p>",
    "a pixel for screen readers": (
        "<style>.sr-only{{position:absolute;width:1px;height:1px;padding:0;margin:-1px;overflow:hidden;"
        "clip:rect(0,0,0,0);border:0}}</style><span class=sr-only>{}</span>"
    ),
    "a clip of nothing": "<span style='clip-path:inset(50%);position:absolute'>{}</span>",
    "far to the left": "<div style='position:absolute;left:-9999px'>{}</div>",
    "an indent in place of a logo": "<h1 style='text-indent:-9999px;overflow:hidden'>{}</h1>",
    "a closed box": "<div style='max-height:0;overflow:hidden'><p>{}</p></div>",
    "a template": "<template><p>{}</p></template>",
    "a closed dialog": "<dialog>{}</dialog>",
    "a preheader of a mail": (
        "<div style='display:none;max-height:0;overflow:hidden;mso-hide:all;font-size:1px;color:#fff'>{}</div>"
    ),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("way", HIDDEN)
def test_what_the_author_hides_is_no_alarm(way: str, engine: str, tmp_path: Path) -> None:
    html = f"<p>Seen before.</p>{HIDDEN[way].format('Nobody is to read this')}<p>Seen after.</p>"
    assert "TEXT_NOT_SHOWN" not in _codes(html, tmp_path / "output.pdf", engine)


ORDINARY = {
    "a paragraph": "<p>The quick brown fox jumps over the lazy dog.</p>",
    "words over inline elements": "<p><b>F</b>unc<i>tion</i>al H<sub>2</sub>O, x<sup>2</sup>, <u>under</u>lined</p>",
    "letters apart": "<p style='letter-spacing:6px'>spaced out words</p>",
    "soft hyphens": f"<p style='width:70px'>{'extra&shy;ordi&shy;nary ' * 9}</p>",
    "hyphens of the layout": f"<p lang=en style='width:80px;hyphens:auto'>{'incomprehensibilities ' * 9}</p>",
    "justified lines": f"<p style='text-align:justify;width:200px'>{'words of several lengths ' * 30}</p>",
    "ligatures": "<p>office affluent waffle ﬁnd fjord</p>",
    "capitals by style": "<p style='text-transform:uppercase'>straße and ﬂuff</p>",
    "Hebrew and Arabic": "<p dir=rtl>שלום עולם 123 (בדיקה)</p><p dir=rtl>مرحبا بالعالم ١٢٣</p>",
    "Chinese and Japanese": f"<p>{'今天天气很好，我们去公园散步吧。' * 30}</p><p>{'東京の天気は晴れです。' * 30}</p>",
    "Thai and Hindi": "<p>ภาษาไทยเป็นภาษาที่มีเสียงวรรณยุกต์</p><p>हिन्दी में लिखा हुआ एक वाक्य है।</p>",
    "Korean": "<p>한국어로 쓴 문장입니다. 오늘은 날씨가 좋습니다.</p>",
    "ruby": "<p><ruby>東京<rp>(</rp><rt>とうきょう</rt><rp>)</rp></ruby>へ行く</p>",
    "a dark head of a table": (
        "<table style='border-collapse:collapse'><tr style='background:#123;color:#fff'><th>Name<th>Sum</tr>"
        + "<tr><td style='border:1px solid #000'>tea<td style='border:2px solid #000'>1,234.50</tr>" * 60
        + "</table>"
    ),
    "a table with rounded corners": (
        "<div style='border-radius:12px;overflow:hidden;border:1px solid #000'><table style='width:100%'>"
        "<tr><td style='background:#eee'>corner left<td>corner right</table></div>"
    ),
    "black frames": "<div style='border:3px solid #000'><div style='border:1px solid #000'>framed</div></div>",
    "an outline": "<p style='outline:2px solid #000'>outlined text</p>",
    "flexible boxes": "<div style='display:flex;gap:9px'><div style='background:#def'>left</div><div>right</div></div>",
    "a grid": "<div style='display:grid;grid-template-columns:1fr 1fr'><div>first</div><div>second</div></div>",
    "columns": f"<div style='columns:2'>{'<p>a paragraph of the text</p>' * 40}</div>",
    "floats": f"<div style='float:right;width:100px;background:#eee'>aside</div><p>{'text beside it ' * 40}</p>",
    "a list": "<ol><li>first<li>second<ul><li>inner</ul></ol><dl><dt>term<dd>meaning</dl>",
    "headers and footers": (
        "<style>@page{@top-center{content:'Report'}@bottom-right{content:counter(page)}}</style><p>text</p>"
    ),
    "generated text": "<style>p::before{content:'Note: '}p::after{content:' (end)'}</style><p>text</p>",
    "white on a gradient": "<div style='background:linear-gradient(#123,#456);color:#fff;padding:9px'>banner</div>",
    "text on a picture behind": f"<div style='background-image:url({_picture()});padding:9px'>on tiles</div>",
    "grey text": "<p style='color:#bbb'>faint and legible</p><small style='color:#999'>small print</small>",
    "half transparent": "<p style='opacity:.4'>faded</p><p style='color:rgba(0,0,0,.3)'>paler</p>",
    "turned": "<p style='transform:rotate(90deg);width:90px;margin:90px'>upright</p>",
    "shadows": "<p style='text-shadow:1px 1px 2px #888;box-shadow:0 2px 8px #000'>raised</p>",
    "struck and marked": "<p><s>struck</s> <mark>marked</mark> <del>deleted</del> <ins>inserted</ins></p>",
    "code": "<pre><code>if (a &lt; b) { return a[0]; }\n\tfor x in y: pass</code></pre>",
    "a wide table": f"<table><tr>{''.join(f'<td>column{at}' for at in range(40))}</table>",
    "a long word": f"<p>{'x' * 300}</p>",
    "fields": "<form><label>Name <input value='longer than its box has room'></label><textarea>t</textarea></form>",
    "a quotation": "<blockquote>“Well,” he said – ‘so’ … </blockquote><q>quoted</q>",
    "a picture with its name": f"<figure>{PHOTO}<figcaption>Figure 1</figcaption></figure>",
    "a picture that is not there": "<img src='https://example.com/a.png' alt='A view of the sea'>",
    "letters of no font": "<p>Tengwar: \ue000\ue001 and text</p>",
    "a drawing with text": "<svg width=200 height=40><text x=5 y=20>in a drawing</text></svg>",
    "bold by doubling": "<p style='font-weight:900'>very bold</p>",
    "numbers": "<p>1 2 3 4 5 6 7 8 9 10, 1.5 %, −3 °C, 12:30, a/b</p>",
    "an empty page": "",
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_pages_raise_no_alarm(name: str, engine: str, tmp_path: Path) -> None:
    found = _codes(ORDINARY[name], tmp_path / "output.pdf", engine)
    assert "TEXT_NOT_SHOWN" not in found
    assert "Pictures hidden" not in found.get("CONTENT_DROPPED", "")


PAGE = (
    "<style>@page{size:400px 400px;margin:20px}p{margin:20px 0}</style>"
    f"<p>The first line</p><p>The second line</p><p>The third line</p><p>{PHOTO}</p>"
)
SHOWN = re.compile(rb"(\[[^\]]*\]TJ|\([^)]*\)\s*Tj)")


def _second(new: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    """Change what shows the second text of a page."""

    def changed(content: bytes) -> bytes:
        place = list(SHOWN.finditer(content))[1]
        return content[: place.start()] + new(place[0]) + content[place.end() :]

    return changed


MUTATIONS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "taken out": (_second(lambda shown: b""), "TEXT_NOT_SHOWN"),
    "moved outside": (_second(lambda shown: b"-900 0 Td " + shown + b" 900 0 Td"), "TEXT_NOT_SHOWN"),
    "white": (_second(lambda shown: b"1 1 1 rg " + shown + b" 0 0 0 rg"), "TEXT_NOT_SHOWN"),
    "clipped": (lambda content: b"0 0 400 5 re W n " + content, "TEXT_NOT_SHOWN"),
    "covered": (lambda content: content + b"\nq 0 0.5 0 rg 0 0 400 400 re f Q", "TEXT_NOT_SHOWN"),
    "blackened": (lambda content: content + b"\nq 0 0 0 rg 0 0 400 400 re f Q", "TEXT_NOT_SHOWN"),
    "without its picture": (lambda content: re.sub(rb"/x\d+ Do", b"", content), "CONTENT_DROPPED"),
    "with its picture outside": (
        lambda content: re.sub(rb"/x\d+ Do", lambda found: b"q 1 0 0 1 90 0 cm " + found[0] + b" Q", content),
        "CONTENT_DROPPED",
    ),
    "with its picture covered": (lambda content: content + b"\nq 0 0.5 0 rg 0 0 400 400 re f Q", "CONTENT_DROPPED"),
}


@needs_plutoprint
@pytest.mark.parametrize("way", MUTATIONS)
def test_a_page_that_is_damaged_after_drawing_is_caught(way: str, tmp_path: Path) -> None:
    target, warn = tmp_path / "output.pdf", Warn()
    assert _codes(PAGE, target) == {}
    change, code = MUTATIONS[way]
    with pikepdf.open(target, allow_overwriting_input=True) as pdf:
        content = pdf.pages[0].Contents.read_bytes()
        changed = change(content)
        assert changed != content
        pdf.pages[0].Contents = pdf.make_stream(changed)
        pdf.save(target)
    check(target, [PAGE], warn)
    assert code in {each.code for each in warn.warnings}


@needs_plutoprint
def test_text_that_is_invisible_on_purpose_is_no_alarm(tmp_path: Path) -> None:
    target, warn = tmp_path / "output.pdf", Warn()
    _codes(PAGE, target)
    with pikepdf.open(target, allow_overwriting_input=True) as pdf:
        content = pdf.pages[0].Contents.read_bytes()
        pdf.pages[0].Contents = pdf.make_stream(content.replace(b"BT\n", b"BT 3 Tr\n"))
        pdf.save(target)
    check(target, [PAGE], warn)
    assert warn.warnings == ()


@needs_plutoprint
def test_of_a_long_document_a_sample_is_looked_at_and_reported(tmp_path: Path) -> None:
    target, warn = tmp_path / "output.pdf", Warn()
    pages = pages_drawn.MOST_PAGES + 10
    html = "<p style='break-after:page'>words</p>" * (pages - 1) + "<p style='color:#fff'>white words</p>"
    render.render(html, target, PageOptions(), warn)
    assert warn.detected["textChecked"] == f"{pages_drawn.MOST_PAGES} of {pages} pages"
    assert f"on page {pages}" in str(warn.warnings[0].message)


@needs_plutoprint
def test_of_full_pages_fewer_are_looked_at(tmp_path: Path) -> None:
    warn = Warn()
    cells = "<span style='display:inline-block;background:#eee'>w</span> " * (pages_drawn.MOST_OBJECTS // 8 + 9)
    html = f"<div style='font-size:8px;break-after:page'>{cells}</div>" * 12
    render.render(html, tmp_path / "output.pdf", PageOptions(page_size="A3"), warn)
    assert warn.detected["textChecked"] == f"{pages_drawn.FEWEST_PAGES} of 12 pages"


@needs_plutoprint
def test_a_word_that_is_lost_on_a_page_outside_the_sample_is_found(tmp_path: Path) -> None:
    pages = pages_drawn.MOST_PAGES * 2
    lost = "<div style='position:absolute;left:-50mm;width:20mm'>lost</div>"
    html = "".join(f"<div style='break-after:page'>page {at}{lost if at == 9 else ''}</div>" for at in range(pages))
    found = _codes(f"<style>@page{{margin:30mm}}</style>{html}", tmp_path / "output.pdf")
    assert "1 (“lost”)" in found["TEXT_NOT_SHOWN"]


@needs_plutoprint
def test_white_on_a_photo_is_no_alarm(tmp_path: Path) -> None:
    title = "<p style='position:absolute;top:0;left:9px;color:#fff'>title</p>"
    assert _codes(f"<div style='position:relative;width:200px'>{PHOTO}{title}</div>", tmp_path / "output.pdf") == {}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("colour", "named"), [("#000", False), ("#ffffff", True)])
def test_words_of_a_drawing_that_cannot_be_seen_are_named(
    colour: str, named: bool, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(render, "engine", engine)
    svg = (
        "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='60'><rect width='200' height='60' fill='#fff'/>"
        f"<text x='9' y='30' font-size='16' fill='{colour}'>drawn words</text></svg>"
    )
    warn = Warn()
    render.draw(svg.encode(), (200, 60), tmp_path / "output.pdf", warn)
    assert ["drawn words" in str(each.message) for each in warn.warnings] == [True] * named


@needs_plutoprint
def test_very_many_hidden_words_are_no_alarm(tmp_path: Path) -> None:
    rows = "".join(f"<div>word{at}<span class=h>hidden{at} aside{at}</span></div>" for at in range(3000))
    assert _codes(f"<style>.h{{display:none}}</style>{rows}", tmp_path / "output.pdf") == {}


@needs_plutoprint
def test_all_of_very_many_lost_words_are_counted(tmp_path: Path) -> None:
    rows = "".join(f"<p style='position:absolute;left:-180px;width:50px'>lost{at} word{at}</p>" for at in range(3000))
    found = _codes(f"<style>@page{{margin:90px}}</style>{rows}", tmp_path / "output.pdf")
    assert "6,000 (“lost0 word0”" in found["TEXT_NOT_SHOWN"]


@needs_plutoprint
def test_what_readers_of_the_page_can_open_and_those_of_the_pdf_cannot_is_named(tmp_path: Path) -> None:
    html = "<details><summary>Question</summary><p>The whole answer</p></details>"
    assert "“The whole answer”" in _codes(html, tmp_path / "output.pdf")["TEXT_NOT_SHOWN"]


@needs_plutoprint
@pytest.mark.parametrize(("style", "named"), [("width:0", False), ("display:none", False), ("position:absolute", True)])
def test_only_pictures_that_are_to_be_seen_are_missed(style: str, named: bool, tmp_path: Path) -> None:
    box = "<div style='position:absolute;top:0;left:0;width:300px;height:90px;background:#fd0'></div>"
    found = _codes(f"<img src='{_picture()}' style='top:0;left:0;{style}'>{box}", tmp_path / "output.pdf")
    assert ("CONTENT_DROPPED" in found) is named


@needs_plutoprint
@pytest.mark.parametrize("width", [60, 400])
def test_words_that_are_broken_at_soft_hyphens_are_complete(width: int, tmp_path: Path) -> None:
    html = f"<div style='width:{width}px;font:16px Arial'>A Donau&shy;dampf&shy;schiff, a Kranken&shy;haus</div>"
    assert not _codes(html, tmp_path / "output.pdf")


@needs_plutoprint
def test_words_that_are_broken_without_a_hyphen_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where there are too many soft hyphens."""
    monkeypatch.setattr("engine.families.html_pdf.plutoprint.hyphens.MOST", 0)
    html = "<div style='width:60px;font:16px Arial'>A Donau&shy;dampf&shy;schiff, a Kranken&shy;haus</div>"
    found = _codes(html, tmp_path / "output.pdf")
    assert "without a visible hyphen: 3 (" in found["CONTENT_DROPPED"]


@needs_plutoprint
@pytest.mark.parametrize(("style", "broken"), [("hyphens:auto", 2), ("hyphens:auto;width:500px", 0), ("", 0)])
def test_long_words_are_broken_in_their_box_and_named_where_a_page_asks_for_hyphens(
    style: str, broken: int, tmp_path: Path
) -> None:
    html = f"<div style='width:90px;font:16px Arial;{style}'>Die Krankenversicherungsgesellschaft zahlt</div>"
    found = _codes(html, tmp_path / "output.pdf")
    assert found.keys() == ({"CSS_UNSUPPORTED"} if broken else set())
    if broken:
        assert f"without a hyphen (hyphens: auto): {broken} (" in found["CSS_UNSUPPORTED"]
        with pypdfium2.PdfDocument(tmp_path / "output.pdf") as pdf:
            text = pdf[0].get_textpage()
            assert max(text.get_charbox(at)[2] for at in range(text.count_chars())) < 160


def test_thin_letters_are_seen_wherever_they_fall_between_pixels(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "page.pdf"), pagesize=(500, 700), invariant=True)
    canvas.setFont("Helvetica", 8)
    round_clip = canvas.beginPath()
    round_clip.circle(250, 350, 600)
    canvas.clipPath(round_clip, stroke=0, fill=0)
    for line in range(40):
        canvas.drawString(20 + line * 0.37, 680 - 16.3 * line, "nil ill mi. nisi. elit. lilt it")
    canvas.save()
    assert pages_drawn.unseen(tmp_path / "page.pdf").phrases == []
