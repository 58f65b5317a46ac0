"""A transaction that ends in one of three ways: it is recorded, it is known to have failed, or nobody knows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError, OperationalError, connection, transaction

from accounts import sending

_UNKNOWN = ("08", "57P", "40003")
"""The beginnings of PostgreSQL's codes (appendix A) that tell of a lost connection, not of a failed transaction."""


class OutcomeUnknown(OperationalError):
    """The COMMIT was sent and no answer came: it is in the database, or it will be, or it will never be."""


@contextmanager
def atomically() -> Iterator[None]:
    """Run the block in a transaction, its rows gathered.

    Raises OutcomeUnknown where the COMMIT was sent and its answer lost; any other error means that nothing of the
    block is or will be in the database.
    """
    sent = False
    try:
        with sending.in_turns(), transaction.atomic():
            with sending.gathered():
                yield
            sent = True
    except BaseException as error:
        if sent and not _refused(error):
            raise OutcomeUnknown("The database did not say whether it kept the result.") from error
        raise


def _refused(error: BaseException) -> bool:
    """Whether the database itself said that it would not commit."""
    if not isinstance(error, DatabaseError):
        return False
    if connection.vendor != "postgresql":
        # SQLite is part of this process: its answer can't be lost.
        return True
    code = getattr(error.__cause__, "sqlstate", None)
    return code is not None and not code.startswith(_UNKNOWN)
