"""Stored files from their bytes to their end; the only code that uses Django's storage API."""

from __future__ import annotations

import contextlib
import hashlib
import io
import logging
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, BinaryIO, Literal, cast

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from storage.keys import is_key, new_key, path_of
from storage.models import Removal, StoredFile
from storage.names import content_disposition

log = logging.getLogger("service.storage")

BATCH = 500
PIECE_BYTES = 1 << 19
ORPHAN_AGE = timedelta(hours=6)
"""Longer than any job, and than a clock is set forward by a mistaken daylight saving."""
ORPHANED = "application/x-orphaned"
"""The content type of a row that sweep() has made."""
_REMOTE_TRUST = 60.0
LINK_SECONDS = 60


@dataclass(frozen=True)
class Stored:
    """Bytes that are in the storage and have no row yet; `size` is in bytes, `sha256` in hexadecimal.

    `since` is when they were stored, by a clock that nobody sets.
    """

    key: str
    size: int
    sha256: str
    since: float = field(default_factory=time.monotonic, compare=False)


def put(stream: BinaryIO, *, extension: str) -> Stored:
    """Store what a seekable stream holds, from its beginning, under a new key; it is read in pieces, for S3 twice."""
    stream.seek(0)
    key = new_key(extension)
    try:
        # Nobody knows the key before its row is there, so that half a file is never seen.
        if not is_remote():
            return Stored(key, *_write(default_storage.path(path_of(key)), stream))
        digest = hashlib.file_digest(cast("Any", stream), "sha256").hexdigest()
        size = stream.seek(0, io.SEEK_END)
        stream.seek(0)
        default_storage.save(path_of(key), File(stream))
    except BaseException:
        # A full disk must not be kept full by what did not fit.
        _remove_bytes(key)
        raise
    return Stored(key, size, digest)


def row(
    stored: Stored, *, owner: Any, name: str, content_type: str, expires_at: datetime, once: bool = False
) -> StoredFile:
    """The row that makes the file known: from the end of the transaction that inserts it on it can be downloaded.

    `owner` is a user, or None for a guest's file. `name`, what downloads are called, is one that can be shown and
    written to a disk. One that may be fetched `once` is gone with its first download.
    """
    return StoredFile(
        key=stored.key,
        name=name,
        content_type=content_type,
        size=stored.size,
        sha256=stored.sha256,
        owner=owner,
        expires_at=expires_at,
        once=once,
    )


def discard(stored: Stored) -> None:
    """Remove bytes that are known never to be recorded; those that can't be removed now are left to sweep()."""
    _remove_bytes(stored.key)


def holds(stored: Stored) -> bool:
    """Whether bytes that are about to be recorded are still there: asked after their row is inserted, before COMMIT.

    In S3, where it takes a round trip, only of bytes that have waited for their row.
    """
    if is_remote() and time.monotonic() - stored.since < _REMOTE_TRUST:
        return True
    return default_storage.exists(path_of(stored.key))


def is_there(key: str) -> bool:
    """Whether a recorded file can still be downloaded: neither expired nor deleted."""
    return StoredFile.objects.filter(key=key, expires_at__gt=timezone.now()).exists()


def readable(reader: object) -> QuerySet[StoredFile]:
    """Files that have not expired and that a download would give to this reader, a user or a guest."""
    mine = Q(owner=None) | Q(owner=reader) if isinstance(reader, AbstractBaseUser) else Q(owner=None)
    return StoredFile.objects.filter(mine, expires_at__gt=timezone.now())


def open(file: StoredFile, *, start: int = 0, length: int | None = None) -> BinaryIO:
    """Open the file's bytes for reading: `length` of them from `start` on, all the rest unless given.

    Raises FileNotFoundError where the bytes are gone.
    """
    length = file.size - start if length is None else length
    if not is_remote():
        source = cast("BinaryIO", default_storage.open(file.path).file)
        source.seek(start)
        return cast("BinaryIO", Slice(source, length))
    if length == 0:
        return io.BytesIO()
    # S3File itself would fetch the whole object before the first byte; the object's own body is a stream.
    remote = cast("Any", default_storage.open(file.path)).obj
    return cast("BinaryIO", remote.get(Range=f"bytes={start}-{start + length - 1}")["Body"])


def take(file: StoredFile) -> BinaryIO:
    """Open a file that may be fetched once and take it off the list: of several at once one gets it, whole.

    Raises FileNotFoundError for all others.
    """
    # Opened first: what is open stays readable when its name is gone.
    source = open(file)
    if not _forget_one(file.key):
        source.close()
        raise FileNotFoundError(file.key)
    if not is_remote():
        _remove_bytes(file.key)
    return source


def _forget_one(key: str) -> bool:
    with transaction.atomic():
        gone = StoredFile.objects.filter(key=key, once=True).delete()[0] > 0
        if gone:
            Removal.objects.bulk_create([Removal(key=key)], ignore_conflicts=True)
    return gone


def link(file: StoredFile) -> str:
    """An address at which S3 itself hands out the file for `LINK_SECONDS`, under its name and as a download."""
    parameters = {
        "ResponseContentType": file.content_type,
        "ResponseContentDisposition": content_disposition(file.name),
        "ResponseCacheControl": "private, no-store",
    }
    return str(cast("Any", default_storage).url(file.path, parameters=parameters, expire=LINK_SECONDS))


def delete(file: StoredFile) -> bool:
    """Remove the bytes, then the row; return whether the row was still there, of several at once for one only."""
    default_storage.delete(file.path)
    return _forget([file]) > 0


def purge(now: datetime | None = None) -> int:
    """Remove all files that have expired by `now`, and return how many; any number may run at once.

    A file whose bytes can't be removed keeps its row for the next purge.
    """
    expired = StoredFile.objects.filter(expires_at__lte=now or timezone.now()).order_by("pk")
    removed = last = 0
    while batch := list(expired.filter(pk__gt=last).only("key")[:BATCH]):
        last = batch[-1].pk
        removed += _forget([file for file in batch if _remove_bytes(file.key)])
    return removed


def removed_at(key: str) -> datetime | None:
    """When the bytes of a file were removed; None while they are there."""
    return Removal.objects.filter(pk=key).values_list("removed_at", flat=True).first()


def sweep(now: datetime | None = None) -> int:
    """Remove bytes that have no row and are older than `ORPHAN_AGE`, and return how many.

    Any number may run at once; what several find, each may count. Orphans are left by a process that died between
    storing and recording, or that lost the answer to its COMMIT. Each is given a row of its own first, one of an
    expired file: the keys of rows are unique, so that a COMMIT which is still on its way is waited for and keeps its
    file, or fails.
    """
    now = now or timezone.now()
    limit = now - ORPHAN_AGE
    old = (key for key, modified in _all_bytes() if is_key(key) and modified < limit)
    removed = 0
    while batch := list(islice(old, BATCH)):
        known = set(StoredFile.objects.filter(key__in=batch).values_list("key", flat=True))
        StoredFile.objects.bulk_create(
            [_orphan(key, now) for key in batch if key not in known], ignore_conflicts=True, batch_size=BATCH
        )
        orphans = list(StoredFile.objects.filter(key__in=batch, content_type=ORPHANED).only("key"))
        gone = [file.pk for file in orphans if _remove_bytes(file.key)]
        removed += StoredFile.objects.filter(pk__in=gone).delete()[0]
    return removed


def _forget(gone: list[StoredFile]) -> int:
    """Take files whose bytes are removed off the list, with a note of when; return how many were still there."""
    with transaction.atomic():
        number = StoredFile.objects.filter(pk__in=[file.pk for file in gone]).delete()[0]
        # Of several at once, the first one's moment stays.
        Removal.objects.bulk_create([Removal(key=file.key) for file in gone], ignore_conflicts=True)
    return number


def _orphan(key: str, now: datetime) -> StoredFile:
    return StoredFile(key=key, name=key, content_type=ORPHANED, size=0, sha256="0" * 64, expires_at=now)


def is_remote() -> bool:
    """Whether the files are in S3 rather than in a local folder."""
    return hasattr(default_storage, "bucket")


class Slice(io.RawIOBase):
    """A part of a local file; its descriptor stands where the part begins, as servers with sendfile want it."""

    def __init__(self, source: BinaryIO, length: int) -> None:
        self._source = source
        self._left = length

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._source.read(min(len(buffer), self._left))
        buffer[: len(data)] = data
        self._left -= len(data)
        return len(data)

    def fileno(self) -> int:
        return self._source.fileno()

    def close(self) -> None:
        self._source.close()
        super().close()


def _write(path: str, stream: BinaryIO) -> tuple[int, str]:
    """Write a new file; return its size and its SHA-256."""
    try:
        target = io.FileIO(path, "xb")
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        target = io.FileIO(path, "xb")
    digest, size = hashlib.sha256(), 0
    try:
        with target:
            # Whoever serves the files in our place, such as a proxy, may be another user.
            os.fchmod(target.fileno(), 0o644)
            while piece := stream.read(PIECE_BYTES):
                digest.update(piece)
                view = memoryview(piece)
                while view:
                    view = view[target.write(view) :]
                size += len(piece)
    except BaseException:
        os.unlink(path)  # what does not fit must not take the room that others need
        raise
    return size, digest.hexdigest()


def _remove_bytes(key: str) -> bool:
    try:
        default_storage.delete(path_of(key))
    except Exception:
        # Whatever is wrong with this one, the others must go; it is tried again next time.
        log.exception("stored bytes could not be removed", extra={"key": key})
        return False
    return True


def _all_bytes() -> Iterator[tuple[str, datetime]]:
    """The last part of the name of everything that is stored, and when it was written."""
    if is_remote():
        storage = cast("Any", default_storage)
        for remote in storage.bucket.objects.filter(Prefix=storage.location):
            yield remote.key.rpartition("/")[2], remote.last_modified
        return
    for folder in _names_in("", kind=0):
        for name in _names_in(folder, kind=1):
            with contextlib.suppress(FileNotFoundError):
                yield name, default_storage.get_modified_time(f"{folder}/{name}")


def _names_in(folder: str, *, kind: Literal[0, 1]) -> list[str]:
    """The folders (0) or the files (1) in a folder, which another process may just have removed."""
    with contextlib.suppress(FileNotFoundError):
        return default_storage.listdir(folder)[kind]
    return []
