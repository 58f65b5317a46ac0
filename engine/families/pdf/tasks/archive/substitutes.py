"""Metric-compatible substitutes for common fonts that are not embedded."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.ttLib import TTFont
from pikepdf import Name

from engine.families.pdf.tasks.archive.refusing import refused
from engine.families.pdf.tasks.lettering import UNUSED, WIN_ANSI, letter_of, names_of
from engine.toolkit.messages import say

_FOLDER = Path(__file__).resolve().parents[4] / "fonts" / "liberation"
_ALIKE = {
    "Helvetica": "Sans",
    "Arial": "Sans",
    "Times": "Serif",
    "TimesNewRoman": "Serif",
    "Courier": "Mono",
    "CourierNew": "Mono",
}
"""Common fonts, mapped to the bundled family with the same metrics."""


def _parts(name: str) -> tuple[str, str]:
    """The family and style parts of a font name."""
    plain = name.partition("+")[2] or name
    family, _, style = plain.replace(",", "-").partition("-")
    return family.removesuffix("MT").removesuffix("PS"), style


def is_common(name: str) -> bool:
    """Whether a bundled font has the metrics of the font with this name."""
    return _parts(name)[0] in _ALIKE


def embed(pdf: pikepdf.Pdf, font: pikepdf.Object, name: str) -> None:
    """Embed a metric-compatible font for one that readers are expected to have."""
    family, style = _parts(name)
    alike = _ALIKE.get(family)
    if alike is None or font[Name.Subtype] == Name.MMType1:
        raise refused(say("the font {name} is not embedded", name=name))
    bold, slanted = "Bold" in style, "Italic" in style or "Oblique" in style
    file = _FOLDER / f"Liberation{alike}-{'Bold' * bold}{'Italic' * slanted or ('' if bold else 'Regular')}.ttf"
    data = file.read_bytes()
    names = names_of(font, dict(enumerate(StandardEncoding)))
    with TTFont(io.BytesIO(data), lazy=True) as program:
        cmap, unit, metrics = program.getBestCmap(), program["head"].unitsPerEm, program["hmtx"]
        head, lines = program["head"], program["hhea"]
        characters = {code: letter_of(letter) for code, letter in names.items()}
        glyphs = {code: cmap.get(ord(letter)) for code, letter in characters.items() if letter}
        widths = [round(metrics[glyphs.get(code) or ".notdef"][0] * 1000 / unit) for code in range(256)]
        box = [round(each * 1000 / unit) for each in (head.xMin, head.yMin, head.xMax, head.yMax)]
        ascent, descent = (round(each * 1000 / unit) for each in (lines.ascent, lines.descent))
    stream = pdf.make_stream(data, Length1=len(data))
    new = Name(f"/Liberation{alike}{'-' * (bold or slanted)}{'Bold' * bold}{'Italic' * slanted}")
    font[Name.Subtype], font[Name.BaseFont] = Name.TrueType, new
    font[Name.FirstChar], font[Name.LastChar], font[Name.Widths] = 0, 255, pikepdf.Array(widths)
    if any(names.get(code) != name and glyphs.get(code) for code, name in enumerate(WIN_ANSI)):
        known = [0, *(Name(f"/{names[code]}" if glyphs.get(code) else "/space") for code in range(256))]
    else:
        known = [each for code in UNUSED for each in (code, Name.bullet)]  # which not all readers know
    font[Name.Encoding] = pikepdf.Dictionary(Type=Name.Encoding, BaseEncoding=Name.WinAnsiEncoding, Differences=known)
    font[Name.FontDescriptor] = pdf.make_indirect(
        pikepdf.Dictionary(
            Type=Name.FontDescriptor, FontName=new, Flags=32, FontBBox=box, ItalicAngle=-12 if slanted else 0,
            Ascent=ascent, Descent=descent, CapHeight=700, StemV=120 if bold else 80, FontFile2=stream,
        )
    )  # fmt: skip
