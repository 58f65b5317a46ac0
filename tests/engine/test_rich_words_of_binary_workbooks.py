"""Cells of xls and xlsb workbooks whose words differ in their fonts are counted."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest

from engine.conversion import convert
from tests.families.data import binary_workbooks, old_workbooks

_RICH = "STYLE_DROPPED: Cells whose words differ in their fonts have one font: {}."


def _record(kind: int, content: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def old(*texts: tuple[str, int | None]) -> bytes:
    """An xls workbook with a text in each row, whose second letter begins a run of a font: 0 is usual, 1 bold."""
    begin = _record(0x809, struct.pack("<4H2I", 0x600, 5, 0, 0, 0, 0))
    for weight in (400, 700):
        font = struct.pack("<5H4B", 200, 0, 0x7FFF, weight, 0, 0, 0, 0, 0)
        begin += _record(0x31, font + b"\5\0Arial")
    begin += _record(0xE0, bytes(20))
    strings = struct.pack("<II", len(texts), len(texts))
    for text, font in texts:
        runs = b"" if font is None else struct.pack("<HH", 1, font)
        head = struct.pack("<HB", len(text), 8 if runs else 0) + (struct.pack("<H", 1) if runs else b"")
        strings += head + text.encode("latin-1") + runs
    # The record ends among the letters of the last string, and another one continues it, which begins with their width.
    table = _record(0xFC, strings[:-9]) + _record(0x3C, b"\0" + strings[-9:])
    sheet = _record(0x85, struct.pack("<IHBB", len(begin) + len(table) + 17, 0, 1, 0) + b"A")
    cells = b"".join(_record(0xFD, struct.pack("<3HI", at, 0, 0, at)) for at in range(len(texts)))
    stream = begin + table + sheet + _record(0x0A) + _record(0x809, struct.pack("<4H2I", 0x600, 0x10, 0, 0, 0, 0))
    stream += _record(0x200, struct.pack("<IIHHH", 0, len(texts), 0, 1, 0)) + cells + _record(0x0A)
    return old_workbooks.compound(stream, "Workbook")


def binary(font: int) -> bytes:
    """The formatted xlsb workbook, whose cell A4 has a run of a font: 0 is usual, 1 bold."""

    def record(kind: int, content: bytes) -> bytes:
        return bytes([kind, len(content)]) + content

    whole, text = io.BytesIO(), struct.pack("<I", 2) + "Cy".encode("utf-16-le")
    rich = b"\1" + text + struct.pack("<IHH", 1, 1, font)
    with zipfile.ZipFile(io.BytesIO(binary_workbooks.formatted())) as before, zipfile.ZipFile(whole, "w") as after:
        for each in before.namelist():
            data, head = before.read(each), bytes(8)
            after.writestr(each, data.replace(record(6, head + text), record(62, head + rich)))
    return whole.getvalue()


def told(folder: Path, data: bytes, given: str) -> list[str]:
    """The warnings about words in a cell."""
    source = folder / f"input.{given}"
    source.write_bytes(data)
    warnings = convert(source, folder / "output.xlsx", sandbox=False).warnings
    return [f"{each.code}: {each.message}" for each in warnings if "words" in str(each.message)]


def test_words_with_another_font_in_xls_are_named(tmp_path: Path) -> None:
    data = old(("name", None), ("plain", 0), ("rich", 1), ("unlike", 1))
    assert told(tmp_path, data, "xls") == [_RICH.format("2 (A!A3, A!A4)")]


@pytest.mark.parametrize(("font", "named"), [(0, []), (1, [_RICH.format("1 (Paid!A4)")])])
def test_words_with_another_font_in_xlsb_are_named(tmp_path: Path, font: int, named: list[str]) -> None:
    assert told(tmp_path, binary(font), "xlsb") == named
