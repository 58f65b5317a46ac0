"""Vectors of what people do with tables on the way: choosing, sorting, cutting and unwinding rows, renaming columns."""

from __future__ import annotations

import io

import openpyxl

from tests.converters.vector import Vector, refuse, take
from tests.families.data.checks import contains, equal, gives, is_text
from tests.families.data.files import workbook
from tests.families.data.seen import unzipped

_SALES = b"name,price,city,day\nAda,10,Rome,2024-01-02\nBob,9,Paris,2024-01-03\nCy,100,,2023-05-05\nDi,N/A,Rome,\n"
_ORDER = b"<order id='7'><customer>Ada</customer>%b<total>9</total></order>"
_LINE = b"<line><sku>%b</sku></line>"
_TWO_LISTS = b"<a><x><n>1</n></x><x><n>2</n></x><y><n>3</n></y><y><n>4</n></y></a>"


def _sheets(data: bytes) -> dict[str, list[tuple[object, ...]]]:
    book = openpyxl.load_workbook(io.BytesIO(data))
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book}


VECTORS: tuple[Vector, ...] = (
    take(
        "csv-to-json",
        "rows above a price, from high to low, two columns, one renamed",
        _SALES,
        gives([{"amount": "100", "name": "Cy"}, {"amount": "10", "name": "Ada"}]),
        "NOT_COMPARABLE",
        where="price > 9",
        sort="-price",
        columns="price as amount, name",
    ),
    take(
        "csv-to-tsv",
        "a regular expression that would take others for ever, and a date",
        _SALES,
        is_text("name\tprice\tcity\tday\r\nAda\t10\tRome\t2024-01-02\r\n"),
        where='name matches "^(A+)+d" and day >= 2024-01-01',
    ),
    take(
        "csv-to-xlsx",
        "one row at most, after the first two lines",
        b"A report\n\n" + _SALES,
        lambda data: equal(len(_sheets(data)["Sheet1"]), 2),
        "COLUMN_TEXT",
        skipRows=2,
        limit=1,
    ),
    take(
        "json-to-csv",
        "rows at a path, one for each item of a list",
        b'{"data": {"orders": [{"no": 1, "lines": [{"sku": "A", "n": 1.10}, {"sku": "B"}]}, {"no": 2, "lines": []}]}}',
        is_text("no,lines.sku,lines.n\r\n1,A,1.10\r\n1,B,\r\n2,,\r\n"),
        rowPath="data.orders",
        unwind="lines",
    ),
    take(
        "ndjson-to-tsv",
        "rows whose nested key is one of some values, skipped and cut",
        b'{"a":{"b":"x"}}\n{"a":{"b":"y"}}\n{"a":{"b":"x"},"c":2}\n{"a":{"b":"z"}}\n',
        is_text("a.b\tc\r\ny\t\r\nx\t2\r\n"),
        where='a.b in ("x", "y")',
        skipRows=1,
        limit=5,
    ),
    take(
        "json-to-pdf",
        "rows chosen before they are drawn",
        b'[{"a": "seen"}, {"a": "hidden"}]',
        lambda data: equal(data[:5], b"%PDF-"),
        where='a = "seen"',
    ),
    take(
        "xlsx-to-csv",
        "a column with a space in its name",
        lambda: workbook({"S": [["unit price", "n"], [3, "a"], [10, "b"], [2, "c"]]}),
        is_text("n\r\nb\r\na\r\n"),
        where="[unit price] > 2.5",
        sort="-unit price",
        columns="n",
    ),
    take(
        "html-to-json",
        "a table below its title",
        b"<table><tr><td>Prices<tr><td>a<td>b<tr><td>1<td>2</table>",
        gives([{"a": "1", "b": "2"}]),
        skipRows=1,
    ),
    take(
        "csv-to-json",
        "the line with which Excel names the delimiter",
        b'sep=;\r\na;b\r\n1;"2,3"\r\n',
        gives([{"a": "1", "b": "2,3"}]),
    ),
    take(
        "json-to-csv",
        "rows of one column without a value stay rows",
        b'[{"a": null}, {"a": "x"}, {}, {"a": ""}]',
        is_text('a\r\n""\r\nx\r\n""\r\n""\r\n'),
    ),
    take(
        "json-to-csv",
        "a line for Excel",
        b'[{"a": 1, "b": 2}]',
        is_text("sep=;\r\na;b\r\n1;2\r\n"),
        delimiter=";",
        sepLine=True,
    ),
    take(
        "ndjson-to-csv",
        "a line for Excel",
        b'{"a": 1, "b": 2}',
        is_text("sep=,\na,b\n1,2\n"),
        sepLine=True,
        lineEnding="lf",
    ),
    take(
        "csv-to-csv",
        "a line for Excel, from Excel",
        b"sep=|\na|b\n1|2\n",
        is_text("sep=,\r\na,b\r\n1,2\r\n"),
        sepLine=True,
    ),
    take("csv-to-json", "an empty cell in the one column", b'a\n""\n1\n', gives([{"a": ""}, {"a": "1"}])),
    take(
        "xml-to-csv",
        "what stands beside a list, in each of its rows",
        _ORDER % (_LINE % b"A" + _LINE % b"B"),
        is_text("@id,customer,line.sku,total\r\n7,Ada,A,9\r\n7,Ada,B,9\r\n"),
        "FORMULA_TEXT",
    ),
    take(
        "xml-to-csv",
        "one item in place of two",
        _ORDER % (_LINE % b"A"),
        is_text("@id,customer,line.sku,total\r\n7,Ada,A,9\r\n"),
        "FORMULA_TEXT",
    ),
    take("xml-to-csv", "two rows", b"<r><i><a>1</a></i><i><a>2</a></i></r>", is_text("a\r\n1\r\n2\r\n")),
    take("xml-to-csv", "one row", b"<r><i><a>1</a></i></r>", is_text("a\r\n1\r\n")),
    take("xml-to-csv", "single values", b"<r><i>1</i><i>2</i></r>", is_text("i\r\n1\r\n2\r\n")),
    take(
        "xml-to-json",
        "a second list is there in a document",
        _TWO_LISTS,
        gives({"a": {"x": [{"n": "1"}, {"n": "2"}], "y": [{"n": "3"}, {"n": "4"}]}}),
    ),
    take("xml-to-csv", "a second list is named", _TWO_LISTS, is_text("n\r\n1\r\n2\r\n"), "CONTENT_DROPPED"),
    take("xml-to-csv", "a second list by its path", _TWO_LISTS, is_text("n\r\n3\r\n4\r\n"), rowPath="a.y"),
    take(
        "xml-to-csv",
        "every list in an archive",
        _TWO_LISTS,
        lambda data: equal(unzipped(data), {"x.csv": b"n\r\n1\r\n2\r\n", "y.csv": b"n\r\n3\r\n4\r\n"}),
        output="zip",
        sheets="all",
    ),
    take(
        "xml-to-xlsx",
        "every list on a sheet",
        _TWO_LISTS,
        lambda data: equal(_sheets(data), {"x": [("n",), ("1",), ("2",)], "y": [("n",), ("3",), ("4",)]}),
    ),
    take(
        "xml-to-csv",
        "namespaces are no columns, an empty row is a row",
        b'<r xmlns="u"><i><a>1</a><b/></i><i/></r>',
        is_text("a,b\r\n1,\r\n,\r\n"),
        "CONTENT_DROPPED",
    ),
    take(
        "toml-to-csv",
        "what stands beside a list",
        b'title = "x"\n[owner]\nname = "Ada"\n[[rows]]\na = 1\n[[rows]]\na = 2\n',
        is_text("title,owner.name,rows.a\r\nx,Ada,1\r\nx,Ada,2\r\n"),
    ),
    take(
        "toml-to-markdown",
        "a second list is named",
        b"[[x]]\na = 1\n[[y]]\nb = 2\n",
        lambda data: contains(data, "| 1 |"),
        "CONTENT_DROPPED",
    ),
    take(
        "json-to-ndjson",
        "items at a path, by what is in them, from high to low",
        b'{"d": [{"n": 1, "a": {"b": "x"}}, {"n": 3, "a": {"b": "x"}}, {"n": 2, "a": {"b": "y"}}, {"n": 4}]}',
        is_text('{"n":3,"a":{"b":"x"}}\n{"n":1,"a":{"b":"x"}}\n'),
        rowPath="d",
        where='a.b = "x"',
        sort="-n",
    ),
    take(
        "json-to-yaml",
        "one item for each of a list, some of its keys",
        b'[{"no": 1.10, "l": [{"s": "A"}, {"s": "B"}]}, {"no": 2, "l": []}]',
        is_text("- sku: A\n  'no': 1.10\n- sku: B\n  'no': 1.10\n- 'no': 2\n"),
        unwind="l",
        columns="l.s as sku, no",
    ),
    take(
        "json-to-json",
        "some of the items",
        b'[{"a": 1}, {"a": "N/A"}, {"a": 3}, {"a": 4}]',
        is_text('[{"a":3}]\n'),
        "NOT_COMPARABLE",
        indent=0,
        where="a > 1",
        skipRows=1,
        limit=1,
    ),
    take("xml-to-json", "a second list by its path", _TWO_LISTS, gives([{"n": "3"}, {"n": "4"}]), rowPath="a.y"),
    take("ndjson-to-json", "the first line", b'{"a": 1}\n{"a": 2}\n', gives([{"a": 1}]), limit=1),
    refuse("json-to-yaml", "a name that no item has", lambda: b'[{"a": 1}]', where="b = 1"),
    refuse("yaml-to-json", "a path to nowhere", lambda: b"a: 1\n", rowPath="b"),
    refuse("csv-to-json", "a condition that ends too early", lambda: _SALES, where="price >"),
    refuse("csv-to-json", "a condition on a column that is not there", lambda: _SALES, where="cost > 1"),
    refuse("csv-to-parquet", "a column that is not there", lambda: _SALES, columns="name, cost"),
    refuse("json-to-csv", "sorting by a column that is not there", lambda: b'[{"a": 1}]', sort="b"),
    refuse("ndjson-to-csv", "unwinding what is not there", lambda: b'{"a": 1}\n', unwind="b"),
    refuse("csv-to-json", "more lines to skip than there are", lambda: _SALES, skipRows=9),
)
