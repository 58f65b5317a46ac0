"""What cells of OpenDocument tables hold besides paragraphs and lists is in the texts that pandoc writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.toolkit.failures import Unreadable
from tests.converters.test_documents import Convert
from tests.converters.test_open_document_looks import odt


def _table(*rows: tuple[str, ...]) -> str:
    cells = ("".join(f"<table:table-cell>{cell}</table:table-cell>" for cell in row) for row in rows)
    return f"<table:table>{''.join(f'<table:table-row>{row}</table:table-row>' for row in cells)}</table:table>"


def _p(text: str) -> str:
    return f"<text:p>{text}</text:p>"


def _words(folder: Path, cell: str, output: str) -> tuple[str, Convert]:
    done = Convert(folder, f"odt-to-{output}", odt(_table((cell, _p("beside")))))
    return " ".join(done.text.split()), done


@pytest.mark.parametrize(
    "cell",
    [
        f'<text:h text:outline-level="1">wanted</text:h>{_p("more")}',
        f"<text:section>{_p('wanted')}</text:section>{_p('more')}",
        f"<text:section><text:section>{_p('wanted')}</text:section></text:section>{_p('more')}",
        f"{_p('more')}<text:table-of-content><text:index-body>{_p('wanted')}</text:index-body></text:table-of-content>",
    ],
    ids=["heading", "section", "section inside", "contents"],
)
@pytest.mark.parametrize("output", ["markdown", "rst", "txt"])
def test_headings_and_sections_in_cells_are_kept(tmp_path: Path, cell: str, output: str) -> None:
    text, done = _words(tmp_path, cell, output)
    assert all(each in text for each in ("wanted", "more", "beside"))
    assert not done.codes


def test_rows_of_tables_in_cells_are_lines_of_the_cell_and_counted(tmp_path: Path) -> None:
    deepest = _table((_p("deep"),))
    inner = _table((_p("one") + _p("uno"), _p("<text:span>two</text:span>!")), (_p("three"), deepest))
    text, done = _words(tmp_path, _p("before") + inner + _p("after"), "markdown")
    places = [text.index(each) for each in ("before", "one uno two!", "three", "deep", "after", "beside")]
    assert places == sorted(places)
    assert "3 rows of tables inside table cells became lines of text." in done.messages


def test_a_damaged_text_with_a_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        Convert(tmp_path, "odt-to-markdown", odt(_table((_p("one"),)) + "<text:p>"))
