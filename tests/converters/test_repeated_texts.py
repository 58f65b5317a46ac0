"""Long texts that many cells of a workbook show are counted before LibreOffice lays them out."""

from __future__ import annotations

import time
import zipfile
from pathlib import Path

import pytest

from engine.families.libreoffice import parts
from engine.toolkit.failures import OverLimit
from engine.toolkit.formats import ODS, XLSX, Format
from engine.toolkit.warnings import Warn

WORDS = "word " * 6_400
MAIN = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"


def shared(path: Path, cells: int, text: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as made:
        made.writestr("[Content_Types].xml", f'<Types><Override ContentType="{MAIN}"/></Types>')
        row = '<c r="A1" t="s"><v>1</v></c>'
        made.writestr("xl/worksheets/sheet1.xml", f"<worksheet><sheetData>{row * cells}</sheetData></worksheet>")
        made.writestr("xl/sharedStrings.xml", f"<sst><si/><si><r><t>{text}</t></r></si></sst>")
    return path


def repeated(path: Path, cells: int, text: str) -> Path:
    cell = f'<table:table-cell table:number-columns-repeated="10"><text:p>{text}</text:p></table:table-cell>'
    row = f'<table:table-row table:number-rows-repeated="{cells // 10}">{cell}</table:table-row>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as made:
        made.writestr("content.xml", f"<office:spreadsheet>{row}</office:spreadsheet>")
    return path


@pytest.mark.parametrize(("write", "format"), [(shared, XLSX), (repeated, ODS)], ids=["xlsx", "ods"])
def test_a_long_text_in_many_cells_is_refused_early(write: object, format: Format, tmp_path: Path) -> None:
    assert callable(write)
    source = write(tmp_path / f"book.{format.id}", 3_000, WORDS)
    started = time.process_time()
    with pytest.raises(OverLimit, match="too much text"):
        parts.inspect(source, format, Warn(), drawn=True)
    assert time.process_time() - started < 2


@pytest.mark.parametrize(("write", "format"), [(shared, XLSX), (repeated, ODS)], ids=["xlsx", "ods"])
def test_short_texts_and_a_few_long_ones_are_none_too_many(write: object, format: Format, tmp_path: Path) -> None:
    assert callable(write)
    for cells, text in ((100_000, "word " * 100), (100, WORDS)):
        parts.inspect(write(tmp_path / f"book.{format.id}", cells, text), format, Warn(), drawn=True)
