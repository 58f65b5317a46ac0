"""Fonts in a PDF without the outlines that it does not show; letters keep their numbers, so that no text changes."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable
from typing import Any

import pikepdf
from fontTools.agl import AGL2UV
from fontTools.cffLib import CFFFontSet
from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.misc.psCharStrings import T2CharString
from fontTools.ttLib import TTFont, TTLibError
from fontTools.ttLib.sfnt import SFNTWriter
from pikepdf import Name

from conversions.families.pdf.read import DAMAGED
from conversions.families.pdf.tasks.letters_used import Letters, letters
from conversions.families.pdf.tasks.placing import Id

_SMALLEST = 12_000
"""Bytes of a font that are worth the work."""

_LARGEST = 40_000_000
_NEEDED = (
    "cmap",
    "cvt ",
    "fpgm",
    "glyf",
    "head",
    "hhea",
    "hmtx",
    "loca",
    "maxp",
    "OS/2",
    "post",
    "prep",
    "vhea",
    "vmtx",
    "CFF ",
)
"""Tables that showing a font in a PDF needs (ISO 32000-1, 9.9)."""

_NAMING = ("cmap", "OS/2", "post")
"""Tables that are not needed where a PDF gives the numbers of letters."""

_FAILURES = (*DAMAGED, TTLibError, struct.error, AssertionError, EOFError)


def make_smaller(pdf: pikepdf.Pdf) -> None:
    """Empty the outlines of letters that are not shown, in all embedded TrueType and CFF fonts of some size."""
    users: dict[Id, tuple[pikepdf.Object, list[pikepdf.Object]]] = {}
    for font in pdf.objects:
        program = _program(font)
        if program is not None:
            users.setdefault(program.objgen, (program, []))[1].append(font)
    large = {key: each for key, each in users.items() if len(each[0].read_raw_bytes()) >= _SMALLEST}
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
    """The embedded TrueType or CFF font that a font dictionary is shown with."""
    if not isinstance(font, pikepdf.Dictionary) or font.get(Name.Type) != Name.Font:
        return None
    about = font.get(Name.FontDescriptor)
    if not isinstance(about, pikepdf.Dictionary):
        return None
    program = about.get(Name.FontFile2, about.get(Name.FontFile3))
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
            smaller = _true_type(font, kept, by_number=by_number)
        entries: dict[str, Any] = {"/Length1": len(smaller)}
    elif data[:1] == b"\1" and program.get(Name.Subtype) in (Name.Type1C, Name.CIDFontType0C):
        smaller = _compact(data, fonts, used, parents)
        entries = {}
    else:
        return
    if not smaller or len(smaller) >= len(data):
        return
    entries |= {key: program[key] for key in ("/Subtype",) if key in program}
    program.write(smaller)
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
        found.add(StandardEncoding[code])
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
    letters = {AGL2UV[name] for name in names if name in AGL2UV}
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


def _true_type(font: TTFont, kept: set[int], *, by_number: bool) -> bytes:
    """The font with empty outlines in place of those that are not `kept`, and no tables beside those for showing it."""
    long = struct.unpack_from(">h", font.reader["head"], 50)[0] == 1
    raw, outlines = font.reader["loca"], font.reader["glyf"]
    count = len(raw) // (4 if long else 2)
    ends = [
        end * (1 if long else 2)
        for end in struct.unpack(f">{count}{'I' if long else 'H'}", raw[: count * (4 if long else 2)])
    ]
    kept = _with_parts(outlines, ends, kept)
    parts, places, at = [], [0], 0
    for number in range(count - 1):
        if number in kept:
            part = outlines[ends[number] : ends[number + 1]]
            part += bytes(-len(part) % 4)
            parts.append(part)
            at += len(part)
        places.append(at)
    tables = {tag: font.reader[tag] for tag in font.reader.keys() if tag in _NEEDED}  # noqa: SIM118  # it is no mapping
    if by_number:
        for tag in _NAMING:
            tables.pop(tag, None)
    tables["hmtx"] = _widths(font.reader["hmtx"], struct.unpack_from(">H", font.reader["hhea"], 34)[0], kept)
    tables["glyf"] = b"".join(parts)
    tables["loca"] = (
        struct.pack(f">{count}I", *places) if long else struct.pack(f">{count}H", *(at // 2 for at in places))
    )
    out = io.BytesIO()
    writer = SFNTWriter(out, len(tables), font.sfntVersion)
    for tag in sorted(tables):
        writer[tag] = tables[tag]
    writer.close()
    return out.getvalue()


def _widths(table: bytes, count: int, kept: set[int]) -> bytes:
    """Zeros, which need no space, for the widths of what is not `kept`; the last stands for all that follow."""
    out = bytearray(len(table))
    for number in (*kept, count - 1):
        start, end = (
            (4 * number, 4 * number + 4) if number < count else (2 * (count + number), 2 * (count + number) + 2)
        )
        out[start:end] = table[start:end]
    return bytes(out)


def _with_parts(outlines: bytes, ends: list[int], kept: set[int]) -> set[int]:
    """With the glyphs that composed ones are made of."""
    found, waiting = set(), [number for number in kept if number < len(ends) - 1]
    while waiting:
        number = waiting.pop()
        if number in found or number >= len(ends) - 1:
            continue
        found.add(number)
        start, end = ends[number], ends[number + 1]
        if end - start < 10 or struct.unpack_from(">h", outlines, start)[0] >= 0:
            continue
        at, more = start + 10, True
        while more and at + 4 <= end:
            flags, part = struct.unpack_from(">HH", outlines, at)
            waiting.append(part)
            # OpenType, glyf: two words or two bytes, then one, two or four of the matrix.
            at += 4 + (4 if flags & 1 else 2) + (2 if flags & 8 else 4 if flags & 0x40 else 8 if flags & 0x80 else 0)
            more = bool(flags & 0x20)
    return found


def _compact(data: bytes, fonts: list[pikepdf.Object], used: Letters, parents: dict[Id, list[pikepdf.Object]]) -> bytes:
    """A CFF font in which what is not shown is empty; empty bytes where that can't be said."""
    font = CFFFontSet()
    font.decompile(io.BytesIO(data), None)
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
    outlines = top.CharStrings
    for name in list(outlines.keys()):
        if name not in kept:
            old = outlines[name]
            outlines[name] = T2CharString(program=["endchar"], private=old.private, globalSubrs=old.globalSubrs)
    out = io.BytesIO()
    font.compile(out, None)
    return out.getvalue()
