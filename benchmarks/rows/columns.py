"""Tables of 160 MB between the formats that are read by columns, compared with DuckDB on one thread.

The CSV has names with commas and quotes, to include the cost of quoted cells. JSON has the same rows, one object each.
"""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from benchmarks.row import Row
from engine.toolkit.options import Value

SIZE = 160_000_000
_COLUMNS = ("id", "name", "email", "zip", "amount", "active", "created", "score")
_NAMES = ("Anna Müller", "Björn Ng", "Chloé O'Neil", "David Smith", "Ivanova, Eve", 'Farid "Fred" García', "")
_START = datetime(2020, 1, 1)


def _rows() -> Iterator[tuple[int, str, str, str, float, bool, str, float]]:
    pick = random.Random(4)
    number = 0
    while True:
        yield (
            number,
            pick.choice(_NAMES),
            f"user{number}@example.com",
            f"{number % 9999:05}",
            round(pick.uniform(-1000, 100_000), 2),
            pick.random() < 0.7,
            f"{_START + timedelta(minutes=number):%Y-%m-%d}",
            pick.random(),
        )
        number += 1


def delimited(path: Path, delimiter: str, size: int = SIZE) -> None:
    """Write rows of text with a header."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(_COLUMNS)
        for at, row in enumerate(_rows()):
            writer.writerow([*row[:5], "true" if row[5] else "false", *row[6:]])
            if at % 1000 == 0 and file.tell() > size:
                return


def objects(path: Path, *, lines: bool, size: int = SIZE) -> None:
    """Write one object per line, as an array or as JSON lines."""
    written, separator = 0, "" if lines else "["
    with path.open("w", encoding="utf-8") as file:
        for row in _rows():
            text = separator + json.dumps(dict(zip(_COLUMNS, row, strict=True)), ensure_ascii=False)
            written += file.write(text)
            separator = "\n" if lines else ",\n"
            if written > size:
                break
        file.write("\n" if lines else "]\n")


def columns(path: Path, size: int = SIZE) -> None:
    """Write, as Parquet, rows that take this many bytes as text."""
    import polars

    text = path.with_suffix(".making")
    delimited(text, ",", size)
    polars.scan_csv(text).sink_parquet(path)
    text.unlink()


MAKE: dict[str, Callable[..., None]] = {
    "csv": partial(delimited, delimiter=","),
    "tsv": partial(delimited, delimiter="\t"),
    "json": partial(objects, lines=False),
    "ndjson": partial(objects, lines=True),
    "parquet": columns,
}
_READ = {
    "csv": "read_csv('{input}', delim=','%s)",
    "tsv": "read_csv('{input}', delim='\\t'%s)",
    "json": "read_json('{input}', format='array')",
    "ndjson": "read_json('{input}', format='newline_delimited')",
    "parquet": "'{input}'",
}
_WRITE = {
    "csv": "(FORMAT csv)",
    "tsv": "(FORMAT csv, DELIMITER '\\t')",
    "json": "(FORMAT json, ARRAY true)",
    "ndjson": "(FORMAT json)",
    "parquet": "(FORMAT parquet, COMPRESSION zstd)",
}


def _duckdb(source: str, target: str, *, text: bool) -> tuple[str, ...]:
    read = _READ[source].replace("%s", ", all_varchar=true" if text else "")
    script = (
        "import duckdb; found = duckdb.connect(); "
        "found.sql('SET threads = 1'); found.sql('SET enable_progress_bar = false'); "
        f'found.sql("""COPY (SELECT * FROM {read}) TO \'{{output}}\' {_WRITE[target]}"""); '
        "import os; os._exit(0)"  # ends as ours does
    )
    return "{python}", "-c", script


def _row(
    source: str, target: str, peer_name: str, peer: tuple[str, ...], goal: float, *needs: str, **more: Value
) -> Row:
    text = source in ("csv", "tsv") and target in ("csv", "tsv", "json", "ndjson")
    return Row(
        name=f"160 MB, {'text' if text or more.get('types') == 'text' else 'typed'}",
        input=f"columns.{source}",
        make=MAKE[source],
        slug=f"{source}-to-{target}",
        peer_name=peer_name,
        peer=peer,
        goal=goal,
        needs=needs,
        options=more,
        job=True,
    )


def _pairs() -> Iterator[tuple[str, str]]:
    for source in MAKE:
        for target in _WRITE:
            if source != target or source in ("csv", "json"):
                yield source, target


def _all() -> Iterator[Row]:
    for source, target in _pairs():
        delimited = source in ("csv", "tsv")
        text = delimited and target != "parquet"
        yield _row(source, target, "DuckDB, one thread", _duckdb(source, target, text=text), 1.2, "duckdb")
        if delimited and target == "parquet":
            peer = _duckdb(source, target, text=True)
            yield _row(source, target, "DuckDB, one thread, all text", peer, 1.2, "duckdb", types="text")


ROWS: tuple[Row, ...] = tuple(_all())
