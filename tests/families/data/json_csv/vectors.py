"""Test vectors of JSON and NDJSON to CSV and TSV: each sentence of the rules has one."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

from engine.toolkit.options import Value
from tests.converters.vector import Vector, fail, take

Source = str | bytes | Callable[[], bytes]

ORDERS = [
    {
        "id": 1001,
        "placed": "2024-03-01T09:30:00Z",
        "customer": {
            "name": "Ada Lovelace",
            "email": "ada@example.com",
            "address": {"city": "London", "zip": "W1J 7NT"},
        },
        "lines": [{"sku": "A-1", "amount": 2}, {"sku": "B-7", "amount": 1}],
        "total": 59.9,
        "paid": True,
    },
    {
        "id": 1002,
        "placed": "2024-03-01T10:02:11Z",
        "customer": {"name": "Müller, Jörg", "email": None, "address": {"city": "Köln", "zip": "01067"}},
        "lines": [],
        "total": 0.1,
        "paid": False,
        "note": 'asked for "express"\ndelivery',
    },
]
_HEAD = "id placed customer.name customer.email customer.address.city customer.address.zip lines total paid note"
ORDER_ROWS = [
    _HEAD.split(),
    [
        *("1001", "2024-03-01T09:30:00Z", "Ada Lovelace", "ada@example.com", "London", "W1J 7NT"),
        *('[{"sku":"A-1","amount":2},{"sku":"B-7","amount":1}]', "59.9", "true", ""),
    ],
    [
        *("1002", "2024-03-01T10:02:11Z", "Müller, Jörg", "", "Köln", "01067"),
        *("[]", "0.1", "false", 'asked for "express"\ndelivery'),
    ],
]


def _bytes(source: Source) -> Callable[[], bytes]:
    if callable(source):
        return source
    data = source.encode() if isinstance(source, str) else source
    return lambda: data


def _reads(rows: list[list[str]], delimiter: str = ",") -> Callable[[bytes], None]:
    def check(output: bytes) -> None:
        text = output.decode()
        assert list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)) == rows

    return check


def _is(expected: str | bytes) -> Callable[[bytes], None]:
    def check(output: bytes) -> None:
        assert output == (expected.encode() if isinstance(expected, str) else expected)

    return check


def _awkward(
    name: str, source: Source, expected: str | bytes, warnings: str = "", slug: str = "json-to-csv", **options: Value
) -> Vector:
    return take(slug, name, _bytes(source), _is(expected), *(warnings.split()), **options)


def _failing(
    name: str, source: Source, line: int | None = None, column: int | None = None, slug: str = "json-to-csv"
) -> Vector:
    return fail(slug, name, _bytes(source), line, column)


def _many() -> bytes:
    """More than the standard library is used for: 2,000 rows whose keys grow, with digits that must stay."""
    rows = [f'{{"id":{n},"price":{n}.10,"at":{{"x":1e5,"y":null}},"text":"a, {n}"}}' for n in range(2000)]
    rows[1500] = '{"id":18446744073709551616,"late":"=x","at":null,"text":"\\ud83d\\ude00 \\"quoted\\""}'
    return f"[\n{','.join(rows)}\n]".encode()


def _many_check(output: bytes) -> None:
    rows = list(csv.reader(io.StringIO(output.decode(), newline="")))
    assert rows[0] == ["id", "price", "at.x", "at.y", "text", "late"]
    assert rows[1] == ["0", "0.10", "1e5", "", "a, 0", ""]
    assert rows[1501] == ["18446744073709551616", "", "", "", '\U0001f600 "quoted"', "=x"]
    assert len(rows) == 2001


def _large_fault() -> bytes:
    return b"[\n" + b'{"a": 1, "b": "text of some length"},\n' * 3000 + b'{"a": 1, "b": nan}\n]'


VECTORS: tuple[Vector, ...] = (
    Vector(
        "json-to-csv", "orders", "ordinary", lambda: json.dumps(ORDERS, indent=2).encode(), check=_reads(ORDER_ROWS)
    ),
    Vector("json-to-tsv", "orders", "ordinary", lambda: json.dumps(ORDERS).encode(), check=_reads(ORDER_ROWS, "\t")),
    Vector(
        "ndjson-to-csv",
        "orders",
        "ordinary",
        lambda: "".join(json.dumps(order) + "\n" for order in ORDERS).encode(),
        check=_reads(ORDER_ROWS),
    ),
    Vector(
        "ndjson-to-tsv",
        "orders",
        "ordinary",
        lambda: "\r\n".join(json.dumps(order) for order in ORDERS).encode(),
        check=_reads(ORDER_ROWS, "\t"),
    ),
    Vector(
        "json-to-csv",
        "many rows whose keys grow",
        "ordinary",
        _many,
        check=_many_check,
        warnings=frozenset({"FORMULA_TEXT"}),
    ),
    # What an item is
    _awkward("one object is one row", '{\n "a": 1,\n "b": {"c": 2}\n}', "a,b.c\r\n1,2\r\n"),
    _awkward("lines instead of an array", '{"a":1}\n\n{"b":2}\r\n', "a,b\r\n1,\r\n,2\r\n"),
    _awkward("lines of arrays", "[1,2]\n[3]", "0,1\r\n1,2\r\n3,\r\n"),
    _awkward("scalars", '["x", 1.0, null, "", false]', 'value\r\nx\r\n1.0\r\n""\r\n""\r\nfalse\r\n'),
    _awkward("one scalar", "42", "value\r\n42\r\n"),
    _awkward("arrays", '[[1,"x"],[],[{"a":2},[3, 4],5]]', '0,1,0.a,2\r\n1,x,,\r\n,,,\r\n,"[3,4]",2,5\r\n'),
    _awkward("no item", " [ ] ", "", "CONTENT_DROPPED"),
    _awkward("only empty items", "[{},{}]", "", "CONTENT_DROPPED"),
    _awkward("an empty item is a row", '[{"a":1,"b":2},{}]', "a,b\r\n1,2\r\n,\r\n"),
    # Columns
    _awkward("union in order of appearance", '[{"b":1},{"a":2,"b":3},{"c":4}]', "b,a,c\r\n1,,\r\n3,2,\r\n,,4\r\n"),
    _awkward("nested keys by appearance", '[{"a":{"x":1},"b":2},{"a":{"y":3}}]', "a.x,b,a.y\r\n1,2,\r\n,,3\r\n"),
    _awkward("null beside nested keys", '[{"a":null,"b":1},{"a":{"c":2}}]', "b,a.c\r\n1,\r\n,2\r\n"),
    _awkward("only null", '[{"a":null},{"a":null,"b":1}]', "a,b\r\n,\r\n,1\r\n"),
    _awkward("a value beside nested keys", '[{"a":1},{"a":{"b":2}}]', "a,a.b\r\n1,\r\n,2\r\n"),
    _awkward("separator", '[{"a":{"b":{"c":1}}}]', "a__b__c\r\n1\r\n", separator="__"),
    _awkward(
        "nested stay JSON text", '[{"a":{"b": 1.50, "c": " "}}]', 'a\r\n"{""b"":1.50,""c"":"" ""}"\r\n', flatten=False
    ),
    _awkward("empty objects and arrays", '[{"a":{},"b":[ ]},{"a":{"c":1}}]', "a,b,a.c\r\n{},[],\r\n,,1\r\n"),
    _awkward("a key twice", '[{"a":1,"b":2,"a":3}]', "a,b\r\n3,2\r\n", "DUPLICATE_KEY"),
    _awkward("a key twice with an escape", '[{"a":1,"\\u0061":3}]', "a\r\n3\r\n", "DUPLICATE_KEY"),
    _awkward("two ways to one name", '[{"a.b":1,"a":{"b":2}}]', "a.b,a.b\r\n1,2\r\n", "COLUMN_COLLISION"),
    _awkward("letter case makes two keys", '[{"a":1,"A":2}]', "a,A\r\n1,2\r\n"),
    _awkward("keys with escapes", '[{"a\\"b":1,"c,d":2,"":3,"x\\n":4}]', '"a""b","c,d","","x\n"\r\n1,2,3,4\r\n'),
    # Values
    _awkward("missing, null and empty", '[{"a":"","b":null},{"b":1}]', 'a,b\r\n"",\r\n,1\r\n'),
    _awkward(
        "digits stay as written",
        "[18446744073709551616, 9007199254740993, 1.10, 1e400, 1E5, -0, 1, 1.5, 0.1e-7]",
        "value\r\n18446744073709551616\r\n9007199254740993\r\n1.10\r\n1e400\r\n1E5\r\n-0\r\n1\r\n1.5\r\n0.1e-7\r\n",
    ),
    _awkward(
        "texts stay text",
        '["007","1e5","2024-01-02","null","true","NaN"," x "]',
        "value\r\n007\r\n1e5\r\n2024-01-02\r\nnull\r\ntrue\r\nNaN\r\n x \r\n",
    ),
    _awkward(
        "quoting", '["a,b","a\\"b","a\\rb","a\\nb","a;b"]', 'value\r\n"a,b"\r\n"a""b"\r\n"a\rb"\r\n"a\nb"\r\na;b\r\n'
    ),
    _awkward("arrays are JSON text", '[{"a":[1.10, "x,y", {"b": null}]}]', 'a\r\n"[1.10,""x,y"",{""b"":null}]"\r\n'),
    _awkward(
        "arrays joined",
        '[{"a":["x", 1.0, null, [2]]},{"a":[]}]',
        'a\r\nx|1.0||[2]\r\n""\r\n',
        arrays="join",
        joinWith="|",
    ),
    _awkward(
        "arrays as columns",
        '[{"a":[1,{"b":2}]},{"a":[3,4,[]]}]',
        "a.0,a.1.b,a.1,a.2\r\n1,2,,\r\n3,,4,[]\r\n",
        arrays="columns",
    ),
    _awkward(
        "lone surrogate", '["a\\ud800","\\ud83d\\ude00"]', "value\r\na\ufffd\r\n\U0001f600\r\n", "ENCODING_REPLACED"
    ),
    # Output
    _awkward("delimiter", '[{"a":"x;y","b":"1,5"}]', 'a;b\r\n"x;y";1,5\r\n', delimiter=";"),
    _awkward("tab as delimiter", '[{"a":"x\\ty","b":1}]', 'a\tb\r\n"x\ty"\t1\r\n', delimiter="\t"),
    _awkward("delimiter that numbers have", '[{"a":1.5,"b":"x.y"}]', 'a.b\r\n"1.5"."x.y"\r\n', delimiter="."),
    _awkward("no header", '[{"a":1}]', "1\r\n", header=False),
    _awkward("byte order mark", '[{"a":"é"}]', b"\xef\xbb\xbfa\r\n\xc3\xa9\r\n", bom=True),
    _awkward("line feeds", '[{"a":1},{"a":"x\\ny"}]', 'a\n1\n"x\ny"\n', lineEnding="lf"),
    _awkward("quote all", '[{"a":1,"b":"x","c":null,"d":""}]', '"a","b","c","d"\r\n"1","x",,""\r\n', quote="all"),
    _awkward(
        "formulas escaped",
        '[{"a":"=1+1","b":"@x","c":-5,"d":"-5","e":"-5+1","f":"\\t=1"}]',
        "a,b,c,d,e,f\r\n'=1+1,'@x,-5,-5,'-5+1,'\t=1\r\n",
        escapeFormulas=True,
    ),
    _awkward("formula warned of", '[{"a":"=1+1"}]', "a\r\n=1+1\r\n", "FORMULA_TEXT"),
    # Input
    _awkward("byte order mark in", b'\xef\xbb\xbf[{"a":"\xc3\xa9"}]', "a\r\né\r\n"),
    _awkward("UTF-16", '[{"a":"é"}]'.encode("utf-16"), "a\r\né\r\n"),
    _awkward("UTF-16 without mark", '[{"a":"é"}]'.encode("utf-16-be"), "a\r\né\r\n"),
    _awkward("UTF-32", '[{"a":"é"}]'.encode("utf-32"), "a\r\né\r\n"),
    _awkward("tabs in cells", '[{"a":"x\\ty","b":"x,y"}]', 'a\tb\r\n"x\ty"\tx,y\r\n', slug="json-to-tsv"),
    _awkward("no end of the last line", '{"a":"x"}\n{"a":[1]}', "a\r\nx\r\n[1]\r\n", slug="ndjson-to-csv"),
    _awkward("a value over two lines", '{"a":1}\n{"a":\n2}', "a\r\n1\r\n2\r\n", slug="ndjson-to-csv"),
    _awkward("an array of lines", '[{"a":1},\n{"a":2}]', "a\r\n1\r\n2\r\n", slug="ndjson-to-tsv"),
    _awkward("scalars in lines", '1\n"x\\ty"\n', 'value\r\n1\r\n"x\ty"\r\n', slug="ndjson-to-tsv"),
    # Not convertible
    _failing("a mix", '[{"a":1},\n {"a":2}, 3]', 2, 11),
    _failing("a mix of arrays and values", "[[1], 2]", 1, 7),
    _failing("null among objects", '[{"a":1}, null]', 1, 11),
    _failing("text after the end", '[{"a":1}] x', 1, 11),
    _failing("two values in one line", '{"a":1} 2', 1, 9),
    _failing("no end", '[{"a":1}', 1, 9),
    _failing("no end of a line", '{"a":1}\n{"a":', 2, 6, slug="ndjson-to-tsv"),
    _failing("two commas before the end", '[{"a":1},\n,]', 2, 1),
    _failing("nan in small letters", '[\n{"a": nan}]', 2, 7),
    _failing("part of Infinity in an array", '[{"a":["NaN", -Inf]}]', 1, 15),
    _failing("single quotes", "[{'a': 1}]", 1, 3),
    _failing("control character", '[{"é":"\x01"}]', 1, 8),
    _failing("leading zero", '[{"a":01}]', 1, 8),
    _failing("Latin-1", '[{"a":"é"}]'.encode("latin-1"), 1, 8),
    _failing("broken UTF-16", b"\xff\xfe" + '["é"]'.encode("utf-16-le")[:-1]),
    _failing("deep nesting", b"[" * 100_000),
    _failing("deep objects", b'{"a":' * 100_000),
    _failing("blank", " \n ", 2, 2),
    _failing("fault far inside", _large_fault, 3002, 15),
    _failing("keys that are all different", lambda: b"[" + b",".join(b'{"key%d":1}' % n for n in range(8000)) + b"]"),
    _failing("not JSON", "<html></html>", 1, 1, slug="json-to-tsv"),
)
