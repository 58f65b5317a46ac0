"""Letters of which a PDF says the number of a glyph and no character: they are told from text, and named."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from tests.converters.test_pdfs import convert

FONT = Path("engine/fonts/liberation/LiberationSans-Regular.ttf")


def numbered(codes: list[int], meanings: dict[int, str]) -> bytes:
    """A page of glyphs by number, of which `meanings` says what they are, as programs of an office write it.

    Those that the font has nothing to show for, 1 and 2, show what 36 does.
    """
    known = "".join(f"<{code:04x}> <{ord(letter):04x}>\n" for code, letter in meanings.items())
    cmap = (
        "begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange "
        f"{len(meanings)} beginbfchar\n{known}endbfchar endcmap"
    )
    shapes = b"".join((36 if each in (1, 2) else each).to_bytes(2, "big") for each in range(0x200))
    file = io.BytesIO()
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(400, 100))
        descriptor = Dictionary(
            Type=Name.FontDescriptor, FontName=Name("/ABCDEF+Office"), Flags=4, FontBBox=[0, -200, 1000, 900],
            ItalicAngle=0, Ascent=900, Descent=-200, CapHeight=700, StemV=80,
            FontFile2=pdf.make_stream(FONT.read_bytes()),
        )  # fmt: skip
        letters = Dictionary(
            Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name("/ABCDEF+Office"), DW=600,
            CIDSystemInfo=Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0),
            FontDescriptor=pdf.make_indirect(descriptor), CIDToGIDMap=pdf.make_stream(shapes),
        )  # fmt: skip
        font = Dictionary(
            Type=Name.Font, Subtype=Name.Type0, BaseFont=Name("/ABCDEF+Office"), Encoding=Name("/Identity-H"),
            DescendantFonts=Array([pdf.make_indirect(letters)]), ToUnicode=pdf.make_stream(cmap.encode()),
        )  # fmt: skip
        pdf.pages[0].Resources = Dictionary(Font=Dictionary(F1=font))
        shown = "".join(f"{code:04x}" for code in codes)
        pdf.pages[0].Contents = pdf.make_stream(f"BT /F1 12 Tf 20 50 Td <{shown}> Tj ET".encode())
        pdf.save(file)
    return file.getvalue()


KNOWN = {0x178: "o", 0x19A: "t", 0x190: "s", 0x1B5: "u", 3: " "}


@pytest.mark.parametrize("slug", ["pdf-to-txt", "pdf-to-markdown", "pdf-to-docx"])
def test_glyph_ids_are_not_letters_and_are_reported(slug: str, tmp_path: Path) -> None:
    # "constructor" in a common font of offices, of which the file says what five of its glyphs are.
    codes = [0x110, 0x178, 0x176, 0x190, 0x19A, 0x18C, 0x1B5, 0x110, 0x19A, 0x178, 0x18C]
    found, codes_of_warnings = convert(tmp_path, slug, numbered(codes, KNOWN), ocr="off")
    assert "ENCODING_REPLACED" in codes_of_warnings
    if slug != "pdf-to-docx":
        assert found.decode().strip() == "\ufffdo\ufffdst\ufffdu\ufffdto\ufffd"


@pytest.mark.parametrize("slug", ["pdf-to-txt", "pdf-to-markdown"])
def test_a_few_unmapped_glyphs_among_many_letters_are_reported_too(slug: str, tmp_path: Path) -> None:
    codes = [0x178, 0x19A, 0x190, 0x1B5] * 10 + [0x18C]
    found, warnings = convert(tmp_path, slug, numbered(codes, KNOWN), ocr="off")
    assert found.decode().strip() == "otsu" * 10 + "\ufffd"
    assert warnings == ["ENCODING_REPLACED"]


@pytest.mark.parametrize("slug", ["pdf-to-txt", "pdf-to-markdown"])
def test_letters_that_the_file_says_are_rare_stay(slug: str, tmp_path: Path) -> None:
    found, warnings = convert(tmp_path, slug, numbered([0x18C, 0x178], {0x18C: "\u018c", 0x178: "o"}), ocr="off")
    assert (found.decode().strip(), warnings) == ("\u018co", [])


@pytest.mark.parametrize("code", [0x01, 0x02, 0x1D, 0x93, 0x98])
@pytest.mark.parametrize("slug", ["pdf-to-txt", "pdf-to-markdown"])
def test_a_number_that_is_a_control_is_no_letter_to_be_left_out(slug: str, code: int, tmp_path: Path) -> None:
    codes = [0x178, 0x19A, 0x190, 0x1B5] * 5 + [code] + [0x178, 0x19A] * 5
    found, warnings = convert(tmp_path, slug, numbered(codes, KNOWN), ocr="off")
    assert found.decode().strip() == "otsu" * 5 + "\ufffd" + "ot" * 5
    assert warnings == ["ENCODING_REPLACED"]


@pytest.mark.parametrize("slug", ["pdf-to-txt", "pdf-to-markdown"])
def test_a_letter_declared_as_a_nul_is_unknown(slug: str, tmp_path: Path) -> None:
    codes = [0x178, 0x19A, 0x190, 0x1B5] * 5 + [0x18C] + [0x178, 0x19A] * 5
    found, warnings = convert(tmp_path, slug, numbered(codes, KNOWN | {0x18C: "\0"}), ocr="off")
    assert found.decode().strip() == "otsu" * 5 + "\ufffd" + "ot" * 5
    assert warnings == ["ENCODING_REPLACED"]


@pytest.mark.parametrize("slug", ["pdf-to-txt", "pdf-to-markdown"])
def test_a_control_without_a_shape_is_a_space(slug: str, tmp_path: Path) -> None:
    codes = [0x178, 0x19A, 0x190, 3, 0x1B5, 0x178]
    meanings = {code: letter for code, letter in KNOWN.items() if code != 3}
    found, warnings = convert(tmp_path, slug, numbered(codes, meanings), ocr="off")
    assert (found.decode().strip(), warnings) == ("ots uo", [])


@pytest.mark.parametrize("slug", ["pdf-to-txt", "pdf-to-markdown"])
def test_numbers_of_capitals_are_told_by_that_of_their_space(slug: str, tmp_path: Path) -> None:
    # "Vorname Nachname", of which the file says nothing at all: the numbers are 9RUQDPH 1DFKQDPH.
    codes = [57, 82, 85, 81, 68, 80, 72, 3, 49, 68, 70, 75, 81, 68, 80, 72]
    found, warnings = convert(tmp_path, slug, numbered(codes, {0x178: "o"}), ocr="off")
    assert found.decode().split() == ["\ufffd" * 7, "\ufffd" * 8]
    assert warnings == ["ENCODING_REPLACED"]


@pytest.mark.parametrize("slug", ["pdf-to-txt", "pdf-to-markdown"])
def test_characters_in_the_place_of_numbers_stay(slug: str, tmp_path: Path) -> None:
    codes = [ord(each) for each in "constructor"]
    found, warnings = convert(tmp_path, slug, numbered(codes, {0x178: "o"}), ocr="off")
    assert (found.decode().strip(), warnings) == ("constructor", [])


@pytest.mark.parametrize("slug", ["pdf-to-txt", "pdf-to-markdown"])
def test_text_survives_ligatures_at_control_code_points(slug: str, tmp_path: Path) -> None:
    # As TeX's fonts have them, of which the file says nothing: a ligature, then what it says.
    codes = [0x1C, *(ord(each) for each in "constructor")]
    found, warnings = convert(tmp_path, slug, numbered(codes, {0x178: "o"}), ocr="off")
    assert (found.decode().strip(), warnings) == ("\ufffdconstructor", ["ENCODING_REPLACED"])


@pytest.mark.parametrize("slug", ["pdf-to-txt", "pdf-to-markdown"])
def test_a_font_with_many_controls_has_numbers(slug: str, tmp_path: Path) -> None:
    found, _ = convert(tmp_path, slug, numbered([5, 0x22, 0x10, 0x12, 0x25, 0x14], {0x178: "o"}), ocr="off")
    assert set(found.decode().strip()) == {"\ufffd"}
