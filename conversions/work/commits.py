"""Transactions whose outcome may be unknown: the connection can be lost during COMMIT."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache

from django.db import DatabaseError, OperationalError, connection, transaction

from write_lock import WriteLock

_UNKNOWN = ("08", "57P", "40003")
"""Prefixes of PostgreSQL's error codes (appendix A) for a lost connection rather than a failed transaction."""


class OutcomeUnknown(OperationalError):
    """COMMIT was sent but not answered: the transaction may or may not be committed, now or later."""


@contextmanager
def atomically() -> Iterator[None]:
    """Run the block in a transaction; on SQLite, which has one writer at a time, under the write lock.

    Raises OutcomeUnknown if COMMIT was sent but not answered; any other error means that nothing was committed.
    """
    sent = False
    try:
        with _writing(), transaction.atomic():
            yield
            sent = True
    except BaseException as error:
        if sent and not _refused(error):
            raise OutcomeUnknown("The database did not say whether it kept the result.") from error
        raise


def _writing() -> AbstractContextManager[None]:
    if connection.vendor != "sqlite":
        return nullcontext()
    return _write_lock(str(connection.settings_dict["NAME"])).hold()


@cache
def _write_lock(database: str) -> WriteLock:
    return WriteLock(database)


def _refused(error: BaseException) -> bool:
    """Whether the database itself refused to commit."""
    if not isinstance(error, DatabaseError):
        return False
    if connection.vendor != "postgresql":
        # SQLite runs in this process, so its answer can't be lost.
        return True
    code = getattr(error.__cause__, "sqlstate", None)
    return code is not None and not code.startswith(_UNKNOWN)
