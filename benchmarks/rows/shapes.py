"""JSON of every shape to columnar formats, compared with DuckDB and polars on one thread.

The peers read numbers of more digits than a float has as floats.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benchmarks.row import Row

SIZES = (25_000_000, 100_000_000)
GOAL = 1.5

Make = Callable[[int, random.Random], str]


def _object(row: Callable[[int], dict[str, object]]) -> Make:
    return lambda number, _: json.dumps(row(number), ensure_ascii=False)


def _person(number: int) -> dict[str, object]:
    return {"id": number, "name": f"User {number % 9973}", "amount": number / 7}


def _sparse(number: int, pick: random.Random) -> str:
    return json.dumps({f"k{pick.randrange(60)}": number for _ in range(12)})


def _decimals(number: int, _: random.Random) -> str:
    digits = number * 7_919 * 1_000_003 % 10**18
    return f'{{"id": {number}, "name": "User {number % 9973}", "amount": {number % 999_999}.{digits:018}}}'


def _lines(number: int) -> list[object]:
    return [{"sku": f"S{at}", "qty": at, "price": at * 1.5} for at in range(number % 5)]


def _deep(number: int) -> dict[str, object]:
    found: object = {"g": number, "h": f"x{number}"}
    for name in "fedcb":
        found = {name: found}
    return {"a": found, "l": [[1, 2], [number]]}


SHAPES: dict[str, Make] = {
    "flat": _object(lambda number: _person(number) | {"city": f"City {number % 517}", "ok": number % 2 == 0}),
    "nested": _object(lambda number: _person(number) | {"address": {"city": f"City {number % 517}", "zip": "01234"}}),
    "list": _object(lambda number: _person(number) | {"tags": [f"t{number % 7}", "b"], "scores": [number % 5, 1]}),
    "list of objects": _object(lambda number: {"id": number, "lines": _lines(number), "who": {"n": {"last": "B"}}}),
    "sparse": _sparse,
    "wide": _object(lambda number: {f"c{at}": number * at if at % 3 else f"v{number % 17}" for at in range(1_000)}),
    "long": _object(lambda number: {"id": number, "text": f"word {number} " * 200}),
    "quoted": _object(lambda number: {"id": number, "text": f'said "{number}",\n\tthen \\ left'}),
    "unicode": _object(lambda number: {"id": number, "text": f"Müller {number} 東京 🙂", "ort": "São Paulo"}),
    "decimals": _decimals,
    "nulls": _object(lambda number: _person(number) | {"note": None if number % 3 else "x", "none": None}),
    "mixed": _object(
        lambda number: _person(number) | {"v": (number, f"x{number}", number / 7, True, None)[number % 5]}
    ),
    "deep": _object(_deep),
}


def write(path: Path, *, shape: str, size: int, lines: bool) -> None:
    """Write objects of a shape, as an array or as JSON lines."""
    pick = random.Random(1)
    written = number = 0
    with path.open("w", encoding="utf-8") as file:
        while written < size:
            start = "" if lines else "," if number else "["
            written += file.write(start + SHAPES[shape](number, pick) + "\n")
            number += 1
        file.write("" if lines else "]\n")


_DUCKDB = (
    "import duckdb; found = duckdb.connect(); "
    "found.sql('SET threads = 1'); found.sql('SET enable_progress_bar = false'); "
    "found.sql(\"\"\"COPY (SELECT * FROM read_json('{input}', format='%s', maximum_object_size=100000000)) "
    'TO \'{output}\' (FORMAT parquet, COMPRESSION zstd)"""); '
    "import os; os._exit(0)"
)
_POLARS = (
    "import os; os.environ['POLARS_MAX_THREADS'] = '1'; import polars; "
    "polars.read_%s('{input}', infer_schema_length=None).write_%s('{output}'); os._exit(0)"
)


def _pairs() -> Iterator[tuple[str, str, str, str]]:
    """Yield a source, a target, a peer and its script."""
    for source, form, read in (("json", "array", "json"), ("ndjson", "newline_delimited", "ndjson")):
        yield source, "parquet", "DuckDB, one thread", _DUCKDB % form
        yield source, "parquet", "polars, one thread", _POLARS % (read, "parquet")
    yield "json", "arrow", "polars, one thread", _POLARS % ("json", "ipc")


def _all() -> Iterator[Row]:
    for shape in SHAPES:
        for source, target, peer_name, script in _pairs():
            for size in SIZES if target == "parquet" and source == "json" else SIZES[:1]:
                yield Row(
                    name=f"{shape}, {size // 1_000_000} MB",
                    input=f"{shape.replace(' ', '-')}-{size // 1_000_000}.{source}",
                    make=partial(write, shape=shape, size=size, lines=source == "ndjson"),
                    slug=f"{source}-to-{target}",
                    peer_name=peer_name,
                    peer=("{python}", "-c", script),
                    goal=GOAL,
                    needs=(peer_name.partition(",")[0].lower(),),
                    most=320,
                    job=True,
                )


ROWS: tuple[Row, ...] = tuple(_all())
