"""Fonts in a PDF without the outlines that it does not show; letters keep their numbers, so that no text changes."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterable
from typing import Any

import pikepdf
from fontTools.agl import AGL2UV, LEGACY_AGL2UV
from fontTools.encodings.MacRoman import MacRoman
from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.ttLib import TTFont, TTLibError
from pikepdf import Name

from conversions.families.pdf.read import DAMAGED
from conversions.families.pdf.tasks import bare_type1, true_type
from conversions.families.pdf.tasks.archive import type1
from conversions.families.pdf.tasks.archive.lettering import WIN_ANSI, letter_of
from conversions.families.pdf.tasks.letters_used import SMALLEST, Letters, letters
from conversions.families.pdf.tasks.placing import Id

_LARGEST = 40_000_000
_FAILURES = (*DAMAGED, TTLibError, struct.error, AssertionError, EOFError)


def make_smaller(pdf: pikepdf.Pdf) -> None:
    """Empty the outlines of letters that are not shown, in all embedded fonts of some size."""
    users: dict[Id, tuple[pikepdf.Object, list[pikepdf.Object]]] = {}
    for font in pdf.objects:
        program = _program(font)
        if program is not None:
            users.setdefault(program.objgen, (program, []))[1].append(font)
    large = {key: each for key, each in users.items() if len(each[0].read_raw_bytes()) >= SMALLEST}
    if not large:
        return
    used = letters(pdf)
    if used.unknown:
        return
    for program, fonts in large.values():
        try:
            _make_one_smaller(program, fonts, used, _parents(pdf, fonts))
        except _FAILURES:
            continue  # a font that can't be taken apart stays whole


def _program(font: pikepdf.Object) -> pikepdf.Object | None:
    """The embedded font that a font dictionary is shown with."""
    if not isinstance(font, pikepdf.Dictionary) or font.get(Name.Type) != Name.Font:
        return None
    about = font.get(Name.FontDescriptor)
    if not isinstance(about, pikepdf.Dictionary):
        return None
    program = about.get(Name.FontFile2, about.get(Name.FontFile3, about.get(Name.FontFile)))
    return program if isinstance(program, pikepdf.Stream) else None


def _parents(pdf: pikepdf.Pdf, fonts: list[pikepdf.Object]) -> dict[Id, list[pikepdf.Object]]:
    """Font for characters by number to the composite fonts that it is part of."""
    wanted = {font.objgen for font in fonts if str(font.get(Name.Subtype)).startswith("/CIDFont")}
    found: dict[Id, list[pikepdf.Object]] = {}
    if wanted:
        for each in pdf.objects:
            if isinstance(each, pikepdf.Dictionary) and each.get(Name.Subtype) == Name.Type0:
                for part in each[Name.DescendantFonts]:
                    if part.objgen in wanted:
                        found.setdefault(part.objgen, []).append(each)
    return found


def _make_one_smaller(
    program: pikepdf.Object,
    fonts: list[pikepdf.Object],
    used: Letters,
    parents: dict[Id, list[pikepdf.Object]],
) -> None:
    data = program.read_bytes()
    if len(data) > _LARGEST:
        return
    if data[:4] in (b"\0\1\0\0", b"true"):
        with TTFont(io.BytesIO(data), lazy=True) as font:
            kept: set[int] = {0}
            for each in fonts:
                ids = _true_type_ids(each, font, used, parents)
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
    # Numbers of letters stay, so tables may be as long as before, and empty: what counts is how they are stored.
    packed = zlib.compress(smaller)
    if not smaller or len(packed) >= len(program.read_raw_bytes()):
        return
    entries |= {key: program[key] for key in ("/Subtype",) if key in program}
    program.write(packed, filter=Name.FlateDecode)
    for key, value in entries.items():
        program[key] = value


def _codes(font: pikepdf.Object, used: Letters, parents: dict[Id, list[pikepdf.Object]]) -> set[int] | None:
    """The codes that a font is shown with: of one byte, or of two where it is part of others; None if not known."""
    if font.objgen in used.whole:
        return None
    if str(font.get(Name.Subtype)) not in ("/CIDFontType0", "/CIDFontType2"):
        return {code for text in used.shown.get(font.objgen, ()) for code in text}
    found: set[int] = set()
    for parent in parents.get(font.objgen, ()):
        if parent.objgen in used.whole or parent.get(Name.Encoding) not in (Name("/Identity-H"), Name("/Identity-V")):
            return None
        for text in used.shown.get(parent.objgen, ()):
            found.update(struct.unpack(f">{len(text) // 2}H", text[: len(text) // 2 * 2]))
    return found


def _names(font: pikepdf.Object, codes: Iterable[int]) -> set[str]:
    """Names of glyphs that the encoding of a simple font may give to these codes."""
    encoding = font.get(Name.Encoding)
    wanted, found = set(codes), set()
    base = encoding.get(Name.BaseEncoding) if isinstance(encoding, pikepdf.Dictionary) else encoding
    for code in wanted:
        found |= {StandardEncoding[code], MacRoman[code], WIN_ANSI[code]}
        for page in ("cp1252", "mac_roman"):
            letter = bytes([code]).decode(page, "replace")
            found |= _NAMED.get(ord(letter), set())
    if base == Name.MacExpertEncoding:
        raise ValueError("an encoding of expert sets")
    at = 0
    for each in encoding.get(Name.Differences, []) if isinstance(encoding, pikepdf.Dictionary) else []:
        if isinstance(each, pikepdf.Name):
            if at in wanted:
                found.add(str(each)[1:])
            at += 1
        else:
            at = int(each)
    return found


def _by_letter() -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for name, letter in AGL2UV.items():
        found.setdefault(letter, set()).add(name)
    for name, several in LEGACY_AGL2UV.items():
        if len(several) == 1:
            found.setdefault(several[0], set()).add(name)
    return found


_NAMED = _by_letter()


def _true_type_ids(
    font: pikepdf.Object, program: TTFont, used: Letters, parents: dict[Id, list[pikepdf.Object]]
) -> set[int] | None:
    """The glyphs that a font may show, found by every way that readers go (ISO 32000-1, 9.6.6.4)."""
    codes = _codes(font, used, parents)
    if codes is None:
        return None
    if str(font.get(Name.Subtype)).startswith("/CIDFont"):
        numbers = font.get(Name.CIDToGIDMap)
        if isinstance(numbers, pikepdf.Stream):
            table = numbers.read_bytes()
            return {int.from_bytes(table[2 * code : 2 * code + 2], "big") for code in codes}
        return codes
    names = _names(font, codes)
    letters = {ord(letter) for name in names if (letter := letter_of(name))}
    letters |= {int(name[3:7], 16) for name in names if name.startswith("uni") and _is_hex(name[3:7])}
    wanted = codes | letters | {high + code for high in (0xF000, 0xF100, 0xF200) for code in codes}
    found = set(codes)
    order = program.getReverseGlyphMap()
    if "cmap" in program:
        for table in program["cmap"].tables:
            found |= {order[name] for code, name in table.cmap.items() if code in wanted}
    return found | {order[name] for name in names if name in order}


def _is_hex(text: str) -> bool:
    return len(text) == 4 and all(each in "0123456789abcdefABCDEF" for each in text)


def _bare(data: bytes, program: pikepdf.Object, fonts: list[pikepdf.Object], used: Letters) -> tuple[bytes, int] | None:
    """A Type 1 font without what is not shown, and its length in the new /Length2; None where that can't be said."""
    clear, hidden = (int(program.get(key, 0)) for key in ("/Length1", "/Length2"))
    own, kept = type1.encoding(data[:clear]), set[str]()
    for each in fonts:
        codes = _codes(each, used, {}) if each.get(Name.Subtype) == Name.Type1 else None
        if codes is None:
            return None
        kept |= _names(each, codes) | {own[code] for code in codes if code in own}
    return bare_type1.without_outlines(data, clear, hidden, kept)


def _compact(data: bytes, fonts: list[pikepdf.Object], used: Letters, parents: dict[Id, list[pikepdf.Object]]) -> bytes:
    """A CFF font in which what is not shown is empty; empty bytes where that can't be said."""
    from conversions.families.pdf.tasks import compact  # which takes as long to import as a small PDF to compress

    font = compact.opened(data)
    top = font[0]
    kept: set[str] = {".notdef"}
    for each in fonts:
        codes = _codes(each, used, parents)
        if codes is None:
            return b""
        if hasattr(top, "ROS"):
            kept |= {f"cid{code:05d}" for code in codes}
        elif str(each.get(Name.Subtype)).startswith("/CIDFont"):
            kept |= {top.charset[code] for code in codes if code < len(top.charset)}
        else:
            own = top.Encoding if isinstance(top.Encoding, list) else StandardEncoding
            kept |= _names(each, codes) | {own[code] for code in codes if code < len(own)}
    if not kept & set(top.charset) - {".notdef"}:
        return b""  # nothing of it found: its letters have other names than was thought
    return compact.without_outlines(font, kept)
