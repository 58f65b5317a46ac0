"""The protection of sheets and workbooks from changes is counted in each format, and named where it is lost."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.workbook.protection import WorkbookProtection

from engine.families.data.counting import protections
from tests.engine.losing import each_part, lost
from tests.engine.test_looks_of_workbooks import SOURCES

_RECORD = bytes.fromhex("2a0002000000")
"""A record of two bytes in the sheet of the xls sample; a protected one has another in its place."""


def xlsx(*, sheet: bool = False, book: bool = False) -> bytes:
    made, out = Workbook(), io.BytesIO()
    made.active.append(["name"])
    made.active.protection.sheet = sheet
    made.security = WorkbookProtection(lockStructure=book)
    made.save(out)
    return out.getvalue()


PROTECTED: dict[str, tuple[str, Callable[[], bytes]]] = {
    "a sheet of xlsx": ("xlsx", lambda: xlsx(sheet=True)),
    "a workbook of xlsx": ("xlsx", lambda: xlsx(book=True)),
    "a sheet of ods": ("ods", lambda: each_part("<table:table ", '<table:table table:protected="true" ')(ods())),
    "a workbook of ods": (
        "ods",
        lambda: each_part("<office:spreadsheet", '<office:spreadsheet table:structure-protected="true"')(ods()),
    ),
    "a sheet of xls": ("xls", lambda: xls().replace(_RECORD, bytes.fromhex("120002000100"))),
}


def ods() -> bytes:
    return SOURCES["ods"]()


def xls() -> bytes:
    return SOURCES["xls"]()


@pytest.mark.parametrize("what", PROTECTED)
def test_a_protection_is_named(tmp_path: Path, what: str) -> None:
    given, source = PROTECTED[what]
    output = "ods" if given == "xlsx" else "xlsx"
    assert "protections" in lost(tmp_path, f"{given}-to-{output}", source(), None)
    assert "rules" in lost(tmp_path, f"{given}-to-csv", source(), None)


@pytest.mark.parametrize("given", ["xlsx", "ods", "xls"])
def test_a_workbook_that_is_not_protected_has_no_protection(tmp_path: Path, given: str) -> None:
    source = {"xlsx": xlsx, "ods": ods, "xls": xls}[given]()
    output = "ods" if given == "xlsx" else "xlsx"
    assert "protections" not in lost(tmp_path, f"{given}-to-{output}", source, None)


def test_a_protection_that_only_the_result_has_is_no_loss(tmp_path: Path) -> None:
    def protect(made: bytes) -> bytes:
        book, out = load_workbook(io.BytesIO(made)), io.BytesIO()
        book.active.protection.sheet = True
        book.save(out)
        return out.getvalue()

    with zipfile.ZipFile(io.BytesIO(protect(xlsx()))) as archive:
        assert b"<sheetProtection" in archive.read("xl/worksheets/sheet1.xml")
    protected = each_part("<table:table ", '<table:table table:protected="true" ')(ods())
    assert "protections" not in lost(tmp_path, "ods-to-xlsx", protected, protect)
    assert "protections" in lost(tmp_path, "ods-to-xlsx", protected, None)


@pytest.mark.parametrize(
    ("kind", "content", "locked"),
    [
        (535, struct.pack("<HI", 0, 1), True),
        (535, struct.pack("<HI", 0, 0), False),
        (677, struct.pack("<II", 100_000, 1), True),
        (534, struct.pack("<3H", 0, 0, 1), True),
        (534, struct.pack("<3H", 0, 0, 4), False),  # the revisions alone
        (676, struct.pack("<IIH", 1, 1, 2), True),
        (535, b"", False),
    ],
)
def test_records_of_xlsb_tell_what_is_locked(kind: int, content: bytes, *, locked: bool) -> None:
    assert protections.of_binary_record(kind, content) is locked
