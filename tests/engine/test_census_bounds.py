"""Counting that takes too much leaves the result as it is, and says what was not counted."""

from __future__ import annotations

import contextlib
import sqlite3
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.families import auditing
from engine.families.geo.counting import count
from engine.families.registry import CONVERTERS
from engine.toolkit.census import Census
from engine.toolkit.cpu_limit import CpuTimeUsedUp, cpu_limit
from engine.toolkit.formats import GPKG, MARKDOWN
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

CONVERTER = CONVERTERS["markdown-to-html"]


def counted(folder: Path, source: bytes, made: bytes) -> Warn:
    """What is said of a conversion that gives `made`."""

    def run(source: Path, target: Path, options: Any, warn: Warn) -> None:
        target.write_bytes(made)

    given, target, warn = folder / "input.markdown", folder / "output.html", Warn()
    given.write_bytes(source)
    auditing.run(replace(CONVERTER, run=run), given, target, build(CONVERTER.options, {}), warn)
    assert target.read_bytes() == made
    return warn


def counting(monkeypatch: pytest.MonkeyPatch, count: Callable[[Path], Census]) -> None:
    known = auditing.countings()
    changed = {**known, MARKDOWN: replace(known[MARKDOWN], count=count, parts=(), estimate=None)}
    monkeypatch.setattr(auditing, "countings", lambda: changed)


@pytest.mark.parametrize("piece", [b"<!--", b"$a [^"])
def test_a_text_that_takes_long_to_count_is_not_counted(tmp_path: Path, piece: bytes) -> None:
    warn = counted(tmp_path, piece * (400_000 // len(piece)), b"<p>a</p>")
    assert "words" in str(warn.detected["notCounted"]).split(", ")


@pytest.mark.parametrize("piece", [b"[", b"<img "])
def test_a_text_of_marks_that_nothing_closes_is_counted(tmp_path: Path, piece: bytes) -> None:
    warn = counted(tmp_path, piece * (400_000 // len(piece)), b"<p>a</p>")
    assert "notCounted" not in warn.detected


class _Panic(BaseException):
    """As libraries in Rust raise it."""


@pytest.mark.parametrize("error", [MemoryError(), RecursionError(), _Panic()])
def test_no_failure_of_the_counting_takes_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fail(path: Path) -> Census:
        raise error

    counting(monkeypatch, fail)
    assert "words" in str(counted(tmp_path, b"Alpha\n", b"<p>Alpha</p>").detected["notCounted"]).split(", ")


def test_a_library_of_the_counting_that_can_not_be_loaded_does_not_take_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auditing, "modules", lambda converter: ("engine.families.missing",))
    assert "words" in str(counted(tmp_path, b"Alpha\n", b"<p>Alpha</p>").detected["notCounted"]).split(", ")


def test_a_file_that_unpacks_to_too_much_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path] = []

    def count(path: Path) -> Census:
        opened.append(path)
        return Census()

    counting(monkeypatch, count)
    monkeypatch.setattr(auditing, "MAX_UNPACKED", 999)
    packed = tmp_path / "packed"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.xml", bytes(1_000))
    warn = counted(tmp_path, packed.read_bytes(), b"<p>a</p>")
    assert not opened
    assert "words" in str(warn.detected["notCounted"]).split(", ")


def _endless() -> None:
    while True:
        try:
            sum(range(1_000))
        except Exception:
            pytest.fail("the end was taken for a fault")


def test_work_without_an_end_is_stopped_even_where_faults_are_expected() -> None:
    with pytest.raises(CpuTimeUsedUp), cpu_limit(0.05):
        _endless()


def test_a_map_whose_list_of_layers_has_no_end_is_not_counted(tmp_path: Path) -> None:
    file = tmp_path / "endless.gpkg"
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE gpkg_geometry_columns (table_name, column_name)")
        database.execute(
            "CREATE VIEW gpkg_contents AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
            "SELECT i AS table_name, i AS data_type FROM n WHERE i < 0"
        )
    with pytest.raises((sqlite3.OperationalError, CpuTimeUsedUp)), cpu_limit(0.2):
        count(file, GPKG)
