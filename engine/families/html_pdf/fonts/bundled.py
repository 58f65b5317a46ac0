"""The bundled font families, loaded on first use, and the characters they cover."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from reportlab.lib.fonts import addMapping
from reportlab.pdfbase import pdfmetrics, ttfonts

from engine.families.html_pdf.fonts.shaping import ShapedFace, to_unicode_cmap
from engine.toolkit import font_twins

FOLDER = Path(__file__).resolve().parents[3] / "fonts"


@dataclass(frozen=True)
class Family:
    """One bundled family; a missing style is drawn by the nearest one.

    The text of `shaped` families must be joined, reordered or stacked before drawing.
    """

    name: str
    regular: str
    bold: str | None = None
    italic: str | None = None
    bold_italic: str | None = None
    shaped: bool = False

    def style(self, *, bold: bool, italic: bool) -> str:
        """The name under which the face for this style is registered: its file name."""
        if bold and italic:
            file = self.bold_italic or self.bold or self.italic
        else:
            file = self.bold if bold else self.italic if italic else None
        return Path(file or self.regular).stem


def _four(name: str) -> Family:
    """A family with a face for each style."""
    styles = (font_twins.file(name, bold=bold, italic=italic) for italic in (False, True) for bold in (False, True))
    regular, bold, italic, bold_italic = styles
    return Family(name, regular, bold, italic, bold_italic)


def _noto(script: str, *, bold: bool = False) -> Family:
    path = f"noto/NotoSans{script}-"
    return Family(f"Noto Sans {script}", f"{path}Regular.ttf", f"{path}Bold.ttf" if bold else None, shaped=True)


SANS = _four("Liberation Sans")
SERIF = _four("Liberation Serif")
MONO = _four("Liberation Mono")
CARLITO = _four("Carlito")
CALADEA = _four("Caladea")
SYMBOLS = Family("DejaVu Sans", "dejavu/DejaVuSans.ttf", "dejavu/DejaVuSans-Bold.ttf")
PICTURES = Family("Symbola", "symbola/Symbola.ttf")
EMOJI = Family("Noto Emoji", "noto/NotoEmoji-Regular.ttf", shaped=True)
CJK = Family("Droid Sans Fallback", "droid/DroidSansFallback.ttf")

_BLOCKS: tuple[tuple[int, int, Family], ...] = (  # Unicode blocks with their own family
    (0x0900, 0x097F, _noto("Devanagari", bold=True)),
    (0x0980, 0x09FF, _noto("Bengali")),
    (0x0A00, 0x0A7F, _noto("Gurmukhi")),
    (0x0A80, 0x0AFF, _noto("Gujarati")),
    (0x0B80, 0x0BFF, _noto("Tamil")),
    (0x0C00, 0x0C7F, _noto("Telugu")),
    (0x0C80, 0x0CFF, _noto("Kannada")),
    (0x0D00, 0x0D7F, _noto("Malayalam")),
    (0x0E00, 0x0E7F, _noto("Thai", bold=True)),
    (0x0E80, 0x0EFF, _noto("Lao")),
    (0x1780, 0x17FF, _noto("Khmer")),
    (0x2E80, 0xA4CF, CJK),
    (0xAC00, 0xD7FF, CJK),
    (0xF900, 0xFAFF, CJK),
    (0xFE30, 0xFE4F, CJK),
    (0xFF00, 0xFFEF, CJK),
    (0x1F000, 0x1FAFF, PICTURES),
)
_OF_BLOCKS = (family for _, _, family in _BLOCKS)
FAMILIES = tuple(dict.fromkeys((SANS, SERIF, MONO, CARLITO, CALADEA, SYMBOLS, PICTURES, EMOJI, CJK, *_OF_BLOCKS)))

_COMPLETED = {CALADEA.style(bold=bold, italic=italic): SERIF for bold in (False, True) for italic in (False, True)}
"""Faces without Greek and Cyrillic letters, with the family that has them."""

_ALIASES = {
    SANS: "sans-serif,sans,sansserif,arial,helvetica,helvetica neue,arimo,verdana,geneva,tahoma,segoe ui,roboto,"
    "system-ui,-apple-system,blinkmacsystemfont,ui-sans-serif,ui-rounded,fantasy",
    SERIF: "serif,times,times-roman,times new roman,tinos,georgia,garamond,palatino,ui-serif,cursive,math,fangsong",
    MONO: "monospace,monospaced,mono,courier,courier new,cousine,consolas,menlo,monaco,ui-monospace,sfmono-regular,"
    "lucida console",
    CARLITO: "calibri,calibri light",
    CALADEA: "cambria,cambria math",
    SYMBOLS: "symbol,emoji,zapfdingbats,zapf-dingbats,apple color emoji,segoe ui emoji,segoe ui symbol,noto emoji",
}
NAMES: dict[str, str] = {
    **{family.name.lower(): family.name for family in FAMILIES},
    **{alias: family.name for family, aliases in _ALIASES.items() for alias in aliases.split(",")},
}
"""Family names in style sheets, in lower case, with the bundled family for each: for emoji, one that has letters."""


class BundledFont(ttfonts.TTFont):  # type: ignore[misc]
    """A bundled font file, loaded when its first character is measured.

    `shaped` means that its text must go through `face.shape` first.
    """

    def __init__(self, path: Path, *, shaped: bool) -> None:
        self.fontName = path.stem
        self.path = path
        self.shaped = shaped
        self.encoding = ttfonts.TTEncoding()
        self.state: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
        self.shapable = False
        # A subset then contains the used characters, rather than all of ASCII.
        self._asciiReadable = 0

    @functools.cached_property
    def face(self) -> ShapedFace:
        return ShapedFace(str(self.path))

    def addObjects(self, doc: Any) -> None:
        """Write the font; a drawn character may map to several written ones, so that text can be copied."""
        subsets = list(self.state[doc].subsets) if doc in self.state else []
        super().addObjects(doc)
        for at, subset in enumerate(subsets):
            name = (ttfonts.SUBSETN(at) + b"+" + self.face.name + self.face.subfontNameX).decode("pdfdoc")
            doc.idToObject[f"toUnicodeCMap:{name}"].content = to_unicode_cmap(name, subset)


def register() -> None:
    """Register the bundled families with the layout engine, without reading their files."""
    for family in FAMILIES:
        for bold in (0, 1):
            for italic in (0, 1):
                addMapping(family.name, bold, italic, family.style(bold=bool(bold), italic=bool(italic)))
        for file in filter(None, (family.regular, family.bold, family.italic, family.bold_italic)):
            font = BundledFont(FOLDER / file, shaped=family.shaped)
            # registerFont() would read the file to learn its name.
            pdfmetrics._fonts[font.fontName] = font


def give_back() -> None:
    """Release the font files in memory; subsets made from them stay."""
    for font in pdfmetrics._fonts.values():
        if isinstance(font, BundledFont) and "face" in vars(font):
            font.face.give_back()


def covers(name: str, code: int) -> bool:
    """Whether the font registered as `name` has a glyph for the character `code`."""
    face = pdfmetrics.getFont(name).face
    glyphs = getattr(face, "charToGlyph", None)
    return code < 0x80 if glyphs is None else code in glyphs


@functools.lru_cache(maxsize=65536)
def font_for(code: int, first: tuple[str, ...], bold: bool, italic: bool) -> str | None:
    """The name of the font for the character `code`, or None if no font has it.

    The fonts that the style requests, `first`, come first; then the family of the character's block, one like the
    requested, and the others.
    """
    for name in first:
        if covers(name, code):
            return name
    own = [family for low, high, family in _BLOCKS if low <= code <= high]
    alike = [_COMPLETED[name] for name in first if name in _COMPLETED]
    for family in dict.fromkeys((*own, *alike, SANS, SYMBOLS, CJK, PICTURES, EMOJI)):
        name = family.style(bold=bold, italic=italic)
        if covers(name, code):
            return name
        if name != (regular := Path(family.regular).stem) and covers(regular, code):
            return regular
    return None


def drawn(run: str, name: str) -> str:
    """The characters to draw for a text in one font: its clusters if the font is a shaped one."""
    font = pdfmetrics.getFont(name)
    return str(font.face.shape(run)) if getattr(font, "shaped", False) else run.translate(_NO_JOINERS)


_NO_JOINERS = dict.fromkeys((0x200C, 0x200D))

register()
