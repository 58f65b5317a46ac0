"""Record the original fonts and pictures of a document, to revert to them."""

from __future__ import annotations

import copy
from collections.abc import Iterable

import pikepdf

from engine.families.pdf.unchanged.differences import Id


class Replaced:
    """The replaced objects of one document by id.

    The originals stay in the source file: nothing is loaded into memory until it is reverted.
    """

    def __init__(self) -> None:
        self._fonts: dict[Id, tuple[pikepdf.Object, pikepdf.Object]] = {}
        self._pictures: dict[Id, tuple[pikepdf.Object, pikepdf.Object]] = {}

    def font(self, program: pikepdf.Object) -> None:
        """Record an embedded font before it is replaced."""
        self._fonts.setdefault(program.objgen, (program, copy.copy(program)))

    def picture(self, stream: pikepdf.Object) -> None:
        """Record a picture before it is replaced."""
        self._pictures.setdefault(stream.objgen, (stream, copy.copy(stream)))

    def take_back_fonts(self, parts: Iterable[Id]) -> int:
        """Revert the fonts that are among these parts of a document. Returns their number."""
        return _take_back(self._fonts, parts)

    def take_back_pictures(self, parts: Iterable[Id]) -> int:
        """Revert the pictures that are among these parts of a document. Returns their number."""
        return _take_back(self._pictures, parts)


def _take_back(noted: dict[Id, tuple[pikepdf.Object, pikepdf.Object]], parts: Iterable[Id]) -> int:
    wanted = noted.keys() & set(parts)
    for each in wanted:
        stream, before = noted.pop(each)
        stream.write(before.read_raw_bytes())
        for key in set(stream.keys()) - set(before.keys()) - {"/Length"}:
            del stream[key]
        for key in set(before.keys()) - {"/Length"}:
            stream[key] = before[key]
    return len(wanted)
