"""Objects that are written alike are cut into columns at once, and nothing else is taken for them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.families.data.columnar import json_objects
from engine.families.data.columnar.json_parts import Kind
from engine.families.data.columnar.json_templates import Templates
from engine.families.data.json_input import proofs as json_proofs
from engine.families.data.json_input.blocks import Block
from engine.families.data.schema import Type
from engine.families.data.values import Number, exact_float
from tests.examples import examples

KINDS: dict[str, Kind] = {
    "id": "integer",
    "né": "text",
    "of": "number",
    "on": "boolean",
    "": "text",
    "no": "",
    "nor": "",
}
ROWS = [
    {"id": 1, "né": 'Ünal, "Eve"', "of": 1.5, "on": True, "": "", "no": None, "nor": None},
    {"id": -20, "né": "a{b}[c]\\\n", "of": 3, "on": False, "": "x", "no": None, "nor": None},
    {"id": None, "né": None, "of": None, "on": None, "": "12.30", "no": None, "nor": None},
    {"id": 4, "né": "", "of": 1e-07, "on": True, "": "null", "no": None, "nor": None},
]
PLAIN = [{**row, "né": "Ann", "": "y"} for row in ROWS]
LAYOUTS = {
    "compact": {"separators": (",", ":")},
    "spaced": {},
    "indented": {"indent": 2},
}


def lines(rows: list[Any], layout: str = "spaced") -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False, **LAYOUTS[layout]) + "\n" for row in rows).encode()


def listed(rows: list[Any], layout: str = "spaced") -> bytes:
    return json.dumps(rows, ensure_ascii=False, **LAYOUTS[layout]).encode()


def a_line_each(rows: list[Any]) -> bytes:
    return b"[" + b",\n".join(lines([row])[:-1] for row in rows) + b"]\n"


def columns_of(data: bytes, *, in_list: bool) -> list[dict[str, Any]] | None:
    frame = Templates(KINDS).frame(data, in_list=in_list)
    return None if frame is None else frame.to_dicts()


@pytest.mark.parametrize("rows", [PLAIN, ROWS])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_list_in_any_layout_is_cut_into_columns(rows: list[Any], layout: str) -> None:
    # Indented, nothing but a brace ends an object, which one of the texts has too.
    known = None if rows is ROWS and layout != "spaced" else rows
    if layout == "spaced":
        assert columns_of(a_line_each(rows), in_list=True) == rows
    else:
        assert columns_of(listed(rows, layout), in_list=True) == known


@pytest.mark.parametrize("layout", ["compact", "spaced"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_lines_are_cut_into_columns(layout: str, end: bytes) -> None:
    data = lines(ROWS, layout)
    data = data.replace(b"\n", end) if end else data[:-1]
    assert columns_of(data, in_list=False) == ROWS


def test_texts_with_one_separator_are_cut_at_another() -> None:
    for text in ("12:30", "a, b", 'a "b"', "12:30, b"):
        rows = [{**row, "né": text} for row in PLAIN]
        assert columns_of(lines(rows), in_list=False) == rows
    assert columns_of(lines([{**row, "né": '12:30, "b"'} for row in PLAIN]), in_list=False) is None


@pytest.mark.parametrize(
    "other",
    [
        '{"né": "", "id": 1, "of": 1, "on": true, "": "", "no": null, "nor": null}',
        '{"id": 1, "né": "", "of": 1, "on": true, "": "", "nor": null}',
        '{"id": 1, "né": "", "of": 1, "on": true, "": "", "no": null, "nor": null, "more": 1}',
        '{"id": 1, "id": 1, "né": "", "of": 1, "on": true, "": "", "no": null, "nor": null}',
        '{"id": 1.0, "né": "", "of": 1, "on": true, "": "", "no": null, "nor": null}',
        '{"id": -0, "né": "", "of": 1, "on": true, "": "", "no": null, "nor": null}',
        '{"id": 9223372036854775808, "né": "", "of": 1, "on": true, "": "", "no": null, "nor": null}',
        '{"id": "1", "né": "", "of": 1, "on": true, "": "", "no": null, "nor": null}',
        '{"id": 1, "né": 1, "of": 1, "on": true, "": "", "no": null, "nor": null}',
        '{"id": 1, "né": ", "of": 1, "on": true, "": "", "no": null, "nor": null}',
        '{"id": 1, "né": [], "of": 1, "on": true, "": "", "no": null, "nor": null}',
        '{"id": 1, "né": "\\ud800", "of": 1, "on": true, "": "", "no": null, "nor": null}',
        '{"id": 1, "né": "\t", "of": 1, "on": true, "": "", "no": null, "nor": null}',
        '{"id": 1, "né": "", "of": NaN, "on": true, "": "", "no": null, "nor": null}',
        '{"id": 1, "né": "", "of": 1e400, "on": true, "": "", "no": null, "nor": null}',
        '{"id": 1, "né": "", "of": 0.12345678901234567890, "on": true, "": "", "no": null, "nor": null}',
        '{"id": 1, "né": "", "of": 1000000000000000, "on": true, "": "", "no": null, "nor": null}',
        '{"id": 1, "né": "", "of": +1, "on": true, "": "", "no": null, "nor": null}',
        '{"id": 1, "né": "", "of": 01.5, "on": true, "": "", "no": null, "nor": null}',
        '{"id": 1, "né": "", "of": 1, "on": 1, "": "", "no": null, "nor": null}',
        '{"id": 1, "né": "", "of": 1, "on": true, "": "", "no": 1, "nor": null}',
        '{"id": 1, "né": "",  "of": 1, "on": true, "": "", "no": null, "nor": null}',
        "",
        "{}",
    ],
)
def test_what_is_written_otherwise_is_left_to_other_ways(other: str) -> None:
    assert columns_of(lines(PLAIN) + other.encode() + b"\n" + lines(PLAIN), in_list=False) is None
    assert columns_of(a_line_each(PLAIN)[:-2] + b",\n" + other.encode() + b"]", in_list=True) is None


@pytest.mark.parametrize("damage", [(b'Ann"', b'Ann\r"'), (b"1.5,", b"1.5\r,"), (b"null}\n", b"null}\r\r\n")])
def test_carriage_returns_are_not_line_separators_of_records(damage: tuple[bytes, bytes]) -> None:
    assert columns_of(lines(PLAIN), in_list=False) == PLAIN
    assert columns_of(lines(PLAIN).replace(*damage), in_list=False) is None


@pytest.mark.parametrize("more", [b":", b'"', b",", b"}", b" {"])
def test_nothing_follows_on_the_last_object(more: bytes) -> None:
    assert columns_of(lines(PLAIN)[:-1], in_list=False) == PLAIN
    assert columns_of(lines(PLAIN)[:-1] + more, in_list=False) is None
    assert columns_of(a_line_each(PLAIN)[:-2] + more + b"]", in_list=True) is None


EDITS = st.lists(
    st.tuples(
        st.floats(0, 1, exclude_max=True), st.integers(0, 3), st.sampled_from(list(b'",:{}[]\\ \n\r\t\x010e.-n'))
    ),
    min_size=1,
    max_size=3,
)


def strictly(data: bytes) -> Any:
    """The values of JSON text, of which no key occurs twice."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(pairs)) == len(pairs)
        return dict(pairs)

    def exact(digits: str) -> float:
        value = exact_float(Number(digits))
        assert value is not None
        return value

    return json.loads(data.decode(), object_pairs_hook=unique, parse_float=exact)


@pytest.mark.examples
@settings(max_examples=examples(1500), deadline=None)
@given(
    edits=EDITS,
    write=st.sampled_from(
        [lines, a_line_each, lambda rows: listed(rows, "compact"), lambda rows: listed(rows, "indented")]
    ),
    rows=st.sampled_from([ROWS, PLAIN]),
)
def test_no_other_text_is_taken_for_rows(edits: list[tuple[float, int, int]], write: Any, rows: list[Any]) -> None:
    data = bytearray(write(rows))
    templates = Templates(KINDS)
    in_list = write is not lines
    templates.frame(bytes(data), in_list=in_list)
    for place, removed, added in edits:
        at = int(place * len(data))
        data[at : at + removed] = bytes([added]) * (removed != 1)
    frame = templates.frame(bytes(data), in_list=in_list)
    if frame is not None:
        whole = strictly(data) if in_list else [strictly(line) for line in data.split(b"\n") if line.strip()]
        assert [list(row) for row in whole] == [frame.columns] * len(whole)
        assert frame.to_dicts() == whole


def test_columns_are_made_of_templates_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def careful(data: bytes) -> list[Any]:
        raise AssertionError

    monkeypatch.setattr(json_proofs, "encode_lines", careful)
    reader = json_objects._Reader({name: Type(kind or "null") for name, kind in KINDS.items()}, exact=False)
    assert reader.frame(Block(lines(ROWS), careful, in_list=False)).to_dicts() == ROWS
