"""Damage that only chance has found: refused, or passed over with a warning, and never a fault of the service."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import cssselect2
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.psCharStrings import T2CharString

from conversions.toolkit.failures import Unreadable
from conversions.toolkit.selectors import compiled
from tests.converters.test_encodings import convert
from tests.converters.vectors import VECTORS


def _font() -> bytes:
    """An OpenType font with outlines in PostScript whose one letter ends in a number."""
    builder = FontBuilder(1000, isTTF=False)
    names = [".notdef", "A"]
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord("A"): "A"})
    drawing: Any = [0, 100, 100, "rmoveto", 200, "hlineto", "endchar"]
    builder.setupCFF("Chance", {}, {each: T2CharString(program=list(drawing)) for each in names}, {})
    builder.setupHorizontalMetrics(dict.fromkeys(names, (500, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Chance"})
    builder.setupOS2()
    builder.setupPost()
    file = io.BytesIO()
    builder.save(file)
    data = file.getvalue()
    letter = T2CharString(program=drawing)
    letter.compile()
    at = data.rindex(letter.bytecode) + len(letter.bytecode)
    return data[: at - 1] + b"\x8b" + data[at:]


def test_a_letter_that_ends_in_a_number_is_damage(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        convert(tmp_path, "otf-to-png", _font())


def test_a_lock_in_an_old_workbook_without_a_beginning_is_refused(tmp_path: Path) -> None:
    book = bytearray(next(each.source() for each in VECTORS if each.slug == "xls-to-csv" and not each.error))
    at = book.index(b"\x09\x08\x10\x00")
    book[at : at + 2] = b"\0\0"
    book[at + 20 : at + 22] = b"\x2f\0"
    with pytest.raises(Unreadable):
        convert(tmp_path, "xls-to-csv", bytes(book))


@pytest.mark.parametrize("selectors", ["*|", "rect, p|", "rect |"])
def test_selectors_that_end_behind_a_namespace_are_none(selectors: str) -> None:
    with pytest.raises(cssselect2.SelectorError):
        compiled(selectors)
