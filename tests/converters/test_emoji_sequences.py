"""Emoji of several characters, which are drawn as their parts, are named; those of one character are not."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from engine.conversion import convert
from engine.families.libreoffice import parts
from engine.toolkit.emoji_sequences import found_in
from engine.toolkit.formats import XLSX
from engine.toolkit.warnings import Warn
from tests.families.documents import files

FLAG, FAMILY, HAND = "\U0001f1e9\U0001f1ea", "\U0001f469\u200d\U0001f469\u200d\U0001f467", "\U0001f44d\U0001f3fd"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
_MESSAGE = "Emoji of several parts, such as flags and skin tones, are drawn as their parts: {}."


def told(folder: Path, name: str, data: bytes) -> list[str]:
    source = folder / name
    source.write_bytes(data)
    result = convert(source, folder / "output.pdf", sandbox=False)
    return [str(each.message) for each in result.warnings if each.code == "GLYPH_MISSING"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("input.html", f"<meta charset=utf-8><table><tr><td>{FLAG}<td>{FAMILY}</table>{HAND}{FLAG}".encode()),
        ("input.csv", f"a,b\n{FLAG},{FAMILY}\n{HAND},{FLAG}\n".encode()),
        ("input.docx", files.word(f"<w:p><w:r><w:t>{FLAG} {FAMILY} {HAND} {FLAG}</w:t></w:r></w:p>")),
    ],
)  # fmt: skip
def test_emoji_that_are_drawn_as_their_parts_are_counted(name: str, data: bytes, tmp_path: Path) -> None:
    (only,) = told(tmp_path, name, data)
    assert only.startswith(_MESSAGE.partition("{")[0] + f"4 ({FLAG}, {FAMILY}, {HAND}")


def test_emoji_in_workbooks_are_found(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append([FLAG, f"{HAND} and {ENGLAND}", "plain \U0001f600"])
    book.save(tmp_path / "input.xlsx")
    needed = parts.inspect(tmp_path / "input.xlsx", XLSX, Warn(), drawn=True)
    assert needed.emoji == {FLAG: 1, HAND: 1, ENGLAND: 1}


@pytest.mark.parametrize(
    "text", ["\U0001f600", "\u2764\ufe0f", "1\ufe0f\u20e3", "\u0915\u094d\u200d\u0937", "a\u200db"]
)
def test_what_one_character_draws_is_not_named(text: str, tmp_path: Path) -> None:
    assert not found_in(text)
    assert told(tmp_path, "input.html", f"<!DOCTYPE html><meta charset=utf-8><p>{text}".encode()) == []
