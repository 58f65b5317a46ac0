"""Bound what generated columns of SQLite tables take: their functions run for as long as their authors want."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from typing import TypeVar

from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

T = TypeVar("T")

MAX_LENGTH = 250_000
"""Bytes of a value in a table with generated columns: to search one for half of itself takes 0.2 s."""
MAX_SECONDS = 5.0
"""Seconds of processor time; 100,000 rows of nine columns with functions like substr() and printf() take 0.6."""
_STEPS = 10
"""Steps after which SQLite asks whether to go on; a function call is a step, and so are each of its arguments."""


class GeneratedColumns:
    """Runs what reads a table with generated columns, within limits for all of its rows; then `watch` is called."""

    def __init__(self, connection: sqlite3.Connection, table: str, watch: Callable[[], None]) -> None:
        self._connection, self._table, self._watch = connection, table, watch
        self._left = MAX_SECONDS

    def within_limits(self, run: Callable[[], T]) -> T:
        """Return what `run` returns. Raises OverLimit."""
        ends = time.thread_time() + self._left
        longest = self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_LENGTH)
        self._connection.set_progress_handler(lambda: time.thread_time() > ends, _STEPS)
        try:
            return run()
        except (sqlite3.DataError, sqlite3.OperationalError, MemoryError) as error:
            if type(error) is sqlite3.OperationalError and str(error) != "interrupted":
                raise
            raise OverLimit(
                "timeout",
                say(
                    "The generated columns of the table “{name}” take too long to compute. "
                    "Copy the table to one without generated columns.",
                    name=self._table,
                ),
            ) from None
        finally:
            self._left = ends - time.thread_time()
            self._watch()
            self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)
