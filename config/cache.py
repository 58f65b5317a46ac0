"""A Django cache with atomic counters in a SQLite file, shared by the processes of one host without Redis."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import stat
import threading
import time
import weakref
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache

from write_lock import WriteLock

UNREACHABLE = (sqlite3.Error, OSError)
"""Raised if the file can't be used."""
BUSY_SECONDS = 10.0
CULL_EVERY = 200
CULL_ROWS = 1_000
LOOKUP_KEYS = 500

_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
    key TEXT PRIMARY KEY,
    value NOT NULL CHECK (typeof(value) IN ('integer', 'text')),
    expires REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS entries_by_expiry ON entries (expires);
"""
_PUT = (
    "INSERT INTO entries VALUES (?, ?, ?)"
    " ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires"
)
_COUNT = (
    "INSERT INTO entries VALUES (?1, ?2, ?3) ON CONFLICT (key) DO UPDATE SET"
    " value = excluded.value + iif(entries.expires > ?4 AND typeof(entries.value) = 'integer', entries.value, 0),"
    " expires = iif(entries.expires > ?4, entries.expires, excluded.expires) RETURNING value"
)


class _Handle:
    """One thread's connection, opened on first use and closed before every fork.

    SQLite's locks belong to the process, so neither connections nor their state may reach a child
    (https://www.sqlite.org/howtocorrupt.html, section 2.6).
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = threading.Lock()
        self._database: sqlite3.Connection | None = None
        with _fork_lock:
            _handles.add(self)

    @contextlib.contextmanager
    def database(self) -> Iterator[sqlite3.Connection]:
        with self.lock:
            if self._database is None:
                self._database = _open(self.path)
            yield self._database

    def close(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None


_fork_lock = threading.Lock()
_handles: weakref.WeakSet[_Handle] = weakref.WeakSet()
_held: list[_Handle] = []


def _before_fork() -> None:
    _fork_lock.acquire()
    for handle in list(_handles):
        handle.lock.acquire()
        _held.append(handle)
        handle.close()


def _after_fork() -> None:
    while _held:
        _held.pop().lock.release()
    _fork_lock.release()


os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)


def _open(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Not by opening it: closing any descriptor of the file would drop the locks of this process's other connections.
    with contextlib.suppress(FileExistsError):
        os.mknod(path, stat.S_IFREG | 0o600)
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        # check_same_thread: the forking thread closes the connections of all others.
        database = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            # Bytes of journal, 16 MB: each checkpoint waits for the disk, and the request that triggers it waits, too.
            database.execute("PRAGMA journal_size_limit = 67108864")
            database.execute("PRAGMA wal_autocheckpoint = 4000")
            database.executescript(_SCHEMA)
        except sqlite3.OperationalError:
            # Changing the journal mode waits for no lock: several processes may start with a new file at once.
            database.close()
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return database


class SQLiteCache(BaseCache):
    """Keeps entries in the SQLite file LOCATION, shared by all processes and threads of one host.

    `add`, `incr` and `decr` are atomic. Values are JSON (a tuple becomes a list), never pickles; others raise
    TypeError. Only expired entries are removed: the rest are counters and locks, which must not vanish.
    """

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._path = Path(location)
        self._local = threading.local()
        self._writes = 0
        self._write_lock = WriteLock(location)

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        rows = self._read(
            "SELECT value FROM entries WHERE key = ? AND expires > ?", self._key(key, version), time.time()
        )
        return _decode(rows[0][0]) if rows else default

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, Any]:
        wanted = {self._key(key, version): key for key in keys}
        names = list(wanted)
        found = {}
        for start in range(0, len(names), LOOKUP_KEYS):
            batch = names[start : start + LOOKUP_KEYS]
            marks = ", ".join("?" * len(batch))
            query = f"SELECT key, value FROM entries WHERE key IN ({marks}) AND expires > ?"  # noqa: S608
            found.update({wanted[name]: _decode(value) for name, value in self._read(query, *batch, time.time())})
        return found

    def has_key(self, key: str, version: int | None = None) -> bool:
        return bool(
            self._read("SELECT 1 FROM entries WHERE key = ? AND expires > ?", self._key(key, version), time.time())
        )

    def set(self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        self._write(_PUT, self._key(key, version), _encode(value), self._expiry(timeout))

    def set_many(
        self, data: Mapping[str, Any], timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> list[str]:
        expires = self._expiry(timeout)
        rows = [(self._key(key, version), _encode(value), expires) for key, value in data.items()]
        self._write_rows(_PUT, rows)
        return []

    @contextlib.contextmanager
    def counting(self) -> Iterator[None]:
        """In the block, `add` to an existing counter already adds the number, and the following `incr` returns the
        sum: one statement for django-ratelimit's two.
        """
        self._local.counted = {}
        try:
            yield
        finally:
            self._local.counted = None

    def add(self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        counted: dict[str, int] | None = getattr(self._local, "counted", None)
        if counted is not None and type(value) is int and value > 0:
            name = self._key(key, version)
            with self._handle().database() as database, self._write_lock.hold():
                counter = name, value, self._expiry(timeout), time.time()
                ((found,),) = database.execute(_COUNT, counter).fetchall()
                self._cull(database)
            if found != value:
                counted[name] = found
            return bool(found == value)
        statement = _PUT + " WHERE entries.expires <= ?"
        name = self._key(key, version)
        return self._write(statement, name, _encode(value), self._expiry(timeout), time.time()) > 0

    def touch(self, key: str, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        statement = "UPDATE entries SET expires = ? WHERE key = ? AND expires > ?"
        return self._write(statement, self._expiry(timeout), self._key(key, version), time.time()) > 0

    def delete(self, key: str, version: int | None = None) -> bool:
        statement = "DELETE FROM entries WHERE key = ? AND expires > ?"
        return self._write(statement, self._key(key, version), time.time()) > 0

    def delete_many(self, keys: Iterable[str], version: int | None = None) -> None:
        self._write_rows("DELETE FROM entries WHERE key = ?", [(self._key(key, version),) for key in keys])

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Add `delta` and return the new value; keeps the expiry.

        Raises ValueError for a missing key, TypeError if the value is no integer, OverflowError beyond 64 bits.
        """
        name, now = self._key(key, version), time.time()
        if (counted := (getattr(self._local, "counted", None) or {}).pop(name, None)) is not None:
            return int(counted)
        try:
            with self._handle().database() as database, self._write_lock.hold():
                rows = database.execute(
                    "UPDATE entries SET value = value + ?"
                    " WHERE key = ? AND expires > ? AND typeof(value) = 'integer' RETURNING value",
                    (delta, name, now),
                ).fetchall()
        except sqlite3.IntegrityError:
            raise OverflowError(f"The value of {key!r} would no longer fit 64 bits.") from None
        if rows:
            return int(rows[0][0])
        if self.has_key(key, version):
            raise TypeError(f"The value of {key!r} is no integer.")
        raise ValueError(f"Key {key!r} not found")

    def clear(self) -> None:
        self._write("DELETE FROM entries")

    def validate_key(self, key: str) -> None:
        """No validation: memcached's restrictions don't apply, and checking them takes time."""

    def _key(self, key: str, version: int | None) -> str:
        return str(self.make_and_validate_key(key, version))

    def _expiry(self, timeout: float | None) -> float:
        expires = self.get_backend_timeout(timeout)
        return float("inf") if expires is None else float(expires)

    def _handle(self) -> _Handle:
        handle: _Handle | None = getattr(self._local, "handle", None)
        if handle is None:
            handle = self._local.handle = _Handle(self._path)
        return handle

    def _read(self, query: str, *parameters: object) -> list[Any]:
        with self._handle().database() as database:
            return database.execute(query, parameters).fetchall()

    def _write(self, statement: str, *parameters: object) -> int:
        with self._handle().database() as database, self._write_lock.hold():
            changed = database.execute(statement, parameters).rowcount
            self._cull(database)
        return changed

    def _write_rows(self, statement: str, rows: list[Any]) -> None:
        with self._handle().database() as database, self._write_lock.hold():
            database.execute("BEGIN IMMEDIATE")
            try:
                database.executemany(statement, rows)
            except BaseException:
                database.execute("ROLLBACK")
                raise
            database.execute("COMMIT")
            self._cull(database)

    def _cull(self, database: sqlite3.Connection) -> None:
        self._writes += 1
        if self._writes % CULL_EVERY == 0:
            database.execute(
                "DELETE FROM entries WHERE key IN (SELECT key FROM entries WHERE expires <= ? LIMIT ?)",
                (time.time(), CULL_ROWS),
            )


def _encode(value: Any) -> int | str:
    # Integers are stored as such, so that SQLite can add to them; bool is not a counter.
    if type(value) is int and -(2**63) <= value < 2**63:
        return value
    return json.dumps(value)


def _decode(stored: int | str) -> Any:
    return stored if isinstance(stored, int) else json.loads(stored)
