"""Remove unused outlines from fonts in a PDF, keeping glyph numbers and so the text."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import pikepdf
from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.ttLib import TTFont, TTLibError
from pikepdf import Name

from engine.families.pdf.read import DAMAGED
from engine.families.pdf.tasks import true_type, type1, type1_outlines
from engine.families.pdf.tasks.drawn_sizes import Id
from engine.families.pdf.tasks.shown_glyphs import codes_of, names_of, parents_of, true_type_ids
from engine.families.pdf.tasks.used_codes import SMALLEST, UsedCodes, codes_shown
from engine.families.pdf.unchanged.replaced import Replaced

_LARGEST = 40_000_000

_FAILURES = (*DAMAGED, TTLibError, struct.error, AssertionError, EOFError)


def make_smaller(pdf: pikepdf.Pdf, replaced: Replaced) -> None:
    """Empty the outlines of glyphs that are not shown, in all large embedded fonts; `replaced` records the
    originals."""
    users: dict[Id, tuple[pikepdf.Object, list[pikepdf.Object]]] = {}
    inside: set[Id] = set()
    for font in pdf.objects:
        program = _program(font)
        if program is not None:
            users.setdefault(program.objgen, (program, []))[1].append(font)
        inside |= _programs_inside(font)
    large = {
        key: each for key, each in users.items() if key not in inside and len(each[0].read_raw_bytes()) >= SMALLEST
    }
    if not large:
        return
    used = codes_shown(pdf)
    if used.unknown:
        return
    for program, fonts in large.values():
        try:
            _make_one_smaller(program, fonts, used, parents_of(pdf, fonts), replaced)
        except _FAILURES:
            continue  # a font that can't be parsed stays whole


def _program(font: pikepdf.Object) -> pikepdf.Object | None:
    """The embedded font program of a font dictionary."""
    if not isinstance(font, pikepdf.Dictionary) or font.get(Name.Type) != Name.Font:
        return None
    about = font.get(Name.FontDescriptor)
    if not isinstance(about, pikepdf.Dictionary):
        return None
    program = about.get(Name.FontFile2, about.get(Name.FontFile3, about.get(Name.FontFile)))
    return program if isinstance(program, pikepdf.Stream) else None


def _programs_inside(holder: pikepdf.Object) -> set[Id]:
    """Return the embedded fonts of fonts that are direct objects, whose text can't be attributed to them."""
    found: set[Id] = set()
    waiting: list[Any] = [holder]
    while waiting:
        now = waiting.pop()
        values: list[Any] = []
        if isinstance(now, pikepdf.Array):
            values = list(now)
        elif isinstance(now, pikepdf.Dictionary | pikepdf.Stream):
            values = [now[key] for key in now.keys()]  # noqa: SIM118  # it is no mapping
        for each in values:
            if isinstance(each, pikepdf.Array | pikepdf.Dictionary) and not each.is_indirect:
                waiting.append(each)
                program = _program(each)
                found |= {program.objgen} if program is not None else set()
    return found


def _make_one_smaller(
    program: pikepdf.Object,
    fonts: list[pikepdf.Object],
    used: UsedCodes,
    parents: dict[Id, list[pikepdf.Object]],
    replaced: Replaced,
) -> None:
    data = program.read_bytes()
    if len(data) > _LARGEST:
        return
    if data[:4] in (b"\0\1\0\0", b"true"):
        with TTFont(io.BytesIO(data), lazy=True) as font:
            kept: set[int] = {0}
            for each in fonts:
                ids = true_type_ids(each, font, used, parents)
                if ids is None:
                    return
                kept |= ids
            by_number = all(str(each.get(Name.Subtype)).startswith("/CIDFont") for each in fonts)
            smaller = true_type.without_outlines(font, kept, by_number=by_number)
        entries: dict[str, Any] = {"/Length1": len(smaller)}
    elif data[:1] == b"\1" and program.get(Name.Subtype) in (Name.Type1C, Name.CIDFontType0C):
        smaller = _compact(data, fonts, used, parents)
        entries = {}
    elif data[:2] == b"%!" and (bare := _bare(data, program, fonts, used)):
        smaller, hidden = bare
        entries = {key: program.get(key, 0) for key in ("/Length1", "/Length3")} | {"/Length2": hidden}
    else:
        return
    # Glyph indexes stay, so tables may keep their length but be empty: their compressed size counts.
    packed = zlib.compress(smaller)
    if not smaller or len(packed) >= len(program.read_raw_bytes()):
        return
    entries |= {key: program[key] for key in ("/Subtype",) if key in program}
    replaced.font(program)
    program.write(packed, filter=Name.FlateDecode)
    for key, value in entries.items():
        program[key] = value


def _bare(
    data: bytes, program: pikepdf.Object, fonts: list[pikepdf.Object], used: UsedCodes
) -> tuple[bytes, int] | None:
    """A Type 1 font without unused outlines, and its length for /Length2; None if that is unknown."""
    clear, hidden = (int(program.get(key, 0)) for key in ("/Length1", "/Length2"))
    own, kept = type1.encoding(data[:clear]), set[str]()
    for each in fonts:
        codes = codes_of(each, used, {}) if each.get(Name.Subtype) == Name.Type1 else None
        if codes is None:
            return None
        kept |= names_of(each, codes) | {own[code] for code in codes if code in own}
    return type1_outlines.without_outlines(data, clear, hidden, kept)


def _compact(
    data: bytes, fonts: list[pikepdf.Object], used: UsedCodes, parents: dict[Id, list[pikepdf.Object]]
) -> bytes:
    """A CFF font with unused outlines emptied; empty bytes if the use is unknown."""
    from engine.families.pdf.tasks import cff_outlines  # the import takes as long as compressing a small PDF

    font = cff_outlines.opened(data)
    top = font[0]
    kept: set[str] = {".notdef"}
    for each in fonts:
        codes = codes_of(each, used, parents)
        if codes is None:
            return b""
        if hasattr(top, "ROS"):
            kept |= {f"cid{code:05d}" for code in codes}
        elif str(each.get(Name.Subtype)).startswith("/CIDFont"):
            kept |= {top.charset[code] for code in codes if code < len(top.charset)}
        else:
            own = top.Encoding if isinstance(top.Encoding, list) else StandardEncoding
            kept |= names_of(each, codes) | {own[code] for code in codes if code < len(own)}
    if not kept & set(top.charset) - {".notdef"}:
        return b""  # none was found: its glyphs have unexpected names
    return cff_outlines.without_outlines(font, kept)
