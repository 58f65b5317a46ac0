"""Lines of comments before the header of delimited text are left out and named; a header that begins with # is one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.families import auditing
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn


def convert(folder: Path, slug: str, text: str, **options: Any) -> tuple[bytes, list[tuple[str, str]]]:
    converter, warn = CONVERTERS[slug], Warn()
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_text(text)
    auditing.run(converter, source, target, build(converter.options, options), warn)
    assert "notCounted" not in warn.detected
    return target.read_bytes(), [(each.code, str(each.message)) for each in warn.warnings]


NAMED = [("COMMENTS_DROPPED", "Comment lines before the header were left out: 2 (“# made by tool”, “# v2”).")]


@pytest.mark.parametrize("output", ["json", "ndjson", "tsv", "xlsx", "parquet", "sqlite", "html"])
@pytest.mark.parametrize("count", [1, 400])
def test_comments_before_the_header_are_left_out_and_named(tmp_path: Path, output: str, count: int) -> None:
    rows = "".join(f"{n},{n}.5\n" for n in range(count))
    made, said = convert(tmp_path, f"csv-to-{output}", f"# made by tool\n# v2\na,b\n{rows}")
    assert said == NAMED
    if output == "json":
        assert json.loads(made)[0] == {"a": "0", "b": "0.5"}


def test_a_comment_after_the_line_that_names_the_delimiter_is_one(tmp_path: Path) -> None:
    made, said = convert(tmp_path, "csv-to-json", "sep=;\n# of, two\na;b\n1;2\n")
    assert json.loads(made) == [{"a": "1", "b": "2"}]
    assert [code for code, _ in said] == ["COMMENTS_DROPPED"]


@pytest.mark.parametrize(
    ("text", "keys"),
    [("#id,name\n1,a\n", ["#id", "name"]), ("# title\nvalue\n1\n", ["# title"]), ("a,b\n#1,2\n", ["a", "b"])],
)
def test_a_header_that_begins_with_a_number_sign_stays(tmp_path: Path, text: str, keys: list[str]) -> None:
    made, said = convert(tmp_path, "csv-to-json", text)
    assert [*json.loads(made)[0]] == keys
    assert said == []


def test_comments_before_such_a_header_are_named(tmp_path: Path) -> None:
    made, said = convert(tmp_path, "tsv-to-json", "## fileformat\n## of a tool\n#id\tname\n1\tx\n")
    assert json.loads(made) == [{"#id": "1", "name": "x"}]
    assert [code for code, _ in said] == ["COMMENTS_DROPPED"]


def test_without_a_header_each_line_is_a_row(tmp_path: Path) -> None:
    made, _ = convert(tmp_path, "csv-to-json", "# v2\n1,2\n", headerRow=False)
    assert len(json.loads(made)) == 2
