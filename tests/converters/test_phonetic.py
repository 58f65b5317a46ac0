"""Phonetic readings in old and binary workbooks are found wherever records end, and named."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest

from engine.conversion import convert
from engine.families.data.workbooks import phonetic
from tests.families.data import binary_workbooks, old_workbooks


def text(value: str, reading: str | None = None, *, runs: int = 0) -> tuple[bytes, bytes, bytes]:
    """The head, the characters and the rest of a string (MS-XLS, 2.5.293); an empty reading has its block as well."""
    wide = not value.isascii()
    flags = wide | (0x04 if reading is not None else 0) | (0x08 if runs else 0)
    block = b""
    if reading is not None:
        said = reading.encode("utf-16-le")
        block = struct.pack("<2H4x3H", 1, 10 + len(said) + 6, 1 if reading else 0, len(reading), len(reading)) + said
        block += struct.pack("<3H", 0, 0, len(value))
    head = struct.pack("<HB", len(value), flags) + (struct.pack("<H", runs) if runs else b"")
    head += struct.pack("<I", len(block)) if reading is not None else b""
    return head, value.encode("utf-16-le" if wide else "latin-1"), bytes(4 * runs) + block


STRINGS = [
    text("Tokyo"),
    text("東京", "トウキョウ"),
    text("メント", ""),
    text("日本語", "ニホンゴ", runs=2),
    text("Bold", runs=3),
    text("abc" * 20, "エー"),
]


def table(strings: list[tuple[bytes, bytes, bytes]]) -> bytes:
    return struct.pack("<II", len(strings), len(strings)) + b"".join(b"".join(each) for each in strings)


def test_readings_are_counted_and_empty_ones_are_not() -> None:
    assert phonetic.in_strings([table(STRINGS)]) == 3


def test_a_record_may_end_anywhere_but_in_a_head() -> None:
    whole, place = table(STRINGS), 8
    for head, characters, rest in STRINGS:
        place += len(head)
        wide = head[2] & 1
        for at in range(place + (1 + wide), place + len(characters), 1 + wide):
            assert phonetic.in_strings([whole[:at], bytes([wide]) + whole[at:]]) == 3
        place += len(characters)
        for at in range(place, place + len(rest)):
            assert phonetic.in_strings([whole[:at], whole[at:]]) == 3
        place += len(rest)


@pytest.mark.parametrize("cut", range(9))
def test_a_damaged_table_has_what_stands_before_the_damage(cut: int) -> None:
    assert phonetic.in_strings([table(STRINGS)[:-cut] if cut else table(STRINGS)]) == (2 if cut else 3)
    assert phonetic.in_strings([b"\xff" * cut]) == 0


def test_an_old_workbook_with_readings_says_so(tmp_path: Path) -> None:
    def record(kind: int, content: bytes = b"") -> bytes:
        return struct.pack("<HH", kind, len(content)) + content

    begin = record(0x809, struct.pack("<4H2I", 0x600, 5, 0, 0, 0, 0))
    strings = record(0xFC, table(STRINGS))
    place = len(begin) + 13 + len(strings) + 4
    sheet = record(0x85, struct.pack("<IHBB", place, 0, 1, 0) + b"A")
    cells = b"".join(record(0xFD, struct.pack("<3HI", at, 0, 0, at)) for at in range(len(STRINGS)))
    stream = begin + sheet + strings + record(0x0A) + record(0x809, struct.pack("<4H2I", 0x600, 0x10, 0, 0, 0, 0))
    stream += record(0x200, struct.pack("<IIHHH", 0, len(STRINGS), 0, 1, 0)) + cells + record(0x0A)
    source = tmp_path / "input.xls"
    source.write_bytes(old_workbooks.compound(stream, "Workbook"))
    messages = [str(each.message) for each in convert(source, tmp_path / "output.csv", sandbox=False).warnings]
    assert messages == ["Phonetic readings (furigana) in cells are not in the output: 3."]
    assert (tmp_path / "output.csv").read_text().split("\n")[:2] == ["Tokyo", "東京"]


def test_a_binary_workbook_with_readings_says_so(tmp_path: Path) -> None:
    def shared(value: str, reading: str = "", runs: int = 0) -> bytes:
        def wide(each: str) -> bytes:
            return struct.pack("<I", len(each)) + each.encode("utf-16-le")

        content = bytes([(1 if runs else 0) | (2 if reading else 0)]) + wide(value)
        content += struct.pack("<I", runs) + bytes(4 * runs) if runs else b""
        content += wide(reading) + struct.pack("<I3H", 1, 0, 0, len(value)) if reading else b""
        return bytes([19, len(content)]) + content

    book = io.BytesIO(binary_workbooks.workbook({"A": [["x"], [1]]}))
    with zipfile.ZipFile(book, "a") as archive:
        texts = [shared("Tokyo"), shared("東京", "トウキョウ"), shared("日本語", "ニホンゴ", 2), shared("bold", runs=1)]
        head = b"\x9f\x01\x08" + struct.pack("<II", len(texts), len(texts))
        archive.writestr("xl/sharedStrings.bin", head + b"".join(texts) + b"\xa0\x01\x00")
    source = tmp_path / "input.xlsb"
    source.write_bytes(book.getvalue())
    messages = [str(each.message) for each in convert(source, tmp_path / "output.csv", sandbox=False).warnings]
    assert messages == ["Phonetic readings (furigana) in cells are not in the output: 2."]
