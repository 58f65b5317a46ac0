"""Find the glyphs of an embedded font that a PDF may show: by code, name and number (ISO 32000-1, 9.6 and 9.7)."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable

import pikepdf
from fontTools.agl import AGL2UV, LEGACY_AGL2UV
from fontTools.encodings.MacRoman import MacRoman
from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.ttLib import TTFont
from pikepdf import Name

from engine.families.pdf.tasks.drawn_sizes import Id
from engine.families.pdf.tasks.lettering import WIN_ANSI, letter_of
from engine.families.pdf.tasks.used_codes import UsedCodes

_NUMBERED = re.compile(r"[A-Za-z]{1,5}([0-9]{1,5})")
"""Names such as g17 and glyph00017, which readers take for glyph numbers if a font has no glyph names."""


def parents_of(pdf: pikepdf.Pdf, fonts: list[pikepdf.Object]) -> dict[Id, list[pikepdf.Object]]:
    """Descendant font, by object number, to the composite fonts that use it."""
    wanted = {font.objgen for font in fonts if str(font.get(Name.Subtype)).startswith("/CIDFont")}
    found: dict[Id, list[pikepdf.Object]] = {}
    if wanted:
        for each in pdf.objects:
            if isinstance(each, pikepdf.Dictionary) and each.get(Name.Subtype) == Name.Type0:
                for part in each[Name.DescendantFonts]:
                    if part.objgen in wanted:
                        found.setdefault(part.objgen, []).append(each)
    return found


def codes_of(font: pikepdf.Object, used: UsedCodes, parents: dict[Id, list[pikepdf.Object]]) -> set[int] | None:
    """Return the codes shown in a font: one-byte, or two-byte if it is part of a composite font; None if unknown."""
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


def names_of(font: pikepdf.Object, codes: Iterable[int]) -> set[str]:
    """Return the glyph names that a simple font's encoding may map these codes to."""
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


def true_type_ids(
    font: pikepdf.Object, program: TTFont, used: UsedCodes, parents: dict[Id, list[pikepdf.Object]]
) -> set[int] | None:
    """Return the glyphs that a font may show, by every lookup that readers use (ISO 32000-1, 9.6.6.4)."""
    codes = codes_of(font, used, parents)
    if codes is None:
        return None
    if str(font.get(Name.Subtype)).startswith("/CIDFont"):
        numbers = font.get(Name.CIDToGIDMap)
        if isinstance(numbers, pikepdf.Stream):
            table = numbers.read_bytes()
            return {int.from_bytes(table[2 * code : 2 * code + 2], "big") for code in codes}
        return codes
    names = names_of(font, codes)
    characters = {ord(letter) for name in names if (letter := letter_of(name))}
    characters |= {int(name[3:7], 16) for name in names if name.startswith("uni") and _is_hex(name[3:7])}
    wanted = codes | characters | {high + code for high in (0xF000, 0xF100, 0xF200) for code in codes}
    found = set(codes)
    order = program.getReverseGlyphMap()
    if "cmap" in program:
        for table in program["cmap"].tables:
            found |= {order[name] for code, name in table.cmap.items() if code in wanted}
    found |= {int(told[1]) for name in names if (told := _NUMBERED.fullmatch(name))}
    return found | {order[name] for name in names if name in order}


def _is_hex(text: str) -> bool:
    return len(text) == 4 and all(each in "0123456789abcdefABCDEF" for each in text)
