"""A second, simple and slow implementation of JSON to CSV, with json and csv alone, to compare the real one with."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

from engine.families.data.json_csv.options import CsvOptions, TsvOptions

_SURROGATE = re.compile("[\ud800-\udfff]")


class Number(str):
    """A number as it is written."""


class Repeated(Exception):
    """A key occurs twice in one object."""


def load(text: str) -> Any:
    """The value of a JSON text in which numbers keep their digits; raises ValueError."""
    return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=_refuse)


def _refuse(name: str) -> None:
    raise ValueError(name)


def repeats(text: str) -> bool:
    """Whether an object has a key twice, at any depth."""

    def check(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise Repeated
        return dict(pairs)

    try:
        json.loads(text, object_pairs_hook=check)
    except Repeated:
        return True
    return False


def items(text: str) -> list[Any]:
    value = load(text)
    return value if isinstance(value, list) else [value]


def convert(found: list[Any], options: CsvOptions | TsvOptions) -> bytes:
    """The bytes that `found`, the items, become; nested JSON text must not have characters with several spellings."""
    rows = [_flat(item, options) for item in found]
    paths: dict[tuple[str, ...], bool] = {}
    for row in rows:
        for path, value in row.items():
            paths[path] = paths.get(path, False) or value is not None
    parents = {path[:length] for path in paths for length in range(1, len(path))}
    columns = [path for path, valued in paths.items() if valued or path not in parents]
    if not columns:
        return b"\xef\xbb\xbf" if options.bom else b""
    lines = []
    if options.header:
        lines.append([_text(options.separator.join(path), options) for path in columns])
    cells = ([_cell(row.get(path), options) for path in columns] for row in rows)
    lines.extend(['""'] if line == [""] else line for line in cells)
    end = "\r\n" if options.line_ending == "crlf" else "\n"
    text = "".join(options.delimiter.join(line) + end for line in lines)
    return text.encode("utf-8-sig" if options.bom else "utf-8")


def _flat(item: Any, options: CsvOptions | TsvOptions) -> dict[tuple[str, ...], Any]:
    if isinstance(item, dict):
        pairs = item.items()
    elif isinstance(item, list):
        pairs = {str(index): value for index, value in enumerate(item)}.items()
    else:
        return {("value",): item}
    row = {}
    for key, value in pairs:
        nested = (isinstance(value, dict) and options.flatten) or (
            isinstance(value, list) and options.arrays == "columns"
        )
        if nested and value:
            row.update({(key, *path): inner for path, inner in _flat(value, options).items()})
        else:
            row[(key,)] = value
    return row


def _dump(value: Any) -> str:
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{_dump(key)}:{_dump(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_dump, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _cell(value: Any, options: CsvOptions | TsvOptions) -> str:
    if value is None:
        return ""
    if isinstance(value, Number | bool):
        text = _dump(value)
        quoted = options.quote == "all" or options.delimiter in text
        return f'"{text}"' if quoted else text
    if isinstance(value, str):
        return _text(value, options)
    if isinstance(value, list) and options.arrays == "join":
        return _text(options.join_with.join(_joined(each) for each in value), options)
    return _text(_dump(value), options)


def _joined(value: Any) -> str:
    if value is None:
        return ""
    return str(value) if isinstance(value, str) else _dump(value)


def _text(text: str, options: CsvOptions | TsvOptions) -> str:
    text = _SURROGATE.sub("\ufffd", text)
    number = re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text)
    if options.escape_formulas and text[:1] in tuple("=+-@\t\r") and not number:
        text = "'" + text
    out = io.StringIO()
    quoting = csv.QUOTE_ALL if options.quote == "all" or not text else csv.QUOTE_MINIMAL
    csv.writer(out, delimiter=options.delimiter, quoting=quoting, lineterminator="\r\n").writerow([text])
    return out.getvalue()[:-2]
