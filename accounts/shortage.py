"""The error for a full disk or database."""

from __future__ import annotations

import errno
import sqlite3

from django.utils.translation import gettext_lazy as _

from errors import Unavailable

_ERRNOS = (errno.ENOSPC, errno.EDQUOT)
_DISK_FULL = "53100"
"""PostgreSQL's error code disk_full (documentation, appendix A)."""


class NoSpace(Unavailable):
    """The disk or this service's quota is full; nothing was charged. `wait` is in seconds."""

    default_detail = _("The service has no storage space left at the moment. Try again in a few seconds.")
    wait = 10


def is_full(error: BaseException | None) -> bool:
    """Whether an error, or its cause, means that no space is left: on disk, in SQLite or PostgreSQL."""
    for _turn in range(20):
        if error is None:
            return False
        if isinstance(error, OSError) and error.errno in _ERRNOS:
            return True
        if isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            return True
        if getattr(error, "sqlstate", None) == _DISK_FULL:
            return True
        error = error.__cause__ or error.__context__
    return False
