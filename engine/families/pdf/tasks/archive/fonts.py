"""Embed fonts with consistent widths, as PDF/A requires."""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping

import pikepdf
from fontTools.encodings.MacRoman import MacRoman
from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.ttLib import TTFont, TTLibError
from fontTools.ttLib.sfnt import SFNTWriter
from pikepdf import Name

from engine.families.pdf.name_text import text_of
from engine.families.pdf.read import DAMAGED
from engine.families.pdf.tasks import type1
from engine.families.pdf.tasks.archive.cff import Compact
from engine.families.pdf.tasks.archive.refusing import refused
from engine.families.pdf.tasks.archive.substitutes import embed, is_common
from engine.families.pdf.tasks.lettering import letter_of, names_of
from engine.families.pdf.tasks.used_codes import codes_shown
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_NEAR = 1.5
"""The tolerance of widths in thousandths of the text size (ISO 19005-2, 6.2.11.5, and rounding)."""

_FAILURES = (*DAMAGED, TTLibError, struct.error, AssertionError, EOFError)


def embed_and_check(pdf: pikepdf.Pdf, warn: Warn) -> None:
    """Embed missing common fonts, and check the others; raises InvalidOption, naming a font."""
    used = codes_shown(pdf)
    if used.unknown:
        raise refused(say("text is shown in an unsupported way"))
    wholes: dict[tuple[int, int], dict[int, float]] = {}
    replaced: set[str] = set()
    for font in [each for each in pdf.objects if isinstance(each, pikepdf.Dictionary)]:
        if font.get(Name.Type) != Name.Font or font.get(Name.Subtype) not in _SIMPLE | {Name.Type0}:
            continue
        shown = used.seen.get(font.objgen, set())
        name = text_of(font.get(Name.BaseFont, "/?"))
        for about in (font, *font.get(Name.DescendantFonts, [])):
            descriptor = about.get(Name.FontDescriptor)
            if isinstance(descriptor, pikepdf.Dictionary):
                for key in (Name.CharSet, Name.CIDSet):  # readers don't need them, but if present they must be complete
                    if key in descriptor:
                        del descriptor[key]
        if not shown:
            if font[Name.Subtype] != Name.Type0 and _program(font) is None and is_common(name):
                embed(pdf, font, name)
            continue
        try:
            if font[Name.Subtype] == Name.Type0:
                _check_composite(pdf, font, name, shown, wholes)
            else:
                if _program(font) is None:
                    embed(pdf, font, name)
                    replaced.add(name)
                _check_simple(font, name, {code for text in shown for code in text}, wholes)
        except _FAILURES as error:
            raise refused(say("the font {name} can't be read", name=name)) from error
    _set_widths(pdf, wholes)
    if replaced:
        warn(
            "FONT_SUBSTITUTED",
            say(
                "Fonts that are not embedded were replaced by fonts of the same width: {replaced}.",
                replaced=", ".join(sorted(replaced)),
            ),
        )


_SIMPLE = {Name.Type1, Name.TrueType, Name.MMType1}


def _program(font: pikepdf.Object) -> tuple[str, pikepdf.Object] | None:
    about = font.get(Name.FontDescriptor)
    for key in ("/FontFile", "/FontFile2", "/FontFile3"):
        if isinstance(about, pikepdf.Dictionary) and isinstance(about.get(key), pikepdf.Stream):
            return key, about[key]
    return None


def _check_simple(
    font: pikepdf.Object, name: str, codes: set[int], wholes: dict[tuple[int, int], dict[int, float]]
) -> None:
    key, stream = _program(font) or ("", font)
    first, declared = int(font.get(Name.FirstChar, 0)), [float(each) for each in font.get(Name.Widths, [])]
    if not declared:
        raise refused(say("the font {name} doesn't say how wide its letters are", name=name))
    missing = float(font[Name.FontDescriptor].get(Name.MissingWidth, 0))
    widths = {code: declared[code - first] if 0 <= code - first < len(declared) else missing for code in codes}
    data = stream.read_bytes()
    if key == "/FontFile":
        own, outlines = type1.read(data, int(stream.get(Name.Length1, 0)))
        _compare(
            name, {code: (outlines.get(names_of(font, own).get(code, "")), width) for code, width in widths.items()}
        )
    elif key == "/FontFile3" and stream.get(Name.Subtype) == Name.Type1C:
        compact = Compact(data)
        own = compact.encoding()
        _compare(
            name, {code: (compact.width(names_of(font, own).get(code, "")), width) for code, width in widths.items()}
        )
    elif key == "/FontFile2":
        with TTFont(io.BytesIO(data), lazy=True) as program:
            glyphs = _glyphs(font, program, codes)
        for code, width in widths.items():
            if not glyphs.get(code):
                raise refused(say("the font {name} has no letter for code {code}, which is used", name=name, code=code))
            _want(name, wholes, stream, glyphs[code], width)
    else:
        raise refused(say("the font {name} has an unsupported format", name=name))


def _glyphs(font: pikepdf.Object, program: TTFont, codes: set[int]) -> dict[int, int]:
    """Code to glyph index (ISO 32000-1, 9.6.6.4)."""
    tables = (
        {(each.platformID, each.platEncID): each.cmap for each in program["cmap"].tables} if "cmap" in program else {}
    )
    symbolic = bool(int(font[Name.FontDescriptor].get(Name.Flags, 0)) & 4)
    if symbolic and len(tables) > 1 and (3, 0) not in tables:
        raise refused(say("a symbol font has several encodings"))
    order = program.getReverseGlyphMap()
    found: dict[int, int] = {}
    names = names_of(font, dict(enumerate(StandardEncoding)))
    if symbolic and Name.Encoding in font:
        del font[Name.Encoding]  # not allowed (6.2.11.6): readers use the font's own
    mac = {letter: code for code, letter in enumerate(MacRoman)}
    for code in codes:
        glyph = None
        if symbolic:
            table = tables.get((3, 0)) or tables.get((1, 0)) or {}
            glyph = next((table[high + code] for high in (0, 0xF000, 0xF100, 0xF200) if high + code in table), None)
        else:
            letter = names.get(code, "")
            unicode = letter_of(letter)
            if (3, 1) in tables and unicode:
                glyph = tables[3, 1].get(ord(unicode))
            elif (1, 0) in tables:
                glyph = tables[1, 0].get(mac.get(letter, -1))
            glyph = glyph or (letter if letter in order else None)
        found[code] = order.get(glyph, 0) if glyph else 0
    if not symbolic and Name.Encoding not in font:
        font[Name.Encoding] = Name.WinAnsiEncoding
    return found


def _check_composite(
    pdf: pikepdf.Pdf,
    font: pikepdf.Object,
    name: str,
    shown: set[bytes],
    wholes: dict[tuple[int, int], dict[int, float]],
) -> None:
    part = font[Name.DescendantFonts][0]
    program = _program(part)
    if program is None:
        raise refused(say("the font {name} is not embedded", name=name))
    if font.get(Name.Encoding) not in (Name("/Identity-H"), Name("/Identity-V")):
        raise refused(say("the font {name} has an unsupported encoding", name=name))
    key, stream = program
    codes = {code for text in shown for code in struct.unpack(f">{len(text) // 2}H", text[: len(text) // 2 * 2])}
    widths = _widths(part)
    usual = float(part.get(Name.DW, 1000))
    data = stream.read_bytes()
    if key == "/FontFile2":
        numbers = part.get(Name.CIDToGIDMap)
        table = numbers.read_bytes() if isinstance(numbers, pikepdf.Stream) else None
        if table is None:
            part[Name.CIDToGIDMap] = Name.Identity
        for code in codes:
            glyph = int.from_bytes(table[2 * code : 2 * code + 2], "big") if table is not None else code
            if not glyph:
                raise refused(say("the font {name} has no letter for code {code}, which is used", name=name, code=code))
            _want(name, wholes, stream, glyph, widths.get(code, usual))
    elif key == "/FontFile3" and stream.get(Name.Subtype) == Name.CIDFontType0C:
        compact = Compact(data)
        keyed = hasattr(compact.top, "ROS")
        order = compact.top.charset
        names = {code: f"cid{code:05d}" if keyed else order[code] if code < len(order) else "" for code in codes}
        _compare(name, {code: (compact.width(names[code]), widths.get(code, usual)) for code in codes})
    else:
        raise refused(say("the font {name} has an unsupported format", name=name))


def _widths(part: pikepdf.Object) -> dict[int, float]:
    """CID to width (ISO 32000-1, 9.7.4.3)."""
    found: dict[int, float] = {}
    values = list(part.get(Name.W, []))
    at = 0
    while at + 1 < len(values):
        first = int(values[at])
        if isinstance(values[at + 1], pikepdf.Array):
            found |= {first + step: float(width) for step, width in enumerate(values[at + 1])}
            at += 2
        else:
            found |= dict.fromkeys(range(first, min(int(values[at + 1]), 65535) + 1), float(values[at + 2]))
            at += 3
    return found


def _compare(name: str, widths: Mapping[int, tuple[float | None, float]]) -> None:
    for code, (own, declared) in widths.items():
        if own is None:
            raise refused(say("the font {name} has no letter for code {code}, which is used", name=name, code=code))
        if abs(own - declared) > _NEAR:
            raise refused(
                say(
                    "the font {name} has letter widths ({own}) that differ from those in the file ({said})",
                    name=name,
                    own=f"{own:.0f}",
                    said=f"{declared:.0f}",
                )
            )


def _want(
    name: str, wholes: dict[tuple[int, int], dict[int, float]], program: pikepdf.Object, glyph: int, width: float
) -> None:
    wanted = wholes.setdefault(program.objgen, {})
    if abs(wanted.setdefault(glyph, width) - width) > _NEAR:
        raise refused(say("the font {name} gives a letter several widths", name=name))


def _measures(font: TTFont) -> tuple[int, int, bytearray]:
    """Return the units per em, the number of glyphs with their own width, and the widths; other data may be damaged."""
    try:
        (unit,) = struct.unpack_from(">H", font.reader["head"], 18)
        (count,) = struct.unpack_from(">H", font.reader["hhea"], 34)
        table = bytearray(font.reader["hmtx"])
    except _FAILURES as error:
        raise refused(say("a font is damaged")) from error
    if not unit or not count:
        raise refused(say("a font is damaged"))
    return unit, count, table


def _set_widths(pdf: pikepdf.Pdf, wholes: Mapping[tuple[int, int], Mapping[int, float]]) -> None:
    """Change the widths in TrueType fonts to the ones that the file declares."""
    for key, widths in wholes.items():
        stream = pdf.get_object(key)
        with TTFont(io.BytesIO(stream.read_bytes()), lazy=True) as font:
            unit, count, table = _measures(font)
            wrong = False
            for glyph, width in widths.items():
                at = 4 * min(glyph, count - 1)
                if at + 2 > len(table):
                    raise refused(say("a font is damaged"))
                if abs(struct.unpack_from(">H", table, at)[0] * 1000 / unit - width) <= _NEAR:
                    continue
                if glyph >= count - 1:
                    raise refused(say("a fixed-width font has letters of other widths"))
                struct.pack_into(">H", table, at, round(width * unit / 1000))
                wrong = True
            if not wrong:
                continue
            tables = {tag: font.reader[tag] for tag in font.reader.keys()}  # noqa: SIM118  # it is no mapping
        tables["hmtx"] = bytes(table)
        out = io.BytesIO()
        writer = SFNTWriter(out, len(tables))
        for tag in sorted(tables):
            writer[tag] = tables[tag]
        writer.close()
        stream.write(out.getvalue())
        stream[Name.Length1] = len(out.getvalue())
