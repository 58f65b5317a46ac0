"""Read the rows of a table in blocks of columns; texts and integers as JSON arrays, a quarter of the work of cells."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from types import NoneType
from typing import Any

import msgspec

from engine.families.data.table import BATCH
from engine.families.data.values import Value

Columns = list[Sequence[Value]]

_MOST = 4_000_000
"""Bytes of text in a block, above which the next one is read by cells: JSON has them twice in memory."""
_ROW_IDS = ("rowid", "oid", "_rowid_")
_LEAST, _LAST = -(2**63), 2**63 - 1
_DECODERS: dict[type, Any] = {
    str: msgspec.json.Decoder(list[str | None]),
    int: msgspec.json.Decoder(list[int | None]),
}
_ARRAY = "json_group_array(iif(typeof({0}) = 'blob', x'ff', {0}))"
"""From version 3.45 on, SQLite reads some blobs as binary JSON (JSONB): x'ff' is an error in any version."""
_NO_JSON = (sqlite3.OperationalError, sqlite3.DataError, msgspec.DecodeError, UnicodeDecodeError)
"""What comes of blobs, of numbers among texts, of text that is not UTF-8, and of texts that are too long together."""


class Reader:
    """Reads a table, given by its quoted name, with row IDs in order; `names` are its columns."""

    def __init__(self, connection: sqlite3.Connection, table: str, names: Sequence[str]) -> None:
        self._connection = connection
        self._table = table
        self._names = ['"' + each.replace('"', '""') + '"' for each in names]
        taken = set(map(str.lower, names))
        self._row_id = next((each for each in _ROW_IDS if each not in taken), "")
        self._json: dict[int, type] = {}
        """The columns that are read as JSON, with the type of their values."""

    def has_row_ids(self) -> bool:
        """Whether rows can be read with their IDs: not WITHOUT ROWID, nor with the most columns of a result."""
        try:
            self._connection.execute(f"SELECT {self._row_id}, * FROM {self._table} LIMIT 0")  # noqa: S608  # quoted
        except sqlite3.OperationalError:
            return False
        return bool(self._row_id)

    def has_one_type_each(self) -> bool:
        """Whether the values of each column have one type, as far as the first rows say."""
        return all(len(_types(cells)) <= 1 for cells in next(self.blocks(), []))

    def blocks(self) -> Iterator[Columns]:
        """Yield the columns of BATCH rows at a time, in the order of their IDs."""
        start = _LEAST
        while start <= _LAST:
            by_cell = [at for at in range(len(self._names)) if at not in self._json]
            what = ", ".join([self._row_id, *map(self._names.__getitem__, by_cell)])
            rows = self._select(what, start, _LAST, f"LIMIT {BATCH}").fetchall()
            if not rows:
                return
            ids, *cells = zip(*rows, strict=True)
            found = dict(zip(by_cell, cells, strict=True)) | self._texts(start, ids[-1])
            columns = [found[at] for at in range(len(self._names))]
            self._choose(columns)
            yield columns
            start = ids[-1] + 1

    def _select(self, what: str, start: int, end: int, limit: str = "") -> sqlite3.Cursor:
        # By the statistics of its file, SQLite may prefer the order of an index, which is another one for each column.
        return self._connection.execute(
            f"SELECT {what} FROM {self._table} NOT INDEXED WHERE {self._row_id} BETWEEN ? AND ? "  # noqa: S608  # quoted
            f"ORDER BY {self._row_id} {limit}",
            (start, end),
        )

    def _texts(self, start: int, end: int) -> dict[int, Sequence[Value]]:
        """The columns that are read as JSON; cell by cell where that is not the same."""
        if not self._json:
            return {}
        names = [self._names[at] for at in self._json]
        factory = self._connection.text_factory
        try:
            self._connection.text_factory = bytes
            arrays = self._select(", ".join(map(_ARRAY.format, names)), start, end).fetchone()
            return {
                at: _DECODERS[kind].decode(array) for (at, kind), array in zip(self._json.items(), arrays, strict=True)
            }
        except _NO_JSON:
            pass
        finally:
            self._connection.text_factory = factory
        rows = self._select(", ".join(names), start, end).fetchall()
        return dict(zip(self._json, zip(*rows, strict=True), strict=True))

    def _choose(self, columns: Columns) -> None:
        """Choose the columns of the next block that are read as JSON."""
        chosen = {at: next(iter(kinds)) for at, kinds in enumerate(map(_types, columns)) if len(kinds) == 1}
        size = sum(sum(map(len, filter(None, columns[at]))) for at, kind in chosen.items() if kind is str)
        self._json = {at: kind for at, kind in chosen.items() if kind in _DECODERS} if size <= _MOST else {}


def _types(cells: Sequence[Value]) -> set[type]:
    return set(map(type, cells)) - {NoneType}
