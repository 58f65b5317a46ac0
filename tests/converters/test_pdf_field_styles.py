"""Values of form fields keep the family, weight and slant of their font, or lose them with a warning."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest
from fontTools.ttLib import TTFont
from pikepdf import Array, Dictionary, Name

from engine.conversion import convert

BOLD, ITALIC = 1, 2


def _form(value: str, base: str, flags: int | None = None) -> bytes:
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(300, 100))
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/" + base), Encoding=Name.WinAnsiEncoding)
    if flags is not None:
        font.FontDescriptor = Dictionary(Type=Name.FontDescriptor, FontName=Name("/" + base), Flags=flags)
    field = pdf.make_indirect(
        Dictionary(
            Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T="name", V=value, DA="/F 12 Tf 0 g",
            Rect=Array([20, 20, 280, 60]), P=page.obj,
        )
    )  # fmt: skip
    page.obj.Annots = pdf.make_indirect(Array([field]))
    pdf.Root.AcroForm = Dictionary(Fields=Array([field]), DR=Dictionary(Font=Dictionary(F=font)), DA="/F 12 Tf 0 g")
    file = io.BytesIO()
    pdf.save(file)
    return file.getvalue()


def _flattened(folder: Path, data: bytes) -> tuple[TTFont, list[str]]:
    """The font in which the value is drawn, and the warnings."""
    source = folder / "input.pdf"
    source.write_bytes(data)
    result = convert(source, folder / "output.pdf", sandbox=False, operation="flatten")
    with pikepdf.open(result.path) as pdf:
        (file,) = (each.read_bytes() for each in pdf.objects if isinstance(each, pikepdf.Stream) and "/Length1" in each)
    return TTFont(io.BytesIO(file)), [f"{each.code} {each.message}" for each in result.warnings]


@pytest.mark.parametrize(
    ("base", "flags", "style"),
    [
        ("Helvetica", None, 0),
        ("Helvetica-Bold", None, BOLD),
        ("Helvetica-BoldOblique", None, BOLD | ITALIC),
        ("Times-Italic", None, ITALIC),
        ("Courier-Bold", None, BOLD),
        ("ABCDEF+Frutiger", 1 << 18 | 1 << 6, BOLD | ITALIC),
    ],
)
@pytest.mark.parametrize("value", ["Αθήνα", "Dvořák"])
def test_a_value_is_as_bold_and_slanted_as_its_font(
    value: str, base: str, flags: int | None, style: int, tmp_path: Path
) -> None:
    font, warned = _flattened(tmp_path, _form(value, base, flags))
    assert font["head"].macStyle == style
    assert bool(font["post"].isFixedPitch) == (base == "Courier-Bold")
    assert warned == []


@pytest.mark.parametrize(("base", "count"), [("Helvetica", 0), ("Helvetica-Bold", 1), ("Times-Italic", 1)])
def test_a_style_that_no_font_has_letters_in_is_named(base: str, count: int, tmp_path: Path) -> None:
    _, warned = _flattened(tmp_path, _form("東京", base))
    lost = "Field values lost bold or italic, because no font has their letters in that style: 1 (東京)."
    assert warned == [f"STYLE_DROPPED {lost}"] * count
