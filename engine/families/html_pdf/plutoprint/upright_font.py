"""Make a font whose letters stand upright in text that is rotated by a quarter turn."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from fontTools.fontBuilder import FontBuilder
from fontTools.misc.transform import Transform
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from engine.families.html_pdf.plutoprint.letter_orientations import LYING, STANDING
from engine.toolkit.own_fonts import FONTS

_EM = 2048
_MIDDLE = 0.3465
"""The middle of a line above the baseline of the bundled Latin fonts, in the size of the text."""
_ASCENT, _DESCENT = 1.0, 0.31
"""Those of the bundled Chinese, Japanese and Korean font, around that middle."""
_PATHS = (
    "droid/DroidSansFallback.ttf", "dejavu/DejaVuSans.ttf", "symbola/Symbola.ttf", "noto/NotoEmoji-Regular.ttf",
)  # fmt: skip
_HIGH = 0.7
"""The height of digits, in the size of the text."""
_SMALL = 0.09
"""How far small kana are towards the right and the top, in the size of the text."""
_SMALL_KANA = re.compile("[ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰ-ㇿ]")
_BOLDER = _EM // 48
"""Half of what FreeType adds to the strokes of a font without a bold face."""
_DATE = 3_000_000_000


class _Source:
    """A font with the letters as they are in horizontal text."""

    def __init__(self, path: Path) -> None:
        self.font = TTFont(path, lazy=True)
        self.cmap: dict[int, str] = self.font.getBestCmap()
        self._glyphs = self.font.getGlyphSet()
        self.em = self.font["head"].unitsPerEm
        self.scale = _EM / self.em
        self.top = self._top()

    def _top(self) -> float:
        """Where a letter starts in vertical text, from the baseline; bundled fonts have no such places of use."""
        if (name := self.cmap.get(ord("\u56fd"))) is not None:
            glyph = self.font["glyf"][name]
            return float(glyph.yMax + glyph.yMin + self.em) / 2
        return float(self.font["hhea"].ascent + self.font["hhea"].descent + self.em) / 2

    def vertical_form(self, code: int) -> str | None:
        """The glyph that a letter has in vertical text, if that is another one."""
        return self.cmap.get(_vertical_forms().get(unicodedata.normalize("NFKC", chr(code)), -1))

    def width(self, name: str) -> float:
        """The width of a glyph in horizontal text, in the units of the font that is made."""
        return float(self.font["hmtx"][name][0] * self.scale)

    def draw(self, name: str, pen: TTGlyphPen, matrix: Transform) -> None:
        drawn = DecomposingRecordingPen(self._glyphs)
        self._glyphs[name].draw(drawn)
        drawn.replay(TransformPen(pen, matrix))


def upright(letters: Iterable[str], combined: Mapping[str, tuple[str, str]], *, bold: bool = False) -> bytes:
    """A font with these letters, lying on their left side; those that no bundled font has are left out.

    A letter that is `combined` stands for a text, which has the bundled family beside it.
    """

    def drawn(source: _Source, code: int) -> tuple[Any, int]:
        text = combined.get(chr(code))
        return _turned(source, code) if text is None else _combined(*text)

    return _built(letters, _sources(), drawn, own={ord(each) for each in combined}, bold=bold)


def mirrored(letters: Iterable[str], family: str, *, bold: bool = False) -> bytes:
    """A font for text that is mirrored at its diagonal, so that lines follow from left to right.

    Letters that stand lie on their left side, all are upside down. Latin ones are those of a bundled `family`.
    """
    return _built(letters, (_source(f"liberation/Liberation{family}-Regular.ttf"), *_sources()), _mirrored, bold=bold)


def _built(
    letters: Iterable[str],
    sources: Sequence[_Source],
    drawn: Callable[[_Source, int], tuple[Any, int]],
    *,
    bold: bool,
    own: Collection[int] = (),
) -> bytes:
    builder = FontBuilder(_EM, isTTF=True)
    glyphs = {".notdef": TTGlyphPen(None).glyph()}
    widths = {".notdef": _EM}
    cmap: dict[int, str] = {}
    for code in sorted({ord(each) for each in letters}):
        source = next((each for each in sources if code in each.cmap or code in own), None)
        if source is None:
            continue
        name = cmap[code] = f"u{code:x}"
        glyphs[name], widths[name] = drawn(source, code)
    if bold:
        cmap = {code: _bold(name, glyphs, widths) for code, name in cmap.items()}
    builder.setupGlyphOrder(list(glyphs))
    builder.setupCharacterMap(cmap)
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics({name: (width, getattr(glyphs[name], "xMin", 0)) for name, width in widths.items()})
    rise, fall = round(_ASCENT * _EM), round(_DESCENT * _EM)
    builder.setupHorizontalHeader(ascent=rise, descent=-fall)
    builder.setupOS2(
        sTypoAscender=rise, sTypoDescender=-fall, sTypoLineGap=0, usWinAscent=rise, usWinDescent=fall,
        sxHeight=round(0.53 * _EM), sCapHeight=round(0.72 * _EM),
    )  # fmt: skip
    builder.setupNameTable({"familyName": "Upright", "styleName": "Regular"})
    builder.setupPost(keepGlyphNames=False)
    builder.font["head"].created = builder.font["head"].modified = _DATE
    builder.font.recalcTimestamp = False
    target = BytesIO()
    builder.save(target)
    return target.getvalue()


def _turned(source: _Source, code: int) -> tuple[Any, int]:
    """The glyph of a letter on its left side, and its width there; as it is if it lies in vertical text."""
    form, scale = source.vertical_form(code), source.scale
    name = form or source.cmap[code]
    width = source.width(name)
    length = source.em * scale
    if LYING.match(chr(code)) and form is None:
        matrix = Transform(scale, 0, 0, scale, 0, _MIDDLE * _EM - (source.top - source.em / 2) * scale)
        length = width
    else:
        right, up = (_SMALL, _SMALL) if _SMALL_KANA.match(chr(code)) else (0.0, 0.0)
        matrix = Transform(0, scale, -scale, 0, source.top * scale - up * _EM, (_MIDDLE + right) * _EM - width / 2)
    pen = TTGlyphPen(None)
    source.draw(name, pen, matrix)
    return pen.glyph(), round(length)


def _combined(text: str, family: str) -> tuple[Any, int]:
    """A glyph of a text beside each other, no wider than a letter, on its left side."""
    sources = (_source(f"liberation/Liberation{family}-Regular.ttf"), *_sources())
    found = [
        (source, source.cmap[ord(each)])
        for each in text
        if (source := next((one for one in sources if ord(each) in one.cmap), None)) is not None
    ]
    wide = sum(source.width(name) for source, name in found)
    narrower = min(_EM / wide, 1.0) if wide else 1.0
    pen = TTGlyphPen(None)
    top, at = (_HIGH + 1) / 2 * _EM, (_MIDDLE - 0.5) * _EM + (_EM - wide * narrower) / 2
    for source, name in found:
        source.draw(name, pen, Transform(0, source.scale * narrower, -source.scale, 0, top, at))
        at += source.width(name) * narrower
    return pen.glyph(), _EM


def _mirrored(source: _Source, code: int) -> tuple[Any, int]:
    """The mirrored glyph of a letter, and its width."""
    pen = TTGlyphPen(None)
    if STANDING.match(chr(code)) or source.vertical_form(code) is not None:
        glyph, width = _turned(source, code)
        glyph.draw(TransformPen(pen, Transform(1, 0, 0, -1, 0, 2 * _MIDDLE * _EM)), None)
        return pen.glyph(), width
    name, scale = source.cmap[code], source.scale
    source.draw(name, pen, Transform(scale, 0, 0, -scale, 0, 2 * _MIDDLE * _EM))
    return pen.glyph(), round(source.width(name))


def _bold(name: str, glyphs: dict[str, Any], widths: dict[str, int]) -> str:
    """Add a glyph with bolder strokes, as wide as the other, which is drawn at the corners of a square."""
    pen = TTGlyphPen(glyphs)
    for across in (-_BOLDER, _BOLDER):
        for along in (-_BOLDER, _BOLDER):
            pen.addComponent(name, (1, 0, 0, 1, across, along))
    glyphs[f"b{name}"], widths[f"b{name}"] = pen.glyph(), widths[name]
    return f"b{name}"


@functools.cache
def _vertical_forms() -> dict[str, int]:
    """The characters that are the vertical forms of others, by the letter of both (Unicode, `<vertical>`)."""
    codes = (code for code in range(0xFE10, 0xFE49) if unicodedata.decomposition(chr(code)).startswith("<vertical>"))
    return {unicodedata.normalize("NFKC", chr(code)): code for code in codes}


@functools.cache
def _sources() -> tuple[_Source, ...]:
    return tuple(_source(each) for each in _PATHS)


@functools.cache
def _source(path: str) -> _Source:
    return _Source(FONTS / path)
