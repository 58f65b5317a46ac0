"""AsciiDoc tables with a cell too few stay tables, as Asciidoctor makes them, and no cell of any table is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.converters.test_documents import Convert


def _cells(folder: Path, table: str) -> int:
    html = Convert(folder, "asciidoc-to-html", f"= Title\n\n{table}\n\nAfter.\n").text
    assert "|===" not in html
    return html.count("<td") + html.count("<th>")


@pytest.mark.parametrize(
    ("table", "cells"),
    [
        ("|===\n|A |B\n|1 |2\n|3\n|===", 6),
        ("|===\n|A |B |C\n|Cell 1 |Cell 2|Cell 3|\n|===", 9),
        ('[cols="2*"]\n|===\n|a\n|b\n|c\n|===', 4),
        ("[cols=1;2;3]\n.Name\n|===\n|a\n|b\n|c\n\n|d\n|===", 6),
        ("|===\n|A |B\n2+|both\n|===", 3),
        ("|===\n|A |B\n|1 |2\n|===", 4),
    ],
)
def test_a_row_with_too_few_cells_is_filled_up(table: str, cells: int, tmp_path: Path) -> None:
    assert _cells(tmp_path, table) == cells
