"""The life of stored files; the only code that uses Django's storage API."""

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

from storage.errors import StorageUnreachable
from storage.keys import is_key, new_key, path_of
from storage.models import Removal, StoredFile
from storage.names import content_disposition
from storage.remote import Body, asking, is_remote, translating_errors

log = logging.getLogger("service.storage")

BATCH = 500
PIECE_BYTES = 1 << 19
ORPHAN_AGE = timedelta(hours=6)
"""Longer than any job, and than a wrong daylight-saving change."""
ORPHANED = "application/x-orphaned"
"""The content type of rows created by sweep()."""
_REMOTE_TRUST = 60.0
LINK_SECONDS = 60


@dataclass(frozen=True)
class Stored:
    """Stored bytes without a row; `size` is in bytes, `sha256` in hexadecimal.

    `since` is monotonic time.
    """

    key: str
    size: int
    sha256: str
    since: float = field(default_factory=time.monotonic, compare=False)


def put(stream: BinaryIO, *, extension: str) -> Stored:
    """Store a seekable stream, from its start, under a new key; reads in chunks, for S3 twice."""
    stream.seek(0)
    key = new_key(extension)
    try:
        # Nobody knows the key before its row exists, so a partial file is never visible.
        if not is_remote():
            return Stored(key, *_write(default_storage.path(path_of(key)), stream))
        digest = hashlib.file_digest(cast("Any", stream), "sha256").hexdigest()
        size = stream.seek(0, io.SEEK_END)
        stream.seek(0)
        with asking():
            default_storage.save(path_of(key), File(stream))
    except StorageUnreachable:
        # Asking S3 to delete what may have arrived would take as long again; sweep() does it later.
        raise
    except BaseException:
        # A partial file must not keep a full disk full.
        remove_bytes(key)
        raise
    return Stored(key, size, digest)


def row(
    stored: Stored,
    *,
    owner: Any,
    block: str | None = None,
    name: str,
    content_type: str,
    expires_at: datetime,
    once: bool = False,
) -> StoredFile:
    """The row for stored bytes: downloadable once the inserting transaction commits.

    `owner` is a user, or None for a guest's file, which counts on its `block` (see storage.quotas). `name` must be a
    valid file name for downloads. A `once` file is read by storage.onetime only.
    """
    return StoredFile(
        key=stored.key,
        name=name,
        content_type=content_type,
        size=stored.size,
        sha256=stored.sha256,
        owner=owner,
        block=block,
        expires_at=expires_at,
        once=once,
    )


def discard(stored: Stored) -> None:
    """Delete bytes that will certainly not be recorded; what can't be deleted is left to sweep()."""
    remove_bytes(stored.key)


def bytes_exist(stored: Stored) -> bool:
    """Whether the bytes still exist: called after inserting their row, before COMMIT.

    In S3, where it costs a round trip with the connection held, only for bytes that have waited.
    """
    if is_remote() and time.monotonic() - stored.since < _REMOTE_TRUST:
        return True
    with translating_errors():
        return default_storage.exists(path_of(stored.key))


def is_available(key: str) -> bool:
    """Whether a file can still be downloaded: neither expired nor deleted."""
    return StoredFile.objects.filter(key=key, expires_at__gt=timezone.now()).exists()


def readable(reader: object) -> QuerySet[StoredFile]:
    """Unexpired files that this user or guest may download."""
    mine = Q(owner=None) | Q(owner=reader) if isinstance(reader, AbstractBaseUser) else Q(owner=None)
    return StoredFile.objects.filter(mine, expires_at__gt=timezone.now())


def open(file: StoredFile, *, start: int = 0, length: int | None = None) -> BinaryIO:
    """Open a file's bytes: `length` of them from `start`, by default all.

    Raises FileNotFoundError if they are gone, and StorageUnreachable, which reading them raises too.
    """
    length = file.size - start if length is None else length
    if not is_remote():
        source = cast("BinaryIO", default_storage.open(file.path).file)
        source.seek(start)
        return cast("BinaryIO", Slice(source, length))
    if length == 0:
        return io.BytesIO()
    # S3File would fetch the whole object before the first byte; the object's own body is a stream.
    with asking():
        remote = cast("Any", default_storage.open(file.path)).obj
        return cast("BinaryIO", Body(remote.get(Range=f"bytes={start}-{start + length - 1}")["Body"], length))


def presigned_url(file: StoredFile) -> str:
    """A presigned S3 URL, valid for `LINK_SECONDS`, that downloads the file under its name."""
    parameters = {
        "ResponseContentType": file.content_type,
        "ResponseContentDisposition": content_disposition(file.name),
        "ResponseCacheControl": "private, no-store",
    }
    return str(cast("Any", default_storage).url(file.path, parameters=parameters, expire=LINK_SECONDS))


def delete(file: StoredFile) -> bool:
    """Delete the bytes, then the row; returns whether the row existed, to one of concurrent callers."""
    with asking():
        default_storage.delete(file.path)
    return _forget([file]) > 0


def purge(now: datetime | None = None) -> int:
    """Delete all files that have expired by `now`; returns how many. May run concurrently.

    A file whose bytes can't be deleted keeps its row for the next purge.
    """
    expired = StoredFile.objects.filter(expires_at__lte=now or timezone.now()).order_by("pk")
    removed = last = 0
    while batch := list(expired.filter(pk__gt=last).only("key")[:BATCH]):
        last = batch[-1].pk
        removed += _forget([file for file in batch if remove_bytes(file.key)])
    return removed


def removed_at(key: str) -> datetime | None:
    """When a file's bytes were deleted; None while they exist."""
    return Removal.objects.filter(pk=key).values_list("removed_at", flat=True).first()


def sweep(now: datetime | None = None) -> int:
    """Delete bytes without a row that are older than `ORPHAN_AGE`; returns how many.

    May run concurrently; files found by several may be counted by each. Orphans are left by a process that died between
    storing and recording, or lost the answer to its COMMIT. Each first gets a row of its own, as an expired file: keys
    are unique, so that a pending COMMIT either finishes first and keeps its file, or fails.
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
        gone = [file.pk for file in orphans if remove_bytes(file.key)]
        removed += StoredFile.objects.filter(pk__in=gone).delete()[0]
    return removed


def _forget(gone: list[StoredFile]) -> int:
    """Delete the rows of files whose bytes are deleted, and record when; returns how many rows still existed."""
    with transaction.atomic():
        number = StoredFile.objects.filter(pk__in=[file.pk for file in gone]).delete()[0]
        # Of concurrent calls, the first one's time stays.
        Removal.objects.bulk_create([Removal(key=file.key) for file in gone], ignore_conflicts=True)
    return number


def _orphan(key: str, now: datetime) -> StoredFile:
    return StoredFile(key=key, name=key, content_type=ORPHANED, size=0, sha256="0" * 64, expires_at=now)


class Slice(io.RawIOBase):
    """A part of a local file; its descriptor is positioned at the start, as sendfile needs it."""

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
    """Write a new file; returns its size and SHA-256."""
    try:
        target = io.FileIO(path, "xb")
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        target = io.FileIO(path, "xb")
    digest, size = hashlib.sha256(), 0
    try:
        with target:
            # A proxy that serves the files may run as another user.
            os.fchmod(target.fileno(), 0o644)
            while piece := stream.read(PIECE_BYTES):
                digest.update(piece)
                view = memoryview(piece)
                while view:
                    view = view[target.write(view) :]
                size += len(piece)
    except BaseException:
        os.unlink(path)  # an incomplete file must not take up space
        raise
    return size, digest.hexdigest()


def remove_bytes(key: str) -> bool:
    """Delete a file's bytes; returns whether it worked. The rest is found by sweep()."""
    try:
        with asking():
            default_storage.delete(path_of(key))
    except Exception:
        # Whatever failed, the others must still be deleted; this one is retried later.
        log.exception("stored bytes could not be removed", extra={"key": key})
        return False
    return True


def _all_bytes() -> Iterator[tuple[str, datetime]]:
    """The file name and modification time of everything stored."""
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
    """The folders (0) or files (1) in a folder, which another process may just have deleted."""
    with contextlib.suppress(FileNotFoundError):
        return default_storage.listdir(folder)[kind]
    return []
