"""Lines that are written alike become rows column by column: the same bytes, warnings and errors as one by one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.families.data.json_csv import alike, conversion
from engine.families.data.json_csv.conversion import convert
from engine.families.data.json_csv.options import CsvOptions, TsvOptions
from engine.families.data.json_input import source
from engine.toolkit.failures import ConversionError
from engine.toolkit.warnings import Warn
from tests.examples import examples

Options = CsvOptions | TsvOptions


class Ways:
    """Converts lines one by one and by columns, with `step` bytes of them at once."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        self._patch = patch
        self.rows_by_columns = 0
        self.warned: set[str] = set()

    def same(self, data: bytes, *, step: int = 100, options: Options | None = None) -> bytes | str:
        with self._patch.context() as patch:
            patch.setattr(source, "STEP", step)
            patch.setattr(conversion, "SMALL", 0)
            one_by_one = self._outcome(data, options or CsvOptions())
            patch.setattr(conversion, "LARGE", 0)
            for name in ("write", "end"):
                patch.setattr(alike.AlikeLines, name, self._counted(getattr(alike.AlikeLines, name)))
            assert self._outcome(data, options or CsvOptions()) == one_by_one
        self.warned = {each.code for each in one_by_one[1]}
        return one_by_one[0]

    def _counted(self, write: Callable[..., int | None]) -> Callable[..., int | None]:
        def counting(*given: Any) -> int | None:
            count = write(*given)
            self.rows_by_columns += count or 0
            return count

        return counting

    def _outcome(self, data: bytes, options: Options) -> tuple[bytes | str, tuple[Any, ...]]:
        given, target, warn = self._folder / "input.ndjson", self._folder / "output.csv", Warn()
        given.write_bytes(data)
        try:
            convert(given, target, options, warn)
        except ConversionError as error:
            return f"{error!r} {vars(error)}", warn.warnings
        return target.read_bytes(), warn.warnings


@pytest.fixture
def ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ways:
    return Ways(tmp_path, monkeypatch)


def lines(rows: list[Any], *, ascii: bool = False, compact: bool = False) -> bytes:
    separators = (",", ":") if compact else None
    return "".join(json.dumps(row, ensure_ascii=ascii, separators=separators) + "\n" for row in rows).encode()


ROW = {"id": 1, "né": 'Ünal, "Eve"', "of": 1.5, "on": True, "": ""}
OTHERS = [
    {"id": -2, "né": "", "of": 1e-300, "on": False, "": "x\r"},
    {"id": 10**30, "né": None, "of": None, "on": None, "": "a;b\tc"},
    {"id": 0, "né": "\u2028\\", "of": 3, "on": True, "": "null"},
]
ROWS = [ROW, *OTHERS] * 5


@pytest.mark.parametrize("options", [CsvOptions(), TsvOptions(), CsvOptions(delimiter=";", line_ending="lf")], ids=str)
@pytest.mark.parametrize(("step", "learned"), [(10, 1), (300, 5), (5000, 73)])
def test_rows_are_written_by_columns(ways: Ways, options: Options, step: int, learned: int) -> None:
    assert isinstance(ways.same(lines(ROWS * 8), step=step, options=options), bytes)
    assert ways.rows_by_columns == len(ROWS) * 8 - learned


@pytest.mark.parametrize(
    "other",
    [
        '{"né": "", "id": 1, "of": 1, "on": true, "": ""}',
        '{"id": 1, "né": "", "of": 1, "on": true}',
        '{"id": 1, "né": "", "of": 1, "on": true, "": "", "more": 1}',
        '{"id": 1, "id": 2, "né": "", "of": 1, "on": true, "": ""}',
        '{"id": [1, 2], "né": {"a": 1}, "of": 1, "on": true, "": ""}',
        '{"id": 1, "né": "\\ud800", "of": 1, "on": true, "": ""}',
        '{"id": 1, "né": 2, "of": "1", "on": true, "": ""}',
        '{"id": 01, "né": "", "of": 1, "on": true, "": ""}',
        '{"id": 1, "né": ", "of": 1, "on": true, "": ""}',
        '{"id": 1, "né": "\t", "of": 1, "on": true, "": ""}',
        '{"id": 1, "né": "", "of": NaN, "on": true, "": ""}',
        "[1, 2]",
        "1",
        "",
        "  ",
        "{}",
    ],
)
def test_lines_that_are_written_otherwise_are_read_one_by_one(ways: Ways, other: str) -> None:
    ways.same(lines(ROWS * 2) + other.encode() + b"\n" + lines(ROWS * 2))
    assert ways.rows_by_columns > 0


@pytest.mark.parametrize(
    ("text", "warned"), [("=1+1", True), ("-5", False), ("@a", True), ("\t1", True), ("a=", False)]
)
def test_a_text_that_begins_like_a_formula_is_reported(ways: Ways, text: str, warned: bool) -> None:
    ways.same(lines([*ROWS, {**ROW, "né": text}, *ROWS]))
    assert ways.warned == ({"FORMULA_TEXT"} if warned else set())
    assert ways.rows_by_columns > len(ROWS)


@pytest.mark.parametrize(
    "options",
    [CsvOptions(quote="all"), CsvOptions(escape_formulas=True), CsvOptions(delimiter="€"), CsvOptions(delimiter="1")],
    ids=str,
)
def test_what_polars_would_write_otherwise_is_written_row_by_row(ways: Ways, options: Options) -> None:
    assert isinstance(ways.same(lines([*ROWS, {**ROW, "né": "=1"}]), options=options), bytes)
    assert ways.rows_by_columns == 0


def test_a_byte_that_is_no_character_is_unreadable_at_its_place(ways: Ways) -> None:
    data = lines(ROWS * 4)
    at = data.rindex("Ü".encode())
    assert "offset" in str(ways.same(data[:at] + b"\xff" + data[at + 1 :]))


def test_nothing_but_columns_of_single_values_goes_by_columns(ways: Ways) -> None:
    for row in ({"a": 1}, {"a": 1, "b": [1]}, {"a": 1, "b": {"c": 2}}, {"a": None, "b": None}):
        assert isinstance(ways.same(lines([row] * 50)), bytes)
    assert ways.rows_by_columns == 0


TEXTS = st.text(st.sampled_from('ab,;\t"\r\n é=-\0\\/😀'), max_size=5)
VALUES = {
    "id": st.integers() | st.none(),
    "né": TEXTS | st.none(),
    "of": st.floats(allow_nan=False, allow_infinity=False) | st.integers(),
    "on": st.booleans() | st.none(),
    "": TEXTS | st.sampled_from(["=1+1", "-5", "null", "true"]),
}
EDITS = st.lists(
    st.tuples(
        st.floats(0, 1, exclude_max=True), st.integers(0, 3), st.sampled_from(list(b'",:{}[]\\ \n\r\t\x010e.-n=\xff'))
    ),
    max_size=3,
)


@pytest.mark.examples
@settings(max_examples=examples(400), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.fixed_dictionaries(VALUES), min_size=1, max_size=6).map(lambda rows: [ROW, *rows * 4]),
    edits=EDITS,
    step=st.sampled_from([10, 60, 200]),
    ascii=st.booleans(),
    compact=st.booleans(),
    options=st.sampled_from([CsvOptions(), TsvOptions(), CsvOptions(delimiter=";", line_ending="lf", bom=True)]),
)
def test_any_lines(
    ways: Ways,
    rows: list[Any],
    edits: list[tuple[float, int, int]],
    step: int,
    ascii: bool,
    compact: bool,
    options: Options,
) -> None:
    data = bytearray(lines(rows, ascii=ascii, compact=compact))
    for place, removed, added in edits:
        at = int(place * len(data))
        data[at : at + removed] = bytes([added]) * (removed != 1)
    ways.same(bytes(data), step=step, options=options)
