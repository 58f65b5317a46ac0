"""Numbers beyond what Python has or writes are kept as text, refused or compared, and never a fault of the service."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.warnings import Warn
from tests.converters.test_encodings import convert

_DIGITS = "9" * 5_000
_HUGE, _TINY = "1E+99999999999999999999", "-1e-99999999999999999999"
_SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" %s>%s</svg>'
_ROWS = f"a\n{_HUGE}\n2\n-3\n".encode()


def _codes(warned: Warn) -> set[str]:
    return {each.code for each in warned.warnings}


@pytest.mark.parametrize("base", ["0x", "0o", "0b"])
@pytest.mark.parametrize("output", ["json", "csv", "yaml", "xlsx"])
def test_a_toml_integer_that_decimal_can_not_have_is_refused(base: str, output: str, tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        convert(tmp_path, f"toml-to-{output}", f"a = [{{ b = {base}{'1' * 20_000} }}]".encode())


@pytest.mark.parametrize("output", ["parquet", "arrow", "avro", "orc", "sqlite", "xlsx", "ods", "toml"])
def test_a_json_number_with_an_endless_exponent_is_converted(output: str, tmp_path: Path) -> None:
    data, _ = convert(tmp_path, f"json-to-{output}", f'[{{"a": {_HUGE}, "b": {_TINY}}}, {{"a": 1.5, "b": 2}}]'.encode())
    assert data


def test_an_endless_exponent_is_text_in_toml(tmp_path: Path) -> None:
    data, warned = convert(tmp_path, "json-to-toml", f'{{"a": {_HUGE}}}'.encode())
    assert (data, _codes(warned)) == (f'a = "{_HUGE}"\n'.encode(), {"VALUE_CONVERTED"})


@pytest.mark.parametrize(
    ("condition", "left"), [("a > 1", ["2"]), (f"a < {_HUGE}", ["2", "-3"]), (f"a < {_TINY}", ["-3"])]
)
def test_an_endless_exponent_is_compared_where_it_can_be(condition: str, left: list[str], tmp_path: Path) -> None:
    data, warned = convert(tmp_path, "csv-to-json", _ROWS, where=condition, types="text")
    assert [each["a"] for each in json.loads(data)] == left
    assert _codes(warned) == {"NOT_COMPARABLE"}


def test_an_endless_exponent_is_sorted_as_text(tmp_path: Path) -> None:
    data, _ = convert(tmp_path, "csv-to-json", _ROWS, sort="a", types="text")
    assert [each["a"] for each in json.loads(data)] == ["-3", "2", _HUGE]


@pytest.mark.parametrize("style", [f"font:{_DIGITS} x", f"opacity:.{_DIGITS}", f"--a:{_DIGITS};opacity:var(--a)"])
def test_a_number_of_many_digits_is_read_in_a_style_of_a_drawing(style: str, tmp_path: Path) -> None:
    data, _ = convert(tmp_path, "svg-to-png", (_SVG % ("", f'<text style="{style}">a</text>')).encode())
    assert data.startswith(b"\x89PNG")


@pytest.mark.parametrize("size", [f'viewBox="0 0 {_DIGITS} 9"', f'viewBox="0 0 9 {_DIGITS}e300"'])
def test_an_endless_drawing_is_refused(size: str, tmp_path: Path) -> None:
    with pytest.raises(OverLimit):
        convert(tmp_path, "svg-to-png", (_SVG % (size, "")).encode())
