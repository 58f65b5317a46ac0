"""Typed text, picked rows and columns, unwound lists, and Avro: tables of 25 MB, compared with DuckDB and polars on one
thread.

Unlike the others, DuckDB leaves out rows whose lists are empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from benchmarks.row import Row
from benchmarks.rows import columns, shapes
from engine.toolkit.options import Value

SIZE = 25_000_000
GOAL, MOST = 1.5, 320


def avro(path: Path) -> None:
    """Write, as Avro, rows that take this many bytes as text."""
    import polars

    text = path.with_suffix(".making")
    columns.delimited(text, ",", SIZE)
    polars.read_csv(text).write_avro(path, compression="deflate")
    text.unlink()


MAKE: dict[str, Callable[[Path], None]] = {
    each: partial(columns.MAKE[each], size=SIZE) for each in ("csv", "json", "ndjson", "parquet")
} | {"avro": avro}
_FROM = {
    "csv": "read_csv('{input}')",
    "json": "read_json('{input}', format='array')",
    "ndjson": "read_json('{input}', format='newline_delimited')",
    "parquet": "'{input}'",
}
_TO = {"csv": "(FORMAT csv)", "json": "(FORMAT json, ARRAY true)", "parquet": "(FORMAT parquet, COMPRESSION zstd)"}
PICKS: dict[str, tuple[dict[str, Value], str, str]] = {
    "where": (
        {"where": "amount > 50000 and active = true"},
        "SELECT * FROM {} WHERE amount > 50000 AND active",
        ".filter((polars.col('amount') > 50000) & polars.col('active'))",
    ),
    "sort": ({"sort": "-amount"}, "SELECT * FROM {} ORDER BY amount DESC", ".sort('amount', descending=True)"),
    "columns": ({"columns": "name, amount as x"}, "SELECT name, amount AS x FROM {}", ".select('name', x='amount')"),
}
"""The options of a row, DuckDB's query and the call of polars that do the same."""
UNWOUND = {"list": "tags", "list of objects": "lines", "deep": "l"}
"""The lists of shapes of JSON."""


def _row(name: str, source: str, target: str, peer: str, script: str, **options: Value) -> Row:
    return Row(
        name=f"25 MB, {name}",
        input=f"picks.{source}",
        make=MAKE[source],
        slug=f"{source}-to-{target}",
        peer_name=f"{peer}, one thread",
        peer=("{python}", "-c", f"{script}; import os; os._exit(0)"),
        goal=GOAL,
        needs=(peer.lower(),),
        options=options,
        most=MOST,
        job=True,
    )


def _duckdb(query: str, source: str, target: str) -> str:
    return (
        "import duckdb; found = duckdb.connect(); "
        "found.sql('SET threads = 1'); found.sql('SET enable_progress_bar = false'); "
        f'found.sql("""COPY ({query.replace("{}", _FROM[source])}) TO \'{{output}}\' {_TO[target]}""")'
    )


_WHOLE = dict.fromkeys(("json", "ndjson"), ", infer_schema_length=None")


def _polars(pick: str, source: str, target: str) -> str:
    return (
        "import os; os.environ['POLARS_MAX_THREADS'] = '1'; import polars; "
        f"polars.read_{source}('{{input}}'{_WHOLE.get(source, '')}){pick}.write_{target}('{{output}}'"
        + (", compression='deflate')" if target == "avro" else ")")
    )


def _all() -> Iterator[Row]:
    yield _row("types inferred", "csv", "json", "DuckDB", _duckdb("SELECT * FROM {}", "csv", "json"), types="infer")
    yield _row("types inferred", "csv", "json", "polars", _polars("", "csv", "json"), types="infer")
    for name, (options, query, pick) in PICKS.items():
        for source, target in (("csv", "csv"), ("csv", "parquet"), ("json", "csv"), ("parquet", "csv")):
            yield _row(name, source, target, "DuckDB", _duckdb(query, source, target), **options)
            yield _row(name, source, target, "polars", _polars(pick, source, target), **options)
    for shape, column in UNWOUND.items():
        query = f"SELECT * EXCLUDE ({column}), unnest({column}) AS {column} FROM {{}}"
        pick = f".explode('{column}', empty_as_null=True, keep_nulls=True)"
        for source, target in (("json", "csv"), ("ndjson", "json"), ("json", "parquet"), ("ndjson", "parquet")):
            peers = {"DuckDB": _duckdb(query, source, target), "polars": _polars(pick, source, target)}
            for peer, script in peers.items():
                if (peer, target) == ("polars", "csv"):  # which has no lists there
                    continue
                row = _row(f"unwind, {shape}", source, target, peer, script, unwind=column)
                make = partial(shapes.write, shape=shape, size=SIZE, lines=source == "ndjson")
                yield replace(row, input=f"{shape.replace(' ', '-')}-25.{source}", make=make)
    for source, target in (("csv", "avro"), ("json", "avro"), ("parquet", "avro")):
        yield _row("typed", source, target, "polars", _polars("", source, target))
    for target in ("csv", "json", "parquet"):
        yield _row("typed", "avro", target, "polars", _polars("", "avro", target))


ROWS: tuple[Row, ...] = tuple(_all())
