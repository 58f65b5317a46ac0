"""Vectors of settings: INI files, Java properties and .env files, to objects and rows, and back."""

from __future__ import annotations

import configparser
import csv
import io
import json
import tomllib
from typing import Any

import yaml

from tests.converters.pairs import Given, Readers, Wanted, Writer, awkward, broken, ordinary, pairs
from tests.converters.vector import Check, fail, take
from tests.families.data.checks import gives, is_text

# As desktop programs, git and Python's tools write them.
INI = "; a comment\r\nbefore = all\r\n[server]\r\nhost=localhost\r\nPort: 8080\r\npath = C:\\temp ; no comment\r\n\r\n"
INI += "[empty]\r\n[long]\r\nlist =\r\n  one\r\n  # another\r\n\ttwo\r\nflag\r\nurl = http://x/?a=b\r\nname=[x]\r\n"
INI_OBJECT = {
    "before": "all",
    "server": {"host": "localhost", "Port": "8080", "path": "C:\\temp ; no comment"},
    "empty": {},
    "long": {"list": "one\ntwo", "flag": None, "url": "http://x/?a=b", "name": "[x]"},
}
PROPERTIES = (
    "# a comment\n! another\n\nplain=value\n  spaced   key is text \ncolon : x\nempty\n"
    "escaped\\ key\\:=\\u00e4\\t\\\\ =\n"
    "long = one, \\\n    two, \\\n\\\n  three\nemoji=\\ud83d\\ude00\npath=C:\\\\temp\nraw=é\n"
)
PROPERTIES_OBJECT = {
    "plain": "value", "spaced": "key is text ", "colon": "x", "empty": "", "escaped key:": "ä\t\\ =",
    "long": "one, two, three", "emoji": "😀", "path": "C:\\temp", "raw": "é",
}  # fmt: skip
ENV = (
    '# a comment\nA=1\nexport B = two words # a comment\nC=\'single $A \\n\'\nD="first\\nsecond\nthird \\"q\\"" # x\n'
    "E=\nF\nG=a#b\r\nURL=http://x/?a=b&c=$A\n"
)
ENV_OBJECT = {
    "A": "1", "B": "two words", "C": "single $A \\n", "D": 'first\nsecond\nthird "q"', "E": "", "F": None, "G": "a#b",
    "URL": "http://x/?a=b&c=$A",
}  # fmt: skip

_SIMPLE: dict[str, tuple[bytes, dict[str, Any]]] = {
    "ini": (b"[a]\nx = 1\ny = two\n[b]\nz = 3\n", {"a": {"x": "1", "y": "two"}, "b": {"z": "3"}}),
    "properties": (b"app.name=Demo\napp.port=80\n", {"app.name": "Demo", "app.port": "80"}),
    "env": (b"NAME=Demo\nPORT=80\n", {"NAME": "Demo", "PORT": "80"}),
}
_AWKWARD = {"ini": INI_OBJECT, "properties": PROPERTIES_OBJECT, "env": ENV_OBJECT}
_LOST = {("ini", "toml"), ("env", "toml"), ("ini", "csv")}
"""Keys without values in TOML, and sections without keys among rows."""
READERS: Readers = {
    "ini": (
        ordinary("a few settings", _SIMPLE["ini"][0]),
        awkward("comments, escapes, long values and keys alone", INI.encode(), "COMMENTS_DROPPED"),
        broken("what are no settings", b"[a]\nx=1\n[b\n", 3),
    ),
    "properties": (
        ordinary("a few settings", _SIMPLE["properties"][0]),
        awkward("comments, escapes, long values and keys alone", PROPERTIES.encode(), "COMMENTS_DROPPED"),
        broken("what are no settings", b"# nothing\n\n"),
    ),
    "env": (
        ordinary("a few settings", _SIMPLE["env"][0]),
        awkward("comments, escapes, long values and keys alone", ENV.encode(), "COMMENTS_DROPPED"),
        broken("what are no settings", b"A=1\n\n1 and more\n", 3),
    ),
}


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(each) for key, each in value.items() if each is not None}
    return value


def _is(output: str, expected: dict[str, Any]) -> Check:
    def check(data: bytes) -> None:
        match output:
            case "json":
                assert json.loads(data) == expected
            case "yaml":
                assert yaml.safe_load(data) == expected
            case "toml":
                assert tomllib.loads(data.decode()) == _without_none(expected)

    return check


def _rows(source: str, expected: dict[str, Any]) -> Check:
    rows = []
    for key, value in expected.items():
        inner = value.items() if isinstance(value, dict) else [("", value)]
        section = [key] if isinstance(value, dict) else [""]
        for name, each in inner:
            rows.append([*(section if source == "ini" else []), name or key, "" if each is None else each])

    def check(data: bytes) -> None:
        header, *found = csv.reader(io.StringIO(data.decode(), newline=""))
        assert header == ["section", "key", "value"][source != "ini" :]
        assert found == rows

    return check


def _writer(output: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        expected = _SIMPLE[source][1] if given.kind == "ordinary" else _AWKWARD[source]
        lost = given.kind == "awkward" and (source, output) in _LOST
        check = _rows(source, expected) if output == "csv" else _is(output, expected)
        return Wanted(check, frozenset({"CONTENT_DROPPED"} if lost else ()))

    return wanted


_NESTED = {"top": 1, "db": {"host": "localhost", "pool": {"size": [1, 2]}, "odd = key": "a\nb", "none": None}}
_PLAIN = {"a": {"x": "1", "y": "two words"}}
_SHOWN = {
    "ini": "[a]\nx = 1\ny = two words\n",
    "properties": "a.x=1\na.y=two words\n",
    "env": "a_x=1\na_y='two words'\n",
}
_TEXTS = {
    "ini": "top = 1\n[db]\nhost = localhost\npool.size.0 = 1\npool.size.1 = 2\nodd _ key = a\n\tb\nnone\n",
    "properties": "top=1\ndb.host=localhost\ndb.pool.size.0=1\ndb.pool.size.1=2\ndb.odd\\ \\=\\ key=a\\nb\ndb.none=\n",
    "env": 'top=1\ndb_host=localhost\ndb_pool_size_0=1\ndb_pool_size_1=2\ndb_odd___key="a\\nb"\ndb_none\n',
}


def _sorted_lines(expected: str) -> Check:
    def check(data: bytes) -> None:
        # TOML has plain values before tables, and no null.
        found = set(data.decode().split("\n"))
        assert found == {line for line in expected.split("\n") if "none" not in line}

    return check


def _object(plain: bytes, nested: bytes, damaged: bytes) -> tuple[Given, ...]:
    return (
        ordinary("a few settings", plain),
        awkward("objects in objects, lists and line breaks", nested, "VALUE_CONVERTED"),
        broken("no object", damaged),
    )


_OBJECTS: Readers = {
    "json": _object(json.dumps(_PLAIN).encode(), json.dumps(_NESTED).encode(), b"[1, 2]"),
    "yaml": _object(
        yaml.safe_dump(_PLAIN, sort_keys=False).encode(),
        yaml.safe_dump(_NESTED, sort_keys=False).encode(),
        b"- 1\n- 2\n",
    ),
    "toml": _object(
        b'[a]\nx = "1"\ny = "two words"\n',
        b'top = 1\n[db]\nhost = "localhost"\n"odd = key" = "a\\nb"\n[db.pool]\nsize = [1, 2]\n',
        b"a = ",
    ),
}


def _writer_of_settings(output: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        if given.kind == "ordinary":
            return Wanted(is_text(_SHOWN[output]), frozenset(() if output == "ini" else {"VALUE_CONVERTED"}))
        check = _sorted_lines(_TEXTS[output]) if source == "toml" else is_text(_TEXTS[output])
        return Wanted(check, frozenset(() if output == "properties" else {"COLUMN_RENAMED"}))

    return wanted


def _like_configparser(data: bytes) -> None:
    parser = configparser.ConfigParser(interpolation=None, allow_no_value=True)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string("[top]\n" + data.decode())
    assert {name: dict(parser[name]) for name in parser.sections()} == {
        "top": {"before": "all"}, **{name: INI_OBJECT[name] for name in ("server", "empty", "long")},
    }  # fmt: skip


_VECTORS = (
    take("ini-to-json", "keys and sections twice, capitals", b"[a]\nx=1\nX=2\nx=3\n[b]\ny=1\n[a]\nz=1\n",
         gives({"a": {"x": "3", "X": "2", "z": "1"}, "b": {"y": "1"}}), "DUPLICATE_KEY"),
    take("ini-to-json", "sections without keys", b"[a]\n[b]\nx=1\n[c]\n", gives({"b": {"x": "1"}, "a": {}, "c": {}})),
    take("ini-to-csv", "sections without keys", b"[a]\n[b]\nx=1\n", is_text("section,key,value\r\nb,x,1\r\n"),
         "CONTENT_DROPPED"),
    take("ini-to-json", "UTF-16, as Windows writes it", "[a]\r\nx=ä\r\n".encode("utf-16"), gives({"a": {"x": "ä"}})),
    take("ini-to-json", "nothing is looked up", b"[DEFAULT]\na=1\n[b]\nc=%(a)s ${a}\n",
         gives({"DEFAULT": {"a": "1"}, "b": {"c": "%(a)s ${a}"}})),
    take("json-to-ini", "what configparser reads", json.dumps(INI_OBJECT).encode(), _like_configparser),
    take("json-to-ini", "names that would be sections", b'{"a]\\n[b": {"[c]": 1, "#d": 2, "": 3}, "e": {}}',
         is_text("[a_b]\n_c] = 1\n_d = 2\n_ = 3\n[e]\n"), "COLUMN_RENAMED"),
    take("properties-to-json", "Latin-1, as Java had it", "a=ä\n".encode("latin-1"), gives({"a": "ä"})),
    take(
        "properties-to-json", "a key with a no-break space, and an empty one",
        "a\u00a0b=1\n=\n".encode(), gives({"a\u00a0b": "1", "": ""}),
    ),
    take("properties-to-json", "a key twice, a line that goes on at the end", b"a=1\na=2\\", gives({"a": "2"}),
         "DUPLICATE_KEY"),
    take("json-to-properties", "escapes", json.dumps({" a:b": " x\\\t", "ä#": "😀!"}).encode(),
         is_text("\\ a\\:b=\\ x\\\\\\t\n\\u00e4\\#=\\ud83d\\ude00!\n")),
    take("env-to-json", "a byte order mark, a name twice", "\ufeffA=1\nA=2\n".encode(), gives({"A": "2"}),
         "DUPLICATE_KEY"),
    take("json-to-env", "what a shell would run", b'{"a b": "$(rm) `x` \\"", "1": "", "a-b": "#", "c": "\'$(rm)`"}',
         is_text("a_b='$(rm) `x` \"'\n_1=\na_b_2='#'\nc=\"'\\$(rm)\\`\"\n"), "COLUMN_RENAMED"),
    fail("env-to-json", "text after a closing quote", b"A='b' c\n", line=1),
    fail("env-to-json", "spaces without an end", b"A" + b" " * 500_000 + b"x"),
    fail("ini-to-json", "a value without a key", b"[a]\n= 1\n", line=2),
    take("env-to-json", "a quote that nobody closes is a part of the value",
         b"A='b\nB=1\n", gives({"A": "'b", "B": "1"})),
)  # fmt: skip

VECTORS = (
    *pairs("data.settings", READERS, {id: _writer(id) for id in ("json", "yaml", "toml", "csv")}),
    *pairs("data.settings", _OBJECTS, {id: _writer_of_settings(id) for id in READERS}),
    *_VECTORS,
)
