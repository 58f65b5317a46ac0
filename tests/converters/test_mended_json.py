"""JSON with comments, commas at the end, NaN, or values without anything between them is read, and each is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.families.registry import CONVERTERS
from engine.toolkit.failures import Unreadable
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

COMMENTED = '// of a program\n[{"a": 1, "u": "http://a // b",}, /* two\nlines */ {"a": -Infinity, "u": ", ]"},\n]'


def convert(folder: Path, slug: str, text: str, **options: str) -> tuple[str, dict[str, str]]:
    converter, warn = CONVERTERS[slug], Warn()
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_text(text)
    converter.run(source, target, build(converter.options, options), warn)
    assert [each.name for each in folder.iterdir() if each.name.startswith("mended")] == []
    return target.read_bytes().decode("utf-8", "replace"), {each.code: str(each.message) for each in warn.warnings}


def expected() -> dict[str, str]:
    return {
        "COMMENTS_DROPPED": "JSON has no comments, so they were left out: 2 (line 1, line 2).",
        "CONTENT_DROPPED": "JSON allows no trailing commas, so they were removed: 2 (line 2, line 3).",
        "VALUE_CONVERTED": "JSON has no NaN or Infinity, so they became null: 1 (line 3: -Infinity).",
    }


@pytest.mark.parametrize("output", ["csv", "tsv", "json", "ndjson", "yaml", "xlsx", "parquet", "html", "sqlite", "pdf"])
def test_json_with_comments_commas_and_infinity_is_read_and_each_is_named(tmp_path: Path, output: str) -> None:
    text, said = convert(tmp_path, f"json-to-{output}", COMMENTED)
    assert {code: said[code] for code in expected()} == expected()
    if output == "json":
        assert json.loads(text) == [{"a": 1, "u": "http://a // b"}, {"a": None, "u": ", ]"}]
    if output == "csv":
        assert text.splitlines() == ["a,u", "1,http://a // b", ',", ]"']


def test_options_apply_to_json_that_was_mended(tmp_path: Path) -> None:
    assert convert(tmp_path, "json-to-csv", '{"rows": [{"a": 1}, {"a": 2}], // two\n}', rowPath="rows")[0].split() == [
        "a", "1", "2",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ['{"a":1}{"a":2}', '{"a":1} {"a":2}', '{\n"a":1\n}\n{"a":\n2}', '\x1e{"a":1}\n\x1e{"a":2}\n']
)
@pytest.mark.parametrize("slug", ["json-to-csv", "json-to-tsv", "json-to-ndjson", "json-to-parquet", "ndjson-to-json"])
def test_values_that_follow_each_other_are_the_rows(tmp_path: Path, slug: str, text: str) -> None:
    made, said = convert(tmp_path, slug, text)
    assert said == {}
    if slug == "json-to-csv":
        assert made.split() == ["a", "1", "2"]
    if slug.endswith("json"):
        assert [int(each) for each in made if each.isdigit()] == [1, 2]


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1} x',
        "[1]2",
        '{"a":1}}',
        '[{"a":1},,]',
        "[{'a':1}]",
        "// only",
        "{,}",
        "[ , ]",
        '[{"a":[1,,]}]',
        '{"a": nan}',
    ],
)
@pytest.mark.parametrize("slug", ["json-to-csv", "json-to-yaml"])
def test_text_that_is_not_json_in_any_way_stays_refused(tmp_path: Path, slug: str, text: str) -> None:
    with pytest.raises(Unreadable):
        convert(tmp_path, slug, text)


def test_a_late_fault_in_a_large_file_is_mended(tmp_path: Path) -> None:
    text = "[" + ",\n".join(f'{{"a": {n}, "b": "text {n}"}}' for n in range(30_000)) + ',\n{"a": NaN, "b": "last"}]'
    for slug in ("json-to-csv", "json-to-ndjson"):
        made, said = convert(tmp_path, slug, text)
        assert len(made.splitlines()) == 30_001 + (slug == "json-to-csv")
        assert set(said) == {"VALUE_CONVERTED"}


@pytest.mark.parametrize("slug", ["ndjson-to-json", "ndjson-to-csv", "ndjson-to-yaml", "ndjson-to-parquet"])
@pytest.mark.parametrize("shape", ["list", "object", "compact after it"])
def test_json_lines_that_are_one_indented_document_are_read_as_json(tmp_path: Path, slug: str, shape: str) -> None:
    rows = [{"a": 1, "t": "[{,\n"}, {"a": 2, "n": [{"b": 1.5}], "t": "é"}]
    given, expected = {
        "list": (json.dumps(rows, indent=2), rows),
        "object": (json.dumps(rows[1], indent="\t", ensure_ascii=False), rows[1:]),
        "compact after it": (json.dumps(rows[0], indent=1) + "\r\n" + json.dumps(rows[1]), rows),
    }[shape]
    source, target, warn = tmp_path / "input.ndjson", tmp_path / f"output.{slug[10:]}", Warn()
    source.write_text(given, newline="")
    converter = CONVERTERS[slug]
    converter.run(source, target, build(converter.options, {}), warn)
    assert warn.detected["format"] == "json"
    assert not warn.warnings
    if slug == "ndjson-to-json":
        assert json.loads(target.read_bytes()) == expected
    if slug == "ndjson-to-csv":
        assert len(target.read_bytes().split(b"\r\n")) == len(expected) + 2


def test_json_lines_with_a_line_break_inside_a_text_stay_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        convert(tmp_path, "ndjson-to-json", '{"a": "x\ny"}')
