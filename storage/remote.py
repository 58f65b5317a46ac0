"""Tells whether files are in S3, and translates S3's errors into the service's own."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from typing import Any

from django.core.files.storage import default_storage

from remote_calls import remote_call
from storage.errors import StorageUnreachable

log = logging.getLogger("service.storage")


def is_remote() -> bool:
    """Whether the files are in S3 rather than in a local folder."""
    # Asked of the class: its instance takes tenths of a second to connect, in each thread.
    return hasattr(default_storage.__class__, "bucket")


@contextmanager
def asking() -> Iterator[None]:
    """Call the storage in the block, as a remote call if it is S3; raises what translating_errors() does."""
    with remote_call() if is_remote() else nullcontext(), translating_errors():
        yield


@contextmanager
def translating_errors() -> Iterator[None]:
    """Raise StorageUnreachable if S3 does not respond or is unavailable, FileNotFoundError if it has no such file.

    Other refusals, such as wrong credentials, are our own fault and pass unchanged.
    """
    try:
        yield
    except Exception as error:
        known = _known(error) if is_remote() else None
        if known is None:
            raise
        raise known from error


class Body(io.RawIOBase):
    """The bytes of an object in S3 as they arrive; raises StorageUnreachable where they break off."""

    def __init__(self, body: Any, length: int) -> None:
        self._body = body
        self._left = length

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with translating_errors():
            data = self._body.read(len(buffer))
        self._left -= len(data)
        # The library does not notice where it validates checksums.
        if not data and self._left > 0 and len(buffer):
            log.error("storage unavailable", extra={"error": f"{self._left} bytes of an object are missing"})
            raise StorageUnreachable()
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._body.close()
        super().close()


def _known(error: Exception) -> Exception | None:
    # The library is installed only where S3 is used.
    library = import_module("botocore.exceptions")
    if isinstance(error, library.ClientError):
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        if status == 404:
            return FileNotFoundError(str(error))
        silent = status == 429 or status >= 500
    else:
        silent = isinstance(error, library.HTTPClientError | library.ConnectionError | library.IncompleteReadError)
    if not silent:
        return None
    log.error("storage unavailable", extra={"error": str(error)})
    return StorageUnreachable()
