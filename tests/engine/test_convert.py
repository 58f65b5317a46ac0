"""The engine as a library: without Django, with and without the sandbox."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine import UnknownConversion, convert
from engine.toolkit.failures import InvalidFields, Unreadable

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    source = tmp_path / "rows.json"
    source.write_text('[{"a": 1, "a": 2, "b": "x;y"}]')
    return source


@pytest.mark.parametrize("sandbox", [True, False])
def test_a_file_becomes_another_with_its_warnings(rows: Path, sandbox: bool) -> None:
    result = convert(rows, rows.with_suffix(".csv"), sandbox=sandbox, delimiter=";", header=False)
    assert result.path.read_bytes() == b'2;"x;y"\r\n'
    assert result.format.id == "csv"
    assert {each.code for each in result.warnings} == {"DUPLICATE_KEY"}


@pytest.mark.parametrize("sandbox", [True, False])
def test_a_file_that_cannot_be_read_leaves_the_target_as_it_was(rows: Path, sandbox: bool) -> None:
    rows.write_text("[1,\n?]")
    target = rows.with_suffix(".csv")
    target.write_text("before")
    with pytest.raises(Unreadable) as raised:
        convert(rows, target, sandbox=sandbox)
    assert raised.value.line == 2
    assert target.read_text() == "before"
    assert sorted(each.name for each in rows.parent.iterdir()) == ["rows.csv", "rows.json"]


def test_options_and_formats_that_there_are_not_are_refused(rows: Path) -> None:
    with pytest.raises(InvalidFields) as raised:
        convert(rows, rows.with_suffix(".csv"), delimiter="long", colour="red")
    assert set(raised.value.reasons) == {"delimiter", "colour"}
    with pytest.raises(UnknownConversion):
        convert(rows, rows.with_suffix(".unknown"))
    assert convert(rows, rows.with_suffix(".txt"), slug="json-to-csv").path.read_bytes().startswith(b"a,b")


def test_django_is_neither_needed_nor_loaded(rows: Path) -> None:
    code = (
        "import sys; sys.modules['django'] = sys.modules['rest_framework'] = None\n"
        "from engine import convert\n"
        f"print(convert({str(rows)!r}, {str(rows)!r} + '.csv').format.id)\n"
        "apps = {'accounts', 'conversions', 'config', 'storage', 'apikeys'}\n"
        "print(sorted(apps & {each.partition('.')[0] for each in sys.modules}))\n"
    )
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.split("\n")[:2] == ["csv", "[]"]
