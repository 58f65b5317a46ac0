"""JSON to CSV against a second implementation: made-up inputs, every boundary of pieces, every way of decoding."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.families.data import nesting
from engine.families.data.json_csv.converters import _convert as convert
from engine.families.data.json_csv.options import CsvOptions
from engine.families.data.json_input import blocks, source
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.warnings import Warn
from tests.converters import reference_rows
from tests.examples import examples

DEFAULT = CsvOptions()


WAYS = ("by rows", "by columns")


def choose(way: str, monkeypatch: pytest.MonkeyPatch, step: int = 64) -> None:
    """One way through the engine: value by value, or by columns in blocks of about `step` bytes.

    What can't be split into columns is read value by value.
    """
    monkeypatch.setattr(blocks, "LARGE", -1 if way == "by columns" else 1 << 62)
    monkeypatch.setattr(blocks, "SMALL", step)
    monkeypatch.setattr(source, "STEP", step)


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    choose(request.param, monkeypatch)
    return str(request.param)


def run(folder: Path, data: bytes, options: CsvOptions = DEFAULT, kind: str = "json") -> tuple[bytes, set[str]]:
    output, warn = told(folder, data, options, kind)
    return output, {each.code for each in warn.warnings}


def told(folder: Path, data: bytes, options: CsvOptions, kind: str) -> tuple[bytes, Warn]:
    given, target, warn = folder / f"input.{kind}", folder / "output.csv", Warn()
    given.write_bytes(data)
    target.unlink(missing_ok=True)
    with nesting.room():
        convert(given, target, options, warn)
    return target.read_bytes(), warn


@pytest.fixture(params=[1, 7, 33, 64, 100, 1000])
def step(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    choose("by columns", monkeypatch, request.param)
    return int(request.param)


NESTED = [
    {"id": 1, "name": "Ada", "at": {"city": "Paris, France", "geo": {"lat": 48.85, "lon": None}}, "tags": ["a", "b"]},
    {"id": 2, "name": "", "at": None, "tags": []},
    {"id": 3, "name": 'say "hi"\r\nthere', "at": {"city": "Łódź", "zip": "007"}, "extra": True},
    {"id": 4, "name": '},{"id":5', "at": {"geo": {"lat": -0.0}}, "tags": [{"id": 9}, {"id": 10}]},
    {},
    {"name": "[", "id": None, "at": {"city": "\\"}},
    {"id": 7, "at": {}, 'é"x': {"\n": 1}},
]


@pytest.mark.parametrize("indent", [None, 1])
def test_any_size_of_pieces_gives_the_same_bytes(step: int, indent: int | None, tmp_path: Path) -> None:
    rows = NESTED * 5
    text = json.dumps(rows, ensure_ascii=False, indent=indent)
    output, codes = run(tmp_path, text.encode())
    assert output == reference_rows.convert(reference_rows.load(text), DEFAULT)
    assert codes == set()


def test_space_before_an_array_is_skipped_in_any_size_of_pieces(step: int, tmp_path: Path) -> None:
    text = " \r\n\t" * 500 + json.dumps(NESTED)
    assert run(tmp_path, text.encode()) == (reference_rows.convert(NESTED, DEFAULT), set())


def test_lines_in_any_size_of_pieces(step: int, tmp_path: Path) -> None:
    text = "\r\n".join(json.dumps(row) for row in NESTED * 3)
    assert run(tmp_path, text.encode(), kind="ndjson") == run(tmp_path, text.encode())
    assert run(tmp_path, text.encode())[0] == reference_rows.convert(
        [reference_rows.load(line) for line in text.splitlines()], DEFAULT
    )


@pytest.mark.parametrize("layout", [(",", ":"), (", ", ": "), (" ,\n", "\t:\r\n")])
@pytest.mark.parametrize("key", ["b", "\u00e9", 'x"y'])
def test_key_that_occurs_twice_is_seen_wherever_it_is(
    step: int, layout: tuple[str, str], key: str, tmp_path: Path
) -> None:
    comma, colon = layout
    name = json.dumps(key)  # escaped where it is not ASCII
    rows = [f'{{"a"{colon}{n}{comma}{name}{colon}{{"c"{colon}"{n} "{comma}"d"{colon}null}}}}' for n in range(30)]
    assert run(tmp_path, f"[{comma.join(rows)}]".encode())[1] == set()
    for place in (0, 17, 29):
        for twice in (
            rows[place].replace('"a"', f'"a"{colon}1{comma}"a"'),
            rows[place].replace('"a"', f'"\\u0061"{colon}1{comma}"a"'),
            rows[place].replace('"d"', f'"c"{colon}"last"{comma}"d"'),
            rows[place].replace(name, f'"{key}"{colon}""{comma}{name}') if key.isalpha() else "",
        ):
            if not twice:
                continue
            text = f"[{comma.join([*rows[:place], twice, *rows[place + 1 :]])}]"
            assert reference_rows.repeats(text)
            output, codes = run(tmp_path, text.encode())
            assert codes == {"DUPLICATE_KEY"}
            assert output == reference_rows.convert(reference_rows.load(text), DEFAULT)


@pytest.mark.parametrize("lacking", ['{"a": "1"}', '{"a": "1", "g": null}', '{"g": {"x": "1", "y": 2}}'])
def test_a_key_that_one_object_lacks_can_not_hide_one_that_another_has_twice(
    step: int, lacking: str, tmp_path: Path
) -> None:
    rows = ['{"a": "1", "g": {"x": "1", "y": 2}}'] * 20
    twice = '{"a": "1", "g": {"x": "1", "x": "3", "y": 2}}'
    for given, found in (([*rows, lacking], set()), ([*rows, lacking, twice, *rows], {"DUPLICATE_KEY"})):
        output, codes = run(tmp_path, "\n".join(given).encode(), kind="ndjson")
        assert codes == found
        text = f"[{','.join(given)}]"
        assert output == reference_rows.convert(reference_rows.load(text), DEFAULT)


def test_escaped_and_plain_spelling_of_one_key_can_not_hide_a_repetition(step: int, tmp_path: Path) -> None:
    long, short = '"\\u00e9"', '"é"'
    rows = [f"{{{long}:1}}"] * 20 + [f'{{{short}:"12345678",{short}:3}}']
    output, codes = run(tmp_path, f"[{','.join(rows)}]".encode())
    assert codes == {"DUPLICATE_KEY"}
    assert output.splitlines()[-1] == b"3"


@pytest.mark.parametrize(
    "number", ["18446744073709551616", "9007199254740993", "1.10", "1e400", "1E5", "-0", "-0.0", "0.1e-7", "9" * 5000]
)
def test_number_keeps_its_digits(way: str, number: str, tmp_path: Path) -> None:
    rows = ",".join(f'{{"n":{number},"i":{n}}}' for n in range(30))
    output, _ = run(tmp_path, f'[{rows},{{"n":1,"i":2.5}}]'.encode())
    lines = output.decode().splitlines()
    assert lines == ["n,i", *(f"{number},{n}" for n in range(30)), "1,2.5"]


FAULTS = [
    ('{"a":1} {"a":2}', 1, 9),
    ('[{"a":1}] x', 1, 11),
    ('[{"a":1}]\n\n]', 3, 1),
    ('[{"a":1},]', 1, 10),
    ('[{"a":1},,{"a":2}]', 1, 10),
    ('[,{"a":1}]', 1, 2),
    ('[{"a":1}\n{"a":2}]', 2, 1),
    ('[{"a":1}', 1, 9),
    ('[{"a":1},\n {"b":NaN}]', 2, 7),
    ('[{"a":[1,"NaN",-Infinity]}]', 1, 16),
    ('[{"a":"\n"}]', 1, 8),
    ('[{"é":"é","a":01}]', 1, 16),
    ("[{'a':1}]", 1, 3),
    ('[{"a":1,}]', None, None),
    ('[{"a":"\\q"}]', None, None),
    ('[{"a":"\\ud83"}]', None, None),
    ('[{"a":tru}]', 1, 7),
    ('[{"a":1},5]', 1, 10),
    ('[5,{"a":1}]', 1, 4),
    ('[[5],{"a":1}]', 1, 6),
    ('[{"a":1},null]', 1, 10),
    ("", 1, 1),
    ("  \n ", 2, 2),
    ("hello", 1, 1),
    ("\ufeff\ufeff[]", 1, 1),
]


@pytest.mark.parametrize(("text", "line", "column"), FAULTS)
def test_fault_has_line_and_column(way: str, text: str, line: int | None, column: int | None, tmp_path: Path) -> None:
    with pytest.raises(Unreadable) as raised:
        run(tmp_path, text.encode())
    if line is not None:
        assert (raised.value.line, raised.value.column) == (line, column)


@pytest.mark.parametrize(("text", "line", "column"), FAULTS)
def test_fault_far_behind_valid_rows_has_line_and_column(
    step: int, text: str, line: int | None, column: int | None, tmp_path: Path
) -> None:
    if not text.startswith('[{"') or text.startswith("[{'"):
        return
    before = "[\n" + '{"a":1,"é":"x"},\n' * 300
    with pytest.raises(Unreadable) as raised:
        run(tmp_path, (before + text[1:]).encode())
    if line is not None and column is not None:
        assert raised.value.line == 301 + line
        assert raised.value.column == (column - 1 if line == 1 else column)


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1} {"a":2}\n{"a":3}',
        '{"a":\n1}\n{"a":2}',
        '{"a":[{}\n,{}]}\n{"a":2}',
        '{"a":[1\n2]}\n{"a":2}',
        '{"a":1},\n{"a":2}',
        '[{"a":1},\n{"a":2}]',
        '{"a":1}\n{"a":2}]',
        '{"a":1}\n5',
    ],
)
def test_lines_that_are_not_one_value_each_are_unreadable(way: str, text: str, tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        run(tmp_path, text.encode(), kind="ndjson")
    with pytest.raises(Unreadable):
        run(tmp_path, ('{"a":0}\n' * 40 + text).encode(), kind="ndjson")


def test_deep_nesting_is_unreadable(way: str, tmp_path: Path) -> None:
    for text in ("[" * 100_000, '{"a":' * 100_000, '[{"a":' + "[" * 3000 + "]" * 3000 + "}]"):
        with pytest.raises(Unreadable):
            run(tmp_path, text.encode())
    with pytest.raises(Unreadable):
        run(tmp_path, ("[" + '{"a":' * 600 + "1" + "}" * 600 + "]").encode())


def test_many_rows_of_many_keys_are_over_the_limit(tmp_path: Path) -> None:
    text = "[" + ",".join(f'{{"key{n}":{n}}}' for n in range(20_000)) + "]"
    with pytest.raises(OverLimit):
        run(tmp_path, text.encode())


def test_columns_that_turn_up_late_are_in_all_rows(way: str, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"a": n} for n in range(200)]
    rows += [{"z": 1}, {"a": {"b": 1}}, {"y": None}, {"y": {"x": None}}]
    rows += rows
    text = json.dumps(rows)
    output, _ = run(tmp_path, text.encode())
    assert output == reference_rows.convert(reference_rows.load(text), DEFAULT)
    assert output.startswith(b"a,z,a.b,y.x\r\n0,,,\r\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"a":1},{"a":2},3,4]', "Item 2 is not an object"),
        ("[[1],[2],[3],{}]", "Item 3 is not a list"),
        ('1\n"x"\nnull\n[2]', "Item 3 is not a single value"),
    ],
)
def test_first_odd_item_is_named_by_its_index(way: str, text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=re.escape(message)):
        run(tmp_path, text.encode())


@pytest.mark.parametrize("shuffled", [range(100), range(0, 100, 3), range(40, 50), range(90, 100), ()], ids=str)
def test_sparse_rows_with_keys_in_any_order(shuffled: Sequence[int], step: int, tmp_path: Path) -> None:
    pick = random.Random(5)
    rows: list[dict[str, Any]] = [{f"key {column}": None for column in range(60)}]
    for number in range(100):
        keys = sorted(pick.sample(range(60), 7))
        if number in shuffled:
            pick.shuffle(keys)
        rows.append({f"key {key}": pick.choice((number, f"text, {number}", "", None, True)) for key in keys})
    text = json.dumps(rows)
    assert run(tmp_path, text.encode())[0] == reference_rows.convert(reference_rows.load(text), DEFAULT)


@pytest.mark.parametrize("odd", ['{"z":"\\ud800","a":2}', '{"a":1,"a":2,"z":3}'])
def test_key_that_turns_up_late_in_an_odd_row_is_in_all_rows(step: int, odd: str, tmp_path: Path) -> None:
    text = "[" + ",".join(['{"a":1,"b":"x"}'] * 100 + [odd] + ['{"a":1,"b":"x"}'] * 100) + "]"
    assert run(tmp_path, text.encode())[0] == reference_rows.convert(reference_rows.load(text), DEFAULT)


def test_value_after_many_nulls_keeps_its_column_beside_nested_keys(step: int, tmp_path: Path) -> None:
    rows = [{"a": None, "b": {"c": None}}] * 60 + [{"a": 5, "b": {"c": "x"}}] * 60
    for last in ({"a": {"d": 1}}, {"b": {"c": {"e": 1}}}):
        text = json.dumps([*rows, last])
        output, _ = run(tmp_path, text.encode())
        assert output == reference_rows.convert(reference_rows.load(text), DEFAULT)
        assert output.startswith(b"a,b.c,")


def test_nulls_alone_make_no_column_beside_nested_keys_that_turn_up_late(step: int, tmp_path: Path) -> None:
    text = json.dumps([*[{"a": None, "b": {"c": None}}] * 60, {"a": {"d": 1}, "b": {"c": {"e": 2}}}])
    output, _ = run(tmp_path, text.encode())
    assert output == b"a.d,b.c.e\r\n" + b",\r\n" * 60 + b"1,2\r\n"


def test_lone_surrogates_become_replacement_characters_in_any_piece(way: str, tmp_path: Path) -> None:
    rows = [f'{{"a":"{n}"}}' for n in range(100)]
    rows[70] = '{"a":"x\\ud800y\\ud83d\\ude00"}'
    output, codes = run(tmp_path, f"[{','.join(rows)}]".encode())
    assert codes == {"ENCODING_REPLACED"}
    assert output.decode().splitlines()[71] == "x\ufffdy\U0001f600"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
def test_unicode_encodings_give_the_same_bytes(way: str, encoding: str, tmp_path: Path) -> None:
    text = json.dumps(NESTED, ensure_ascii=False)
    output, _ = run(tmp_path, text.encode(encoding))
    assert output == reference_rows.convert(reference_rows.load(text), DEFAULT)


def test_bytes_that_are_not_utf8_are_unreadable_with_their_place(way: str, tmp_path: Path) -> None:
    rows = b",\n".join(b'{"a":"%d"}' % n for n in range(100))
    with pytest.raises(Unreadable) as raised:
        run(tmp_path, b"[\n" + rows.replace(b'"77"', b'"M\xfcller"') + b"]")
    assert (raised.value.line, raised.value.column) == (79, 8)


ADVERSE = {
    "cuts inside of texts": ['{"id":1,"t":"' + '},{\\"id\\":1' * 50 + '"}'] * 40,
    "items inside of items": ['{"id":1,"t":[' + ",".join(['{"id":1}'] * 60) + "]}"] * 40,
    "wide and sparse": [json.dumps({f"k{n % 97}": n, f"k{n % 89}x": {"y": n}}) for n in range(300)],
    "keys that change places": [
        json.dumps(dict(random.Random(n).sample([(f"k{i}", i) for i in range(9)], 7))) for n in range(200)
    ],
    "one long item": ['{"id":1}', '{"id":"' + "x" * 5000 + '"}', '{"id":3}'],
    "empty items": ["{}"] * 300 + ['{"a":1}'],
    "one column": ['{"a":null}', '{"a":""}', "{}", '{"a":"null"}'] * 30,
    "formulas": ['{"a":"=1","b":"+4 9","c":-1,"d":"-1"}', '{"a":"x","b":"@","c":"\\t=","d":"x"}'] * 30,
    "mixed values": ['{"a":1}', '{"a":"x"}', '{"a":[1, 2]}', '{"a":{"b":[ ]}}', '{"a":{}}', '{"a":false}'] * 20,
    "pretty arrays": ['{"a":[\n1,\n"x\\ny"\n],"b":"c"}'] * 30,
    "arrays": ["[1,2]", "[]", '["x",null,{"a":1}]'] * 30,
    "values": ["1", '"x,y"', "null", '""', "true", '"=a"'] * 30,
}
CHOICES = [
    CsvOptions(),
    CsvOptions(quote="all", line_ending="lf", bom=True),
    CsvOptions(arrays="join", join_with=", ", escape_formulas=True),
    CsvOptions(arrays="columns", separator="/"),
    CsvOptions(flatten=False, header=False),
    CsvOptions(delimiter="1"),
    CsvOptions(delimiter="\t"),
    CsvOptions(delimiter="é", quote="minimal"),
    CsvOptions(delimiter="\\"),
    CsvOptions(delimiter="e", escape_formulas=True),
]


@pytest.mark.parametrize("name", ADVERSE)
@pytest.mark.parametrize("options", CHOICES, ids=str)
def test_awkward_rows_under_all_options(way: str, name: str, options: CsvOptions, tmp_path: Path) -> None:
    text = f"[{','.join(ADVERSE[name])}]"
    expected = reference_rows.convert(reference_rows.load(text), options)
    assert run(tmp_path, text.encode(), options)[0] == expected
    lines = "\n".join(row.replace("\n", " ") for row in ADVERSE[name])
    assert run(tmp_path, lines.encode(), options, kind="ndjson")[0] == expected


def _boxes(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _boxes(inner)


def _strategies() -> tuple[Any, Any]:
    hypothesis = pytest.importorskip("hypothesis")
    return hypothesis, pytest.importorskip("hypothesis.strategies")


def _keys(some: Any) -> Any:
    return some.sampled_from(["a", "b", "c", "a.b", "é", 'q"', "", "long key", "\u2028"]) | some.text(max_size=3)


def _scalars(some: Any) -> Any:
    return (
        some.none()
        | some.booleans()
        | some.integers()
        | some.floats(allow_nan=False, allow_infinity=False)
        | some.text(max_size=6)
        | some.sampled_from(["", "null", "x,y", '"', "\n", "=1+1", "-5", "[", "007", "\\"])
    )


def _repeated(some: Any, rows: Any) -> Any:
    """Rows in runs of equal ones: long enough for every way of decoding to be chosen, and to be left again."""
    runs = some.lists(some.tuples(rows, some.sampled_from([1, 1, 2, 9])), max_size=12)
    return runs.map(lambda runs: [row for row, times in runs for _ in range(times)])


@pytest.mark.examples
def test_any_rows_give_what_the_second_implementation_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hypothesis, some = _strategies()
    keys = _keys(some)
    values = some.recursive(
        _scalars(some),
        lambda inner: some.lists(inner, max_size=3) | some.dictionaries(keys, inner, max_size=3),
        max_leaves=8,
    )
    rows = (
        _repeated(some, some.dictionaries(keys, values, max_size=5))
        | _repeated(some, some.dictionaries(some.sampled_from("abc"), values, max_size=3))
        | some.lists(some.lists(values, max_size=4), max_size=10)
        | some.lists(_scalars(some), max_size=10)
    )
    layouts = some.sampled_from([(",", ":"), (", ", ": "), ("\n,", " :\t")])
    steps = some.sampled_from([1, 16, 50, 200])

    @hypothesis.settings(max_examples=examples(600), deadline=None)
    @hypothesis.given(rows, layouts, some.booleans(), steps, some.sampled_from(CHOICES), some.booleans())
    def check(
        rows: list[Any], layout: tuple[str, str], ascii: bool, step: int, options: CsvOptions, lines: bool
    ) -> None:
        # JSON text is kept as it is spelled, the second implementation spells it anew: leave escapes out of it.
        ascii = ascii and not any(isinstance(each, list) for row in rows for each in _boxes(row)) and options.flatten
        if lines and rows:
            # One line with an array is a JSON text of its own; only NDJSON takes it for one row.
            written = [json.dumps(row, ensure_ascii=ascii, separators=(",", ":")) for row in rows]
            text, kind = "\n".join(written), "ndjson"
            found = [reference_rows.load(each) for each in written]
        else:
            text, kind = json.dumps(rows, ensure_ascii=ascii, separators=layout), "json"
            found = reference_rows.load(text)
        data = text.encode("utf-8", "surrogatepass")
        try:
            data.decode()
        except UnicodeDecodeError:
            with pytest.raises(Unreadable):
                run(tmp_path, data, options, kind)
            return
        warnings = []
        for way in WAYS:
            choose(way, monkeypatch, step)
            output, warn = told(tmp_path, data, options, kind)
            assert output == reference_rows.convert(found, options)
            warnings.append({(each.code, each.message) for each in warn.warnings})
        assert warnings[0] == warnings[1]

    check()


@pytest.mark.examples
def test_any_repeated_key_is_seen_and_the_last_value_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hypothesis, some = _strategies()
    keys = some.sampled_from(['"a"', '"b"', '"\\u0061"', '"é"', '"\\u00e9"', '"\\u00E9"', '"c d"', '"\\/"', '"/"'])
    spaces = some.sampled_from(["", "", "", " ", "\n\t"])
    scalars = some.sampled_from(["1", "null", '""', '"a"', '"\\u00e9"', '"\\u0061"', '" "', "true", "{}", "{ }"])

    def objects(values: Any) -> Any:
        members = some.tuples(spaces, keys, spaces, spaces, values, spaces).map(
            lambda part: f"{part[0]}{part[1]}{part[2]}:{part[3]}{part[4]}{part[5]}"
        )
        return some.lists(members, max_size=4).map(lambda members: "{" + ",".join(members) + "}")

    rows = _repeated(some, objects(scalars | objects(scalars)))

    @hypothesis.settings(max_examples=examples(600), deadline=None)
    @hypothesis.given(rows, some.sampled_from(WAYS), some.sampled_from([1, 16, 50, 200]))
    def check(rows: list[str], way: str, step: int) -> None:
        choose(way, monkeypatch, step)
        text = f"[{','.join(rows)}]"
        output, codes = run(tmp_path, text.encode())
        assert output == reference_rows.convert(reference_rows.load(text), DEFAULT)
        assert ("DUPLICATE_KEY" in codes) == reference_rows.repeats(text)

    check()


@pytest.mark.examples
def test_any_damage_is_seen_as_the_json_module_sees_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hypothesis, some = _strategies()
    rows = _repeated(some, some.dictionaries(some.sampled_from("abc"), _scalars(some), max_size=3))
    damage = some.sampled_from([*'{}[],:"\\n01.-eE \n\0é', "NaN", "\\u", "},{", '"a":'])
    steps = some.sampled_from([1, 16, 50, 200])

    @hypothesis.settings(max_examples=examples(600), deadline=None)
    @hypothesis.given(rows, damage, some.integers(0), some.integers(0, 2), steps, some.booleans())
    def check(rows: list[Any], damage: str, place: int, cut: int, step: int, indent: bool) -> None:
        text = json.dumps(rows, indent=1 if indent else None)
        place = place % (len(text) + 1)
        text = text[:place] + damage + text[place + cut :]
        outcomes = []
        for way in WAYS:
            choose(way, monkeypatch, step)
            try:
                outcomes.append(run(tmp_path, text.encode())[0])
            except Unreadable:
                outcomes.append(b"unreadable")
        assert outcomes[0] == outcomes[1]
        try:
            found = reference_rows.load(text)
        except ValueError:
            assert outcomes[0] == b"unreadable" or not text.lstrip().startswith("[")
            return
        if isinstance(found, list) and len({type(each) if isinstance(each, dict | list) else 0 for each in found}) < 2:
            assert outcomes[0] == reference_rows.convert(found, DEFAULT)

    check()


def test_output_reads_back_with_the_csv_module(way: str, tmp_path: Path) -> None:
    output, _ = run(tmp_path, json.dumps(NESTED).encode())
    rows = list(csv.reader(io.StringIO(output.decode(), newline="")))
    head = ["id", "name", "at.city", "at.geo.lat", "at.geo.lon", "tags", "at", "at.zip", "extra", 'é"x.\n']
    assert rows[0] == head
    assert rows[3] == ["3", 'say "hi"\r\nthere', "Łódź", "", "", "", "", "007", "true", ""]
    assert all(len(row) == len(rows[0]) for row in rows)


def test_many_empty_rows_of_many_keys_are_refused_before_they_are_made(way: str, tmp_path: Path) -> None:
    text = f"[{json.dumps(dict.fromkeys(map(str, range(15_000)), 1))},{','.join(['{}'] * 80_000)}]"
    with pytest.raises(OverLimit):
        run(tmp_path, text.encode())


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_lines_in_a_json_file_are_rows_until_one_spans_lines(way: str, encoding: str, tmp_path: Path) -> None:
    text = '{"a":1}\n' * 200 + '{"a":\n2}\n{"a":3}'
    assert run(tmp_path, text.encode(encoding))[0] == b"a\r\n" + b"1\r\n" * 200 + b"2\r\n3\r\n"
