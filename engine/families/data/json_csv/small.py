"""A fast path for small arrays of flat objects, which avoids importing the streaming code."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from json.decoder import JSONDecoder
from pathlib import Path
from typing import NoReturn

from engine.families.data.json_csv.cells import ALONE, MARK, CellWriter, line_end
from engine.families.data.json_csv.options import CsvOptions, TsvOptions
from engine.toolkit.warnings import Warn

MOST = 1 << 16
"""Maximum bytes of a small file."""

_MOST_CELLS = 1 << 17
_WORDS = {None: "", True: "true", False: "false"}

Value = str | bool | None


class _Digits(str):
    """A number as spelled in the source."""

    __slots__ = ()


class _Unsuited(Exception):
    """The file needs the streaming code."""


def _object(pairs: list[tuple[str, Value]]) -> dict[str, Value]:
    row = dict(pairs)
    if len(row) != len(pairs):
        raise _Unsuited
    return row


def _refuse(name: str) -> NoReturn:
    raise _Unsuited


_scan: Callable[[str, int], tuple[list[dict[str, Value]], int]] = JSONDecoder(  # type: ignore[attr-defined]
    object_pairs_hook=_object, parse_int=_Digits, parse_float=_Digits, parse_constant=_refuse
).scan_once


def convert(source: Path, target: Path, options: CsvOptions | TsvOptions, warn: Warn) -> bool:
    """Write `target` and return True; return False for a file that is large, not flat, or invalid."""
    with source.open("rb") as file:
        data = file.read(MOST + 1)
    writer = CellWriter(options)
    rows = _rows(data) if len(data) <= MOST and writer.plain_literals else None
    if not rows:
        return False
    columns = list(dict.fromkeys(chain.from_iterable(rows)))
    if not columns or len(rows) * len(columns) > _MOST_CELLS:
        return False
    delimiter, end = writer.delimiter, line_end(options)
    lines = [f"sep={delimiter}"] if options.sep_line else []
    if options.header:
        lines.append(delimiter.join(map(writer.text, columns)))
    text, words = writer.text, _WORDS if len(columns) > 1 else {**_WORDS, None: ALONE}
    for row in rows:
        values: Iterable[Value] = row.values() if list(row) == columns else map(row.get, columns)
        lines.append(
            delimiter.join(
                [
                    text(value) if type(value) is str else value if isinstance(value, str) else words[value]
                    for value in values
                ]
            )
        )
    lines.append("")
    try:
        target.write_bytes((MARK if options.bom else b"") + end.join(lines).encode("latin-1"))
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    writer.report(warn)
    return True


def _rows(data: bytes) -> list[dict[str, Value]] | None:
    """Return the rows as byte text, or None unless they are flat objects in an array, in valid UTF-8."""
    # One bracket and one brace for each row mean no nesting. `\u` escapes are ruled out: all others decode to ASCII, so
    # that the result stays byte text.
    if data[:1] != b"[" or data.count(b"[") != 1 or b"\\u" in data:
        return None
    text = data.decode("latin-1")
    try:
        if not data.isascii():
            data.decode()
        rows, stop = _scan(text, 0)
    except (ValueError, StopIteration, RecursionError, _Unsuited):
        return None
    if text[stop:].strip(" \t\r\n") or text.count("{") != len(rows) or any(type(row) is not dict for row in rows):
        return None
    return rows
