"""PDFs with tags: the elements of a page, in reading order, and nothing else of it."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image

from engine.conversion import convert
from engine.families.html_pdf.options import PLUTOPRINT
from tests.converters import conforming
from tests.converters.tags import Tags, look, tags
from tests.families.documents.files import docx, word

pytestmark = pytest.mark.skipif(not PLUTOPRINT.available, reason="PlutoPrint is not installed")


def _picture() -> str:
    file = BytesIO()
    Image.new("RGB", (4, 4), "red").save(file, "PNG")
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"


_RED = _picture()
_REPORT = f"""<html lang=en><title>Report</title>
<style>h2::before {{ content: "§ " }} .bar {{ background: #eee; border: 1px solid }}</style>
<h1>Yearly <b>report</b></h1><p>See <a href="https://example.com/a">the figures</a> and <a href="#end">the end</a>.</p>
<ul><li>One<li>Two<ol><li>inner</ol></ul>
<table><caption>Sales</caption><thead><tr><th>Region<th>Units</thead><tr><th>North<td>12<tr><td colspan=2>none</table>
<img src="{_RED}" alt="A red square"><img src="{_RED}" alt="">
<p class=bar>Some <i>more</i> text <span style="float: right">aside</span></p><p style="opacity: .5">Faint</p>
<h2 id=end>End</h2><blockquote>Said <p lang=de>auf Deutsch</p></blockquote>"""
_LATER = "<p style='break-before: page'>"


def _made(
    folder: Path, source: str | bytes, name: str = "page.html", **options: Any
) -> tuple[Path, Mapping[str, list[str]]]:
    """The PDF of a source, and its warnings by code."""
    given, target = folder / name, folder / f"{name}.pdf"
    given.write_bytes(source.encode() if isinstance(source, str) else source)
    done = convert(given, target, sandbox=False, **options)
    found: dict[str, list[str]] = {}
    for each in done.warnings:
        found.setdefault(each.code, []).append(str(each.message))
    return target, found


def _tagged(folder: Path, source: str | bytes, name: str = "page.html", **options: Any) -> Tags:
    found = tags(_made(folder, source, name, pdfStandard="ua-1", **options)[0])
    assert found.stray == []
    return found


def test_elements_of_a_page_are_in_the_tree(tmp_path: Path) -> None:
    found = _tagged(tmp_path, _REPORT)
    item = ("LI", "Lbl", "LBody")
    assert found.root.shape() == (
        "Document", "H1", ("P", "Link", "Link"),
        ("L", item, ("LI", "Lbl", ("LBody", ("L", item)))),
        ("Table", "Caption", ("THead", ("TR", "TH", "TH")), ("TBody", ("TR", "TH", "TD"), ("TR", "TD"))),
        "Figure", "P", "P", "H2", ("BlockQuote", "P", "P"),
    )  # fmt: skip
    assert [each.text for each in found.root.every("H1", "H2", "Caption", "TH", "TD")] == [
        "Yearly report", "Sales", "Region", "Units", "North", "12", "none", "§ End",
    ]  # fmt: skip
    assert [(each.text, each.links) for each in found.root.every("Link")] == [
        ("the figures", ["the figures"]), ("the end", ["the end"]),
    ]  # fmt: skip
    assert [each.text.strip() for each in found.root.every("Lbl")] == ["•", "•", "1."]
    assert [each.own.get("ListNumbering") for each in found.root.every("L")] == ["Disc", "Decimal"]
    assert [each.own["Scope"] for each in found.root.every("TH")] == ["Column", "Column", "Row"]
    assert [each.own.get("ColSpan") for each in found.root.every("TD")] == [None, "2"]
    assert [each.alt for each in found.root.every("Figure")] == ["A red square"]
    assert [each.language for each in found.root.every("BlockQuote")[0].kids] == [None, "de"]
    assert found.written["/Lang"] == "en"
    assert found.written["/MarkInfo"].Marked


def test_the_text_of_the_tree_is_that_of_the_page_in_its_order(tmp_path: Path) -> None:
    found = _tagged(tmp_path, _REPORT)
    written = "".join(found.root.text.split())
    assert written == (
        "YearlyreportSeethefiguresandtheend.•One•Two1.innerSalesRegionUnitsNorth12none"
        "SomemoretextasideFaint§EndSaidaufDeutsch"
    )
    assert [each for each in found.artifacts if each.strip()] == []


def test_tags_change_nothing_that_is_seen(tmp_path: Path) -> None:
    plain, _ = _made(tmp_path, _REPORT, "plain.html")
    tagged, _ = _made(tmp_path, _REPORT, "tagged.html", pdfStandard="ua-1")
    assert look(plain) == look(tagged)


def test_the_same_page_gives_the_same_file(tmp_path: Path) -> None:
    files = [_made(tmp_path, _REPORT, name, pdfStandard="ua-1")[0].read_bytes() for name in ("a.html", "b.html")]
    assert files[0] == files[1]


def test_what_repeats_on_pages_is_an_artifact(tmp_path: Path) -> None:
    rows = "".join(f"<tr><td>row {at}<td>{at}" for at in range(120))
    page = (
        "<html lang=en><style>@page { @bottom-center { content: 'Foot ' counter(page) } }</style>"
        f"<p style='position: fixed; top: 0'>Fixed</p><table><thead><tr><th>Name<th>Value</thead>{rows}</table>"
    )
    found = _tagged(tmp_path, page, headerLeft="Head {page}")
    assert [each.text for each in found.root.every("P", "TH")] == ["Fixed", "Name", "Value"]
    assert [each.text for each in found.root.every("TD")][:4] == ["row 0", "0", "row 1", "1"]
    assert len(found.root.every("TD")) == 240
    again = "".join(found.artifacts)
    assert [again.count(each) for each in ("Name", "Fixed")] == [2, 2]


def test_cover_and_contents_come_first_in_the_tree(tmp_path: Path) -> None:
    found = _tagged(tmp_path, _REPORT, coverHtml="<h1>Cover</h1><p>of it", contents=True, footerLeft="{page}")
    texts = [each.text for each in found.root.every("H1", "TOCI", "H2")]
    assert texts == ["Cover", "Report", "Yearly report2", "End2", "Yearly report", "§ End"]
    assert [each.text for each in found.root.every("TOC")[0].every("Link")] == ["Yearly report", "End"]


def test_only_chosen_pages_are_in_the_tree(tmp_path: Path) -> None:
    page = f"<html lang=en><h1>One</h1><a href='https://a.example/'>gone</a>{_LATER}Two{_LATER}Three"
    found = _tagged(tmp_path, page, pageRanges="2-3")
    assert found.root.shape() == ("Document", "P", "P")
    assert found.root.text == "TwoThree"


def test_text_from_right_to_left_is_in_the_order_in_which_it_is_read(tmp_path: Path) -> None:
    text = "זה קישור בתוך פסקה עם abc ו־12 מילים של טקסט"
    words = text.split()
    marked = " ".join([words[0], f"<a href='https://a.example/'>{words[1]}</a>", *words[2:]])
    found = _tagged(tmp_path, f"<html lang=he dir=rtl><p>{marked}</p><p dir=ltr>Say שלום עולם now")
    assert ["".join(each.text.split()) for each in found.root.every("P")] == ["".join(words), "Sayשלוםעולםnow"]
    assert [each.text.strip() for each in found.root.every("Link")] == [words[1]]


def test_long_lines_in_other_scripts_are_in_the_tree(tmp_path: Path) -> None:
    text = "東京都千代田区" * 40
    found = _tagged(tmp_path, f"<html lang=ja><style>@page {{ size: A3 landscape }}</style><p>{text}")
    assert "".join(found.root.text.split()) == "".join(text.split())


def test_first_letters_and_generated_texts_belong_to_their_elements(tmp_path: Path) -> None:
    style = "p::first-letter { color: red; font-size: 2em } q::before { content: '«'; color: blue !important }"
    found = _tagged(tmp_path, f"<html lang=en><style>{style}</style><p>Capital <q>said</q></p>")
    assert found.root.shape() == ("Document", "P")
    assert found.root.text == "Capital «said”"


def test_links_of_a_page_whose_styles_show_addresses_are_in_the_tree(tmp_path: Path) -> None:
    style = "<style>a[href^=https]::after { content: ' (' attr(href) ')' }</style>"
    found = _tagged(tmp_path, f"<html lang=en>{style}<p><a href='https://a.example/x'>one</a> <a href='/b'>two</a>")
    assert found.root.every("Link")[0].text == "one (https://a.example/x)"
    assert found.root.every("Link")[0].links == ["one (https://a.example/x)"]


def test_pages_of_several_sizes_are_one_tree(tmp_path: Path) -> None:
    source = """<html lang=en><title>T</title><style>@page wide { size: A5 landscape } .w { page: wide }</style>
<h1>One</h1><p>See <a href="https://example.org">that</a> and <a href="#x">below</a>.</p>
<div class=w><h2 id=x>Wide</h2><p>On its page</p></div><p>inter&shy;nation&shy;al</p>"""
    found = _tagged(tmp_path, source)
    assert found.root.shape() == ("Document", "H1", ("P", "Link", "Link"), "H2", "P", "P")


def test_rows_of_a_table_have_the_same_number_of_cells(tmp_path: Path) -> None:
    page = "<html lang=en><table><tr><th>A<th>B<th>C<tr><td rowspan=2>1<td>2<tr><td colspan=9>3</table>"
    found = _tagged(tmp_path, page)
    assert [len(row.kids) for row in found.root.every("TR")] == [3, 3, 1]
    assert [each.own.get("ColSpan") for each in found.root.every("TD")] == [None, None, None, "2"]


def test_tables_that_only_place_things_are_none(tmp_path: Path) -> None:
    page = "<html lang=en><table><tr><td><h1>Left</h1><td><table><tr><td>Inner<td>right</table></table>"
    assert _tagged(tmp_path, page).root.shape() == ("Document", "H1", "P", "P")


def test_what_an_author_hides_from_readers_is_no_text(tmp_path: Path) -> None:
    found = _tagged(tmp_path, "<html lang=en><p>Heard <span aria-hidden=true>★★★</span></p>")
    assert found.root.text.strip() == "Heard"
    assert "".join(found.artifacts).strip() == "★★★"


def test_captions_describe_pictures_that_nothing_else_does(tmp_path: Path) -> None:
    page = f"<html lang=en><figure><img src='{_RED}'><figcaption>A <b>plan</b></figcaption></figure>"
    assert [each.alt for each in _tagged(tmp_path, page).root.every("Figure")] == ["A plan"]


def test_formulas_are_read_as_a_line(tmp_path: Path) -> None:
    formula = "<math><mfrac><mi>a</mi><mn>2</mn></mfrac><mo>+</mo><mi>b</mi></math>"
    found = _tagged(tmp_path, f"<html lang=en><p>So {formula}")
    assert [each.alt for each in found.root.every("Formula")] == ["a/2 + b"]


def test_what_is_missing_for_readers_is_counted(tmp_path: Path) -> None:
    page = f"<img src='{_RED}'><h1>One</h1><h3>Deep</h3><img src='{_RED}'>"
    path, warned = _made(tmp_path, page, pdfStandard="ua-1")
    assert any(": 2" in each for each in warned["CONTENT_DROPPED"])
    assert any("1 (“Deep”)" in each for each in warned["VALUE_CONVERTED"])
    assert "NOT_UNDERSTOOD" in warned
    found = tags(path)
    assert [each.role for each in found.root.every("H1", "H2", "H3")] == ["H1", "H2"]
    assert all(each.alt for each in found.root.every("Figure"))


def test_pages_have_no_tags_unless_they_are_asked_for(tmp_path: Path) -> None:
    path, _ = _made(tmp_path, _REPORT)
    with pikepdf.open(path) as pdf:
        assert "/MarkInfo" not in pdf.Root
        assert b"BDC" not in pdf.pages[0].Contents.read_bytes()


_MARKDOWN = """\
---
lang: en
---
# Title

Text with [a link](https://a.example/).

- [x] done
- open

> [!NOTE]
> Mind

| A | B |
|---|---|
| 1 | 2 |

So[^1].

[^1]: Note.
"""


def test_elements_of_markdown_are_in_the_tree(tmp_path: Path) -> None:
    found = _tagged(tmp_path, _MARKDOWN, "text.md")
    assert [each.text.strip() for each in found.root.every("H1", "TH", "TD")][:5] == ["Title", "A", "B", "1", "2"]
    assert len(found.root.every("LBody")) >= 2


def _listed(text: str, level: int) -> str:
    number = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="1"/></w:numPr>'
    return f"<w:p><w:pPr>{number}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def _numbered() -> bytes:
    levels = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/><w:lvlText w:val="%{at + 1}."/></w:lvl>'
        for at, kind in enumerate(("decimal", "lowerLetter"))
    )
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    numbering = (
        f'<w:numbering {space}><w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    )
    body = _listed("first", 0) + _listed("below", 1) + _listed("second", 0)
    return word(body, {"rNumbers": ("numbering", "numbering.xml", numbering)})


def test_elements_of_a_word_document_are_in_the_tree(tmp_path: Path) -> None:
    found = _tagged(tmp_path, docx(), "report.docx")
    assert [each.text for each in found.root.every("H1")] == ["Sales"]
    assert [each.text for each in found.root.every("TD")] == ["Region", "Units", "North", "1,200", "South", "950"]
    assert [each.alt for each in found.root.every("Figure")] == ["The red logo"]
    assert found.root.text.count("Audited figures") == 1
    assert found.root.text.count("Quarterly report") == 1


def test_numbered_paragraphs_of_a_word_document_are_lists(tmp_path: Path) -> None:
    found = _tagged(tmp_path, _numbered(), "list.docx")
    item = ("LI", "Lbl", "LBody")
    assert found.root.shape() == ("Document", ("L", ("LI", "Lbl", ("LBody", ("L", item))), item))
    assert [each.text.strip() for each in found.root.every("Lbl")] == ["1.", "a.", "2."]


def test_page_numbers_in_the_text_of_a_word_document_are_in_the_tree(tmp_path: Path) -> None:
    field = '<w:fldSimple w:instr="NUMPAGES"><w:r><w:t>9</w:t></w:r></w:fldSimple>'
    found = _tagged(tmp_path, word(f"<w:p><w:r><w:t>Pages: </w:t></w:r>{field}</w:p>"), "pages.docx")
    assert found.root.every("P")[0].text == "Pages: 1"


@pytest.mark.ci
@pytest.mark.parametrize("standard", ["ua-1", "a-2b", "a-3b"])
def test_results_are_what_verapdf_expects(standard: str, tmp_path: Path) -> None:
    conforming.require()
    sources: dict[str, tuple[str | bytes, dict[str, Any]]] = {
        "report.html": (_REPORT, {}),
        "bound.html": (
            _REPORT,
            {"coverHtml": "<h1>Cover", "contents": True, "footerHtml": "<a href=https://a.b>x</a>"},
        ),
        "scripts.html": ("<html lang=he><p>שלום <b>עולם</b> 12<p lang=hi>नमस्ते<p lang=ja>日本語 😀", {}),
        "bare.html": ("<h4>Heading</h4><table><tr><th>a<td>b<tr><td>c</table>", {"grayscale": True}),
        "text.md": (_MARKDOWN, {}),
        "report.docx": (docx(), {}),
        "list.docx": (_numbered(), {}),
    }
    files = []
    for name, (source, options) in sources.items():
        files.append(_made(tmp_path, source, name, pdfStandard=standard, **options)[0])
    found = {Path(file).stem: broken for file, broken in conforming.judged(files, standard).items()}
    assert found == {name: [] for name in sources}
