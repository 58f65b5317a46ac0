"""One-time files: one reader at a time holds a claim, and the file is deleted once its last byte is sent."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, BinaryIO

from django.db import Error, connection, transaction
from django.db.models import Q
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from errors import TooMany
from storage import files
from storage.models import Removal, StoredFile

log = logging.getLogger("service.storage")

PIECE_BYTES = 256 * 1024
LASTS = timedelta(minutes=5)
"""Seconds for which a claim is valid: far longer than the slowest accepted client needs for a chunk, at 4 KB/s. After a
crash the file stays claimed for as long.
"""
SKEW = timedelta(seconds=30)
_RENEW_EVERY = 30.0
_RETRY_EVERY = 0.02
_RETRY_FOR = 1.0

taking = Signal()
"""Sent with `request` before an account's one-time file is downloaded, and so deleted; a receiver that objects raises
AccessDenied."""

WhenSent = Callable[[Callable[[bool], None]], None]

_one_waiter = threading.BoundedSemaphore()


class DownloadInProgress(TooMany):
    """Another download of the file is in progress, and deletes the file unless it is interrupted."""

    default_detail = _("This file can be downloaded once, and a download is in progress. Try again in 5 seconds.")
    wait = 5


@dataclass(frozen=True)
class Claim:
    """The right to read one file; `token` tells it from a later claim."""

    key: str
    token: uuid.UUID

    def renew(self) -> bool:
        """Renew the claim; False if it has expired and was taken over, or the file is gone."""
        return bool(self._rows().update(claimed_until=timezone.now() + LASTS))

    def release(self) -> None:
        """Release the file for the next reader."""
        self._rows().update(claim=None, claimed_until=None)

    def delete_file(self) -> None:
        """Delete the file and its bytes, unless the claim has expired."""
        with transaction.atomic():
            if not self._rows().delete()[0]:
                return
            Removal.objects.bulk_create([Removal(key=self.key)], ignore_conflicts=True)
        files.remove_bytes(self.key)

    def _rows(self) -> Any:
        return StoredFile.objects.filter(key=self.key, claim=self.token)


def claim(file: StoredFile) -> Claim:
    """Claim a file for reading: of concurrent callers one succeeds.

    Raises FileNotFoundError if it is gone, and DownloadInProgress while another reads it.
    """
    if found := _claim(file.key):
        return found
    # A client that has just received everything, or lost the connection, may ask again before the server knows. One
    # thread of a process waits for that; more would let clients block all threads.
    if _one_waiter.acquire(blocking=False):
        try:
            until = time.monotonic() + _RETRY_FOR
            while time.monotonic() < until:
                time.sleep(_RETRY_EVERY)
                if found := _claim(file.key):
                    return found
        finally:
            _one_waiter.release()
    raise DownloadInProgress


def _claim(key: str) -> Claim | None:
    """Claim the file; None while another has it. Raises FileNotFoundError."""
    now, token = timezone.now(), uuid.uuid4()
    # A claim too far in the future was made before the clock was set back.
    free = Q(claimed_until=None) | Q(claimed_until__lte=now) | Q(claimed_until__gt=now + LASTS + SKEW)
    if StoredFile.objects.filter(free, key=key, once=True).update(claim=token, claimed_until=now + LASTS):
        return Claim(key, token)
    if not StoredFile.objects.filter(key=key, expires_at__gt=now).exists():
        raise FileNotFoundError(key)
    return None


@contextmanager
def read_once(file: StoredFile) -> Iterator[BinaryIO]:
    """Read a file to its end in the block, then delete it; it stays if the block fails.

    Raises what claim() raises.
    """
    found = claim(file)
    try:
        with files.open(file) as source:
            yield source
    except BaseException:
        found.release()
        raise
    found.delete_file()


class Pieces:
    """The chunks of a response; the file is deleted once all were sent.

    `when_sent` registers a callback with the server. Other servers close the response after taking the last chunk.
    """

    def __init__(self, file: StoredFile, *, when_sent: WhenSent | None) -> None:
        self._claim = claim(file)
        self._ended = False
        self._notified = when_sent is not None
        try:
            self._source = files.open(file)
        except BaseException:
            self._claim.release()
            raise
        if when_sent is not None:
            when_sent(self._sent)

    def __iter__(self) -> Iterator[bytes]:
        renewed = time.monotonic()
        while piece := self._source.read(PIECE_BYTES):
            if time.monotonic() > renewed + _RENEW_EVERY:
                if not self._claim.renew():
                    raise ConnectionAbortedError("the file was claimed by another download")
                renewed = time.monotonic()
            yield piece
        self._ended = True

    def close(self) -> None:
        self._source.close()
        if not self._notified:
            self._settle(whole=self._ended)

    def _sent(self, whole: bool) -> None:
        """Called by the server, in another thread, when the last byte was sent or the connection broke."""
        try:
            self._source.close()
            self._settle(whole=whole and self._ended)
        except Error as error:
            # Not the file's key: for a guest's file that is all that a download needs.
            token = str(self._claim.token)
            log.error("a claim was not settled, it will run out", extra={"claim": token, "error": str(error)})
        finally:
            connection.close()

    def _settle(self, *, whole: bool) -> None:
        if whole:
            self._claim.delete_file()
        else:
            self._claim.release()
