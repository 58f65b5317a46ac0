"""Fields of Word documents: those without a stored result are calculated or named, headers show their page's titles."""

from __future__ import annotations

import io
from pathlib import Path

import pypdfium2
import pytest

from engine.families.documents.word.field_formulas import calculated, pictured
from tests.converters.test_documents import Convert
from tests.converters.test_word_looks import drawn, p
from tests.families.documents import files

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_STYLES = (
    f'<w:styles xmlns:w="{_W}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>'
    "</w:styles>"
)
_MARKED = (
    '<w:p><w:bookmarkStart w:id="1" w:name="figure"/><w:r><w:t>Figure 7</w:t></w:r><w:bookmarkEnd w:id="1"/></w:p>'
    '<w:p><w:bookmarkStart w:id="2" w:name="price"/><w:r><w:t>12</w:t></w:r><w:bookmarkEnd w:id="2"/></w:p>'
)


def mark(kind: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def field(instruction: str, stored: str | None = None) -> str:
    instruction = instruction.replace("&", "&amp;").replace("<", "&lt;")
    text = f"<w:r><w:instrText xml:space='preserve'> {instruction} </w:instrText></w:r>"
    result = "" if stored is None else f"{mark('separate')}<w:r><w:t>{stored}</w:t></w:r>"
    return mark("begin") + text + result + mark("end")


def line(*fields: str) -> str:
    start, end = ("<w:r><w:t>&#171;</w:t></w:r>", "<w:r><w:t>&#187;</w:t></w:r>")
    return f"<w:p>{''.join(start + each + end for each in fields)}</w:p>"


def shown(done: Convert, target: str) -> str:
    if target == "pdf":
        pdf = pypdfium2.PdfDocument(io.BytesIO(done.data))
        return "\n".join(page.get_textpage().get_text_bounded() for page in pdf)
    return done.text.replace("\\", "")


@pytest.mark.parametrize("target", ["markdown", "html", pytest.param("pdf", marks=drawn)])
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ((field("SEQ Figure"), field("SEQ Table"), field("SEQ Figure")), "«1»«1»«2»"),
        ((field("SEQ Figure", "7"), field("SEQ Figure"), field("SEQ Figure \\c")), "«7»«8»«8»"),
        ((field("SEQ Part \\r 4 \\* ROMAN"),), "«IV»"),
        ((field("REF figure"), field("figure"), field("REF figure \\* Upper")), "«Figure 7»«Figure 7»«FIGURE 7»"),
        ((field("REF figure", "Stored"),), "«Stored»"),
        ((field('IF 2 < 10 "fewer" "more"'), field('IF "abc" = "a*" yes no')), "«fewer»«yes»"),
        ((field("= price * 2 + 1"), field('= 1234.5 \\# "#,##0.00"')), "«25»«1,234.50»"),
        ((field("SET total 5"), field("REF total"), field("= total ^ 2")), "«»«5»«25»"),
        ((field('QUOTE "said so"'), field("MERGEFIELD Name")), "«said so»««Name»»"),
        ((field("LISTNUM"), field("LISTNUM \\l 2"), field("LISTNUM \\l 2"), field("LISTNUM")), "«1)»«a)»«b)»«2)»"),
        ((field("AUTONUM"), field("AUTONUM")), "«1.»«2.»"),
    ],
)
def test_fields_without_a_result_are_calculated(
    tmp_path: Path, target: str, fields: tuple[str, ...], expected: str
) -> None:
    done = Convert(tmp_path, f"docx-to-{target}", files.word(_MARKED + line(*fields)))
    assert expected in shown(done, target).replace("&lt;", "<")
    assert "Fields without a stored result" not in done.messages


@pytest.mark.parametrize("target", ["markdown", "html", pytest.param("pdf", marks=drawn)])
def test_fields_without_a_value_are_named(tmp_path: Path, target: str) -> None:
    body = line(field("FILENAME"), field("REF nothing"), field("FILENAME"), field("XE entry"), field("PAGE"))
    done = Convert(tmp_path, f"docx-to-{target}", files.word(body))
    assert "Fields without a stored result were left out: 3 (FILENAME × 2, REF)." in done.messages


@drawn
def test_a_field_within_another_one_is_part_of_its_instruction(tmp_path: Path) -> None:
    inner = field("SEQ Step")
    words = ("<w:r><w:instrText xml:space='preserve'> IF </w:instrText></w:r>",
             "<w:r><w:instrText xml:space='preserve'> = 1 \"first\" \"later\" </w:instrText></w:r>")  # fmt: skip
    nested = mark("begin") + words[0] + inner + words[1] + mark("end")
    done = Convert(tmp_path, "docx-to-pdf", files.word(line(nested, nested)))
    assert "«first»«later»" in shown(done, "pdf")


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2+3*4", 14), ("(2+3)*4", 20), ("-2*3", -6), ("50%*8", 4), ("SUM(1,2,3)", 6), ("MAX(1;5;3)", 5),
        ("1,200+1", 1201), ("ROUND(2.345,2)", 2.35), ("IF(1<2,10,20)", 10), ("10/4", 2.5), ("1/0", None),
        ("2 3", None), ("(" * 1_000, None), ("9^9^9", None), ("SUM(ABOVE)", None), ("", None),
    ],
)  # fmt: skip
def test_expressions_have_the_values_that_word_calculates(expression: str, value: float | None) -> None:
    found = calculated(expression, lambda _: None)
    assert found == (value if value is None else pytest.approx(value))


@pytest.mark.parametrize(
    ("value", "picture", "text"),
    [
        (1234.5, "#,##0.00", "1,234.50"), (-3, "0.0", "-3.0"), (7, "000", "007"), (5, "$0.00", "$5.00"),
        (-5, "0;(0)", "(5)"), (2.5, "", "2.5"), (1e14, "", "100000000000000"),
    ],
)  # fmt: skip
def test_numbers_are_written_in_their_pictures(value: float, picture: str, text: str) -> None:
    assert pictured(value, picture) == text


@drawn
def test_a_header_shows_the_title_of_each_page(tmp_path: Path) -> None:
    head = (
        f'<w:hdr xmlns:w="{_W}"><w:p>{field("STYLEREF &quot;heading 1&quot;".replace("&quot;", chr(34)), "Stale")}'
        f"<w:r><w:t>/</w:t></w:r>{field('STYLEREF 1 ' + chr(92) + 'l', 'Stale')}</w:p></w:hdr>"
    )
    title, text = '<w:pStyle w:val="Heading1"/>', p("word " * 1_500)
    body = p("One", title) + text + p("Two", title) + p("Three", title) + text
    refer = (
        '<w:sectPr><w:headerReference xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
        'r:id="rH" w:type="default"/></w:sectPr>'
    )
    parts = {"rH": ("header", "header1.xml", head), "rS": ("styles", "styles.xml", _STYLES)}
    done = Convert(tmp_path, "docx-to-pdf", files.word(body + refer, parts))
    pages = shown(done, "pdf")
    assert "Stale" not in pages
    heads = [each for each in pages.splitlines() if "/" in each]
    assert heads[0].strip() == "One/One"
    assert heads[-1].strip() in ("Three/Three", "Two/Three")
    assert "Two/Three" in [each.strip() for each in heads]
