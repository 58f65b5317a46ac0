"""How compiled statements reach the database: straight to its driver, and rows to insert along with what comes next."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

from turns import Turns

_own = threading.local()
"""`pending` is what this thread has gathered, None where it does not."""


def execute(sql: str, values: Sequence[Any], *, reads: bool = False) -> Any:
    """Run a statement, as one with what was gathered before it, or after that where it `reads`; return its cursor.

    Its places are `%s`, and values are what fields prepare for the database. The framework's own cursor takes as long
    as the driver; it is used where somebody listens to it. Raises what that one raises.
    """
    connection: Any = connections[DEFAULT_DB_ALIAS]
    pending: list[tuple[str, Sequence[Any]]] | None = getattr(_own, "pending", None)
    if reads:
        _flush()
    if pending:
        sql = _together((*(each for each, _ in pending), sql))
        values = [value for _, each in pending for value in each] + list(values)
        pending.clear()
    if connection.queries_logged or len(connection.execute_wrappers) > (pending is not None):
        cursor = connection.cursor()
        cursor.execute(sql, values)
        return cursor
    connection.ensure_connection()
    connection.validate_no_broken_transaction()
    with connection.wrap_database_errors:
        if connection.vendor == "sqlite":
            return connection.connection.execute(_of_sqlite(sql), values)
        return connection.Database.RawCursor(connection.connection).execute(_of_postgresql(sql), values)


def insert(sql: str, values: Sequence[Any]) -> None:
    """Run an INSERT that returns nothing, now or with the next statement."""
    pending: list[tuple[str, Sequence[Any]]] | None = getattr(_own, "pending", None)
    if pending is None:
        execute(sql, values).close()
    else:
        pending.append((sql, values))


@contextmanager
def gathered() -> Iterator[None]:
    """Inside a transaction: have rows inserted with the next statement, as one with it, where the database can that.

    PostgreSQL takes them for one statement, whose cost is more in its being a statement than in its rows. Whatever else
    is asked of the database inside the block comes after the rows before it.
    """
    connection: Any = connections[DEFAULT_DB_ALIAS]
    if connection.vendor != "postgresql" or connection.execute_wrappers:
        yield
        return
    _own.pending = []
    try:
        with connection.execute_wrapper(_after_the_rest):
            yield
            _flush()
    finally:
        _own.pending = None


def _after_the_rest(run: Any, sql: Any, values: Any, many: bool, context: Any) -> Any:
    _flush()
    return run(sql, values, many, context)


def _flush() -> None:
    if pending := getattr(_own, "pending", None):
        execute(*pending.pop()).close()


@contextmanager
def in_turns() -> Iterator[None]:
    """Around a transaction that writes: on SQLite, which has one writer at a time, processes and threads take turns."""
    connection: Any = connections[DEFAULT_DB_ALIAS]
    if connection.vendor != "sqlite":
        yield
        return
    with _turns(str(connection.settings_dict["NAME"])).take():
        yield


@cache
def _turns(database: str) -> Turns:
    return Turns(database)


@cache
def _together(statements: tuple[str, ...]) -> str:
    """Several INSERTs and one statement more as one (PostgreSQL, section 7.8.4)."""
    *before, last = statements
    return f"WITH {', '.join(f'row_{number} AS ({each})' for number, each in enumerate(before))} {last}"


@cache
def _of_sqlite(sql: str) -> str:
    return sql.replace("%s", "?")


@cache
def _of_postgresql(sql: str) -> bytes:
    first, *rest = sql.split("%s")
    return (first + "".join(f"${number}{each}" for number, each in enumerate(rest, 1))).encode()
