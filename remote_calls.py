"""Calls to other services, which may be slow: no thread holds a pooled database connection while it waits for one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connections


def give_back_connections() -> None:
    """Return this thread's pooled database connections, so that waiting requests hold none."""
    for connection in connections.all(initialized_only=True):
        if connection.settings_dict["CONN_MAX_AGE"] == 0 and not connection.in_atomic_block:
            connection.close()


@contextmanager
def remote_call() -> Iterator[None]:
    """Call another service in the block; the next query after it takes a connection from the pool again.

    Raises RuntimeError within a transaction: its connection can't be given back, and others wait for its locks.
    """
    for connection in connections.all(initialized_only=True):
        # As for durable blocks, the transaction around a test does not count.
        if connection.atomic_blocks and not connection.atomic_blocks[-1]._from_testcase:  # type: ignore[attr-defined]
            raise RuntimeError("another service is called within a transaction")
    give_back_connections()
    yield
