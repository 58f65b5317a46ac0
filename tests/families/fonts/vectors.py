"""Vectors of fonts: a few letters of a bundled one in every format, looked at by Pillow's FreeType and by fontTools."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pypdfium2
from fontTools import subset
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from PIL import Image, ImageFont

from engine.toolkit.options import Value
from tests.converters.pairs import Given, Readers, Wanted, Writer, awkward, broken, ordinary, pairs
from tests.converters.vector import Check, fail, refuse, take

_FOLDER = Path(__file__).resolve().parents[3] / "engine" / "fonts" / "liberation"
LETTERS = "Hello Wörld"
_FLAVOURS = {"ttf": None, "otf": None, "woff": "woff", "woff2": "woff2"}
_MARKS = {"ttf": b"\0\1\0\0", "otf": b"OTTO", "woff": b"wOFF", "woff2": b"wOF2"}


@cache
def font(format: str, name: str = "LiberationSans-Regular", letters: str = LETTERS) -> bytes:
    """Some letters of a bundled font in this format."""
    with TTFont(_FOLDER / f"{name}.ttf", recalcTimestamp=False) as opened:
        subsetter = subset.Subsetter()
        subsetter.populate(text=letters)
        subsetter.subset(opened)
        if format == "otf":
            return _square("OTTO")
        opened.flavor = _FLAVOURS[format]
        out = io.BytesIO()
        opened.save(out)
    return out.getvalue()


def _square(kind: str, *, axes: bool = False) -> bytes:
    """A font with squares for its letters; a variable one with an axis of weight."""
    order = [".notdef", *(f"u{ord(each):04X}" for each in sorted(set(LETTERS)))]
    builder = FontBuilder(1000, isTTF=kind != "OTTO")
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap({int(each[1:], 16): each for each in order[1:]})
    if kind == "OTTO":
        from fontTools.pens.t2CharStringPen import T2CharStringPen as Pen

        strings = {}
        for name in order:
            pen = Pen(600, None)
            _draw(pen)
            strings[name] = pen.getCharString()
        builder.setupCFF("Squares", {"FullName": "Squares"}, strings, {})
    else:
        glyphs = {}
        for name in order:
            outline = TTGlyphPen(None)
            _draw(outline)
            glyphs[name] = outline.glyph()
        builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics(dict.fromkeys(order, (600, 100)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Squares", "styleName": "Regular", "psName": "Squares"})
    builder.setupOS2(sTypoAscender=800, usWinAscent=800, usWinDescent=200)
    builder.setupPost()
    if axes:
        from fontTools.ttLib.tables.TupleVariation import TupleVariation

        builder.setupFvar([("wght", 400, 400, 700, "Weight")], [])
        wider = [(0, 0), (50, 0), (50, 0), (0, 0), *[(0, 0)] * 4]
        builder.setupGvar({name: [TupleVariation({"wght": (0, 1, 1)}, wider)] for name in order})
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    out = io.BytesIO()
    builder.save(out)
    return out.getvalue()


def _draw(pen) -> None:
    pen.moveTo((100, 0))
    pen.lineTo((500, 0))
    pen.lineTo((500, 400))
    pen.lineTo((100, 400))
    pen.closePath()


def _is_font(output: str, letters: str = LETTERS, *, hints: bool | None = None) -> Check:
    def check(data: bytes) -> None:
        assert data.startswith(_MARKS[output])
        with TTFont(io.BytesIO(data)) as opened:
            assert {chr(code) for code in opened.getBestCmap()} == set(letters)
            assert hints is None or ("fpgm" in opened) == hints
        face = ImageFont.truetype(io.BytesIO(data), 40)
        assert face.getmask("H").getbbox() is not None

    return check


def _is_drawn(output: str) -> Check:
    def check(data: bytes) -> None:
        if output == "png":
            picture = Image.open(io.BytesIO(data))
        else:
            (page,) = pypdfium2.PdfDocument(data)
            picture = page.render().to_pil().convert("L")
        found = picture.convert("L").tobytes()
        assert min(found) < 90
        assert max(found) == 255

    return check


def _third(id: str) -> bytes:
    return font(id)[: len(font(id)) // 3]


READERS: Readers = {
    id: (
        ordinary("a few letters", partial(font, id)),
        awkward("some letters", partial(font, id), "GLYPH_MISSING"),
        broken("a third of one", partial(_third, id)),
    )
    for id in _FLAVOURS
}


def _writer(output: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        turned = (source == "otf") != (output == "otf") and output in ("ttf", "otf")
        codes = frozenset({"VALUE_CONVERTED"} if turned else ())
        if given.kind == "ordinary":
            return Wanted(_is_font(output), codes)
        wished: dict[str, Value] = {"subset": "He☃", "ranges": "U+006F", "hinting": "drop"}
        return Wanted(_is_font(output, "Heo", hints=False), codes, options=wished)

    return wanted


def _drawn(output: str) -> Writer:
    return lambda source, given: Wanted(
        _is_drawn(output), options={} if given.kind == "ordinary" else {"text": "Hello ☃"}
    )


WRITERS = {**{id: _writer(id) for id in READERS}, "pdf": _drawn("pdf"), "png": _drawn("png")}


def _variable() -> bytes:
    return _square("true", axes=True)


def _is_fixed(data: bytes) -> None:
    with TTFont(io.BytesIO(data)) as opened:
        assert "fvar" not in opened
        assert opened["glyf"]["u0048"].xMax == 550


def _reaches(count: int) -> Callable[[], bytes]:
    return lambda: struct.pack(">4sHHHH", b"\0\1\0\0", count, 16, 0, 0) + bytes(40)


_MORE = (
    take("ttf-to-woff2", "a weight of a variable font", _variable, _is_fixed, axes="wght=700"),
    refuse("ttf-to-woff2", "an axis that it has not", _variable, axes="wdth=100"),
    refuse("ttf-to-woff2", "a weight beyond its axis", _variable, axes="wght=900"),
    refuse("ttf-to-woff2", "axes of a font without", lambda: font("ttf"), axes="wght=700"),
    refuse("woff-to-ttf", "letters that it has not", lambda: font("woff"), subset="☃"),
    fail("ttf-to-otf", "outlines that vary", _variable()),
    fail("ttf-to-woff2", "more than can end in time", lambda: font("ttf") + bytes(8_000_000)),
    fail("ttf-to-woff", "tables that are not there", _reaches(9)()),
)

VECTORS = (*pairs("fonts", READERS, WRITERS), *_MORE)
