"""Lists of JSON objects unwound by blocks of text and row by row: both give the same bytes, warnings and errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.families.data import flat_rows, flatten, table
from engine.families.data.columnar import json_objects
from engine.families.data.json_input import blocks as json_blocks
from engine.families.data.json_input import source, unwinding
from tests.converters.test_json_blocks import CELLS, nested_cells, nested_objects
from tests.converters.test_picking_by_columns import PICKS
from tests.converters.ways import NEVER, Ways
from tests.examples import examples

MANY = settings(max_examples=examples(400), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
Same = Callable[..., bytes | str]
SLUGS = [
    "json-to-csv", "ndjson-to-csv", "json-to-ndjson", "ndjson-to-json", "json-to-json", "json-to-parquet",
    "ndjson-to-parquet", "json-to-arrow", "ndjson-to-orc", "json-to-avro", "ndjson-to-sqlite",
]  # fmt: skip


@pytest.fixture
def same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Same:
    ways = Ways(tmp_path, monkeypatch)

    def run(slug: str, data: bytes, *, block: int = 1 << 18, **options: Any) -> bytes | str:
        sizes = [(json_blocks, "SMALL", block), (source, "STEP", block)]
        columns = [(table, "LARGE", -1), (json_objects, "BLOCK", block), (json_objects, "LEARNED", block)]
        by_blocks = ways.outcome([(json_blocks, "LARGE", -1), *sizes, *columns], slug, data, options)
        by_rows = ways.outcome([(json_blocks, "LARGE", NEVER)], slug, data, options)
        if slug.endswith("arrow") and isinstance(by_blocks[0], bytes) and isinstance(by_rows[0], bytes):
            # How its buffers are laid out depends on the frames that were written.
            one, other = polars.read_ipc(by_blocks[0]), polars.read_ipc(by_rows[0])
            assert one.schema == other.schema
            assert one.equals(other)
            assert by_blocks[1] == by_rows[1]
        else:
            # How many rows are read before an error, and with them what is told of those, depends on the blocks.
            size = 2 if isinstance(by_rows[0], bytes) else 1
            assert by_blocks[:size] == by_rows[:size]
        return by_rows[0]

    return run


def text(slug: str, rows: list[str], joint: str = ", ") -> bytes:
    return ("\n".join(rows) if slug.startswith("nd") else f"[{joint.join(rows)}]").encode()


@st.composite
def lists(draw: st.DrawFn) -> list[str]:
    """Objects with a list, or mostly one, whose items are of one shape, or of two."""
    items = draw(nested_cells())
    if draw(st.booleans()):
        items |= draw(nested_cells())
    some = st.lists(items, max_size=4).map(lambda each: f"[{', '.join(each)}]")
    if draw(st.booleans()):
        some |= draw(nested_cells()) | st.sampled_from(["null", '"[1, 2]"', "[]", "[[1], []]"])
    others = draw(st.sampled_from(["first", "last", "none"]))
    before, after = draw(nested_cells()), draw(nested_cells())
    rows = []
    for _ in range(draw(st.integers(1, 6))):
        members = [f'"a": {draw(some)}'] if draw(st.integers(0, 5)) else []
        if others == "first":
            members.insert(0, f'"b": {draw(before)}')
        if others != "none":
            members.append(f'"c": {draw(after)}')
        rows.append("{" + ", ".join(members) + "}")
    return rows


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.examples
@MANY
@given(rows=lists(), block=st.integers(1, 300), joint=st.sampled_from([", ", ",\n", " ,\n\n"]))
def test_any_lists(same: Same, slug: str, rows: list[str], block: int, joint: str) -> None:
    same(slug, text(slug, rows, joint), block=block, unwind="a")


@pytest.mark.parametrize("slug", ["json-to-csv", "ndjson-to-parquet", "json-to-ndjson"])
@pytest.mark.examples
@MANY
@given(rows=nested_objects(), block=st.integers(1, 300), unwind=st.sampled_from(["a", "b", "x.y", "a.b", "*", "a.a.b"]))
def test_any_objects(same: Same, slug: str, rows: list[str], block: int, unwind: str) -> None:
    same(slug, text(slug, rows), block=block, unwind=unwind)


@pytest.mark.parametrize(
    "slug", ["json-to-csv", "ndjson-to-csv", "ndjson-to-parquet", "json-to-ndjson", "json-to-arrow"]
)
@pytest.mark.examples
@MANY
@given(rows=lists(), block=st.integers(1, 300), picks=PICKS, skip=st.integers(0, 2))
def test_any_picks_of_lists(
    same: Same, slug: str, rows: list[str], block: int, picks: dict[str, Any], skip: int
) -> None:
    same(slug, text(slug, ['{"b": null, "a": [], "c": "x"}', *rows]), block=block, unwind="a", skipRows=skip, **picks)


SCALARS = st.lists(st.sampled_from([*CELLS]), min_size=1, max_size=2).flatmap(
    lambda kinds: st.lists(st.one_of([CELLS[each] for each in kinds]), max_size=3)
)


@pytest.mark.parametrize("slug", ["json-to-csv", "ndjson-to-parquet", "json-to-sqlite", "ndjson-to-json"])
@pytest.mark.examples
@MANY
@given(cells=st.lists(SCALARS, min_size=1, max_size=6), block=st.integers(1, 200), picks=st.just({}) | PICKS)
def test_any_lists_of_scalars(same: Same, slug: str, cells: list[list[str]], block: int, picks: dict[str, Any]) -> None:
    rows = [f'{{"b": {at}, "a": [{", ".join(each)}], "c": "x"}}' for at, each in enumerate(cells)]
    same(slug, text(slug, rows), block=block, unwind="a", **picks)


TOKENS = st.sampled_from(
    ['{"a": [1, 2]}', '{"a": [1], "a": [2]}', '{"a": [{"b": 1, "b": 2}]}', '{"c": {"d": 1, "d": 2}, "a": [1, 2]}',
     '{"a": ["\\ud800", 1]}', '{"c": "\\ud800", "a": [1, 2, 3]}', '{"c": "\\uD83D\\ude00\\/", "a": ["\\u0041"]}',
     '{"a": [NaN, 1]}', '{"a": [01]}', '{"a": [1,]}', '{"a": [1] "b": 2}', '{"a": "[1, 2]"}', "[1]", "5", "null",
     '{"\\u0061": [1, 2]}', '{"a": ["x\x00"]}', '{"a": ["\\u0000", "\\n"]}', '{"a": [-0, 1.10, 1e400]}', "", " ",
     '{"a": [%s]}' % ("[" * 511 + "]" * 511), '{"a": [%s]}' % ("[" * 510 + "]" * 510), '{"a": [1]}{"a": [2]}',
     '{"a":\n[1,\n2]}', '{"a": {"b": [1]}}', '{"b": [1]}', "{}", '{"a": [// x\n1]}']
)  # fmt: skip


@pytest.mark.parametrize(
    "slug", ["json-to-csv", "ndjson-to-csv", "ndjson-to-json", "json-to-ndjson", "json-to-parquet"]
)
@pytest.mark.examples
@MANY
@given(tokens=st.lists(TOKENS, max_size=6), block=st.integers(1, 100), unwind=st.sampled_from(["a", "a.b"]))
def test_any_text(same: Same, slug: str, tokens: list[str], block: int, unwind: str) -> None:
    if not slug.endswith("json"):  # which of two errors comes first depends on the blocks
        tokens = [each for each in tokens if each not in ("[1]", "5", "null")]
    known = '{"a": [3], "c": "x"}' if unwind == "a" else '{"a": {"b": [3]}}'
    same(slug, text(slug, [known, *tokens]), block=block, unwind=unwind)


SHAPES = {
    "a list": '{"id": %d, "a": ["x", "b%d"], "sizes": [1, %d]}',
    "a list of objects": '{"id": %d, "a": [{"sku": "s%d", "n": 1.50}, {"sku": "t", "n": %d}], "who": {"x": 1}}',
    "a list of lists": '{"o": {"b": %d, "c": "x%d"}, "a": [[1, 2], [%d]]}',
    "an empty list, or none": '{"id": %d, "a": []}|{"id": %d, "a": null}|{"id": %d, "a": [1], "b": "x"}',
    "keys in any order": '{"id": %d, "a": [1, 2]}|{"a": [%d], "id": 1}|{"b": 2, "a": [%d, 3]}',
    "long numbers": '{"id": 9007199254740993, "a": [1.234567890123456789012345, %d, 12345678901234567890, %d.10, %d]}',
    "texts like lists": '{"id": %d, "a": ["[1, 2]", "[%d"], "b": "[%d]"}',
    "one mixed column": '{"id": %d, "a": [%d, "b", {"c": %d}, true, [1]], "b": 2}',
}


@pytest.mark.parametrize("slug", ["json-to-csv", "ndjson-to-parquet", "json-to-json", "json-to-avro"])
@pytest.mark.parametrize("shape", SHAPES)
def test_lists_are_unwound_as_text(same: Same, monkeypatch: pytest.MonkeyPatch, shape: str, slug: str) -> None:
    rows = "|".join(SHAPES[shape] % (number % 10, number % 10, number % 7) for number in range(300)).split("|")
    blocks: list[bool] = []
    objects = unwinding._Cutter.objects

    def noted(self: Any, block: Any) -> Any:
        found = objects(self, block)
        blocks.append(found.cut is not None)
        return found

    monkeypatch.setattr(unwinding._Cutter, "objects", noted)
    same(slug, text(slug, rows), block=2_000, unwind="a")
    assert len(blocks) > 3
    assert all(blocks)


@pytest.mark.parametrize("slug", ["json-to-csv", "ndjson-to-parquet", "json-to-ndjson"])
def test_lists_at_a_path_are_unwound(same: Same, slug: str) -> None:
    rows = ['{"o": {"p": {"a": [1, {"x": 2}], "b": "c"}}, "d": 1}', '{"o": {"p": 5}}', '{"o": null}', '{"o": {}}'] * 40
    found = same(slug, text(slug, rows), block=300, unwind="o.p.a")
    if slug == "json-to-ndjson":
        assert isinstance(found, bytes)
        assert found.splitlines()[:3] == [
            b'{"o":{"p":{"a":1,"b":"c"}},"d":1}', b'{"o":{"p":{"a":{"x":2},"b":"c"}},"d":1}', b'{"o":{"p":5}}',
        ]  # fmt: skip


@pytest.mark.parametrize("slug", ["json-to-csv", "json-to-parquet", "json-to-ndjson"])
def test_a_long_list_is_unwound_in_pieces(same: Same, monkeypatch: pytest.MonkeyPatch, slug: str) -> None:
    longest = 0
    pieces = unwinding._pieces

    def noted(*given: Any) -> Any:
        nonlocal longest
        for lines, count in pieces(*given):
            longest = max(longest, len(lines))
            yield lines, count

    monkeypatch.setattr(unwinding, "_pieces", noted)
    row = json.dumps({"id": "x" * 100, "a": list(range(5_000)), "b": "y" * 100})
    made = same(slug, text(slug, [row, '{"a": [1]}']), block=1_000, unwind="a")
    assert isinstance(made, bytes)
    assert 1_000 < longest < 100_000  # of a million bytes in all


@pytest.mark.parametrize("slug", ["json-to-csv", "ndjson-to-parquet", "json-to-ndjson"])
def test_lists_of_very_many_items_are_unwound_as_values(same: Same, monkeypatch: pytest.MonkeyPatch, slug: str) -> None:
    monkeypatch.setattr(unwinding, "_MOST_ITEMS", 5_000)
    rows = ['{"a": [1, 2]}', json.dumps({"a": list(range(5_010)), "b": {"x": "y"}}), '{"a": ["x"]}']
    same(slug, text(slug, rows), block=1_000, unwind="a")


def test_what_is_told_of_a_row_is_told_once(same: Same) -> None:
    rows = ['{"b": {"c": 1, "c": 2}, "a": [1, 2, 3]}', '{"b": "\\ud800", "a": [4, 5]}'] * 3
    for slug in ("json-to-csv", "ndjson-to-json", "ndjson-to-parquet"):
        for block in (10, 40, 1_000):
            same(slug, text(slug, rows), block=block, unwind="a")


@pytest.mark.parametrize("slug", ["json-to-csv", "json-to-ndjson", "json-to-parquet"])
def test_a_path_that_no_row_has_is_refused(same: Same, slug: str) -> None:
    assert "InvalidOption" in str(same(slug, b'[{"a": [1]}, {"b": 2}]', block=1, unwind="c"))


@pytest.mark.parametrize("slug", ["json-to-csv", "json-to-ndjson", "ndjson-to-csv"])
def test_a_fault_in_a_list_has_its_place(same: Same, slug: str) -> None:
    rows = ['{"a": [1, 2]}'] * 50 + ['{"a": [1, 02]}'] + ['{"a": [3]}'] * 50
    found = str(same(slug, text(slug, rows, ",\n"), block=50, unwind="a"))
    assert "'line': 51" in found


def test_too_many_cells_are_refused_alike(same: Same, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (flat_rows, flatten):
        monkeypatch.setattr(module, "MAX_CELLS", 50)
    for slug in ("json-to-csv", "ndjson-to-parquet"):
        found = same(slug, text(slug, ['{"b": 1, "a": [1, 2, 3]}'] * 9), block=60, unwind="a")
        assert "OverLimit" in str(found)
