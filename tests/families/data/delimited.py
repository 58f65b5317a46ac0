"""Vectors of delimited text: encodings, delimiters, odd rows, and what its cells become."""

from __future__ import annotations

import json

import polars
import yaml

from tests.converters.vector import Vector, fail, refuse, take
from tests.families.data.checks import (
    column_is,
    contains,
    equal,
    gives,
    is_text,
    last_is,
    ods_is,
    row_is,
    schema_is,
    xml_is,
)
from tests.families.data.seen import from_markdown

_WIDE = [f"c{number}" for number in range(2000)]
_LONG = "x" * 200_000


def _is_wide(data: bytes) -> None:
    assert json.loads(data) == [{name: str(at) for at, name in enumerate(_WIDE)}]


VECTORS: tuple[Vector, ...] = (
    take(
        "csv-to-json",
        "semicolons in Latin-1",
        "Name;Straße;Preis\r\nJörg Müller;Hauptstraße 5;1,50\r\nGarçon;Rue de l'Hôtel;2,00\r\n".encode("latin-1"),
        gives(
            [
                {"Name": "Jörg Müller", "Straße": "Hauptstraße 5", "Preis": "1,50"},
                {"Name": "Garçon", "Straße": "Rue de l'Hôtel", "Preis": "2,00"},
            ]
        ),
        "ENCODING_GUESSED",
    ),
    take(
        "csv-to-json",
        "Polish in windows-1250",
        "imię;miasto\nŁukasz;Łódź\nGrażyna;Kraków\n".encode("cp1250"),
        gives([{"imię": "Łukasz", "miasto": "Łódź"}, {"imię": "Grażyna", "miasto": "Kraków"}]),
        "ENCODING_GUESSED",
    ),
    take(
        "csv-to-json",
        "an encoding that is given",
        "имя\nИван\n".encode("cp1251"),
        gives([{"имя": "Иван"}]),
        inputEncoding="windows-1251",
    ),
    take("csv-to-json", "UTF-16 with tabs", "a\tb\n1\té\n".encode("utf-16"), gives([{"a": "1", "b": "é"}])),
    take("csv-to-json", "a byte order mark", b"\xef\xbb\xbfa,b\n1,2\n", gives([{"a": "1", "b": "2"}])),
    take("csv-to-json", "pipes", b"a|b\n1,5|x\n2,5|y\n", gives([{"a": "1,5", "b": "x"}, {"a": "2,5", "b": "y"}])),
    take("csv-to-json", "old Mac line ends", b"a,b\r1,2\r3,4\r", gives([{"a": "1", "b": "2"}, {"a": "3", "b": "4"}])),
    take(
        "csv-to-json",
        "quotes with a backslash before them, other backslashes, and a row far below",
        b"a,b\n" + b'"x, y",C:\\new\n' * 3000 + b'"say \\"hi\\", C:\\dir\\\\",5\\" pipe\n"p ""q""",\\n\n',
        lambda data: equal(
            json.loads(data)[2999:],
            [{"a": "x, y", "b": "C:\\new"}, {"a": 'say "hi", C:\\dir\\\\', "b": '5" pipe'}, {"a": 'p "q"', "b": "\\n"}],
        ),
    ),
    take(
        "csv-to-json",
        "a first row without the sign that is more frequent below",
        b"id;value\n1;3,4,5\n2;6,7,8\n3;9,10,11\n",
        gives([{"id": "1", "value": "3,4,5"}, {"id": "2", "value": "6,7,8"}, {"id": "3", "value": "9,10,11"}]),
    ),
    take(
        "csv-to-json",
        "one column and an empty line",
        b"a\n\n1\n\n2\n",
        gives([{"a": "1"}, {"a": "2"}]),
        "CONTENT_DROPPED",
    ),
    take(
        "csv-to-json",
        "names that JSON has to escape",
        b'"a ""b"" \\","c\nd"\n1,2\n',
        gives([{'a "b" \\': "1", "c\nd": "2"}]),
    ),
    take("csv-to-json", "a header alone", b"a,b\n", gives([])),
    take(
        "csv-to-json",
        "rows that are too short and too long",
        b"a,b\n1\n1,2,3\n4,5\n1,2,3,4\n",
        gives(
            [
                {"a": "1", "b": "", "column3": "", "column4": ""},
                {"a": "1", "b": "2", "column3": "3", "column4": ""},
                {"a": "4", "b": "5", "column3": "", "column4": ""},
                {"a": "1", "b": "2", "column3": "3", "column4": "4"},
            ]
        ),
        "ROW_RAGGED",
        "COLUMN_RENAMED",
    ),
    take(
        "csv-to-json",
        "names that are empty or twice the same",
        b"a,,a,a_2,\n1,2,3,4,5\n",
        gives([{"a": "1", "column2": "2", "a_2": "3", "a_2_2": "4", "column5": "5"}]),
        "COLUMN_RENAMED",
    ),
    take(
        "csv-to-json",
        "no header",
        b"1,2\n3,4\n",
        gives([{"column1": "1", "column2": "2"}, {"column1": "3", "column2": "4"}]),
        headerRow=False,
    ),
    take(
        "csv-to-json",
        "types that are inferred and texts that are left alone",
        b"n,m,id,code,exp,na,yes,day,none\n12,-1.50,12345678901234567890,007,1e5,NA,true,2024-01-02,\n",
        gives(
            [
                {
                    "n": 12,
                    "m": "-1.50",
                    "id": "12345678901234567890",
                    "code": "007",
                    "exp": "1e5",
                    "na": "NA",
                    "yes": True,
                    "day": "2024-01-02",
                    "none": None,
                }
            ]
        ),
        "COLUMN_TEXT",
        types="infer",
    ),
    take(
        "csv-to-json",
        "two thousand columns",
        ("\n".join([",".join(_WIDE), ",".join(map(str, range(2000)))])).encode(),
        _is_wide,
    ),
    take(
        "csv-to-json", "a field over the limit of csv", f'a,b\n"{_LONG}",1\n'.encode(), gives([{"a": _LONG, "b": "1"}])
    ),
    take(
        "csv-to-json",
        "NUL in the first row",
        b"a,b\nx\0y,3\n",
        lambda data: last_is(data, {"a": "x\0y", "b": "3"}),
    ),
    take(
        "csv-to-json",
        "NUL far into the file",
        b"a,b\n" + b"1,2\n" * 1500 + b"x\0y,3\n",
        lambda data: last_is(data, {"a": "x\0y", "b": "3"}),
    ),
    take(
        "csv-to-json",
        "indented",
        b"a,b\n1,2\n3,4\n",
        is_text(
            '[\n    {\n        "a": "1",\n        "b": "2"\n    },\n'
            '    {\n        "a": "3",\n        "b": "4"\n    }\n]\n'
        ),
        indent=4,
    ),
    fail(
        "tsv-to-json",
        "a line that is passed over and can't be read",
        b"\xff\nid\n1\n",
        skipRows=1,
        inputEncoding="utf-8",
    ),
    take(
        "csv-to-csv",
        "text after a closing quote",
        b'a,b\n"x"y,1\n"he said "hi" now",2\n3\' 5",4\n"two\nlines",5\n"5""",6',
        is_text('a,b\r\nxy,1\r\n"he said hi"" now""",2\r\n"3\' 5""",4\r\n"two\nlines",5\r\n"5""",6\r\n'),
        "VALUE_CONVERTED",
    ),
    fail("csv-to-json", "a quote that is not closed after such a row", b'a,b\n"x"y,1\n"open,2\n3,4\n', line=3),
    fail("csv-to-json", "nothing but line breaks", b"\n\n\n"),
    take(
        "csv-to-csv",
        "another delimiter, line end, quotes and a mark for Excel",
        'a;b\nx;"1;2"\n'.encode("cp1252"),
        is_text('﻿"a"\t"b"\n"x"\t"1;2"\n'),
        delimiter="\t",
        lineEnding="lf",
        quote="all",
        bom=True,
    ),
    take(
        "csv-to-csv",
        "formulas with an apostrophe, numbers without",
        b"a,b,c,d\n=1+1,-5,+49 170,@x\n-1.5,-x,%,+1\n",
        is_text("a,b,c,d\r\n'=1+1,-5,'+49 170,'@x\r\n-1.5,'-x,%,+1\r\n"),
        escapeFormulas=True,
    ),
    take("csv-to-csv", "no header, so none is made up", b"1,2\n3,4\n", is_text("1,2\r\n3,4\r\n"), headerRow=False),
    refuse("csv-to-csv", "a quote as delimiter", lambda: b"a,b\n1,2\n", delimiter='"'),
    take(
        "csv-to-xlsx",
        "white space, control characters and what looks like an escape",
        b'a\n"  x  "\n"_x0041_"\n"a\x0bb"\n"l1\nl2"\n"\t"\n',
        lambda data: column_is(data, ["a", "  x  ", "_x005F_x0041_", "a_x000B_b", "l1\nl2", "\t"]),
    ),
    take(
        "csv-to-xlsx",
        "a text that is cut",
        f"a\n{'y' * 40_000}\n".encode(),
        lambda data: column_is(data, ["a", "y" * 32_767]),
        "TEXT_TRUNCATED",
    ),
    take(
        "csv-to-xlsx",
        "typed cells",
        b"a,b,c,d\n1,2.50,true,\n",
        lambda data: row_is(data, 2, [1, 2.5, True, None]),
        types="infer",
    ),
    take("csv-to-xlsx", "no header", b"1,2\n3,x\n", lambda data: row_is(data, 1, [1, "2"]), headerRow=False),
    take(
        "csv-to-ods",
        "white space and control characters",
        b'a\n"  x  y "\n"a\x0bb"\n',
        lambda data: ods_is(data, [["a"], ["  x  y "], ["a\ufffdb"]]),
        "ENCODING_REPLACED",
    ),
    take(
        "csv-to-xml",
        "control characters and names",
        b'first name,1st,dc:x\n"a\x0bb",<&>,"]]>"\n',
        lambda data: xml_is(data, {"first_name": "a\ufffdb", "_1st": "<&>", "dc_x": "]]>"}),
        "ENCODING_REPLACED",
        "COLUMN_RENAMED",
    ),
    take(
        "csv-to-xml",
        "names of its own",
        b"a\n1\n",
        is_text('<?xml version="1.0" encoding="UTF-8"?><people><person><a>1</a></person></people>\n'),
        root="people",
        item="person",
        indent=0,
    ),
    take(
        "csv-to-markdown",
        "everything that is markup",
        b"a\n*x* _y_ `z` ~s~ [l](u) <b> | \\ &amp; # - a_b\n",
        lambda data: equal(from_markdown(data), [["a"], ["*x* _y_ `z` ~s~ [l](u) <b> | \\ &amp; # - a_b"]]),
    ),
    take(
        "csv-to-html",
        "a table alone",
        b"a\n<script>\n",
        is_text(
            "<table>\n<thead>\n<tr><th>a</th></tr>\n</thead>\n<tbody>\n<tr><td>&lt;script&gt;</td></tr>\n</tbody>\n</table>\n"
        ),
        fragment=True,
    ),
    take("csv-to-html", "a title", b"a\n1\n", lambda data: contains(data, "<title>A &amp; B</title>"), title="A & B"),
    take(
        "csv-to-yaml",
        "texts that look like something else",
        b"a\nno\n1e5\n0x1F\n12:30\n~\n2024-01-02\nnull\n- x\n",
        lambda data: equal(
            [row["a"] for row in yaml.safe_load(data)], ["no", "1e5", "0x1F", "12:30", "~", "2024-01-02", "null", "- x"]
        ),
    ),
    take(
        "csv-to-parquet",
        "typed columns",
        b"n,m,b,s\n1,2,true,x\n,2.5,false,1\n",
        lambda data: schema_is(data, {"n": polars.Int64, "m": polars.Float64, "b": polars.Boolean, "s": polars.String}),
    ),
    fail("tsv-to-tsv", "an encoding that is not the file's", "a\té\n".encode("latin-1"), inputEncoding="utf-8"),
    take("tsv-to-csv", "commas in cells of tab-separated text", b"a\tb\n1,5\t2\n", is_text('a,b\r\n"1,5",2\r\n')),
)
