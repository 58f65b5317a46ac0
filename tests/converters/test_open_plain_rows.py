"""Rows in groups, and repeated cells and rows, of OpenDocument tables are in the texts that pandoc writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from engine.families.documents.odf import plain_rows
from engine.families.documents.odf.names import TABLE
from tests.converters.test_documents import Convert
from tests.converters.test_open_document_looks import odt


def _cell(text: str, more: str = "") -> str:
    return f"<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>"


def _row(*cells: str, more: str = "") -> str:
    return f"<table:table-row {more}>{''.join(cells)}</table:table-row>"


def _lines(folder: Path, rows: str) -> list[str]:
    columns = '<table:table-column table:number-columns-repeated="4"/>'
    done = Convert(folder, "odt-to-markdown", odt(f"<table:table>{columns}{rows}</table:table>"))
    assert not done.codes
    return [" ".join(line.replace("|", " | ").split()) for line in done.text.splitlines() if "|" in line]


@pytest.mark.parametrize("group", ["table-rows", "table-row-group"])
def test_rows_in_groups_are_kept(tmp_path: Path, group: str) -> None:
    rows = _row(*map(_cell, "abcd")) + f"<table:{group}>{_row(*map(_cell, 'efgh'))}</table:{group}>"
    assert "| e | f | g | h |" in _lines(tmp_path, rows)


def test_repeated_cells_and_rows_are_written_out(tmp_path: Path) -> None:
    head = _row(_cell("a"), _cell("b", 'table:number-columns-repeated="2"'), _cell("c"))
    again = _row(*map(_cell, "defg"), more='table:number-rows-repeated="3"')
    lines = _lines(tmp_path, head + again)
    assert "| a | b | b | c |" in lines
    assert lines.count("| d | e | f | g |") == 3


def test_cells_beside_wide_and_high_ones_are_kept(tmp_path: Path) -> None:
    covered = "<table:covered-table-cell/>"
    wide = _cell("wide", 'table:number-columns-spanned="2" table:number-rows-spanned="2"') + covered
    table = f"<table:table>{_row(wide, _cell('beside'))}{_row(covered * 2, _cell('below'))}</table:table>"
    done = Convert(tmp_path, "odt-to-markdown", odt(table))
    cells = [line for line in done.text.splitlines() if line.startswith("<td")]
    assert cells == ['<td colspan="2" rowspan="2">wide</td>', "<td>beside</td>", "<td>below</td>"]


def test_copies_have_a_maximum() -> None:
    row = _row(_cell("a", 'table:number-columns-repeated="999999"'), more='table:number-rows-repeated="999999"')
    root = etree.fromstring(f'<table:table xmlns:table="{TABLE[1:-1]}" xmlns:text="t">{row * 50}</table:table>')
    assert plain_rows.write_out(root)
    assert sum(1 for _ in root.iter()) < 30_000
