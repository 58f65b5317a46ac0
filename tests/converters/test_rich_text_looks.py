"""RTF files as they look: text, paragraphs, tables, pages, notes, pictures, and files that are made to do harm."""

from __future__ import annotations

import io
import re
import time
from pathlib import Path

import pypdfium2
import pytest

from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT
from engine.toolkit.failures import InvalidOption, Unreadable
from tests.converters.test_documents import Convert
from tests.converters.test_open_document_looks import declared, plain
from tests.converters.test_word_looks import sheets
from tests.families.documents import files

_HEAD = (
    r"{\rtf1\ansi\deff0\uc1{\fonttbl{\f0\froman Times New Roman;}{\f1\fswiss Arial{\*\falt Helvetica};}}"
    r"{\colortbl;\red200\green0\blue0;\red255\green255\blue0;\red0\green200\blue0;}"
    r"{\stylesheet{\s0 Normal;}{\s1\sbasedon0\sb240\f1\fs32\b heading 1;}{\*\cs9\cf3\i Loud;}}\htmautsp "
)

drawn = pytest.mark.skipif(HTML_PDF is not PLUTOPRINT, reason="only PlutoPrint binds pages")


def rtf(body: str) -> bytes:
    return f"{_HEAD}{body}}}".encode()


def test_text_and_paragraphs_look_as_their_words_say(tmp_path: Path) -> None:
    body = (
        r"\pard\plain\s1 Heading\par \pard\plain\qr\li720\fi-360\sa120\cbpat2\f1\fs40\cf1 Own\par"
        r"\pard\plain\qc Plain {\cs9 loud} {\ul\strike both}{\super up}\par"
        r"\pard\plain\sl-300\slmult0\brdrb\brdrs\brdrw20\brdrcf1\brsp40 Ruled\par"
    )
    html = Convert(tmp_path, "rtf-to-html", rtf(body)).text
    assert re.search(r"<h1[^>]*>Heading", html)
    assert all(each in declared(html, "Heading") for each in ("Arial", "16pt", "bold", "margin:12pt"))
    own = declared(html, "Own")
    assert all(
        each in own for each in ("#c80000", "20pt", "text-align:right", "margin:0 0 6pt 36pt", "text-indent:-18pt")
    )
    assert "background-color:#ffff00" in own
    assert all(each in declared(html, "loud") for each in ("#00c800", "italic"))
    assert "underline line-through" in declared(html, "both")
    assert "vertical-align:super" in declared(html, "up")
    assert all(each in declared(html, "Ruled") for each in ("line-height:15pt", "border-bottom:1pt solid #c80000"))


def test_what_the_first_words_look_like_is_not_handed_on(tmp_path: Path) -> None:
    body = r"\pard\plain\f1\fs40{\highlight2\ul\b\super first}{\fs36 then}\par"
    html = Convert(tmp_path, "rtf-to-html", rtf(body)).text
    assert all(each in declared(html, "first") for each in ("underline", "#ffff00", "bold", "super"))
    assert not any(each in declared(html, "then") for each in ("underline", "#ffff00", "super"))
    assert all(each in declared(html, "then") for each in ("18pt", "font-weight:normal"))


def test_tables_have_their_widths_merged_cells_edges_and_shading(tmp_path: Path) -> None:
    edge = r"\clbrdrt\brdrs\brdrw10\brdrcf1"
    body = (
        rf"\trowd\trleft0\trhdr{edge}\clcbpat2\cellx4000\cellx6000\pard\intbl wide\cell x\cell\row"
        r"\trowd\clvmgf\cellx2000\cellx4000\cellx6000\pard\intbl tall\cell a\cell b\cell\row"
        r"\trowd\clvmrg\cellx2000\cellx4000\cellx6000\pard\intbl\cell c\cell d\cell\row \pard after\par"
    )
    html = Convert(tmp_path, "rtf-to-html", rtf(body)).text
    assert re.search(r'<thead><tr><td colspan="2"[^>]*>.*?wide', html)
    assert re.search(r'<td rowspan="2"[^>]*>.*?tall', html)
    assert html.count("<td") == 7
    assert all(each in html for each in ("background-color:#ffff00", "border-top:0.5pt solid #c80000", "width:100pt"))
    assert html.index("</table>") < html.index("after")


def test_tables_in_cells_are_tables(tmp_path: Path) -> None:
    body = (
        r"\trowd\cellx6000\pard\intbl before\par \pard\intbl\itap2 in one\nestcell in two\nestcell"
        r"{\*\nesttableprops\trowd\cellx2000\cellx4000\nestrow}{\nonesttables\par}"
        r"\pard\intbl\itap1 behind\cell\row\pard\par"
    )
    html = Convert(tmp_path, "rtf-to-html", rtf(body)).text
    assert html.count("<table") == 2
    assert plain(html) == "before in one in two behind"


@drawn
def test_sections_have_their_own_paper_heads_and_page_numbers(tmp_path: Path) -> None:
    body = (
        r"\paperw11906\paperh16838\margl1134\margr1134\sectd{\footer\pard Sheet \chpgn\par}"
        r"\pard First\par\page Second\par\sect\sectd\pgwsxn16838\pghsxn11906\lndscpsxn\pard Lying\par"
    )
    done = Convert(tmp_path, "rtf-to-pdf", rtf(body))
    found = sheets(done.data)
    assert [tuple(map(round, size)) for size, _ in found] == [(595, 842), (595, 842), (842, 595)]
    for number, (word, (_, text)) in enumerate(zip(("First", "Second", "Lying"), found, strict=True), start=1):
        assert word in text
        assert f"Sheet {number}" in text
    assert done.codes == {"FONT_SUBSTITUTED"}


def test_notes_links_marks_pictures_and_boxes_are_shown(tmp_path: Path) -> None:
    body = (
        r'\pard See {\field{\*\fldinst HYPERLINK "https://example.org/"}{\fldrslt there}}'
        r"{\super\chftn{\*\footnote\pard\plain Below\par}}\par"
        r"\pard{\listtext\pard\plain 7.\tab}\ls1\li720\fi-360 Seventh\par \pard\ls1 Unmarked\par"
        r"{\pict\pngblip\picwgoal1200\pichgoal600 " + files.png().hex() + r"}{\pict\emfblip\picw9\pich9 0100}\par"
        r"{\shp{\*\shpinst\shpleft0\shptop0\shpright2000\shpbottom1000\shpwr2{\sp{\sn fillColor}{\sv 255}}"
        r"{\shptxt\pard Boxed\par}}{\shprslt wrong}}\par {\*\unknown gone}{\object{\*\objdata 00}{\result shown}}\par"
    )
    done = Convert(tmp_path, "rtf-to-html", rtf(body))
    words = plain(done.text)
    assert all(each in words for each in ("7. Seventh", "Below", "Boxed", "shown", "Unmarked"))
    assert all(each not in words for each in ("gone", "wrong", "HYPERLINK"))
    assert all(each in done.text for each in ('href="https://example.org/"', "width:60pt;height:30pt", "#ff0000"))
    assert all(each in done.messages for each in ("damaged or in formats", "doesn't include", "objects"))


@pytest.mark.parametrize(("choice", "shown"), [("accept", "new"), ("reject", "old"), ("all", "oldnew")])
def test_tracked_changes_are_drawn_as_asked(tmp_path: Path, choice: str, shown: str) -> None:
    done = Convert(tmp_path, "rtf-to-html", rtf(r"\pard{\deleted old}{\revised new}\par"), trackChanges=choice)
    assert re.sub(r"<[^>]*>", "", done.text.split("<body>")[1]).strip() == shown
    with pytest.raises(InvalidOption):
        Convert(tmp_path, "rtf-to-html", rtf("x"), trackChanges="reject", style="page")


def test_files_made_to_do_harm_are_refused_or_bounded(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        Convert(tmp_path, "rtf-to-html", b"no rtf")
    with pytest.raises(Unreadable):
        Convert(tmp_path, "rtf-to-html", b"{\\rtf1 " + b"{" * 20_000)
    with pytest.raises(Unreadable):
        Convert(tmp_path, "rtf-to-html", b"{\\rtf1 cut {\\b off")
    assert "end" in Convert(tmp_path, "rtf-to-html", b"{\\rtf1 }}}}\\par end {\\field{\\*\\fldinst X}}").text
    began = time.process_time()
    nested = "".join(rf"\pard\intbl\itap{n} x" for n in range(1, 2000))
    Convert(tmp_path, "rtf-to-html", rtf(nested))
    Convert(
        tmp_path,
        "rtf-to-html",
        rtf(r"\trowd" + "".join(rf"\cellx{n * 9}" for n in range(9_000)) + r"\intbl x\cell\row"),
    )
    Convert(tmp_path, "rtf-to-html", rtf("".join(rf"{{\b{n % 2} x}}" for n in range(20_000))))
    Convert(tmp_path, "rtf-to-html", rtf(r"\deleted\shp\pict\footnote\*\footnote x\cell\row\nestrow\sect" * 500))
    assert time.process_time() - began < 20


def test_the_background_of_pages_is_named(tmp_path: Path) -> None:
    made = Convert(tmp_path, "rtf-to-html", rb"{\rtf1\viewbksp1{\*\background {\shp{\*\shpinst}}}Text\par}")
    assert "Page backgrounds" in made.messages
    assert "Text" in made.text


def test_cells_beyond_the_last_column_are_named(tmp_path: Path) -> None:
    for cells, named in ((200, False), (210, True)):
        row = "".join(rf"\cellx{at * 40}" for at in range(1, cells + 1)) + "".join(
            rf"c{at}\cell " for at in range(cells)
        )
        made = Convert(tmp_path, "rtf-to-html", rf"{{\rtf1\ansi\trowd{row}\row}}")
        assert "c199<" in made.text
        assert ("after the 200th" in made.messages) is named


def test_marks_of_lists_are_as_large_as_their_items_and_seen_without_their_font(tmp_path: Path) -> None:
    """As LibreOffice writes them: in the font of the file's first words, where they have no shape."""
    mark = r"{\listtext\pard\plain  \u61623\'3f\tab}"
    html = Convert(tmp_path, "rtf-to-html", rtf(rf"\pard\fs22{mark}\ls1\fi-360\li720 Item\par")).text
    assert "\u2022" in html
    assert "font-size:12pt" not in html


@pytest.mark.parametrize("left", [1000, 4000])
def test_a_picture_beside_text_stands_where_its_shape_says(tmp_path: Path, left: int) -> None:
    body = (
        rf"{{\shp{{\*\shpinst\shpleft{left}\shptop0\shpright{left + 4000}\shpbottom1000\shpwr2\shpbxcolumn"
        r"{\sp{\sn shapeType}{\sv 75}}{\sp{\sn pib}{\sv {\pict\pngblip " + files.png().hex() + r"}}}}}Beside\par"
    )
    html = Convert(tmp_path, "rtf-to-html", rtf(body)).text
    room = 8640
    side, far = ("left", left) if left < room - left - 4000 else ("right", room - left - 4000)
    assert f"float:{side};margin-{side}:{far / 20:g}pt" in html


@pytest.mark.parametrize(("kind", "codes"), [(12, set()), (8, set()), (20, set()), (100, {"CONTENT_DROPPED"})])
def test_shapes_are_drawn_or_counted(tmp_path: Path, kind: int, codes: set[str]) -> None:
    body = (
        r"{\shp{\*\shpinst\shpleft0\shptop0\shpright2000\shpbottom1000\shpwr3"
        rf"{{\sp{{\sn shapeType}}{{\sv {kind}}}}}{{\sp{{\sn fillColor}}{{\sv 255}}}}}}}}Beside\par"
    )
    done = Convert(tmp_path, "rtf-to-html", rtf(body))
    assert done.codes == codes
    assert ("<path" in done.text) == (not codes)


_LISTS = (
    r"{\*\listtable{\list{\listlevel\levelnfc0{\leveltext\'02\'00.;}{\levelnumbers\'01;}}\listid1}}"
    r"{\*\listoverridetable{\listoverride\listid1\listoverridecount0\ls1}}"
)


def test_styles_of_characters_and_labels_of_older_lists_are_no_part_of_the_text(tmp_path: Path) -> None:
    source = (
        rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}{\stylesheet{\s0 Normal;}{\s30\ql Item;}{\*\cs34\additive\b\scaps Loud;}}"
        + _LISTS.encode()
        + rb"\pard Before\par{\pntext\pard\plain\s30 1.\tab}\pard\plain\s30{\*\pn\pnlvlbody\ls1\pndec}\ls1 One\par"
        rb"{\pntext\pard\plain\s30 2.\tab}\pard\s30{\*\pn\pnlvlbody\ls1\pndec}\ls1 Two\par\pard\plain After\par}"
    )
    assert Convert(tmp_path, "rtf-to-markdown", source).text == "Before\n\n1.  One\n\n2.  Two\n\nAfter\n"


@pytest.mark.parametrize("between", ["", r"\pard\par "], ids=["nothing", "an empty paragraph"])
@pytest.mark.parametrize("target", ["txt", "markdown"])
def test_a_list_before_a_table_stays_in_its_place(tmp_path: Path, target: str, between: str) -> None:
    row = r"\trowd\cellx4000\pard\intbl {}\cell{{\trowd\cellx4000\row}}"
    body = rf"\pard Before\par \pard\ls1 One\par {between}{row.format('Name')}{row.format('Value')}\pard After\par"
    done = Convert(tmp_path, f"rtf-to-{target}", rf"{{\rtf1\ansi{_LISTS}{body}}}".encode())
    assert re.findall(r"\w\w+", done.text) == ["Before", "One", "Name", "Value", "After"]
    assert "\u2060" not in done.text
    assert not done.codes


@drawn
def test_columns_are_kept_where_a_header_sets_section_properties_of_its_own(tmp_path: Path) -> None:
    field = r"{\field{\*\fldinst PAGE}{\fldrslt 1}}\sectd\linex0\endnhere"
    body = rf"\sectd\cols2\colsx440{{\header\pard\plain {field} Above\par}}\pard\plain "
    body += "".join(rf"W{at}\par " for at in range(90))
    data = Convert(tmp_path, "rtf-to-pdf", rtf(body)).data
    (page,) = pypdfium2.PdfDocument(io.BytesIO(data))
    text = page.get_textpage()
    whole = text.get_text_range()
    lefts = {round(text.get_charbox(match.start())[0]) for match in re.finditer(r"W\d+", whole)}
    assert max(lefts) - min(lefts) > 200
    assert re.findall(r"W\d+", whole) == [f"W{at}" for at in range(90)]
