"""Tables of 160 MB among the formats that go by whole columns, against DuckDB on one thread and the tools of shells.

What a quoted cell costs is in the CSV: names with commas and quotes. JSON is the same rows, one object each.
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
from conversions.toolkit.options import Value

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


def _delimited(path: Path, delimiter: str) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(_COLUMNS)
        for at, row in enumerate(_rows()):
            writer.writerow([*row[:5], "true" if row[5] else "false", *row[6:]])
            if at % 1000 == 0 and file.tell() > SIZE:
                return


def _json(path: Path, *, lines: bool) -> None:
    size, separator = 0, "" if lines else "["
    with path.open("w", encoding="utf-8") as file:
        for row in _rows():
            text = separator + json.dumps(dict(zip(_COLUMNS, row, strict=True)), ensure_ascii=False)
            size += file.write(text)
            separator = "\n" if lines else ",\n"
            if size > SIZE:
                break
        file.write("\n" if lines else "]\n")


def _parquet(path: Path) -> None:
    import polars

    text = path.with_suffix(".making")
    _delimited(text, ",")
    polars.scan_csv(text).sink_parquet(path)
    text.unlink()


_MAKE: dict[str, Callable[[Path], None]] = {
    "csv": partial(_delimited, delimiter=","),
    "tsv": partial(_delimited, delimiter="\t"),
    "json": partial(_json, lines=False),
    "ndjson": partial(_json, lines=True),
    "parquet": _parquet,
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
_MILLER = {"csv": "csv", "tsv": "tsv", "json": "json", "ndjson": "jsonl"}
_JQ = {("json", "ndjson"): "jq -c '.[]'", ("ndjson", "json"): "jq -s .", ("json", "json"): "jq ."}


def _duckdb(source: str, target: str, *, text: bool) -> tuple[str, ...]:
    read = _READ[source].replace("%s", ", all_varchar=true" if text else "")
    script = (
        "import duckdb; found = duckdb.connect(); "
        "found.sql('SET threads = 1'); found.sql('SET enable_progress_bar = false'); "
        f'found.sql("""COPY (SELECT * FROM {read}) TO \'{{output}}\' {_WRITE[target]}""")'
    )
    return "{python}", "-c", script


def _row(
    source: str, target: str, peer_name: str, peer: tuple[str, ...], goal: float, *needs: str, **more: Value
) -> Row:
    text = source in ("csv", "tsv") and target in ("csv", "tsv", "json", "ndjson")
    return Row(
        name=f"160 MB, {'text' if text or more.get('types') == 'text' else 'typed'}",
        input=f"columns.{source}",
        make=_MAKE[source],
        slug=f"{source}-to-{target}",
        peer_name=peer_name,
        peer=peer,
        goal=goal,
        needs=needs,
        options=more,
    )


def _pairs() -> Iterator[tuple[str, str]]:
    for source in _MAKE:
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
        if source in _MILLER and target in _MILLER:
            command = f"mlr --i{_MILLER[source]} --o{_MILLER[target]} cat '{{input}}' > '{{output}}'"
            yield _row(source, target, "Miller", ("sh", "-c", command), 1.0, "mlr")
        if (source, target) in _JQ:
            yield _row(source, target, "jq", ("sh", "-c", _JQ[source, target] + " '{input}' > '{output}'"), 1.0, "jq")


ROWS: tuple[Row, ...] = tuple(_all())
