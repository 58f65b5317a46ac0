"""What was found out about a file to convert it is not found out again to count it, and quick counts are exact."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.styles import Font

from engine.families import auditing
from engine.families.data.counting import office_xml, open_document
from engine.families.data.readers import delimiters
from engine.families.media import balance, program
from engine.families.registry import CONVERTERS
from engine.toolkit import options as declared
from engine.toolkit.census import Census
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.families.media import files

CELL = re.compile(r'<c r="(\w+)" s="(\d+)" t="(\w+)">')


def audit(slug: str, content: bytes, folder: Path) -> Path:
    converter = CONVERTERS[slug]
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(content)
    auditing.run(converter, source, target, build(converter.options, {}), Warn())
    return target


def counting(function: Callable[..., Any], calls: list[str]) -> Callable[..., Any]:
    def counted(*args: Any, **kwargs: Any) -> Any:
        calls.append(function.__name__)
        return function(*args, **kwargs)

    return counted


def test_the_delimiter_is_looked_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    monkeypatch.setattr(delimiters, "Counter", counting(Counter, calls))  # of the cells of the first rows
    audit("csv-to-json", b"name;town\n" + b"Ada;London\n" * 300, tmp_path)
    assert calls.count("Counter") == 1


def test_kinds_that_options_leave_out_are_found_without_types(monkeypatch: pytest.MonkeyPatch) -> None:
    converter = CONVERTERS["docx-to-txt"]
    monkeypatch.setattr(declared, "_described", None)
    assert auditing.left_out(converter, converter.options()) == frozenset()


def test_a_result_is_read_in_one_run_of_ffmpeg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    converter = CONVERTERS["mp4-to-mkv"]
    source, target = tmp_path / "input.mp4", tmp_path / "output.mkv"
    source.write_bytes(files.made("mp4", *files.HOW["mp4"]))
    options, warn = build(converter.options, {}), Warn()
    converter.run(source, target, options, warn)
    target.write_bytes(target.read_bytes())  # it has changed, so that it is read again
    calls: list[str] = []
    monkeypatch.setattr(program, "run", counting(program.run, calls))
    balance.check(source, target, options, warn)
    assert calls == ["run"]


def bold(edit: Callable[[str], str] = lambda sheet: sheet) -> bytes:
    """A workbook of 300 rows. The first 40 have a bold cell, every other of them with a number."""
    book = openpyxl.Workbook()
    for number in range(300):
        book.active.append([f"text {number}", number])
    for number in range(1, 41):
        cell = book.active.cell(number, 1 + number % 2)
        cell.font, cell.number_format = Font(bold=True), "#,##0.00"
    written, made = io.BytesIO(), io.BytesIO()
    book.save(written)
    with zipfile.ZipFile(written) as given, zipfile.ZipFile(made, "w") as packed:
        for name in given.namelist():
            data = given.read(name)
            packed.writestr(name, edit(data.decode()) if name.endswith("sheet1.xml") else data)
    return made.getvalue()


def sheet_of(path: Path) -> Census:
    book = office_xml.workbook(path) if path.suffix == ".xlsx" else open_document.workbook(path)
    return book.parts["Sheet"]


@pytest.mark.parametrize(
    "edit",
    [
        lambda sheet: sheet,
        lambda sheet: CELL.sub(r'<c t="\3" s="\2" r="\1">', sheet),
        lambda sheet: CELL.sub(r'<c s="\2" t="\3">', sheet),
        lambda sheet: CELL.sub(r'<c  r="\1"  s="\2" t="\3">', sheet),
        lambda sheet: sheet.replace('<row r="50"', '<row r="50" s="1" customFormat="1"'),
    ],
    ids=["usual", "other order", "no places", "more blanks", "a row with a style"],
)
def test_bold_cells_are_counted_however_their_tags_are_written(edit: Callable[[str], str], tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    path.write_bytes(bold(edit))
    assert sheet_of(path).total("fonts") == 40
    assert sheet_of(path).total("formatting") == 40


def test_the_first_bold_cells_are_named(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    path.write_bytes(bold())
    named = {each for each in sheet_of(path).items["fonts"] if each}
    assert "Sheet!B1" in named
    assert all(re.fullmatch(r"Sheet![AB]\d", each) for each in named)


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ("", ""),
        (r'<table:table-cell (table:style-name="[^"]*") ([^>]*?)(/?)>', r"<table:table-cell \2 \1\3>"),
        ("<table:table-row>", '<table:table-row table:style-name="ro1">'),
    ],
    ids=["usual", "other order", "rows with styles"],
)
def test_formats_of_open_documents_are_counted_however_they_are_written(
    written: str, instead: str, tmp_path: Path
) -> None:
    target = audit("xlsx-to-ods", bold(), tmp_path)
    path = tmp_path / "edited.ods"
    with zipfile.ZipFile(target) as given, zipfile.ZipFile(path, "w") as packed:
        for name in given.namelist():
            data = given.read(name).decode() if name.endswith(".xml") else given.read(name)
            if name == "content.xml" and written:
                data, count = re.subn(written, instead, data)  # type: ignore[arg-type]
                assert count
            packed.writestr(name, data)
    assert sheet_of(path).total("formats") == sheet_of(target).total("formats") == 20
