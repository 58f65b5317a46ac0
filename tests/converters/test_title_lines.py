"""Lines of a title before the header of delimited text are left out and named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.converters.test_comment_lines import convert

REPORT = "Report,,\nGenerated 2024-01-01,,\n,,\nid,name,price\n1,a,2\n"
NAMED = [("CONTENT_DROPPED", "Title lines before the header were left out: 2 (“Report”, “Generated 2024-01-01”).")]


@pytest.mark.parametrize("output", ["json", "ndjson", "tsv", "xlsx", "parquet", "sqlite", "html"])
@pytest.mark.parametrize("count", [1, 400])
def test_a_title_before_the_header_is_left_out_and_named(tmp_path: Path, output: str, count: int) -> None:
    rows = "".join(f"{n},b,3\n" for n in range(1, count))
    made, said = convert(tmp_path, f"csv-to-{output}", REPORT + rows)
    assert said == NAMED
    if output == "json":
        assert json.loads(made)[0] == {"id": "1", "name": "a", "price": "2"}


@pytest.mark.parametrize(
    "text",
    [
        "Report\n\nid;name;price\n1;a;2\n",
        "sep=;\nReport;;\n;;\nid;name;price\n1;a;2\n",
        "Report\r\n\r\nid;name;price\r\n1;a;2\r\n",
        '"Report";;\n"of; today";;\nid;name;price\n1;a;2\n',
        "Report;;\n;;\nid;name;price\n1;;\n",
    ],
)
def test_titles_are_found_in_any_dialect(tmp_path: Path, text: str) -> None:
    made, said = convert(tmp_path, "csv-to-json", text)
    assert [*json.loads(made)[0]] == ["id", "name", "price"]
    assert [code for code, _ in said] == ["CONTENT_DROPPED"]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("Country,,\nFrance,a,b\nSpain,c,d\n", 2),  # a header with a single name
        ("name\nAda\nGrace\n", 2),
        ("a,,\nb,,\n1,2,3\n4,5,6\n", 3),  # numbers are no names
        ("a,,\nb,,\nx,y,z\n", 2),  # nothing below
        ("a,,\nb,,\nx,y,z\n1,2\n", 3),  # rows of another width
        ("a,b\n1,\n2,\nc,d\n3,4\n", 4),
    ],
)
def test_what_may_be_a_header_of_its_own_stays_one(tmp_path: Path, text: str, rows: int) -> None:
    made, said = convert(tmp_path, "csv-to-json", text)
    assert len(json.loads(made)) == rows
    assert "CONTENT_DROPPED" not in [code for code, _ in said]


@pytest.mark.parametrize("options", [{"headerRow": False}, {"skipRows": 2}])
def test_options_that_say_where_the_rows_begin_are_obeyed(tmp_path: Path, options: dict[str, object]) -> None:
    made, said = convert(tmp_path, "csv-to-json", REPORT, **options)
    assert len(json.loads(made)) == (5 if "headerRow" in options else 2)
    assert "CONTENT_DROPPED" not in [code for code, _ in said]


def test_lines_are_those_of_the_file_and_nothing_else_ends_them(tmp_path: Path) -> None:
    text = "\x0cDAILY\u2028REPORT\nPrinted\n\nName,Age\nAnn,3\nBob,4\n"
    made, said = convert(tmp_path, "csv-to-json", text)
    assert json.loads(made) == [{"Name": "Ann", "Age": "3"}, {"Name": "Bob", "Age": "4"}]
    assert [code for code, _ in said] == ["CONTENT_DROPPED"]
