"""Fonts that office documents name: which bundled font stands for each, how wide and high it is, and what is said."""

from __future__ import annotations

import io
import re
from pathlib import Path

import openpyxl
import pikepdf
import pypdfium2
import pytest
from fontTools.ttLib import TTFont
from odf.opendocument import OpenDocumentText
from odf.style import Style, TextProperties
from odf.text import P
from openpyxl.styles import Font
from PIL import Image, ImageChops

from engine.families.registry import DECLARED
from engine.toolkit import font_twins
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.converters.test_documents import Convert
from tests.converters.test_printed_sheets import Pages, workbook
from tests.converters.test_slides import box, deck
from tests.converters.test_word_looks import drawn
from tests.families.documents import files

_TEXT = "formatting, office and Title pages"
_TWINS = {
    "Arial": "LiberationSans", "Times New Roman": "LiberationSerif", "Courier New": "LiberationMono",
    "Calibri": "Carlito", "Cambria": "Caladea-Regular", "Cambria Math": "Caladea-Regular",
}  # fmt: skip
_SAID = "Fonts that are not installed were replaced by others of the same widths: {}."


def _run(text: str, font: str, more: str = "") -> str:
    look = f'<w:rPr><w:rFonts w:ascii="{font}" w:hAnsi="{font}"/>{more}</w:rPr>'
    return f'<w:r>{look}<w:t xml:space="preserve">{text}</w:t></w:r>'


def _paragraph(*runs: str) -> str:
    return f"<w:p>{''.join(runs)}</w:p>"


def _said(done: Convert) -> set[str]:
    return {f"{each.strip()}." for each in re.split(r"\.(?: |$)", done.messages) if "not installed" in each}


def _faces(data: bytes) -> set[str]:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        fonts = (each for each in pdf.objects if isinstance(each, pikepdf.Dictionary) and "/BaseFont" in each)
        return {str(each.BaseFont).partition("+")[2] for each in fonts}


def _deck(font: str, text: str) -> bytes:
    return deck(box(f'<a:p><a:r><a:rPr sz="2000"><a:latin typeface="{font}"/></a:rPr><a:t>{text}</a:t></a:r></a:p>'))


def _slides(source: bytes, folder: Path) -> tuple[bytes, list[str]]:
    converter = next(each for each in DECLARED if each.slug == "pptx-to-pdf" and each.profile != "libreoffice")
    (folder / "input.pptx").write_bytes(source)
    warn = Warn()
    converter.run(folder / "input.pptx", folder / "output.pdf", build(converter.options, {}), warn)
    said = [str(each.message) for each in warn.warnings if each.code == "FONT_SUBSTITUTED"]
    return (folder / "output.pdf").read_bytes(), said


@pytest.mark.parametrize(("font", "face"), _TWINS.items())
def test_bundled_fonts_have_a_file_for_each_style(font: str, face: str) -> None:
    for bold in (False, True):
        for italic in (False, True):
            path = Path(font_twins.file(font_twins.twin(font), bold=bold, italic=italic))
            with TTFont(path) as found:
                assert (found["name"].getDebugName(1) or "").replace(" ", "") == face.partition("-")[0]
                assert found["head"].macStyle & 3 == bold + 2 * italic
            assert (path.parent / "LICENSE.txt").is_file()


@drawn
@pytest.mark.parametrize(("font", "face"), [*_TWINS.items(), ("Calibri Light", "Carlito")])
def test_a_word_document_is_set_in_the_font_of_the_same_widths(tmp_path: Path, font: str, face: str) -> None:
    done = Convert(tmp_path, "docx-to-pdf", files.word(_paragraph(_run(_TEXT, font, '<w:sz w:val="24"/>'))))
    assert _faces(done.data) == {face}
    text = pypdfium2.PdfDocument(done.data)[0].get_textpage()
    assert text.get_text_range().strip() == _TEXT
    left, right = text.get_charbox(0, loose=True)[0], text.get_charbox(len(_TEXT) - 1, loose=True)[2]
    with TTFont(font_twins.file(font_twins.stand_in(font), bold=False, italic=False)) as found:
        names, advances, unit = found.getBestCmap(), found["hmtx"], found["head"].unitsPerEm
    width = sum(advances[names[ord(each)]][0] for each in _TEXT) * 12 / unit
    assert right - left == pytest.approx(width, rel=0.002)


def _rich_text(kerning: str) -> str:
    return rf"{{\rtf1{{\fonttbl{{\f0 Times New Roman;}}}}\f0\fs40{kerning} AVAVAVAV\par}}"


def _open_text(kerning: str) -> bytes:
    document = OpenDocumentText()
    style = Style(name="S", family="paragraph")
    more = {"letterkerning": kerning} if kerning else {}
    style.addElement(TextProperties(fontsize="20pt", fontfamily="Times New Roman", **more))
    document.automaticstyles.addElement(style)
    document.text.addElement(P(stylename=style, text="AVAVAVAV"))
    file = io.BytesIO()
    document.write(file)
    return file.getvalue()


def _word(kerning: str) -> bytes:
    return files.word(_paragraph(_run("AVAVAVAV", "Times New Roman", f'<w:sz w:val="40"/>{kerning}')))


@drawn
@pytest.mark.parametrize(
    ("slug", "source", "kerned"),
    [
        ("docx-to-pdf", _word(""), False),
        ("docx-to-pdf", _word('<w:kern w:val="48"/>'), False),
        ("docx-to-pdf", _word('<w:kern w:val="2"/>'), True),
        ("rtf-to-pdf", _rich_text(""), False),
        ("rtf-to-pdf", _rich_text(r"\kerning28"), True),
        ("odt-to-pdf", _open_text(""), False),
        ("odt-to-pdf", _open_text("true"), True),
    ],
    ids=["none", "of larger text", "word", "no rtf", "rtf", "no odt", "odt"],
)
def test_letters_are_moved_together_only_where_the_document_says_so(
    tmp_path: Path, slug: str, source: bytes | str, kerned: bool
) -> None:
    text = pypdfium2.PdfDocument(Convert(tmp_path, slug, source).data)[0].get_textpage()
    width = text.get_charbox(7, loose=True)[2] - text.get_charbox(0, loose=True)[0]
    assert width == pytest.approx(98 if kerned else 115.5, abs=2)


@drawn
@pytest.mark.parametrize("style", ["", "<w:b/>", "<w:i/>", "<w:b/><w:i/>"])
def test_letters_that_carlito_joins_stay_in_the_text(tmp_path: Path, style: str) -> None:
    words = " ".join(a + b + c for a in "ft" for b in "fijlt" for c in "fijltk")
    done = Convert(tmp_path, "docx-to-pdf", files.word(_paragraph(_run(words, "Calibri", style))))
    assert pypdfium2.PdfDocument(done.data)[0].get_textpage().get_text_range().split() == words.split()
    assert done.codes == {"FONT_SUBSTITUTED"}


@drawn
@pytest.mark.parametrize(("font", "high"), [("Arial", 1.149), ("Calibri", 1.2207), ("Cambria", 1.1724)])
def test_lines_are_as_high_as_in_the_font_that_is_named(tmp_path: Path, font: str, high: float) -> None:
    lines = [_paragraph(_run("Hx", font, '<w:sz w:val="40"/>')) for _ in range(11)]
    done = Convert(tmp_path, "docx-to-pdf", files.word("".join(lines)))
    text = pypdfium2.PdfDocument(done.data)[0].get_textpage()
    bottoms = [text.get_charbox(each)[1] for each, char in enumerate(text.get_text_range()) if char == "H"]
    assert (bottoms[0] - bottoms[10]) / 10 == pytest.approx(20 * high, abs=0.05)


@drawn
def test_greek_and_russian_in_cambria_are_set_in_a_serif(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-pdf", files.word(_paragraph(_run("Ελληνικά Русский", "Cambria"))))
    assert "LiberationSerif" in _faces(done.data)
    assert "LiberationSans" not in _faces(done.data)


@drawn
def test_fonts_of_the_same_widths_are_named_once_and_others_each(tmp_path: Path) -> None:
    fonts = ("Cambria", "Verdana", "Calibri", "Calibri Light", "Arial", "Aptos", "Liberation Sans")
    done = Convert(tmp_path, "docx-to-pdf", files.word(_paragraph(*(_run("Text ", each) for each in fonts))))
    assert _said(done) == {
        _SAID.format("“Arial”, “Calibri”, “Cambria”"),
        "The font “Verdana” is not installed and was replaced by Liberation Sans.",
        "The font “Calibri Light” is not installed and was replaced by Carlito.",
        "The font “Aptos” is not installed and was replaced by Liberation Sans.",
    }


@drawn
@pytest.mark.parametrize(
    ("font", "text", "named"),
    [
        ("Tahoma", "Text", True),
        ("Tahoma", "Text مرحبا", True),
        ("Tahoma", "مرحبا 123", False),
        ("Nonesuch", "Text", True),
        ("Nonesuch", "नमस्ते", False),
        ("MS Gothic", "☐", False),
    ],
)
def test_a_font_that_has_none_of_the_letters_is_not_said_to_show_them(
    tmp_path: Path, font: str, text: str, named: bool
) -> None:
    done = Convert(tmp_path, "docx-to-pdf", files.word(_paragraph(_run(text, font))))
    (said,) = _said(done)
    assert f"“{font}”" in said
    assert ("Liberation Sans" in said) is named


@drawn
@pytest.mark.parametrize(("font", "face"), _TWINS.items())
def test_a_slide_is_set_in_the_font_of_the_same_widths(tmp_path: Path, font: str, face: str) -> None:
    data, said = _slides(_deck(font, _TEXT), tmp_path)
    assert _faces(data) == {face}
    assert said == [_SAID.format(f"“{font}”")]


@drawn
def test_a_slide_does_not_say_that_a_font_shows_letters_it_does_not_have(tmp_path: Path) -> None:
    _, said = _slides(_deck("Tahoma", "مرحبا"), tmp_path)
    assert said == ["The font “Tahoma” is not installed and was replaced."]


@pytest.mark.parametrize(
    ("font", "face"),
    [("Calibri", "Carlito"), ("Cambria", "Caladea-Regular"), ("Arial", "LiberationSans")],
)
def test_a_sheet_is_set_in_the_font_of_the_same_widths(font: str, face: str) -> None:
    def fill(book: openpyxl.Workbook) -> None:
        sheet = book.worksheets[0]
        sheet.append([_TEXT])
        sheet["A1"].font = Font(name=font, sz=12)

    pages = Pages(workbook(fill))
    assert any(each.startswith(face) for each in _faces(pages.data))
    left, _, right, _ = pages.box(_TEXT)
    with TTFont(font_twins.file(font_twins.stand_in(font), bold=False, italic=False)) as found:
        names, advances, unit = found.getBestCmap(), found["hmtx"], found["head"].unitsPerEm
    width = sum(advances[names[ord(each)]][0] for each in _TEXT) * 12 / unit
    assert right - left == pytest.approx(width, rel=0.02)


@pytest.mark.parametrize("font", ["Calibri", "ABCDEF+Calibri", "Cambria", "Arial", "Courier New"])
def test_a_page_that_does_not_have_its_font_is_drawn_in_the_one_of_its_widths(tmp_path: Path, font: str) -> None:
    pdf = pikepdf.new()
    face = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.TrueType,
        BaseFont=pikepdf.Name(f"/{font.replace(' ', '')}"),
        Encoding=pikepdf.Name.WinAnsiEncoding,
    )
    pdf.add_blank_page(page_size=(400, 60))
    pdf.pages[0].Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=face))
    pdf.pages[0].Contents = pdf.make_stream(b"BT /F 20 Tf 10 20 Td (Handgloves Rag nnn) Tj ET")
    file = io.BytesIO()
    pdf.save(file)
    picture = Image.open(io.BytesIO(Convert(tmp_path, "pdf-to-png", file.getvalue()).data)).convert("L")
    left, _, right, _ = ImageChops.invert(picture).getbbox() or (0, 0, 0, 0)
    with TTFont(font_twins.file(font_twins.twin(font.partition("+")[2] or font), bold=False, italic=False)) as found:
        names, advances, unit = found.getBestCmap(), found["hmtx"], found["head"].unitsPerEm
    width = sum(advances[names[ord(each)]][0] for each in "Handgloves Rag nnn") * 20 / unit
    assert (right - left) * 400 / picture.width == pytest.approx(width, abs=4)
