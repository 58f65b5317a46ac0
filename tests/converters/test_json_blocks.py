"""Large JSON in blocks and as a whole: both ways of reading it give the same bytes, warnings and errors."""

from __future__ import annotations

import json
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.families.data.columnar import json_objects
from engine.families.data.exactness import Inexact
from engine.families.data.json_input import blocks as json_blocks
from engine.families.data.json_input import source
from tests.converters.ways import outcome
from tests.examples import examples

MANY = settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
Same = Callable[..., bytes | str]


@pytest.fixture
def same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Same:
    def run(slug: str, data: bytes, *, block: int = 1 << 18, **options: Any) -> bytes | str:
        with monkeypatch.context() as patch:
            patch.setattr(json_blocks, "LARGE", -1)
            patch.setattr(json_blocks, "SMALL", block)
            patch.setattr(source, "STEP", block)
            patch.setattr(json_objects, "BLOCK", block)
            patch.setattr(json_objects, "LEARNED", block)
            blocks = outcome(tmp_path, slug, data, **options)
        whole = outcome(tmp_path, slug, data, **options)
        if slug.endswith("arrow") and isinstance(blocks[0], bytes) and isinstance(whole[0], bytes):
            # How its buffers are laid out depends on the frames that were written.
            one, other = polars.read_ipc(blocks[0]), polars.read_ipc(whole[0])
            assert one.schema == other.schema
            assert one.equals(other)
            assert blocks[1] == whole[1]
        else:
            assert blocks == whole
        return blocks[0]

    return run


SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
ROWS = st.lists(st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3), max_size=6)
TOKENS = st.sampled_from(
    ["{", "}", "[", "]", ",", ":", '"a"', '"b"', "1", "1.10", "-0", "1e5", "1E+16", "null", "true", " ", "\n",
     '"\\u00e9"', '"\\ud800"', '"\\/"', "NaN", '{"a":1}', '{"a":1,"a":2}', '{"a": [1.5, {"b": 12345678901234567890}]}',
     ',{"a":2}', "\x01", '{"a": -0}', '{"a":"\\ud83d\\ude00\\u001F\\b\\\\u0041"}', '{"a":1}\n{"a":2}',
     '{"a":1}\n{"b":2}\n']
)  # fmt: skip
SLUGS = ["json-to-ndjson", "json-to-json", "json-to-yaml", "json-to-parquet"]
LAYOUTS = st.fixed_dictionaries({"indent": st.sampled_from([0, 2])})
SAME_KEYS = st.lists(st.sampled_from(["a", "b", "ä", 'q"', "n\n", ""]), max_size=4, unique=True).flatmap(
    lambda keys: st.lists(st.tuples(*(SCALARS for _ in keys)).map(lambda row: dict(zip(keys, row, strict=True))))
)


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.examples
@MANY
@given(rows=ROWS, block=st.integers(1, 60), indent=st.sampled_from([None, 1]), ascii=st.booleans())
def test_any_rows(same: Same, slug: str, rows: list[Any], block: int, indent: int | None, ascii: bool) -> None:
    data = json.dumps(rows, indent=indent, ensure_ascii=ascii)
    same(slug, data.encode(errors="surrogatepass"), block=block)
    lines = "".join(json.dumps(row, ensure_ascii=ascii) + "\n" for row in rows)
    same(slug.replace("json", "ndjson", 1).replace("ndjson-to-ndjson", "ndjson-to-json"), lines.encode(), block=block)


@pytest.mark.parametrize("slug", ["json-to-ndjson", "json-to-json", "ndjson-to-json"])
@pytest.mark.examples
@MANY
@given(rows=SAME_KEYS, block=st.integers(1, 200), ascii=st.booleans(), layout=LAYOUTS, sort_keys=st.booleans())
def test_objects_with_the_same_keys(
    same: Same, slug: str, rows: list[Any], block: int, ascii: bool, layout: dict[str, Any], sort_keys: bool
) -> None:
    written = [json.dumps(row, ensure_ascii=ascii) for row in rows]
    data = "\n".join(written) if slug.startswith("ndjson") else f"[{','.join(written)}]"
    options = {} if slug.endswith("ndjson") else layout
    if slug == "json-to-json":
        options = {**layout, "sortKeys": sort_keys}
    same(slug, data.encode(errors="surrogatepass"), block=block, **options)


@pytest.mark.parametrize("slug", ["json-to-ndjson", "json-to-json", "ndjson-to-json"])
@pytest.mark.examples
@MANY
@given(tokens=st.lists(TOKENS, max_size=12), block=st.integers(1, 40), inside=st.booleans(), layout=LAYOUTS)
def test_any_text(same: Same, slug: str, tokens: list[str], block: int, inside: bool, layout: dict[str, Any]) -> None:
    text = "".join(tokens)
    options = {} if slug.endswith("ndjson") else layout
    same(slug, (f"[{text}]" if inside else text).encode(), block=block, **options)


@pytest.mark.parametrize(
    "item",
    [
        '{"a":1,"a":2}',
        '{"a":1.10}',
        '{"a":-0}',
        '{"a":1e400}',
        '{"a":-0.0}',
        '{"a":"\\u00e9"}',
        '{"a":"\\/"}',
        '{"a":"\\ud800"}',
        "[" * 600 + "]" * 600,
        "{,}",
    ],
)
@pytest.mark.parametrize("slug", ["json-to-ndjson", "ndjson-to-json", "json-to-json"])
def test_what_a_decoder_would_lose_is_kept_or_named(same: Same, slug: str, item: str) -> None:
    items = ['{"a":0}', item, '{"b":[]}'] * 3
    data = "[" + ", ".join(items) + "]" if slug.startswith("json") else "\n".join(items)
    same(slug, data.encode(), block=8)
    same(slug, data.encode())


NUMBERS = st.floats(allow_nan=False, allow_infinity=False).map(repr) | st.sampled_from(
    [
        "1.10",
        "1E5",
        "1e-7",
        "-0.0",
        "-0",
        "0.00001",
        "9007199254740993",
        "9223372036854775808",
        "0.1234567890123456789",
        "1e400",
    ]
)
DECIMALS = st.decimals(-(10**9), 10**9, places=20).map(str) | st.sampled_from(
    ["0", "0.0", "-0", "-0.00", "5", "0.5", "0e5", "1e5", "1.50e1", "-25E-3", "1e37", "1e38", "1e-38", "1e-39", "1e400",
     "12345678901234567890", "99999999999999999999999999999999999999", "100000000000000000000000000000000000000",
     f"{'7' * 20}.{'1' * 18}", f"{'7' * 21}.{'1' * 18}", f"0.{'0' * 37}1", f"0.{'0' * 38}1"]
)  # fmt: skip
SEVERAL = st.sampled_from(
    ["true", "false", "0", "-0", "-7", "1.50", "1.5", "1e400", "1E5", "0.12345678901234567890", "9223372036854775808",
     '""', '"null"', '"true"', '"-0"', '"\\""', '"\\u00e9"', '"\\ud800"', '"a\\nb"', '"1,2:3"', '"é"', '"\x7f"']
)  # fmt: skip
CELLS = {
    "decimal": DECIMALS,
    "several": SEVERAL,
    "text": st.text(max_size=4).map(json.dumps),
    "integer": st.integers(-(2**63), 2**63 - 1).map(str),
    "small": st.integers(-9, 9).map(str),
    "number": NUMBERS,
    "boolean": st.sampled_from(["true", "false"]),
    "null": st.just("null"),
    "any": NUMBERS | st.sampled_from(['"a"', "true", "5", "5.0", "[]", '{"a":1}', "{}", '"5"', '"\\ud800"']),
}


@st.composite
def typed_objects(draw: st.DrawFn) -> list[str]:
    """Objects whose keys have values of one kind, or of two, in one order or any, or are missing, or come twice."""
    keys = draw(st.lists(st.sampled_from("abcé"), min_size=1, max_size=3, unique=True))
    kinds = [draw(st.lists(st.sampled_from([*CELLS]), min_size=1, max_size=2)) for _ in keys]
    less, twice = draw(st.booleans()), draw(st.booleans()) and draw(st.booleans())
    in_any_order = draw(st.booleans())
    rows = []
    for _ in range(draw(st.integers(1, 8))):
        cells = [f'"{key}": {draw(CELLS[draw(st.sampled_from(kind))])}' for key, kind in zip(keys, kinds, strict=True)]
        cells = [cell for cell in cells if not less or draw(st.booleans())]
        if twice:
            cells += cells[:1]
        if in_any_order:
            cells = draw(st.permutations(cells))
        rows.append("{" + ", ".join(cells) + "}")
    return rows


@pytest.mark.parametrize("slug", ["json-to-parquet", "ndjson-to-parquet", "ndjson-to-arrow"])
@pytest.mark.examples
@settings(MANY, max_examples=examples(300))
@given(rows=typed_objects(), block=st.integers(1, 200), joint=st.sampled_from([",", ",\n", " ,\n\n"]))
def test_objects_of_single_values_become_columns(
    same: Same, slug: str, rows: list[str], block: int, joint: str
) -> None:
    data = "\n".join(rows) if slug.startswith("nd") else f"[{joint.join(rows)}]"
    same(slug, data.encode(), block=block)


@st.composite
def nested_cells(draw: st.DrawFn, depth: int = 0) -> st.SearchStrategy[str]:
    """A strategy for the texts of values of one shape; its objects may lack members, or have null."""
    kind = draw(st.sampled_from([*CELLS, "list", "object"] if depth < 3 else [*CELLS]))
    if kind == "list":
        return st.lists(draw(nested_cells(depth + 1)), max_size=3).map(lambda each: f"[{', '.join(each)}]")
    if kind == "object":
        keys = draw(st.lists(st.sampled_from(["a", "b", "é", ":null", 'q"', "n,"]), max_size=3, unique=True))
        members = [(json.dumps(key, ensure_ascii=False), draw(nested_cells(depth + 1))) for key in keys]
        every = st.tuples(*(each.map(lambda text, key=key: f"{key}: {text}") for key, each in members))
        some = st.lists(st.sampled_from(range(len(keys) or 1)), unique=True)
        return st.tuples(every, some, st.booleans()).map(
            lambda found: "{" + ", ".join(each for at, each in enumerate(found[0]) if found[2] or at in found[1]) + "}"
        )
    return CELLS[kind] | (st.just("null") if draw(st.booleans()) else st.nothing())


@st.composite
def nested_objects(draw: st.DrawFn) -> list[str]:
    """Objects that all have the same keys in one order, or lack some and have them in any order."""
    keys = draw(st.lists(st.sampled_from(["a", "b", "ü", "x.y", "*"]), min_size=1, max_size=3, unique=True))
    cells = {json.dumps(key, ensure_ascii=False): draw(nested_cells()) for key in keys}
    some = draw(st.booleans())
    kept = st.lists(st.sampled_from([*cells]), unique=True) if some else st.just([*cells])
    rows = [draw(kept) for _ in range(draw(st.integers(1, 8)))]
    return ["{" + ", ".join(f"{key}: {draw(cells[key])}" for key in row) + "}" for row in rows]


@pytest.mark.parametrize("slug", ["json-to-parquet", "ndjson-to-parquet", "ndjson-to-arrow", "json-to-orc"])
@pytest.mark.examples
@settings(MANY, max_examples=examples(300))
@given(rows=nested_objects(), block=st.integers(1, 300))
def test_objects_of_nested_values_become_columns(same: Same, slug: str, rows: list[str], block: int) -> None:
    data = "\n".join(rows) if slug.startswith("nd") else f"[{','.join(rows)}]"
    same(slug, data.encode(), block=block)


SHAPES = {
    "objects": '{"id": %d, "who": {"name": "a%d", "at": {"x": 1.50, "y": %d}}}',
    "lists": '{"id": %d, "tags": ["a", "b%d"], "sizes": [[1, 2], [%d]]}',
    "lists of objects": '{"id": %d, "lines": [{"sku": "s%d", "price": 2.5}, {"sku": "t", "price": %d}]}',
    "members that are missing": '{"id": %d, "a": [{"b": 1}, {"c": null}, {}, {"b": %d, "c": "%d"}], "d": {"e": null}}',
    "digits of a column": '{"id": %d, "who": {"name": "b"}, "n": %d.123456789012345678%d}',
    "keys in any order": '{"id": %d%.0s, "who": {"name": "b"}}, {"n": [%d], "who": {"name": "c"}, "id": 2}',
    "one mixed column": '{"id": %d, "who": {"name": "b"}, "n": [%d, "b", {"c": %d}, true]}',
}


@pytest.mark.parametrize("shape", SHAPES)
def test_nested_values_are_parsed_by_column(same: Same, monkeypatch: pytest.MonkeyPatch, shape: str) -> None:
    rows = [SHAPES[shape] % (number % 10, number % 10, number % 7) for number in range(400)]
    frames: list[polars.DataFrame | None] = []
    by_column = json_objects._Reader._by_column

    def noted(self: Any, block: Any) -> polars.DataFrame | None:
        frames.append(by_column(self, block))
        return frames[-1]

    monkeypatch.setattr(json_objects._Reader, "_by_column", noted)
    monkeypatch.setattr(json_objects._Reader, "_all_at_once", lambda *_: None)
    same("json-to-parquet", f"[{', '.join(rows)}]".encode(), block=2_000)
    assert len(frames) > 5
    assert all(each is not None for each in frames)


def _sparse(number: int) -> str:
    keys = [(number * step) % 20 for step in (3, 7, 11)]
    return json.dumps({f"k{key}": number if key % 2 else f'"{number}"' for key in keys})


FLAT: dict[str, Callable[[int], str]] = {
    "few of many keys, in any order": _sparse,
    "values of several kinds": lambda number: (
        f'{{"id": {number}, "v": {("1.50", "true", "null", chr(34) * 2, "-0", "1e5")[number % 6]}}}'
    ),
    "decimals of 24 digits": lambda number: f'{{"id": {number}, "v": {number}.{number:018}5}}',
    "decimals of 24 digits and powers of ten": lambda number: f'{{"id": {number}, "v": {number}.{number:018}5e-2}}',
    "a decimal among floats": lambda number: f'{{"id": {number}, "v": {number}.5, "w": 0.{number // 399}{7**23}}}',
    "numbers of too many digits": lambda number: f'{{"id": {number}, "v": {"0.5" if number % 2 else "7" * 40}}}',
    "a column that is text from the middle on": lambda number: (
        f'{{"id": {number}, "v": {number if number < 200 else json.dumps(str(number))}}}'
    ),
}


@pytest.mark.parametrize("slug", ["json-to-parquet", "ndjson-to-parquet"])
@pytest.mark.parametrize("shape", FLAT)
def test_no_block_of_single_values_is_parsed_value_by_value(
    same: Same, monkeypatch: pytest.MonkeyPatch, shape: str, slug: str
) -> None:
    rows = [FLAT[shape](number) for number in range(400)]
    blocks: list[int] = []
    of_values, begin = json_objects._Reader.of_values, json_objects._Reader._begin
    looked_at = 0

    def noted(self: Any, values: list[Any]) -> polars.DataFrame:
        found = of_values(self, values)  # it raises where the types have to be learned
        blocks.append(len(values))
        return found

    def counted(self: Any, *given: Any) -> Any:
        nonlocal looked_at
        looked_at += 1
        return begin(self, *given)

    monkeypatch.setattr(json_objects._Reader, "of_values", noted)
    monkeypatch.setattr(json_objects._Reader, "_begin", counted)
    same(slug, ("\n".join(rows) if slug.startswith("nd") else f"[{', '.join(rows)}]").encode(), block=2_000)
    assert looked_at > 3
    assert blocks == []


@pytest.mark.parametrize("slug", ["ndjson-to-parquet", "ndjson-to-csv"])
@pytest.mark.parametrize(("new", "odd"), [('{"a": 2, "b": 1}', "[]"), ('{"a": 2}', '{"a": }'), ('{"b": 1}', '{"a" 1}')])
def test_errors_behind_new_keys_have_their_place(same: Same, slug: str, new: str, odd: str) -> None:
    rows = ['{"a": 1}'] * 200
    rows[100], rows[180] = new, odd
    assert "'line': 181" in str(same(slug, "\n".join(rows).encode(), block=50))


def test_the_type_of_floats_does_not_depend_on_other_columns(same: Same) -> None:
    written = same("json-to-parquet", b'[{"a": 1e20, "b": 0.5}, {"a": 0.5, "b": 0.1234567890123456789}]', block=1)
    assert isinstance(written, bytes)
    assert polars.read_parquet(written).schema == {"a": polars.Float64, "b": polars.Decimal(19, 19)}


def test_members_that_come_twice_are_named(same: Same) -> None:
    same("json-to-parquet", b'[{"a": {"b": 1}}, {"a": {"b": 1, "b": 2}}, {"a": {"b": null, "b": 2}}]', block=1)


def test_many_small_objects_of_a_wide_type_are_not_spread_out(tmp_path: Path) -> None:
    wide = json.dumps({f"k{number}": number for number in range(500)})
    data = f'[{{"a": [{wide}]}}, {{"a": [{", ".join(["{}"] * 400_000)}]}}]'.encode()
    found = json_objects.Columns(lambda give, size: iter([give(json_blocks.Block(data, json.loads, in_list=True))]))
    with pytest.raises(Inexact):
        list(found.frames())


@pytest.mark.parametrize(
    "row", ['{"o": {"x": 1, "x\\u0000": 2}}', '{"o": [], "x": 1, "x\\u0000": 2}', '{"o": {"x\\u0000": 1}}']
)
def test_keys_that_differ_only_after_a_nul_stay_apart(same: Same, row: str) -> None:
    written = same("json-to-parquet", f"[{row}]".encode())
    assert isinstance(written, bytes)
    assert polars.read_parquet(written).to_dicts() == [json.loads(row)]


@pytest.mark.parametrize("row", ['{"v": -0}', '{"v": -0, "o": {"a": [1]}}'])
def test_an_integer_minus_zero_is_an_integer_that_only_csv_spells_with_its_sign(same: Same, row: str) -> None:
    data = f"[{row.replace('-0', '7')}, {row}]".encode()
    written = same("json-to-parquet", data, block=1)
    assert isinstance(written, bytes)
    column = polars.read_parquet(written)["v"]
    assert column.dtype == polars.Int64
    assert column.to_list() == [7, 0]
    cases: list[tuple[dict[str, str], bytes]] = [({}, b"-0"), ({"where": "v < 9"}, b"0")]
    for options, zero in cases:
        lines = same("json-to-csv", data, block=1, **options)
        assert isinstance(lines, bytes)
        assert lines.splitlines()[2].split(b",")[0] == zero


@pytest.mark.parametrize("integer", [10**15 - 1, 10**15, -(10**15), 2**53, 2**53 + 1])
def test_long_integers_beside_fractions_become_decimals(same: Same, integer: int) -> None:
    written = same("ndjson-to-parquet", b'{"a": %d}\n{"a": 0.5}\n' % integer, block=1)
    assert isinstance(written, bytes)
    assert polars.read_parquet(written)["a"].dtype.is_decimal() == (abs(integer) >= 10**15)


@pytest.mark.parametrize("integer", [10**15 - 1, 10**15, -(10**15), 2**53, 2**53 + 1])
def test_long_integers_after_fractions_become_decimals_in_lists(same: Same, integer: int) -> None:
    written = same("ndjson-to-parquet", b'{"a": [0.5]}\n{"a": [%d]}\n' % integer, block=1)
    assert isinstance(written, bytes)
    assert polars.read_parquet(written)["a"].explode().dtype.is_decimal() == (abs(integer) >= 10**15)


@pytest.mark.parametrize("number", ["1e+16", "1e16", "1E5", "1.10", "-0.0", "0.1e-6", "1e400"])
@pytest.mark.parametrize("slug", ["json-to-ndjson", "json-to-json"])
def test_digits_stay_as_they_are_written(same: Same, slug: str, number: str) -> None:
    written = same(slug, b'[{"a":%b}]' % number.encode())
    assert isinstance(written, bytes)
    assert number.encode() in written


def test_json_is_laid_out_anew_block_by_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_blocks, "LARGE", -1)
    monkeypatch.setattr(source, "STEP", 1 << 12)
    alive = most = 0

    class Counted(json_blocks.Block):
        def laid_out(self, writer: Any) -> bytes:
            nonlocal alive, most
            alive += 1
            most = max(most, alive)
            weakref.finalize(self, gone)
            return super().laid_out(writer)

    def gone() -> None:
        nonlocal alive
        alive -= 1

    monkeypatch.setattr(json_blocks, "Block", Counted)
    data = json.dumps([{"a": number} for number in range(10_000)]).encode()
    assert json.loads(outcome(tmp_path, "json-to-json", data)[0]) == json.loads(data)
    assert 0 < most < 4


@pytest.mark.parametrize("names", [("", "column_0"), ("column_1", ""), ("^x$", "*"), ("*", "^.*$")], ids=str)
@pytest.mark.parametrize(
    "values",
    [
        ("1.10", "123456789012345678901234567890.5"),
        ("1e400", "1.0"),
        ('"a"', "[1.5, 2]"),
        ('{"": 1}', '{"^x$": [true]}'),
        ('[1, "a"]', "-0"),
        ('"a"', "1"),
    ],
    ids=str,
)
@pytest.mark.parametrize("slug", ["ndjson-to-csv", "ndjson-to-parquet", "ndjson-to-arrow", "ndjson-to-sqlite"])
def test_keys_may_have_any_name(same: Same, slug: str, names: tuple[str, str], values: tuple[str, str]) -> None:
    one, other = map(json.dumps, names)
    rows = [f"{{{one}: {values[0]}, {other}: {values[1]}}}", f"{{{other}: {values[1]}}}", f"{{{one}: {values[0]}}}"]
    same(slug, "\n".join([*rows, rows[0]]).encode(), block=1 << 10)
    same(slug, "\n".join([rows[0], rows[0]]).encode(), block=1 << 10)


@pytest.mark.parametrize("slug", ["ndjson-to-json", "json-to-ndjson"])
def test_single_values_beside_it_do_not_hide_a_nesting_that_is_too_deep(same: Same, slug: str) -> None:
    items = ["5", '{"a": %s}' % ("[" * 512 + "]" * 512)]
    data = "\n".join(items) if slug.startswith("nd") else f"[{','.join(items)}]"
    assert "512 deep" in str(same(slug, data.encode()))
