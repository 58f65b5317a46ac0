"""Pages on which the head of a table is missing, because a row is longer than a page, are counted."""

from __future__ import annotations

from pathlib import Path

import pypdf
import pytest

from engine.conversion import convert

_FEW = "<tr><td>s<td>short" * 12
_PAGE = "<!DOCTYPE html><style>@page {{ size: a5 }} {}</style><table border=1><thead><tr><th>HEAD</thead>{}</table>"
_LONG = f"{_FEW}<tr><td>first<td>{{}}{_FEW}"


@pytest.mark.parametrize(
    ("style", "rows", "missing"),
    [
        ("", _LONG.format("word " * 1500), 4),
        ("", _LONG.format("<p>word" * 60), 3),
        ("", _LONG.format("<p>word" * 60) * 2, 6),
        ("", _LONG.format("word " * 300), 0),  # it fits a page, and moves to the next
        ("", _FEW * 20, 0),
        ("thead { display: table-row-group }", _LONG.format("word " * 1500), None),
    ],
)
def test_pages_without_the_head_of_their_table_are_counted(
    style: str, rows: str, missing: int | None, tmp_path: Path
) -> None:
    source, target = tmp_path / "input.html", tmp_path / "output.pdf"
    source.write_text(_PAGE.format(style, rows))
    warnings = convert(source, target, sandbox=False).warnings
    pages = [each.extract_text() for each in pypdf.PdfReader(target).pages]
    if missing is not None:
        assert sum("HEAD" not in each for each in pages) == missing
    message = "Table headings are not repeated on pages where a long row continues: {} (“first word word"
    assert [each.code for each in warnings] == ["CSS_UNSUPPORTED"] * bool(missing)
    if missing:
        assert str(warnings[0].message).startswith(message.format(missing))
        assert len(pages) > missing


@pytest.mark.parametrize(
    ("style", "rows", "named"),
    [
        ("tbody { break-inside: avoid }", 10, True),
        ("tbody { page-break-inside: avoid }", 10, True),
        ("", 10, False),
        ("tr { break-inside: avoid }", 10, False),
        ("tbody { break-inside: avoid }", 2, False),
    ],
)
def test_a_group_of_rows_that_is_divided_against_its_style_is_named(
    style: str, rows: int, named: bool, tmp_path: Path
) -> None:
    source, target = tmp_path / "input.html", tmp_path / "output.pdf"
    group = "<tbody>" + "<tr><td>first<td>row" * rows
    source.write_text(f"<style>@page {{ size: a5 }} {style}</style><p style='height: 440px'>x<table>{group}</table>")
    warnings = convert(source, target, sandbox=False).warnings
    assert [each.code for each in warnings] == ["CSS_UNSUPPORTED"] * named
