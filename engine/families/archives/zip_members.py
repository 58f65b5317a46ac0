"""Open the files of a ZIP: with a password, and packed with Deflate64."""

from __future__ import annotations

import copy
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from engine.families.archives import deflate64
from engine.families.archives.seven_zip.streams import BLOCK, Part, Stream

ENCRYPTED = 1
"""The flag of a file that needs a password."""
_DEFLATE_64 = 9


@contextmanager
def opened(archive: Any, info: Any) -> Iterator[Any]:
    """A file of a ZIP; zipfile has no Deflate64, so that such a file is opened as a stored one of its packed bytes."""
    encrypted = info.flag_bits & ENCRYPTED
    # PKWARE's encryption checks the password against the checksum, which is not that of the packed bytes.
    if info.compress_type != _DEFLATE_64 or (encrypted and info.wz_aes_version is None):
        with archive.open(info) as stream:
            yield stream
        return
    stored = copy.copy(info)
    stored.compress_type, stored.file_size = zipfile.ZIP_STORED, info.compress_size
    del stored.CRC  # that of the unpacked bytes
    with archive.open(stored) as packed:
        blocks = iter(partial(packed.read, BLOCK), b"")
        # AES has a checksum of its own and may leave this one out (AE-2 of WinZip).
        crc = info.CRC or None if encrypted else info.CRC
        yield Part(Stream(lambda: deflate64.unpacked(blocks)), info.file_size, crc)


def unlocked(source: Path, password: str | None) -> Any:
    import pyzipper

    archive = pyzipper.AESZipFile(source)
    archive.setpassword((password or "").encode())
    return archive
