"""Vectors of JSON: digits, keys, nesting, and rows made of documents."""

from __future__ import annotations

import io
import json
from xml.etree import ElementTree

import polars
import pyarrow

from tests.converters.vector import Vector, fail, refuse, take
from tests.families.data.checks import contains, equal, gives, is_text, schema_is
from tests.families.data.seen import from_html, from_markdown, from_xlsx

_NUMBERS = (
    b'{"big": 123456789012345678901234567890, "money": 1.10, "huge": 1e400, "small": 1E-7,'
    b' "u": "caf\\u00e9 \\ud83d\\ude00"}'
)
_NESTED = json.dumps(
    [
        {"id": 1, "who": {"name": "Ada", "tags": ["x", "y"]}},
        {"id": 2, "who": {"name": "Bob", "age": 5}, "list": [{"a": 1}]},
    ]
).encode()


def _same_digits(data: bytes) -> None:
    assert (
        data.decode()
        == _NUMBERS.decode()
        .replace(": ", ":")
        .replace(", ", ",")
        .replace("\\u00e9", "é")
        .replace("\\ud83d\\ude00", "😀")
        + "\n"
    )


_DEEP = b'{"a": ' + b"[" * 511 + b"1" + b"]" * 511 + b"}"
_DEEP_OBJECTS = b'{"a": ' * 512 + b"1" + b"}" * 512


def _maps() -> bytes:
    tags = pyarrow.array([[("a", 1), ("b", None)], None], pyarrow.map_(pyarrow.string(), pyarrow.int64()))
    file = io.BytesIO()
    polars.from_arrow(pyarrow.table({"tags": tags})).write_parquet(file)
    return file.getvalue()


VECTORS: tuple[Vector, ...] = (
    Vector(
        "json-to-json",
        "a document",
        "ordinary",
        lambda: b'{"a":[1,{"b":null}],"c":"\xc3\xa9"}',
        check=is_text('{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": "é"\n}\n'),
    ),
    take("json-to-json", "numbers keep their digits", _NUMBERS, lambda data: _same_digits(data), indent=0),
    take(
        "json-to-json",
        "sorted keys on one line",
        b'{"b": 1.10, "a": [{"d": 1, "c": 2}]}',
        is_text('{"a":[{"c":2,"d":1}],"b":1.10}\n'),
        indent=0,
        sortKeys=True,
    ),
    take(
        "json-to-json",
        "a key twice and half a surrogate pair",
        b'{"a": 1, "a": 2, "s": "x\\ud800"}',
        gives({"a": 2, "s": "x\ufffd"}),
        "DUPLICATE_KEY",
        "ENCODING_REPLACED",
    ),
    take("json-to-json", "an empty list", b" [ ] ", is_text("[]\n")),
    fail("json-to-json", "text after the end", b'{"a": 1}\n{"b": 2} x', line=2, column=10),
    fail("json-to-json", "lists in lists without end", b"[" * 100_000, line=1, column=514),
    fail(
        "json-to-xlsx",
        "lists too deep in an object",
        b'{"a": "[",\n"b": ' + b"[" * 600 + b"]" * 600 + b"}",
        line=2,
        column=517,
    ),
    take("json-to-yaml", "lists as deep as may be", _DEEP, lambda data: equal(data.count(b"- "), 511)),
    take("json-to-toml", "lists as deep as may be", _DEEP, lambda data: equal(data.count(b"["), 511)),
    take("json-to-xml", "lists as deep as may be", _DEEP, lambda data: equal(data.count(b"<item>"), 510)),
    take("json-to-json", "lists as deep as may be", _DEEP, lambda data: equal(data.count(b"["), 511), indent=0),
    take("json-to-csv", "lists as deep as may be", _DEEP, lambda data: equal(data.count(b"["), 511)),
    take("json-to-html", "objects as deep as may be", _DEEP_OBJECTS, lambda data: contains(data, "<td>1</td>")),
    fail("json-to-json", "Latin-1", '{"a": "é"}'.encode("latin-1"), line=1, column=8),
    fail("json-to-json", "a number with a leading zero", b'{"a": 01}', line=1, column=8),
    take(
        "json-to-ndjson",
        "a list of unlike values",
        b'[1, "a", null, {"b": [1.10]}]',
        is_text('1\n"a"\nnull\n{"b":[1.10]}\n'),
    ),
    take(
        "json-to-yaml",
        "numbers and structure",
        _NUMBERS,
        lambda data: contains(
            data, "big: 123456789012345678901234567890\nmoney: 1.10\nhuge: 1e400\nsmall: 1E-7\nu: café 😀\n"
        ),
    ),
    take(
        "json-to-toml",
        "nulls and integers that TOML lacks",
        b'{"a": null, "b": [1, null], "c": 18446744073709551616, "d": 1.10}',
        is_text('b = [\n    1,\n    "",\n]\nc = "18446744073709551616"\nd = 1.10\n'),
        "CONTENT_DROPPED",
        "VALUE_CONVERTED",
    ),
    take(
        "json-to-xml",
        "attributes, text, lists and odd keys",
        b'{"@v": "1", "#text": "t", "a b": [1, [2, 3], {"@x": "<\\"\\n", "#text": "&"}], "e": []}',
        lambda data: equal(
            ElementTree.canonicalize(data.decode(), strip_text=True),
            '<root v="1">t<a_b>1</a_b><a_b><item>2</item><item>3</item></a_b>'
            '<a_b x="&lt;&quot;&#xA;">&amp;</a_b></root>',
        ),
        "COLUMN_RENAMED",
        "CONTENT_DROPPED",
    ),
    take(
        "json-to-xlsx",
        "nested objects as columns, numbers as numbers",
        _NESTED,
        lambda data: equal(
            from_xlsx(data),
            [
                ["id", "who.name", "who.tags", "who.age", "list"],
                ["1", "Ada", '["x","y"]', "", ""],
                ["2", "Bob", "", "5", '[{"a":1}]'],
            ],
        ),
    ),
    take(
        "json-to-html",
        "lists joined",
        _NESTED,
        lambda data: equal(from_html(data)[1], ["1", "Ada", "x + y", "", ""]),
        arrays="join",
        joinWith=" + ",
    ),
    take(
        "json-to-markdown",
        "lists as columns",
        _NESTED,
        lambda data: equal(
            from_markdown(data)[0], ["id", "who/name", "who/tags/0", "who/tags/1", "who/age", "list/0/a"]
        ),
        arrays="columns",
        separator="/",
    ),
    take(
        "json-to-xlsx",
        "objects left as they are",
        _NESTED,
        lambda data: equal(from_xlsx(data)[1][:2], ["1", '{"name":"Ada","tags":["x","y"]}']),
        flatten=False,
    ),
    take(
        "json-to-xlsx",
        "rows deep in a document",
        b'{"data": {"items": [{"a": 1}, {"a": 2}]}}',
        lambda data: equal(from_xlsx(data), [["a"], ["1"], ["2"]]),
        rowPath="data.items",
    ),
    take(
        "json-to-xlsx",
        "two paths of one name",
        b'[{"a.b": 1, "a": {"b": 2}}]',
        lambda data: equal(from_xlsx(data), [["a.b", "a.b"], ["1", "2"]]),
        "COLUMN_COLLISION",
    ),
    take(
        "json-to-xlsx",
        "integers of many digits",
        b'[{"a": 1234567890123456}]',
        lambda data: equal(from_xlsx(data), [["a"], ["1234567890123456"]]),
        "VALUE_CONVERTED",
    ),
    take(
        "json-to-html",
        "lists of lists",
        b"[[1, 2], [3]]",
        lambda data: equal(from_html(data), [["0", "1"], ["1", "2"], ["3", ""]]),
    ),
    take(
        "json-to-html",
        "lines of values",
        b'{"a": 1}\n{"a": 2}\n',
        lambda data: equal(from_html(data), [["a"], ["1"], ["2"]]),
    ),
    take(
        "json-to-html",
        "a late key",
        json.dumps([{"a": 1}] * 5000 + [{"b": 2}]).encode(),
        lambda data: equal((from_html(data)[0], from_html(data)[-1]), (["a", "b"], ["", "2"])),
    ),
    fail("json-to-html", "objects and numbers mixed", b'[{"a": 1}, 2]'),
    refuse("json-to-html", "a path to nowhere", lambda: b'{"a": []}', rowPath="b"),
    take(
        "json-to-parquet",
        "columns of one type and of several",
        b'[{"a": 1, "b": 1, "c": 1, "d": null}, {"a": 2, "b": 1.5, "c": "x", "d": null}]',
        lambda data: schema_is(data, {"a": polars.Int64, "b": polars.Float64, "c": polars.String, "d": polars.String}),
        "VALUE_CONVERTED",
    ),
    take("parquet-to-json", "maps", _maps, gives([{"tags": {"a": 1, "b": None}}, {"tags": None}])),
)
