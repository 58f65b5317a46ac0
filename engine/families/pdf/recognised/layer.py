"""Add recognised words as invisible text in a font without outlines."""

from __future__ import annotations

import functools
import io
import math
import re
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pikepdf
from pikepdf import Name

from engine.families.ocr.page import Box, Line, Page
from engine.families.pdf.recognised.planes import Matrix, product, to_given_picture, to_user_space

_MODEL = Path(__file__).resolve().parents[3] / "fonts" / "liberation" / "LiberationSans-Regular.ttf"
"""The font whose relative widths match most texts best, so that few words have to be moved."""

_WIDTH = 500
"""The width of a character that the model lacks, in thousandths of the font size."""

_STEP = 20
"""The precision of word positions, in thousandths of the font size."""

_NARROWER = 93
"""The percentage of its line's width that a word is set to: readers merge words that touch."""

_ASCENT, _DESCENT = 900, -200
_LEVEL = math.radians(1.5)
"""Lines with a smaller tilt are taken as level."""

_PREFERRED_NAME = Name("/Recognised")
_ESCAPED = re.compile(rb"([\\()])")


@functools.cache
def _outline_less() -> bytes:
    """A TrueType font with a single invisible glyph; the same bytes every time."""
    # Imported here and below: unless warmed up, the font library is not in memory while pages are read.
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib.tables._g_l_y_f import Glyph

    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", "line"])
    builder.setupCharacterMap({})
    # A line has no area to fill: PDFium leaves out vertical text whose glyphs have no extent at all.
    pen = TTGlyphPen(None)
    pen.moveTo((0, _DESCENT))
    pen.lineTo((_WIDTH, _ASCENT))
    pen.closePath()
    builder.setupGlyf({".notdef": Glyph(), "line": pen.glyph()})
    builder.setupHorizontalMetrics({".notdef": (_WIDTH, 0), "line": (_WIDTH, 0)})
    builder.setupHorizontalHeader(ascent=_ASCENT, descent=_DESCENT)
    builder.setupNameTable({"familyName": "Recognised", "styleName": "Regular"}, mac=False)
    builder.setupOS2(sTypoAscender=_ASCENT, sTypoDescender=_DESCENT, usWinAscent=_ASCENT, usWinDescent=-_DESCENT)
    builder.setupPost(keepGlyphNames=False)
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    file = io.BytesIO()
    builder.save(file)
    return file.getvalue()


@functools.cache
def _widths() -> Mapping[str, int]:
    """Character to width in thousandths of the font size."""
    from fontTools.ttLib import TTFont

    with TTFont(_MODEL, lazy=True) as font:
        unit, metrics = font["head"].unitsPerEm, font["hmtx"]
        return {chr(code): round(metrics[name][0] * 1000 / unit) for code, name in font.getBestCmap().items()}


def warm() -> None:
    """Build the font and its widths once for all children."""
    _outline_less()
    _widths()


class Layers:
    """The invisible text layers of one document's pages, which share a font: call `finish` last.

    If `exact`, each word has its visible width, for programs that measure word gaps; else the words of a line are
    stretched alike, which takes less than two thirds of the bytes.
    """

    def __init__(self, pdf: pikepdf.Pdf, *, exact: bool) -> None:
        self._pdf = pdf
        self._exact = exact
        self._codes: dict[str, int] = {}
        self._font = pdf.make_indirect(
            pikepdf.Dictionary(
                Type=Name.Font, Subtype=Name.Type0, BaseFont=Name.Recognised, Encoding=Name("/Identity-H")
            )
        )

    def rule(self, number: int, page: Page) -> None:
        """Draw the lines of the tables on page `number`, counted from 0, for readers of a page without its picture."""
        if not page.rules:
            return
        sheet = self._pdf.pages[number]
        place = product(to_given_picture(page), to_user_space(sheet, page))
        drawn = b"".join(
            b"%d %d %d %d re f\n"
            % (round(left), -round(bottom), max(round(right - left), 1), max(round(bottom - top), 1))
            for lines in page.rules
            for left, top, right, bottom in lines
        )
        sheet.contents_add(b"q %s cm\n%sQ\n" % (_numbers(place), drawn))

    def lay(self, number: int, page: Page, seen: Sequence[Box] = ()) -> None:
        """Add the text recognised on page `number`, counted from 0, beneath its content.

        Words centred in one of the boxes `seen`, in page space, are already text and left out.
        """
        sheet = self._pdf.pages[number]
        # Recognised coordinates start at the picture's upper left corner; text space at the page's lower left.
        place = product(to_given_picture(page), to_user_space(sheet, page))
        lines = list(_unseen(page, place, seen))
        if not lines:
            return
        name = sheet.add_resource(self._font, Name.Font, _PREFERRED_NAME)
        shown = b"".join(self._line(line, str(name).encode("ascii")) for line in lines)
        stream = self._pdf.make_stream(b"")
        stream.write(zlib.compress(b"q %s cm BT 3 Tr\n%sET Q\n" % (_numbers(place), shown), 9), filter=Name.FlateDecode)
        sheet.contents_add(stream, prepend=True)

    def finish(self) -> None:
        """Complete the font with its character mapping and widths."""
        pdf, count = self._pdf, len(self._codes) + 1
        data = _outline_less()
        file = pdf.make_stream(b"")
        file.write(zlib.compress(data, 9), filter=Name.FlateDecode)
        file[Name.Length1] = len(data)
        glyphs = pdf.make_stream(b"")
        glyphs.write(zlib.compress(b"\0\1" * count, 9), filter=Name.FlateDecode)
        meaning = pdf.make_stream(b"")
        meaning.write(zlib.compress(_to_unicode(list(self._codes)), 9), filter=Name.FlateDecode)
        descriptor = pikepdf.Dictionary(
            Type=Name.FontDescriptor, FontName=Name.Recognised, Flags=4, FontBBox=[0, _DESCENT, _WIDTH, _ASCENT],
            ItalicAngle=0, Ascent=_ASCENT, Descent=_DESCENT, CapHeight=700, StemV=80, FontFile2=file,
        )  # fmt: skip
        descendant = pikepdf.Dictionary(
            Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name.Recognised, DW=_WIDTH,
            CIDSystemInfo=pikepdf.Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
            FontDescriptor=pdf.make_indirect(descriptor), CIDToGIDMap=glyphs,
        )  # fmt: skip
        if not self._exact:
            descendant[Name.W] = pikepdf.Array([1, pikepdf.Array([_width_of(letter) for letter in self._codes])])
        self._font[Name.DescendantFonts] = pikepdf.Array([pdf.make_indirect(descendant)])
        self._font[Name.ToUnicode] = meaning

    def _line(self, line: Line, font: bytes) -> bytes:
        """The instructions of a line, in picture pixels from its upper left corner, y upwards."""
        x, y = line.words[0].baseline[:2]
        end_x, end_y = line.words[-1].baseline[2:]
        angle = math.atan2(y - end_y, end_x - x)
        angle = 0.0 if abs(angle) < _LEVEL else angle
        cosine, sine = math.cos(angle), math.sin(angle)
        size = max(1, round(line.height))
        place = _numbers((cosine, sine, -sine, cosine, round(x), -round(y)))
        along = [(each.baseline[0] - x) * cosine - (each.baseline[1] - y) * sine for each in line.words]
        shown = self._exactly(line, along, size) if self._exact else self._alike(line, along, size)
        return b"%s %d Tf %s Tm %s\n" % (font, size, place, shown)

    def _exactly(self, line: Line, along: Sequence[float], size: int) -> bytes:
        """Each word at its own position and width."""
        out, at = [], 0
        for each, start in zip(line.words, along, strict=True):
            width = max(1.0, math.dist(each.baseline[:2], each.baseline[2:]))
            stretch = max(1, round(100 * width / (len(each.text) * size * _WIDTH / 1000)))
            text = each.text if each is line.words[-1] else f"{each.text} "
            out.append(b"%d 0 Td %d Tz %sTj" % (round(start) - at, stretch, self._coded(text)))
            at = round(start)
        return b" ".join(out)

    def _alike(self, line: Line, along: Sequence[float], size: int) -> bytes:
        """All words in one text operation, moved to their positions."""
        seen = sum(math.dist(each.baseline[:2], each.baseline[2:]) for each in line.words)
        stretch = max(1, round(_NARROWER * seen / (sum(_width_of(each.text) for each in line.words) * size / 1000)))
        thousandth = size / 1000 * stretch / 100
        shown, at = [], 0
        for each, offset in zip(line.words, along, strict=True):
            start = offset / thousandth
            # Spaces are written: not every reader infers them from gaps.
            text = each.text if each is line.words[0] else f" {each.text}"
            ahead = round((start - at - _width_of(text) + _width_of(each.text)) / _STEP) * _STEP
            if ahead:
                shown.append(b"%d" % -ahead)
            shown.append(self._coded(text))
            at += ahead + _width_of(text)
        return b"%d Tz[%s]TJ" % (stretch, b"".join(shown))

    def _coded(self, text: str) -> bytes:
        codes = (self._codes.setdefault(letter, len(self._codes) + 1) for letter in text)
        return b"(%s)" % _ESCAPED.sub(rb"\\\1", b"".join(struct.pack(">H", code) for code in codes)).replace(
            b"\r", rb"\r"
        )


def _width_of(text: str) -> int:
    widths = _widths()
    return sum(widths.get(letter, _WIDTH) or _WIDTH for letter in text)


def _unseen(page: Page, place: Matrix, seen: Sequence[Box]) -> Iterator[Line]:
    """The lines of a page without the words inside one of the boxes."""
    a, b, c, d, e, f = place
    for line in page.lines:
        words = []
        for word in line.words:
            left, top, right, bottom = word.box
            across, up = (left + right) / 2, -(top + bottom) / 2
            x, y = a * across + c * up + e, b * across + d * up + f
            if not any(box[0] <= x <= box[2] and box[1] <= y <= box[3] for box in seen):
                words.append(word)
        if words:
            yield Line(tuple(words), line.height)


def _numbers(values: Matrix) -> bytes:
    return " ".join(f"{value:.4f}".rstrip("0").rstrip(".").replace("-0", "0", value == 0) for value in values).encode()


def _to_unicode(characters: Sequence[str]) -> bytes:
    """A CMap from codes, which count from 1, to letters (ISO 32000-1, 9.10.3)."""
    head = (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n/CMapName /Recognised def\n"
        "/CMapType 2 def\n1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n"
    )
    parts = []
    for start in range(0, len(characters), 100):
        some = characters[start : start + 100]
        rows = "".join(
            f"<{start + at:04X}> <{letter.encode('utf-16-be').hex().upper()}>\n" for at, letter in enumerate(some, 1)
        )
        parts.append(f"{len(some)} beginbfchar\n{rows}endbfchar\n")
    tail = "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
    return (head + "".join(parts) + tail).encode("ascii")
