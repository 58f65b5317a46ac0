"""Draw the values of form fields in embedded fonts, for characters that the form's own fonts may lack."""

from __future__ import annotations

import io
import re
import struct
import unicodedata
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pikepdf
from fontTools import subset
from fontTools.ttLib import TTFont
from pikepdf import Name

from engine.families.pdf.drawn_text import drawn
from engine.families.pdf.name_text import text_of
from engine.toolkit.warnings import Kind, Warn

_FOLDER = Path(__file__).resolve().parents[3] / "fonts"
_FALLBACKS = (_FOLDER / "droid" / "DroidSansFallbackFull.ttf", _FOLDER / "droid" / "DroidSansFallback.ttf")
_PLAIN_VALUE = Kind(
    "STYLE_DROPPED",
    "Field values lost bold or italic, because no font has their letters in that style: {count}{places}.",
)
_USUAL, _SMALLEST = 12.0, 4.0
_PADDING = 2.0
_LINE = 1.15
_ASCENT, _DESCENT = 0.9, 0.21
_MULTILINE, _PASSWORD = 1 << 12, 1 << 13
"""Flags of text fields (ISO 32000-1, table 228)."""

_STRAIGHT = frozenset({"L", "EN", "ES", "ET", "CS", "ON", "WS", "BN", "B", "AN", "S"})
_SIZE = re.compile(rb"(?<![\d.])(-?(?:\d++\.?\d*+|\.\d++))\s+Tf")
_NAMED = re.compile(rb"/([^\s/\[\]()<>]+)\s+-?[\d.]+\s+Tf")
_COLOUR = re.compile(rb"(?<![\d.])((?:[\d.]++\s++){1,4})(g|rg|k)\b")


def draw(pdf: pikepdf.Pdf, field: pikepdf.AcroFormField, widget: pikepdf.Object, text: str, warn: Warn) -> None:
    """Give a widget of a text or choice field an appearance stream that shows `text`."""
    if int(field.flags) & _PASSWORD and field.is_text:
        text = "*" * len(text)
    x1, y1, x2, y2 = (float(each) for each in widget[Name.Rect])
    width, height = abs(x2 - x1), abs(y2 - y1)
    given = bytes(field.default_appearance)
    size = abs(float(found[1])) if (found := _SIZE.search(given)) else 0.0
    colour = found[0] if (found := _COLOUR.search(given)) else b"0 g"
    several = bool(int(field.flags) & _MULTILINE) and field.is_text
    resources, content = pikepdf.Dictionary(), b""
    look = _look(pdf, given)
    program, is_kept = _font_for(text, look)
    if not is_kept:
        warn.tally(_PLAIN_VALUE, 1, [text], part=f"{widget.objgen} {text}")
    if program is None:
        content = _pictured(pdf, text, size, (width, height), resources, warn)
    else:
        content = _lettered(pdf, program, text, size, (width, height), int(field.quadding), several, resources)
    about = widget.get(Name.MK)
    around = _around(about, width, height) if isinstance(about, pikepdf.Dictionary) else b""
    appearance = pdf.make_stream(
        b"%s/Tx BMC q 1 1 %.2f %.2f re W n %s %s Q EMC" % (around, width - 2, height - 2, colour, content),
        Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, width, height], Resources=resources,
    )  # fmt: skip
    widget[Name.AP] = pikepdf.Dictionary(N=appearance)


def _around(about: pikepdf.Object, width: float, height: float) -> bytes:
    """The background and border of a field (ISO 32000-1, table 189)."""
    found = b""
    for name, operators, drawn_as in (
        (Name.BG, {1: "g", 3: "rg", 4: "k"}, f"0 0 {width:.2f} {height:.2f} re f"),
        (Name.BC, {1: "G", 3: "RG", 4: "K"}, f"0.5 0.5 {width - 1:.2f} {height - 1:.2f} re S"),
    ):
        parts = [float(each) for each in about.get(name, [])]
        if len(parts) in operators:
            values = " ".join(f"{each:.4f}" for each in parts)
            found += f"q {values} {operators[len(parts)]} {drawn_as} Q ".encode()
    return found


@dataclass(frozen=True)
class _Look:
    """What the font of a field looks like: its family is Sans, Serif or Mono."""

    family: str = "Sans"
    bold: bool = False
    italic: bool = False

    @property
    def fonts(self) -> Iterator[tuple[Path, bool]]:
        """The fonts to look for letters in, the most alike first, and whether each is as bold and slanted."""
        style = ("Bold" * self.bold + "Italic" * self.italic) or "Regular"
        for family in dict.fromkeys((self.family, "Sans")):
            yield _FOLDER / "liberation" / f"Liberation{family}-{style}.ttf", True
        yield _FOLDER / "dejavu" / f"DejaVuSans{'-Bold' * self.bold}.ttf", not self.italic
        yield _FOLDER / "dejavu" / "DejaVuSans.ttf", self.is_plain
        yield from ((each, self.is_plain) for each in _FALLBACKS)

    @property
    def is_plain(self) -> bool:
        return not (self.bold or self.italic)


def _look(pdf: pikepdf.Pdf, given: bytes) -> _Look:
    """The look of the font that a default appearance names, by its name and flags (ISO 32000-1, table 123)."""
    named = _NAMED.search(given)
    fonts: pikepdf.Object | None = pdf.Root
    for each in (Name.AcroForm, Name.DR, Name.Font):
        fonts = fonts.get(each) if isinstance(fonts, pikepdf.Dictionary) else None
    font = fonts.get("/" + named[1].decode("latin-1")) if named and isinstance(fonts, pikepdf.Dictionary) else None
    if not isinstance(font, pikepdf.Dictionary):
        return _Look()
    descriptor = font.get(Name.FontDescriptor)
    flags = int(descriptor.get(Name.Flags, 0)) if isinstance(descriptor, pikepdf.Dictionary) else 0
    called = text_of(font.get(Name.BaseFont, "")).lower()
    mono = bool(flags & 1) or "courier" in called or "mono" in called
    serif = bool(flags & 2) or "times" in called or ("serif" in called and "sans" not in called)
    return _Look(
        "Mono" if mono else "Serif" if serif else "Sans",
        bold=bool(flags & 1 << 18) or any(each in called for each in ("bold", "black", "heavy")),
        italic=bool(flags & 1 << 6) or any(each in called for each in ("italic", "oblique")),
    )


def _font_for(text: str, look: _Look) -> tuple[TTFont | None, bool]:
    """The font with glyphs for all characters that is most alike, and whether it is as bold and slanted.

    There is none if no font has them, or if the text needs shaping or reordering.
    """
    letters = {letter for letter in text if letter not in "\r\n"}
    if any(
        unicodedata.bidirectional(each) not in _STRAIGHT or unicodedata.category(each) in ("Mc", "Me", "Mn")
        for each in letters
    ):
        return None, look.is_plain
    for path, is_alike in look.fonts:
        if path.is_file():
            font = TTFont(path, lazy=True)
            if {ord(each) for each in letters} <= font.getBestCmap().keys():
                return font, is_alike
            font.close()
    return None, look.is_plain


def _lettered(
    pdf: pikepdf.Pdf,
    font: TTFont,
    text: str,
    size: float,
    room: tuple[float, float],
    side: int,
    several: bool,
    resources: pikepdf.Dictionary,
) -> bytes:
    cmap, unit, metrics = font.getBestCmap(), font["head"].unitsPerEm, font["hmtx"]
    ems = {letter: metrics[cmap[ord(letter)]][0] / unit for letter in set(text) if letter not in "\r\n"}

    def wide(line: str) -> float:
        return float(sum(ems[letter] for letter in line))

    across, height = room[0] - 2 * _PADDING, room[1]
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if several:
        size = size or _USUAL
        lines = [part for line in lines for part in _wrapped(line, across / size, wide)]
    else:
        lines = [" ".join(lines)]
        size = size or max(_SMALLEST, min(_USUAL, height * 0.7, across / max(wide(lines[0]), 0.01)))
    resources[Name.Font] = pikepdf.Dictionary(L=_embedded(pdf, font, set(ems)))
    codes = {letter: font_code for font_code, letter in enumerate(sorted(ems), 1)}
    up = height - _PADDING - _ASCENT * size if several else (height - (_ASCENT - _DESCENT) * size) / 2
    shown = [f"BT /L {size:.2f} Tf"]
    for at, line in enumerate(lines):
        left = _PADDING + (across - wide(line) * size) * {0: 0.0, 1: 0.5, 2: 1.0}.get(side, 0.0)
        coded = "".join(f"{codes[letter]:04x}" for letter in line)
        shown.append(f"1 0 0 1 {left:.2f} {up - at * _LINE * size:.2f} Tm <{coded}> Tj")
    return " ".join([*shown, "ET"]).encode()


def _wrapped(line: str, room: float, wide: Callable[[str], float]) -> list[str]:
    found, now = [], ""
    for word in line.split(" "):
        longer = f"{now} {word}" if now else word
        if now and wide(longer) > room:
            found.append(now)
            longer = word
        now = longer
    return [*found, now]


def _embedded(pdf: pikepdf.Pdf, font: TTFont, letters: set[str]) -> pikepdf.Object:
    """A font with only these characters, whose codes are their positions from 1."""
    ordered = sorted(letters)
    options = subset.Options(
        notdef_outline=True, hinting=False, layout_features=[], name_IDs=[], retain_gids=False, legacy_cmap=False
    )
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "DSIG", "FFTM"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[ord(each) for each in ordered])
    subsetter.subset(font)
    cmap, unit, metrics = font.getBestCmap(), font["head"].unitsPerEm, font["hmtx"]
    numbers = [font.getGlyphID(cmap[ord(each)]) for each in ordered]
    widths = [round(metrics[cmap[ord(each)]][0] * 1000 / unit) for each in ordered]
    font.recalcTimestamp = False
    out = io.BytesIO()
    font.save(out)
    data = out.getvalue()
    file = pdf.make_stream(b"")
    file.write(zlib.compress(data, 9), filter=Name.FlateDecode)
    file[Name.Length1] = len(data)
    descriptor = pikepdf.Dictionary(
        Type=Name.FontDescriptor, FontName=Name.FieldLetters, Flags=4, FontBBox=[-200, -300, 1200, 1000], ItalicAngle=0,
        Ascent=900, Descent=-210, CapHeight=700, StemV=80, FontFile2=file,
    )  # fmt: skip
    part = pikepdf.Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name.FieldLetters, DW=1000,
        CIDSystemInfo=pikepdf.Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
        FontDescriptor=pdf.make_indirect(descriptor), W=[1, pikepdf.Array(widths)],
        CIDToGIDMap=pdf.make_stream(struct.pack(f">{len(numbers) + 1}H", 0, *numbers)),
    )  # fmt: skip
    return pdf.make_indirect(
        pikepdf.Dictionary(
            Type=Name.Font, Subtype=Name.Type0, BaseFont=Name.FieldLetters, Encoding=Name("/Identity-H"),
            DescendantFonts=[pdf.make_indirect(part)], ToUnicode=pdf.make_stream(_meanings(ordered)),
        )
    )  # fmt: skip


def _meanings(ordered: Sequence[str]) -> bytes:
    """The Unicode mapping of each code (ISO 32000-1, 9.10.3)."""
    lines = []
    for at in range(0, len(ordered), 100):
        part = ordered[at : at + 100]
        lines.append(f"{len(part)} beginbfchar")
        lines += [f"<{at + code:04x}> <{letter.encode('utf-16-be').hex()}>" for code, letter in enumerate(part, 1)]
        lines.append("endbfchar")
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Letters def /CMapType 2 def\n"
        "1 begincodespacerange <0000> <ffff> endcodespacerange\n" + "\n".join(lines) + "\nendcmap end end"
    ).encode("ascii")


def _pictured(
    pdf: pikepdf.Pdf, text: str, size: float, room: tuple[float, float], resources: pikepdf.Dictionary, warn: Warn
) -> bytes:
    """Draw text that needs shaping or reordering as a picture."""
    line = " ".join(text.split())
    found = drawn(pdf, line, warn, (0,))
    across = room[0] - 2 * _PADDING
    size = min(size or min(_USUAL, room[1] * 0.7), across / max(found.width, 0.01))
    resources[Name.XObject] = pikepdf.Dictionary(M=found.picture)
    up = (room[1] - (_ASCENT - _DESCENT) * size) / 2 + found.bottom * size
    meaning = ("\ufeff" + line).encode("utf-16-be").hex()
    return (
        f"/Span <</ActualText <{meaning}>>> BDC q {found.width * size:.2f} 0 0 {found.height * size:.2f} "
        f"{_PADDING:.2f} {up:.2f} cm /M Do Q EMC"
    ).encode("ascii")
