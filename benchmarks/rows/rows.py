"""JSON to CSV, compared with the tools that users would choose: flat, nested, sparse, tiny."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.row import Row

LARGE = 100_000_000

_FIRST = ("Anna", "Björn", "Chloé", "David", "Eve", "Farid", "Grace")
_LAST = ("Müller", "Smith", "O'Neil", "García", "Ng", "Ivanova")
_CITIES = ("Berlin", "New York", "San Francisco, CA", "Tokyo", "São Paulo")
_NOTES = (None, "", 'said "hi", then left', "ok", "plain note text")


def _flat_row(pick: random.Random, number: int) -> dict[str, Any]:
    return {
        "id": number,
        "name": f"{pick.choice(_FIRST)} {pick.choice(_LAST)}",
        "email": f"user{number}@example.com",
        "age": pick.randint(18, 90),
        "balance": round(pick.uniform(-1000, 100_000), 2),
        "active": pick.random() < 0.7,
        "city": pick.choice(_CITIES),
        "created": f"2024-{pick.randint(1, 12):02}-{pick.randint(1, 28):02}T12:00:00Z",
        "score": pick.random(),
        "note": pick.choice(_NOTES),
    }


def _nested_row(pick: random.Random, number: int) -> dict[str, Any]:
    """An order with 14 dotted columns in three levels, some of them missing or null."""
    row: dict[str, Any] = {
        "id": number,
        "status": pick.choice(("open", "paid", "sent")),
        "customer": {
            "name": f"{pick.choice(_FIRST)} {pick.choice(_LAST)}",
            "email": f"user{number}@example.com",
            "address": {
                "street": f"Main Street {number % 200}",
                "city": pick.choice(_CITIES),
                "zip": f"{number % 9999:05}",
            },
        },
        "payment": {
            "method": pick.choice(("card", "cash")),
            "amount": round(pick.uniform(1, 500), 2),
            "currency": "EUR",
        },
        "geo": {"lat": pick.uniform(-90, 90), "lon": pick.uniform(-180, 180)} if number % 10 else None,
        "meta": {"source": "web", "tags": ["a", "b"][: number % 3]},
    }
    if number % 7 == 0:
        row["payment"]["currency"] = None
    return row


def _sparse_row(pick: random.Random, number: int) -> dict[str, Any]:
    """An event with about 20 of 210 keys."""
    row: dict[str, Any] = {"id": number}
    for column in sorted(pick.sample(range(210), 20)):
        row[f"attribute_{column:03}"] = pick.choice((number, f"value {number % 1000}", pick.random(), None, True))
    return row


def _array(row: Callable[[random.Random, int], dict[str, Any]], size: int) -> Callable[[Path], None]:
    """Writes an array of generated rows of about `size` bytes."""

    def make(path: Path) -> None:
        pick = random.Random(1)
        with path.open("w", encoding="utf-8") as file:
            file.writelines(_parts(pick, row, size))

    return make


def _parts(pick: random.Random, row: Callable[[random.Random, int], dict[str, Any]], size: int) -> Iterator[str]:
    written = number = 0
    yield "["
    while written < size or not number:
        text = (", " if number else "") + json.dumps(row(pick, number), ensure_ascii=False)
        written += len(text.encode())
        number += 1
        yield text
    yield "]\n"


def flat_array(size: int) -> Callable[[Path], None]:
    """Writes an array of flat, generated people of about `size` bytes."""
    return _array(_flat_row, size)


LESS = LARGE // 10
"""The size for Miller on sparse rows: for 100 MB of them it takes minutes and 22 GB."""

FLAT, NESTED, SPARSE = _array(_flat_row, LARGE), _array(_nested_row, LARGE), _array(_sparse_row, LARGE)
LESS_SPARSE = _array(_sparse_row, LESS)
TINY = _array(_flat_row, 900)

_STDLIB = """
import csv, json
rows = json.load(open(r"{input}", encoding="utf-8"))
keys = list(dict.fromkeys(key for row in rows for key in row))
with open(r"{output}", "w", encoding="utf-8", newline="") as file:
    writer = csv.DictWriter(file, keys)
    writer.writeheader()
    writer.writerows(rows)
"""
_STDLIB_NESTED = """
import csv, json
def flat(value, path=""):
    row = {}
    for key, inner in value.items():
        if isinstance(inner, dict):
            row.update(flat(inner, path + key + "."))
        elif isinstance(inner, list):
            row[path + key] = json.dumps(inner)
        else:
            row[path + key] = inner
    return row
rows = [flat(row) for row in json.load(open(r"{input}", encoding="utf-8"))]
keys = list(dict.fromkeys(key for row in rows for key in row))
with open(r"{output}", "w", encoding="utf-8", newline="") as file:
    writer = csv.DictWriter(file, keys)
    writer.writeheader()
    writer.writerows(rows)
"""
_DUCKDB = """
import duckdb
duckdb.sql("COPY (SELECT * FROM read_json('{input}')) TO '{output}' (HEADER)")
"""
_PANDAS = """
import json, pandas
pandas.json_normalize(json.load(open(r"{input}", encoding="utf-8"))).to_csv(r"{output}", index=False)
"""
_JQ = "jq -r '(.[0] | keys_unsorted) as $keys | $keys, (.[] | [.[$keys[]]]) | @csv' '{input}' > '{output}'"
_UNSPARSIFY = ("sh", "-c", "mlr --ijson --ocsv unsparsify '{input}' > '{output}'")


def _python(script: str) -> tuple[str, ...]:
    return ("{python}", "-c", script)


def _row(
    name: str, file: str, make: Callable[[Path], None], peer_name: str, peer: tuple[str, ...], goal: float, *needs: str
) -> Row:
    return Row(
        name=name, input=file, make=make, slug="json-to-csv", peer_name=peer_name, peer=peer, goal=goal, needs=needs
    )


def _flat(peer_name: str, peer: tuple[str, ...], goal: float, *needs: str) -> Row:
    return _row("flat array, 100 MB", "flat.json", FLAT, peer_name, peer, goal, *needs)


def _nested(peer_name: str, peer: tuple[str, ...], goal: float, *needs: str) -> Row:
    return _row("nested objects, 100 MB", "nested.json", NESTED, peer_name, peer, goal, *needs)


def _sparse(peer_name: str, peer: tuple[str, ...], goal: float, *needs: str) -> Row:
    return _row("210 sparse columns, 100 MB", "sparse.json", SPARSE, peer_name, peer, goal, *needs)


ROWS: tuple[Row, ...] = (
    _flat("jq", ("sh", "-c", _JQ), 0.30, "jq"),
    _flat("json2csv", ("json2csv", "-i", "{input}", "-o", "{output}"), 0.30, "json2csv"),
    _flat("Miller", ("sh", "-c", "mlr --ijson --ocsv cat '{input}' > '{output}'"), 0.30, "mlr"),
    _flat("json and csv", _python(_STDLIB), 0.50),
    _flat("DuckDB", _python(_DUCKDB), 1.6, "duckdb"),
    _nested("json2csv", ("json2csv", "--flatten-objects", "-i", "{input}", "-o", "{output}"), 0.30, "json2csv"),
    _nested("json and csv", _python(_STDLIB_NESTED), 0.30),
    _nested("pandas", _python(_PANDAS), 0.25, "pandas"),
    _sparse("json and csv", _python(_STDLIB), 0.50),
    _row("210 sparse columns, 10 MB", "less-sparse.json", LESS_SPARSE, "Miller", _UNSPARSIFY, 0.15, "mlr"),
    replace(_row("1 KB", "tiny.json", TINY, "json and csv", _python(_STDLIB), 1.0), job=True),
    Row(
        name="flat array, 100 MB, memory",
        input="flat.json",
        make=FLAT,
        slug="json-to-csv",
        peer_name="json and csv",
        peer=_python(_STDLIB),
        goal=0.18,
        measure="peak",
    ),
)
