"""The names and styles of the operator's fonts."""

from __future__ import annotations

import functools
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import uharfbuzz

from engine.toolkit import own_fonts
from engine.toolkit.font_twins import plain

_TYPOGRAPHIC_FAMILY, _FAMILY = 16, 1  # OpenType, name table
_ITALIC, _OBLIQUE = 1, 1 << 9  # OpenType, OS/2 fsSelection
_LEAST_BOLD = 600  # OpenType, OS/2 usWeightClass: semi-bold


@dataclass(frozen=True)
class Typeface:
    """One face of a font file, with the family names that style sheets may use."""

    path: Path
    index: int
    families: tuple[str, ...]
    bold: bool
    italic: bool


@functools.cache
def typefaces() -> tuple[Typeface, ...]:
    """All faces of the operator's files; files that aren't fonts, or can't be read, are skipped."""
    return tuple(face for each in own_fonts.files() for face in _of_file(each))


@functools.cache
def by_family() -> Mapping[str, tuple[Typeface, ...]]:
    """The faces by the name of their family, as `plain` writes it."""
    found: dict[str, tuple[Typeface, ...]] = {}
    for face in typefaces():
        for family in dict.fromkeys(map(plain, face.families)):
            found[family] = (*found.get(family, ()), face)
    return found


def _of_file(path: Path) -> Iterator[Typeface]:
    try:
        blob = uharfbuzz.Blob.from_file_path(str(path))
    except uharfbuzz.HarfBuzzError:
        return  # it may have been deleted, or closed to children, since the start
    for index in range(uharfbuzz.Face(blob).count):
        face = uharfbuzz.Face(blob, index)
        names = (face.get_name(each) for each in (_TYPOGRAPHIC_FAMILY, _FAMILY))
        families = tuple(dict.fromkeys(each for each in names if each))
        style = face.reference_table("OS/2").data
        if families and len(style) >= 64:
            weight, selection = struct.unpack_from(">H", style, 4)[0], struct.unpack_from(">H", style, 62)[0]
            yield Typeface(path, index, families, weight >= _LEAST_BOLD, bool(selection & (_ITALIC | _OBLIQUE)))
