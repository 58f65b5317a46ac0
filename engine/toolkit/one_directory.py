"""Whether a ZIP archive is the same to every reader."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

_END = b"PK\x05\x06"
_END_SIZE = 22
_LONG_END, _LOCATOR = b"PK\x06\x06", b"PK\x06\x07"
_LOCATOR_SIZE, _LONG_SIZE = 20, 56
_ENTRY, _LOCAL = b"PK\x01\x02", b"PK\x03\x04"
_LOCAL_SIZE = 30
_WINDOW = (1 << 16) + _END_SIZE
"""The bytes at the end in which readers search for the last record: its comment has up to 65,535 (APPNOTE, 4.3.16)."""
_SHORT, _LONG = 0xFFFF, 0xFFFFFFFF
"""What stands for a number that is in the record of large archives."""


def is_ambiguous(source: Path, archive: zipfile.ZipFile) -> bool:
    """Whether another reader may find other entries in the file than `archive`, which has read its directory.

    Readers differ in which of several last records they take, in whether they count from the start of the file or back
    from that record, and in whether they trust the directory or the entries. A prefix, such as a program that unpacks
    the archive, and anything after the archive are harmless if no reader takes them for its records.
    """
    size = source.stat().st_size
    with source.open("rb") as file:
        file.seek(max(0, size - _WINDOW))
        first, tail = file.tell(), file.read()
        at = tail.rfind(_END)
        if at < 0 or len(tail) - at < _END_SIZE:
            return True
        disk, start_disk, here, count, length, offset = struct.unpack("<4H2I", tail[at + 4 : at + 20])
        if disk not in (0, _SHORT) or start_disk not in (0, _SHORT) or here != count:
            return True
        if any(record in tail[at + _END_SIZE :] for record in (_LONG_END, _LOCATOR)):
            return True
        if _ends_here(tail, at):
            return True
        end = first + at
        if tail[at - _LOCATOR_SIZE : at].startswith(_LOCATOR):
            end -= _LOCATOR_SIZE + _LONG_SIZE
            file.seek(max(0, end))
            record = file.read(_LONG_SIZE)
            if not record.startswith(_LONG_END):
                return True
            long_count, long_length, long_offset = struct.unpack("<3Q", record[32:56])
            told = ((count, long_count, _SHORT), (length, long_length, _LONG), (offset, long_offset, _LONG))
            if any(short not in (long, none) for short, long, none in told):
                return True
            count, length, offset = long_count, long_length, long_offset
        if count != len(archive.filelist):
            return True
        prefix = end - length - offset
        if prefix:
            file.seek(offset)
            if file.read(4) == _ENTRY:
                return True
        for entry in archive.filelist:
            if prefix:
                file.seek(max(0, entry.header_offset - prefix))
                if file.read(4) == _LOCAL:
                    return True
            file.seek(entry.header_offset)
            local = file.read(_LOCAL_SIZE)
            if len(local) < _LOCAL_SIZE or not local.startswith(_LOCAL):
                return True
            method, _, _, packed, unpacked = struct.unpack("<H2H4x2I", local[8:26])
            if method != entry.compress_type:
                return True
            if packed not in (0, _LONG, entry.compress_size) or unpacked not in (0, _LONG, entry.file_size):
                return True
    return False


def _ends_here(tail: bytes, last: int) -> bool:
    """Whether another last record has a comment that ends with the file: some readers prefer one that does."""
    at = tail.find(_END)
    while 0 <= at < last:
        comment = int.from_bytes(tail[at + 20 : at + _END_SIZE], "little")
        if at + _END_SIZE + comment == len(tail):
            return True
        at = tail.find(_END, at + 1)
    return False
