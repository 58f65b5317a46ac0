"""Word documents as they look: styles, sections, heads and feet, tables, lists, and files that are made to do harm."""

from __future__ import annotations

import io
import re
from itertools import pairwise
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT
from engine.families.html_pdf.plutoprint.finishing import destinations
from engine.toolkit.failures import OverLimit, Unreadable
from tests.converters.test_documents import Convert
from tests.families.documents import files

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_STYLES = f"""<w:styles {_W}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Arial"/><w:sz w:val="22"/></w:rPr>
</w:rPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:styleId="Base"><w:name w:val="Base"/><w:rPr><w:b/>
<w:color w:val="C80000"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Child"><w:name w:val="Child"/><w:basedOn w:val="Base"/><w:pPr>
<w:jc w:val="right"/>
</w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>
<w:style w:type="character" w:styleId="Strong"><w:name w:val="Strong"/><w:rPr><w:b/></w:rPr></w:style></w:styles>"""
_NUMBERS = f"""<w:numbering {_W}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="3"/>
<w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/>
<w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>"""
_FIELD = (
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> {} </w:instrText></w:r><w:r><w:fldChar '
    'w:fldCharType="separate"/></w:r><w:r><w:t>stale</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
)
_FOOT = f"<w:ftr {_W}><w:p><w:r><w:t xml:space='preserve'>Sheet </w:t></w:r>{{}}</w:p></w:ftr>"

drawn = pytest.mark.skipif(HTML_PDF is not PLUTOPRINT, reason="only PlutoPrint binds pages")


def p(text: str, properties: str = "", letters: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:rPr>{letters}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


def sheets(data: bytes) -> list[tuple[tuple[float, float], str]]:
    """Size and text of each page."""
    pdf = pypdfium2.PdfDocument(io.BytesIO(data))
    return [(page.get_size(), page.get_textpage().get_text_bounded()) for page in pdf]


def styled(html: str, text: str) -> str:
    """The declarations of the classes around a text."""
    found = re.search(rf'<(?:p|h1)[^>]*class="(\w+)"[^>]*>(?:<span class="(\w+)">)?{text}', html)
    assert found, text
    rules = [re.search(rf"^\.{name}\{{(.*)\}}$", html, re.MULTILINE) for name in found.groups() if name]
    return ";".join(each[1] for each in rules if each)


def test_styles_are_put_together_and_what_is_on_twice_is_off(tmp_path: Path) -> None:
    body = (
        p("Heir", '<w:pStyle w:val="Child"/>')
        + p("Twice", '<w:pStyle w:val="Base"/>', '<w:rStyle w:val="Strong"/>')
        + p("Own", "", '<w:color w:val="00C800"/><w:sz w:val="40"/><w:highlight w:val="yellow"/><w:u w:val="single"/>')
        + p("Round", '<w:pStyle w:val="Loop"/>')
    )
    html = Convert(tmp_path, "docx-to-html", files.word(body, {"s": ("styles", "styles.xml", _STYLES)})).text
    assert all(each in styled(html, "Heir") for each in ("color:#c80000", "text-align:right", "bold", "11pt"))
    assert styled(html, "Twice").endswith("font-weight:normal")
    assert all(each in styled(html, "Own") for each in ("#00c800", "20pt", "#ffff00", "underline"))
    assert "Round" in html


def test_lists_count_as_they_say(tmp_path: Path) -> None:
    def item(text: str, level: int) -> str:
        return p(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="1"/></w:numPr>')

    body = item("one", 0) + item("inner", 1) + item("again", 1) + item("two", 0) + item("anew", 1)
    done = Convert(tmp_path, "docx-to-html", files.word(body, {"n": ("numbering", "numbering.xml", _NUMBERS)}))
    text = re.sub(r"<[^>]*>", " ", done.text.split("<body>")[1])
    assert text.split() == ["III.", "one", "III.a)", "inner", "III.b)", "again", "IV.", "two", "IV.a)", "anew"]


def test_tables_have_their_merged_cells_and_shading(tmp_path: Path) -> None:
    def cell(text: str, more: str = "") -> str:
        return f"<w:tc><w:tcPr>{more}</w:tcPr>{p(text)}</w:tc>"

    rows = [
        cell("wide", '<w:gridSpan w:val="2"/><w:shd w:val="clear" w:fill="FFFF00"/>') + cell("x"),
        cell("tall", '<w:vMerge w:val="restart"/>') + cell("a") + cell("b"),
        cell("", "<w:vMerge/>") + cell("c") + cell("d"),
    ]
    table = "<w:tbl>" + "".join(f"<w:tr>{each}</w:tr>" for each in rows) + "</w:tbl>"
    html = Convert(tmp_path, "docx-to-html", files.word(table)).text
    assert re.search(r'<td colspan="2"[^>]*>.*?wide', html)
    assert re.search(r'<td rowspan="2"[^>]*>.*?tall', html)
    assert html.count("<td") == 7
    assert "background-color:#ffff00" in html


@drawn
def test_sections_have_their_own_paper_and_every_page_its_number(tmp_path: Path) -> None:
    def section(size: str, kind: str = "") -> str:
        return f'<w:sectPr><w:footerReference w:type="default" r:id="f"/>{kind}<w:pgSz {size}/></w:sectPr>'

    broken = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
    upright, lying = 'w:w="11906" w:h="16838"', 'w:w="16838" w:h="11906" w:orient="landscape"'
    body = p("First") + broken + p("Second", section(upright)) + p("Lying") + section(lying)
    foot = _FOOT.format(_FIELD.format("PAGE") + "<w:r><w:t>/</w:t></w:r>" + _FIELD.format("NUMPAGES"))
    done = Convert(tmp_path, "docx-to-pdf", files.word(body, {"f": ("footer", "footer1.xml", foot)}))
    found = sheets(done.data)
    assert [tuple(map(round, size)) for size, _ in found] == [(595, 842), (595, 842), (842, 595)]
    words = ("First", "Second", "Lying")
    for number, (word, (_, text)) in enumerate(zip(words, found, strict=True), start=1):
        assert word in text
        assert f"Sheet {number}/3" in text
    assert "stale" not in "".join(text for _, text in found)
    assert done.codes == set()


@drawn
def test_formulas_are_drawn_and_the_options_of_pages_hold(tmp_path: Path) -> None:
    math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    body = (
        p("Before") + f"<w:p><m:oMath {math}><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r>"
    )
    body += "</m:sup></m:sSup><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f>"
    body += "</m:oMath></w:p>"
    done = Convert(tmp_path, "docx-to-pdf", files.word(body), pageSize="A5", footerText="Own {page}")
    ((size, text),) = sheets(done.data)
    assert tuple(map(round, size)) == (420, 595)
    assert all(each in text for each in ("Before", "x2", "Own 1"))
    page = pypdfium2.PdfDocument(io.BytesIO(done.data))[0].get_textpage()
    feet = [page.get_charbox(page.get_text_range().index(letter))[1] for letter in ("2", "x", "b")]
    assert feet == sorted(feet, reverse=True)
    assert feet[0] > feet[2] + 4
    assert done.codes == set()
    assert "<msup>" in Convert(tmp_path, "docx-to-html", files.word(body)).text


@pytest.mark.parametrize(("choice", "shown"), [("accept", "new"), ("reject", "old"), ("all", "oldnew")])
def test_tracked_changes_are_drawn_as_asked(tmp_path: Path, choice: str, shown: str) -> None:
    who = 'w:id="1" w:author="Ann"'
    old, new = "<w:r><w:delText>old</w:delText></w:r>", "<w:r><w:t>new</w:t></w:r>"
    body = f"<w:p><w:del {who}>{old}</w:del><w:ins {who}>{new}</w:ins></w:p>"
    done = Convert(tmp_path, "docx-to-html", files.word(body), trackChanges=choice)
    assert re.sub(r"<[^>]*>", "", done.text.split("<body>")[1]).strip() == shown


def _notes(*texts: str, kind: str = "footnote") -> tuple[str, str, str]:
    """A part with notes numbered from 1."""
    inside = "".join(f'<w:{kind} w:id="{at}">{p(text)}</w:{kind}>' for at, text in enumerate(texts, start=1))
    return f"{kind}s", f"{kind}s.xml", f"<w:{kind}s {_W}>{inside}</w:{kind}s>"


def _refers(text: str, *numbers: int, kind: str = "footnote") -> str:
    marks = "".join(f'<w:r><w:{kind}Reference w:id="{each}"/></w:r>' for each in numbers)
    return f"<w:p><w:r><w:t>{text}</w:t></w:r>{marks}</w:p>"


def _words(page: pypdfium2.PdfPage) -> list[str]:
    return str(page.get_textpage().get_text_range()).split()


def _steps(page: pypdfium2.PdfPage) -> list[float]:
    """How far apart the first eight lines of a page are."""
    text = page.get_textpage()
    feet = sorted({round(text.get_charbox(at)[1], 1) for at in range(text.count_chars())
                   if text.get_text_range(at, 1) in "LSB"}, reverse=True)  # fmt: skip
    return [above - below for above, below in pairwise(feet[:8])]


@drawn
def test_footnotes_stand_at_the_foot_of_the_page_that_refers_to_them(tmp_path: Path) -> None:
    table = (
        f"<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w='3000'/><w:gridCol w:w='3000'/></w:tblGrid><w:tr><w:tc>"
        f"{_refers('Cell', 4)}</w:tc><w:tc>{p('One') + p('Two') + p('Three')}</w:tc></w:tr></w:tbl>"
    )
    filler = [p(f"Line{number}") for number in range(80)]
    body = (
        _refers("Start", 1) + "".join(filler[:3]) + _refers("Both", 2, 3) + "".join(filler[3:60]) + table
        + "".join(filler[60:]) + _refers("Last", 1, kind="endnote")
    )  # fmt: skip
    parts = {
        "f": _notes("Below1", "Below2", "Below3", "Below4"),
        "e": _notes("Closing", kind="endnote"),
    }
    done = Convert(tmp_path, "docx-to-pdf", files.word(body, parts), pageSize="A5")
    pdf = pypdfium2.PdfDocument(io.BytesIO(done.data))
    words = [_words(page) for page in pdf]
    assert words[0][-6:] == ["1", "Below1", "2", "Below2", "3", "Below3"]
    (on,) = [page for page, found in enumerate(words) if any(each.startswith("Cell") for each in found)]
    assert words[on][-2:] == ["4", "Below4"]
    assert {"Two", "Three"} <= set(words[on])
    assert words[-1][-3:] == ["Lasti", "i", "Closing"]
    assert [each for found in words for each in found if each.startswith("Line")] == [f"Line{at}" for at in range(80)]
    steps = _steps(pdf[0])
    assert max(steps) - min(steps) <= 2  # no room is left where a note was referred to
    assert done.codes == set()


@drawn
def test_links_of_footnotes_lead_there_and_back(tmp_path: Path) -> None:
    body = _refers("Start", 1) + p("Between") + _refers("Next", 2)
    data = Convert(tmp_path, "docx-to-pdf", files.word(body, {"f": _notes("Below1", "Below2")})).data
    with pikepdf.open(io.BytesIO(data)) as pdf:
        (page,) = pdf.pages
        links = [each for each in page.Annots if each.Subtype == "/Link"]
        places = destinations(pdf)
        assert sorted(str(each.Dest) for each in links) == ["n1", "n2", "r1", "r2"]
        assert all(float(places[name][3]) < 200 for name in ("n1", "n2"))
        above = sorted(float(each.Rect[1]) for each in links)
        assert above[1] < 200 < 600 < above[2]
        assert abs(float(places["r2"][3]) - above[2]) < 20


@drawn
def test_footnotes_in_columns_and_beyond_a_page_stand_at_the_end(tmp_path: Path) -> None:
    columns = '<w:sectPr><w:cols w:num="2"/></w:sectPr>'
    for body, text in (
        (_refers("Start", 1) + p("Next") + columns, "Below1"),
        (_refers("Start", 1) + p("Next"), "Below1 and so on. " * 400),
    ):
        done = Convert(tmp_path, "docx-to-pdf", files.word(body, {"f": _notes(text)}))
        assert done.codes == {"VALUE_CONVERTED"}
        assert "Below1" in "".join(text for _, text in sheets(done.data))


@drawn
def test_words_of_several_runs_are_not_parted(tmp_path: Path) -> None:
    runs = "".join(f"<w:r><w:t>{a}</w:t></w:r><w:r><w:t xml:space='preserve'>{b} </w:t></w:r>" for a, b in
                   (("a" * size, "b" * (9 - size)) for size in (1, 3, 5, 7, 2, 8) * 20))  # fmt: skip
    ((_, text),) = sheets(Convert(tmp_path, "docx-to-pdf", files.word(f"<w:p>{runs}</w:p>")).data)
    assert {len(each) for each in text.split()} == {9}


def test_pictures_outside_and_parts_above_the_file_are_not_read(tmp_path: Path) -> None:
    blip = '<a:blip r:embed="rUp"/>'
    drawing = files.PICTURE.replace('<a:blip r:embed="rPicture"/>', blip)
    up = {"rUp": ("image", "../../../../etc/passwd", b"")}
    data = files.word(p("Text") + drawing, {"rGone": ("image", "media/none.png", files.png())})
    done = Convert(tmp_path, "docx-to-html", data)
    assert "Text" in done.text
    assert "<img" not in done.text
    assert "CONTENT_DROPPED" in done.codes
    with pytest.raises(Unreadable):
        Convert(tmp_path, "docx-to-html", files.word(p("Text"), up))


@pytest.mark.parametrize("slug", ["docx-to-html", "docx-to-pdf"])
def test_documents_made_to_do_harm_are_refused(tmp_path: Path, slug: str) -> None:
    def replaced(text: str) -> bytes:
        types = '<Override PartName="/word/document.xml" ContentType="wordprocessingml.document.main+xml"/>'
        return files.archive(
            {
                "[Content_Types].xml": f"<Types>{types}</Types>",
                "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
                '<Relationship Id="r" Type="x/officeDocument" Target="word/document.xml"/></Relationships>',
                "word/document.xml": text,
            }
        )

    lol = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    for text in (
        f"{lol}<w:document {_W}><w:body>{p('&b;')}</w:body></w:document>",
        f"<w:document {_W}><w:body>" + "<w:sdt>" * 5_000,
        f"<w:document {_W}><w:body>"
        + "<w:tbl><w:tr><w:tc>" * 3_000
        + "</w:tc></w:tr></w:tbl>" * 3_000
        + "</w:body></w:document>",
        f"<w:document {_W}><w:text/></w:document>",
    ):
        with pytest.raises((Unreadable, OverLimit)):
            Convert(tmp_path, slug, replaced(text))
