"""Keep the notes of camera makers (Exif 2.32, MakerNote) where they were: offsets in them count from the start of Exif
data, and only their maker knows which values are offsets."""

from __future__ import annotations

import struct
from typing import Any

from PIL import ExifTags, Image

_PREFIX = b"Exif\0\0"
_LARGEST = 65_000
"""Data that a segment of a JPEG can hold; larger data is written without regard to the place."""
_NOTES = int(ExifTags.Base.MakerNote)
_STAND_IN = bytes(5)  # longer than an entry, and therefore written at an offset of its own


def place(exif: Any) -> int | None:
    """The offset of the notes in Exif data; None without notes, or if the data is damaged."""
    if not isinstance(exif, bytes):
        return None
    data = exif.removeprefix(_PREFIX)
    try:
        entry = _entry(data)
        return None if entry is None else int(struct.unpack_from(_order(data) + "I", data, entry + 8)[0])
    except (struct.error, KeyError):
        return None


def written(exif: Image.Exif, notes_at: int | None) -> bytes:
    """Exif data with its prefix, whose notes start at `notes_at` if it can be so."""
    found: object = exif.get(ExifTags.IFD.Exif)
    details: dict[int, object] = found if isinstance(found, dict) else {}
    notes = details.get(_NOTES)
    plain = exif.tobytes()
    if notes_at is None or not isinstance(notes, bytes) or len(notes) < len(_STAND_IN) or place(plain) == notes_at:
        return plain
    if notes_at < 8 or notes_at + len(notes) + len(plain) > _LARGEST:
        return plain
    details[_NOTES] = _STAND_IN
    try:
        data = bytearray(exif.tobytes().removeprefix(_PREFIX))
        if len(data) <= notes_at:
            data += bytes(notes_at - len(data)) + notes
        else:
            # Directories start on a word boundary (TIFF 6.0), behind the notes.
            start = notes_at + len(notes) + (notes_at + len(notes)) % 2
            behind = exif.tobytes(start).removeprefix(_PREFIX)
            data = bytearray(behind[:4] + struct.pack(_order(behind) + "I", start))
            data += (bytes(notes_at - 8) + notes).ljust(start - 8, b"\0") + behind[8:]
    finally:
        details[_NOTES] = notes
    entry = _entry(bytes(data))
    if entry is None:
        return plain
    struct.pack_into(_order(data) + "II", data, entry + 4, len(notes), notes_at)
    return _PREFIX + bytes(data)


def _order(data: bytes | bytearray) -> str:
    return {b"II": "<", b"MM": ">"}[bytes(data[:2])]


def _entry(data: bytes) -> int | None:
    """The offset of the entry of the notes, if they are stored at an offset."""
    order = _order(data)
    (first,) = struct.unpack_from(order + "I", data, 4)
    pointer = _find(data, order, first, int(ExifTags.IFD.Exif))
    if pointer is None:
        return None
    (details,) = struct.unpack_from(order + "I", data, pointer + 8)
    entry = _find(data, order, details, _NOTES)
    return None if entry is None or struct.unpack_from(order + "I", data, entry + 4)[0] <= 4 else entry


def _find(data: bytes, order: str, directory: int, tag: int) -> int | None:
    (count,) = struct.unpack_from(order + "H", data, directory)
    entries = range(directory + 2, directory + 2 + 12 * count, 12)
    return next((each for each in entries if struct.unpack_from(order + "H", data, each)[0] == tag), None)
