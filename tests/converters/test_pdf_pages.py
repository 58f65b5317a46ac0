"""PDF pages read as what they say: tables cell by cell, columns in order, lists, links, heads and forms."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.converters.cases import pages_pdf as pages
from tests.converters.test_pdfs import convert


def tables(text: str) -> list[list[list[str]]]:
    """The tables of a Markdown text, its cells without their marks."""
    found: list[list[list[str]]] = []
    previous = ""
    for line in text.split("\n"):
        if line.startswith("| "):
            if not previous.startswith("|"):
                found.append([])
            if not set(line) <= set("|- "):
                cells = [re.sub(r"\\(.)|\*\*", r"\1", cell.strip()) for cell in line[1:-1].split(" | ")]
                found[-1].append(cells)
        previous = line
    return found


def rows_of(folder: Path, drawn: pages.Drawn, **options: object) -> list[list[str]]:
    text, _ = convert(folder, "pdf-to-markdown", pages.table_page(drawn), **options)
    found = tables(text.decode())
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("drawn", pages.RULED, ids=lambda drawn: drawn.name)
def test_ruled_table_is_read_cell_by_cell(tmp_path: Path, drawn: pages.Drawn) -> None:
    assert rows_of(tmp_path, drawn) == [list(row) for row in drawn.rows]


@pytest.mark.parametrize("drawn", pages.ALIGNED, ids=lambda drawn: drawn.name)
def test_table_without_rules_is_read_cell_by_cell(tmp_path: Path, drawn: pages.Drawn) -> None:
    assert rows_of(tmp_path, drawn) == [list(row) for row in drawn.rows]


@pytest.mark.parametrize(("by", "ruled", "aligned"), [("lines", 1, 0), ("text", 1, 1), ("none", 0, 0)])
def test_tables_are_found_by_what_is_asked_for(tmp_path: Path, by: str, ruled: int, aligned: int) -> None:
    for drawn, count in ((pages.RULED[0], ruled), (pages.ALIGNED[0], aligned)):
        text, _ = convert(tmp_path, "pdf-to-markdown", pages.table_page(drawn), tables=by)
        assert len(tables(text.decode())) == count
        assert "Amount" in text.decode() or "Item" in text.decode()


def test_merged_cells_stay_merged(tmp_path: Path) -> None:
    text, _ = convert(tmp_path, "pdf-to-html", pages.merged())
    assert '<th colspan="2">Both columns</th>' in text.decode()
    assert '<td rowspan="2">North</td><td>1</td>' in text.decode()


def test_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    text, _ = convert(tmp_path, "pdf-to-markdown", pages.columns())
    heading, *rest = text.decode().split("\n\n")
    assert heading == "# A heading that goes right across both of the columns"
    words = " ".join(rest).split()
    left = " ".join(" ".join(pages.LEFT[(at * 3 + n) % len(pages.LEFT)] for n in range(7)) for at in range(24))
    right = " ".join(" ".join(pages.RIGHT[(at * 3 + n) % len(pages.RIGHT)] for n in range(7)) for at in range(24))
    assert words[: len(left.split())] == left.split()
    assert words[len(left.split()) : len((left + " " + right).split())] == right.split()
    assert words[-19:] == pages.ACROSS.split()


def test_links_emphasis_and_raised_numbers_are_kept(tmp_path: Path) -> None:
    text, _ = convert(tmp_path, "pdf-to-markdown", pages.linked(), pages="1")
    assert "See [**the site**](https://example.com/a?b=%28c%29) of *everybody*<sup>2</sup> for more." in text.decode()
    assert "javascript" not in text.decode()
    page, _ = convert(tmp_path, "pdf-to-html", pages.linked(), pages="1")
    assert (
        '<a href="https://example.com/a?b=(c)"><strong>the site</strong></a> of <em>everybody</em><sup>2</sup>'
        in page.decode()
    )


def test_form_fields_are_pairs_of_name_and_value(tmp_path: Path) -> None:
    text, warnings = convert(tmp_path, "pdf-to-markdown", pages.linked(), pages="1")
    assert "- **Surname:** Muster\n- **Member:** ☒\n" in text.decode()
    assert warnings == []
    page, _ = convert(tmp_path, "pdf-to-html", pages.linked(), pages="1")
    assert "<dt>Surname</dt><dd>Muster</dd>" in page.decode()


def test_lists_in_lists(tmp_path: Path) -> None:
    text, _ = convert(tmp_path, "pdf-to-markdown", pages.linked(), pages="2")
    assert text.decode() == (
        "- one that is long enough to go on in a line of its own, which many of the items of a list are\n"
        "   - inner\n- two\n"
    )
    page, _ = convert(tmp_path, "pdf-to-html", pages.linked(), pages="2")
    assert re.sub(r"\s+", "", page.decode()).count("<ul><li>") == 2


def test_running_heads_and_feet_are_left_out_by_name_or_kept(tmp_path: Path) -> None:
    text, warnings = convert(tmp_path, "pdf-to-markdown", pages.running())
    assert "Annual report" not in text.decode()
    assert "Page 3 of 4" not in text.decode()
    assert warnings == ["CONTENT_DROPPED"]
    text, warnings = convert(tmp_path, "pdf-to-markdown", pages.running(), runningLines="keep")
    assert text.decode().count("Annual report of the society") == 4
    assert warnings == []


def test_pages_are_marked_on_demand(tmp_path: Path) -> None:
    text, _ = convert(tmp_path, "pdf-to-markdown", pages.running(), pageMarks=True)
    parts = text.decode().split("<!-- page ")
    assert [part[0] for part in parts[1:]] == ["1", "2", "3", "4"]
    assert all(f"line 49 of page {at}" in part for at, part in zip(pages.WORDS, parts[1:], strict=True))


def test_paragraph_goes_on_over_the_end_of_its_page(tmp_path: Path) -> None:
    text, _ = convert(tmp_path, "pdf-to-markdown", pages.running())
    assert "paper, all line 0 of page two which" in text.decode()
