"""Letters of which a PDF says the number of a glyph and no character: they are told from text, and named."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from tests.converters.test_pdfs import convert

FONT = Path("conversions/fonts/liberation/LiberationSans-Regular.ttf")


def numbered(codes: list[int], meanings: dict[int, str]) -> bytes:
    """A page of glyphs by number, of which `meanings` says what they are, as programs of an office write it."""
    known = "".join(f"<{code:04x}> <{ord(letter):04x}>\n" for code, letter in meanings.items())
    cmap = (
        "begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange "
        f"{len(meanings)} beginbfchar\n{known}endbfchar endcmap"
    )
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
            FontDescriptor=pdf.make_indirect(descriptor), CIDToGIDMap=Name.Identity,
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


@pytest.mark.parametrize("slug", ["pdf-to-markdown", "pdf-to-docx"])
def test_numbers_of_glyphs_are_no_letters_and_are_named(slug: str, tmp_path: Path) -> None:
    # "constructor" in a common font of offices, of which the file says what five of its glyphs are.
    codes = [0x110, 0x178, 0x176, 0x190, 0x19A, 0x18C, 0x1B5, 0x110, 0x19A, 0x178, 0x18C]
    found, codes_of_warnings = convert(tmp_path, slug, numbered(codes, KNOWN), ocr="off")
    assert "ENCODING_REPLACED" in codes_of_warnings
    if slug == "pdf-to-markdown":
        assert found.decode().strip() == "\ufffdo\ufffdst\ufffdu\ufffdto\ufffd"


def test_few_numbers_among_many_letters_are_named_as_well(tmp_path: Path) -> None:
    codes = [0x178, 0x19A, 0x190, 0x1B5] * 10 + [0x18C]
    found, warnings = convert(tmp_path, "pdf-to-markdown", numbered(codes, KNOWN), ocr="off")
    assert found.decode().strip() == "otsu" * 10 + "\ufffd"
    assert warnings == ["ENCODING_REPLACED"]


def test_letters_that_the_file_says_are_rare_stay(tmp_path: Path) -> None:
    found, warnings = convert(
        tmp_path, "pdf-to-markdown", numbered([0x18C, 0x178], {0x18C: "\u018c", 0x178: "o"}), ocr="off"
    )
    assert (found.decode().strip(), warnings) == ("\u018co", [])
