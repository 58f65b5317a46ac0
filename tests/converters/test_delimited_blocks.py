"""Blocks of delimited text with another delimiter: the bytes that Python's csv writes of the same rows."""

from __future__ import annotations

import csv
import io
from itertools import chain

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from engine.families.data.delimited.block import block
from engine.families.data.delimited.rewriting import Rewriting
from engine.families.data.exactness import Inexact
from engine.toolkit.formulas import is_formula

CELLS = st.tuples(st.text(st.sampled_from('ab1=-,,;\t""\r\n é'), max_size=6), st.booleans())
ROWS = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=6)
)
DELIMITERS = st.sampled_from(",;\t")
ENDS = st.sampled_from(["\n", "\r\n"])


def _spelled(cell: str, quoted: bool, delimiter: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if quoted or {*cell} & {*'"\r\n', delimiter} else cell


def _written(rows: list[list[str]], delimiter: str, end: str) -> bytes:
    lines = []
    for row in rows:
        file = io.StringIO()
        # Both line breaks are named as line ends, so that the module has quotes around either.
        csv.writer(file, delimiter=delimiter, lineterminator="\r\n").writerow(row)
        lines.append(file.getvalue().removesuffix("\r\n") + end)
    return "".join(lines).encode()


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(ROWS, DELIMITERS, DELIMITERS, ENDS, ENDS, st.booleans())
@example([[("", False), ("=", False)]], "\t", ",", "\n", "\n", False)
@example([[("x", True), ("a,b", False)], [('q"r', False), ('s",t"', False)]], "\t", ",", "\r\n", "\r\n", True)
@example([[("x", True), ("a,b", True)], [('q"r', False), ("s\tt", False)]], "\t", ",", "\n", "\r\n", True)
def test_cells_keep_quotes_where_they_need_them_and_get_them_where_they_do(
    rows: list[list[tuple[str, bool]]], delimiter: str, new: str, end: str, written_end: str, ended: bool
) -> None:
    text = end.join(delimiter.join(_spelled(*cell, delimiter) for cell in row) for row in rows) + end * ended
    cells = [[cell for cell, _ in row] for row in rows]
    found = block(text.encode(), delimiter=delimiter.encode(), width=len(rows[0]))
    assert found.cells(delimiter.encode()) == cells
    rewriting = Rewriting(delimiter=delimiter.encode(), new=new.encode(), end=written_end.encode())
    written = rewriting.rewrite(found)
    if written is None:  # where most cells begin like a formula, or need quotes, columns are quicker
        starts = ("=", "-", "\t", "")  # an empty cell before a tab begins like one
        assert sum(cell[:1] in starts or new in cell for cell in chain.from_iterable(cells)) > len(rows)
        return
    assert written == _written(cells, new, written_end)
    assert rewriting.formulas == sum(map(is_formula, chain.from_iterable(cells)))


@pytest.mark.parametrize("text", ['a,"b"c\n', 'a,b"c"\n', '"a"b,c\n', '"a","b" \n', 'a,"b"\rc\n', '"a" ,b\n'])
def test_quotes_that_are_not_around_a_cell_prove_nothing(text: str) -> None:
    with pytest.raises(Inexact):
        block(text.encode(), delimiter=b",", width=2)
