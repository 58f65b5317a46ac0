"""The glyph names and characters of simple fonts' codes (ISO 32000-1, 9.6.6)."""

from __future__ import annotations

from collections.abc import Mapping

import pikepdf
from fontTools.agl import UV2AGL, toUnicode
from fontTools.encodings.MacRoman import MacRoman
from pikepdf import Name

_RAISED = {"twosuperior": "\u00b2", "threesuperior": "\u00b3", "onesuperior": "\u00b9"}
"""Names missing from fontTools' list."""

_LATIN = tuple(bytes([code]).decode("cp1252", "replace") for code in range(256))


UNUSED = (127, *(code for code, letter in enumerate(_LATIN) if letter == "\ufffd"))
"""Unused codes of WinAnsiEncoding, which are shown as bullets (ISO 32000-1, D.2, note 3)."""


def names_of(font: pikepdf.Object, standard: Mapping[int, str]) -> dict[int, str]:
    """Code to glyph name; `standard` if the font's encoding does not say otherwise."""
    encoding = font.get(Name.Encoding)
    base = encoding.get(Name.BaseEncoding) if isinstance(encoding, pikepdf.Dictionary) else encoding
    found = dict(standard)
    if base == Name.WinAnsiEncoding:
        found = {code: WIN_ANSI[code] for code in range(32, 256)}
    elif base == Name.MacRomanEncoding:
        found = dict(enumerate(MacRoman))
    at = 0
    for each in encoding.get(Name.Differences, []) if isinstance(encoding, pikepdf.Dictionary) else []:
        if isinstance(each, pikepdf.Name):
            found[at] = str(each)[1:]
            at += 1
        else:
            at = int(each)
    return found


def _win_ansi() -> tuple[str, ...]:
    names = []
    raised = {letter: name for name, letter in _RAISED.items()}
    for code, letter in enumerate(_LATIN):
        names.append("bullet" if code in UNUSED else raised.get(letter) or UV2AGL.get(ord(letter), ".notdef"))
    names[0xA0], names[0xAD] = "space", "hyphen"
    return tuple(names)


WIN_ANSI = _win_ansi()


def letter_of(name: str) -> str:
    """The character with a glyph name; empty if none or several."""
    found = _RAISED.get(name) or toUnicode(name)
    return found if len(found) == 1 else ""
