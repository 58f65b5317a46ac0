"""Split PDF strings into glyphs with their bytes and widths."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import pikepdf
from pikepdf import Name
from reportlab.pdfbase.pdfmetrics import getFont

from engine.families.pdf.name_text import text_of
from engine.families.pdf.read import DAMAGED
from engine.families.pdf.tasks.drawn_sizes import Id
from engine.families.pdf.tasks.used_codes import fonts_of

_STANDARD = {
    "arial": "Helvetica", "helvetica": "Helvetica", "timesnewroman": "Times-Roman", "times": "Times-Roman",
    "couriernew": "Courier", "courier": "Courier", "symbol": "Symbol", "zapfdingbats": "ZapfDingbats",
}  # fmt: skip
_STYLED = {
    "Helvetica": ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"),
    "Times-Roman": ("Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic"),
    "Courier": ("Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique"),
}
_RANGE = re.compile(rb"begincodespacerange(.*?)(?:endcodespacerange|\Z)", re.DOTALL)
_PAIR = re.compile(rb"<([0-9A-Fa-f\s]+)>\s*<([0-9A-Fa-f\s]+)>")
_TWO_BYTES = ("/Identity-H", "/Identity-V")
_MOST_WIDTHS = 70_000


@dataclass(frozen=True)
class CharCode:
    """One code of a string: its bytes, its width in text space, whether word spacing applies."""

    code: bytes
    width: float
    blank: bool


@dataclass
class Advances:
    """The widths of one font. `certain` is False if its strings can't be split reliably."""

    widths: dict[int, float] = field(default_factory=dict)
    default: float = 0.0
    lengths: list[tuple[int, bytes, bytes]] = field(default_factory=list)
    certain: bool = True

    def split(self, text: bytes) -> list[CharCode]:
        found, at = [], 0
        while at < len(text):
            length = self._length(text, at)
            code = text[at : at + length]
            width = self.widths.get(int.from_bytes(code, "big"), self.default)
            found.append(CharCode(code, width, length == 1 and code == b" "))
            at += length
        return found

    def _length(self, text: bytes, at: int) -> int:
        for length, low, high in self.lengths:
            code = text[at : at + length]
            if len(code) == length and all(a <= b <= c for a, b, c in zip(low, code, high, strict=True)):
                return length
        return self.lengths[0][0] if self.lengths else 1


class Fonts:
    """The widths of the fonts of a document, each read once."""

    def __init__(self) -> None:
        self._known: dict[Id, Advances] = {}

    def within(self, resources: pikepdf.Object | None) -> Callable[[str], Advances]:
        """The widths of the fonts in resources, by name."""
        fonts, named = fonts_of(resources), dict[str, Advances]()

        def of(name: str) -> Advances:
            if name not in named:
                named[name] = self._of(fonts.get(name))
            return named[name]

        return of

    def _of(self, font: pikepdf.Object | None) -> Advances:
        if font is None or not font.is_indirect:
            return advances_of(font)
        if font.objgen not in self._known:
            self._known[font.objgen] = advances_of(font)
        return self._known[font.objgen]


def advances_of(font: pikepdf.Object | None) -> Advances:
    """The widths of a font, also of one that is missing or damaged."""
    try:
        if font is None:
            return Advances(default=0.5, certain=False)
        if font.get(Name.Subtype) == Name.Type0:
            return _composite(font)
        return _simple(font)
    except DAMAGED:
        return Advances(default=0.5, certain=False)


def _simple(font: pikepdf.Object) -> Advances:
    scale = 0.001
    if font.get(Name.Subtype) == Name.Type3:
        scale = abs(float(font[Name.FontMatrix][0]))
    widths = font.get(Name.Widths)
    if not isinstance(widths, pikepdf.Array):
        return _standard(font)
    about = font.get(Name.FontDescriptor)
    missing = float(about.get(Name.MissingWidth, 0)) if isinstance(about, pikepdf.Dictionary) else 0.0
    first = int(font.get(Name.FirstChar, 0))
    return Advances({first + at: float(each) * scale for at, each in enumerate(widths)}, missing * scale)


def _standard(font: pikepdf.Object) -> Advances:
    """The widths of one of the fourteen standard fonts (ISO 32000-1, 9.6.2.2)."""
    name = text_of(font.get(Name.BaseFont, "/")).rpartition("+")[2].lower()
    bare = re.sub(r"(mt|ps|[-,\s]|bold|italic|oblique|roman)", "", name)
    family = _STANDARD.get(bare)
    if family is None:
        return Advances(default=0.5, certain=False)
    style = ("bold" in name) + 2 * ("italic" in name or "oblique" in name)
    found = getFont(_STYLED[family][style] if family in _STYLED else family)
    encoding = font.get(Name.Encoding)
    plain = encoding is None or encoding == Name.WinAnsiEncoding
    return Advances({code: width / 1000 for code, width in enumerate(found.widths) if width is not None}, certain=plain)


def _composite(font: pikepdf.Object) -> Advances:
    part = font[Name.DescendantFonts][0]
    found = Advances(default=float(part.get(Name.DW, 1000)) / 1000)
    encoding = font.get(Name.Encoding)
    if isinstance(encoding, pikepdf.Stream):
        for block in _RANGE.findall(encoding.read_bytes()):
            for low, high in _PAIR.findall(block):
                first, last = bytes.fromhex(low.decode()), bytes.fromhex(high.decode())
                if first and len(first) == len(last):
                    found.lengths.append((len(first), first, last))
        found.certain = False  # the rest of the CMap assigns codes to widths
    else:
        name = str(encoding)
        found.certain = name in _TWO_BYTES
    if not found.lengths:
        found.lengths.append((2, b"\0\0", b"\xff\xff"))
    _read_widths(part.get(Name.W), found)
    return found


def _read_widths(table: pikepdf.Object | None, found: Advances) -> None:
    """Read the W array: a code and its consecutive widths, or two codes and one width (ISO 32000-1, 9.7.4.3)."""
    if not isinstance(table, pikepdf.Array):
        return
    values, at = list(table), 0
    while at + 1 < len(values):
        first, second = int(values[at]), values[at + 1]
        if isinstance(second, pikepdf.Array):
            for number, each in enumerate(second):
                found.widths[first + number] = float(each) / 1000
            at += 2
        elif at + 2 < len(values):
            for code in range(first, min(int(second), first + _MOST_WIDTHS) + 1):
                found.widths[code] = float(values[at + 2]) / 1000
            at += 3
        else:
            return
