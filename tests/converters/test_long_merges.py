"""Cells merged over very many rows are cut for pandoc, and what they cover stays hidden."""

from __future__ import annotations

import pytest
from lxml import etree

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import long_merges
from engine.families.documents.word.names import W


def table(rows: int, columns: int) -> Element:
    def cell(row: int) -> str:
        merge = "<w:vMerge/>" if row else '<w:vMerge w:val="restart"/>'
        return f"<w:tc><w:tcPr>{merge}</w:tcPr><w:p><w:r><w:t>{'below' if row else 'shown'}</w:t></w:r></w:p></w:tc>"

    inside = "".join(f"<w:tr>{cell(row) * columns}</w:tr>" for row in range(rows))
    return etree.fromstring(f'<w:tbl xmlns:w="{W[1:-1]}">{inside}</w:tbl>')


def test_cells_merged_over_very_many_rows_are_cut() -> None:
    made = table(2_000, 6)
    assert long_merges.cut([made]) == 6
    starts = [each for each in made.iter(W + "tc") if each.find(f"{W}tcPr/{W}vMerge").get(W + "val") == "restart"]
    assert len(starts) == 6 * 2_000 // long_merges.LONGEST
    assert {"".join(each.itertext()) for each in starts} == {"shown", ""}
    assert sum(len(run) ** 2 for run in long_merges._runs(made)) <= long_merges.MOST


@pytest.mark.parametrize(("rows", "columns"), [(2_000, 4), (500, 20), (100, 60)])
def test_cells_merged_over_fewer_rows_stay(rows: int, columns: int) -> None:
    made = table(rows, columns)
    before = etree.tostring(made)
    assert long_merges.cut([made]) == 0
    assert etree.tostring(made) == before
