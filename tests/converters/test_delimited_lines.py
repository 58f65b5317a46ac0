"""Lines of delimited text: the bytes that Python's csv writes, whatever the cells are."""

from __future__ import annotations

import csv
import io
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from engine.families.data.values import text
from engine.families.data.writers.delimited_lines import Lines
from engine.toolkit.formulas import is_formula

CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(),
    st.text(alphabet=st.sampled_from('a;,\t"\r\n=-+@0 é'), max_size=6),
    st.dates(),
    st.decimals(allow_nan=False, allow_infinity=False, places=2),
)
ROWS = st.integers(0, 4).flatmap(lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=6))


@given(ROWS, st.sampled_from(",;\t|1e"), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_rows_are_written_as_the_csv_module_writes_them(
    rows: list[list[Any]], delimiter: str, end: str, quote_all: bool
) -> None:
    lines = Lines(delimiter=delimiter, end=end, quote_all=quote_all, nulls=False, escape_formulas=False)
    written = lines.encode(rows).decode()
    file = io.StringIO()
    # Both line breaks are named as line ends, so that the module has quotes around either.
    quoting = csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL
    writer = csv.writer(file, delimiter=delimiter, lineterminator="\r\n", quoting=quoting)
    expected = []
    for row in rows:
        writer.writerow([text(cell) for cell in row])
        expected.append(file.getvalue().removesuffix("\r\n") + end)
        file.seek(0)
        file.truncate()
    assert written == "".join(expected)
    assert lines.formulas == sum(is_formula(text(cell)) for row in rows for cell in row)


@given(ROWS.filter(any))
def test_none_and_the_empty_text_are_told_apart(rows: list[list[Any]]) -> None:
    lines = Lines(delimiter=",", end="\n", quote_all=False, nulls=True, escape_formulas=False)
    for row in rows:
        line = lines.encode([row]).decode().removesuffix("\n")
        if row == [None]:
            assert line == '""'
        elif all(value is None or value == "" for value in row):
            assert line.split(",") == ["" if value is None else '""' for value in row]


@given(ROWS.filter(any))
@example([["-1\0"]])
@example([["a", "\0-1\0"]])
def test_escaped_no_cell_is_a_formula(rows: list[list[Any]]) -> None:
    lines = Lines(delimiter=",", end="\r\n", quote_all=False, nulls=False, escape_formulas=True)
    back = list(csv.reader(io.StringIO(lines.encode(rows).decode(), newline="")))
    assert not any(is_formula(cell) for row in back for cell in row)
