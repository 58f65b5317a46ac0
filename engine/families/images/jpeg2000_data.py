"""Blank what a JPEG 2000 picture is not shown with (ISO/IEC 15444-1, annexes A and I)."""

from __future__ import annotations

import re
from collections.abc import Iterator

_CODESTREAM = b"\xff\x4f\xff\x51"
_HEADERS = frozenset({b"jp2h", b"jpch", b"jplh"})
_SHOWN = frozenset(
    {
        b"jP  ", b"ftyp", b"rreq", b"ihdr", b"bpcc", b"colr", b"pclr", b"cmap", b"cdef", b"res ", b"resc", b"resd",
        b"cgrp", b"opct", b"creg", b"comp", b"ftbl", b"flst", b"dtbl", b"cref", b"mdat",
    }
)  # fmt: skip
"""Boxes that describe the picture, those of part 2, annex M, included."""
_TILE, _DATA, _END, _COMMENT = 0xFF90, 0xFF93, 0xFFD9, 0xFF64
_ENCODER = re.compile(rb"Created by OpenJPEG version [0-9.]{1,10}")
"""The comment that an encoder writes about itself, which says nothing about the picture."""


def without_metadata(data: bytes) -> bytes:
    """The same picture, in as many bytes, without Exif, XMP, other boxes, comments, and whatever follows it.

    Boxes stay where they are, as some name the places of others: what is left out becomes free space, in zeros.
    """
    kept = bytearray(data)
    if data.startswith(_CODESTREAM):
        _blank_comments(kept, 0, len(kept))
    else:
        _blank_boxes(kept, 0, len(kept))
    return bytes(kept)


def _blank_boxes(data: bytearray, at: int, end: int) -> None:
    for kind, start, first, last in _boxes(data, at, end):
        if kind == b"jp2c":
            _blank_comments(data, first, last)
        elif kind in _HEADERS:
            _blank_boxes(data, first, last)
        elif kind not in _SHOWN:
            data[start + 4 : start + 8] = b"free"
            data[first:last] = bytes(last - first)


def _boxes(data: bytearray, at: int, end: int) -> Iterator[tuple[bytes, int, int, int]]:
    """The kind of each box, where it starts, and where its content starts and ends; zeros where no box can be."""
    while at < end:
        size, head = int.from_bytes(data[at : at + 4], "big"), 8
        if size == 1:
            size, head = int.from_bytes(data[at + 8 : at + 16], "big"), 16
        last = end if size == 0 else at + size
        if last < at + head or at + head > end:
            data[at:end] = bytes(end - at)
            return
        yield bytes(data[at + 4 : at + 8]), at, at + head, min(last, end)
        at = last


def _blank_comments(data: bytearray, at: int, end: int) -> None:
    """Zero the comments of a codestream, in its header and those of its tiles, and what follows its end."""
    at, tile_end = at + 2, end
    while at + 4 <= end:
        marker, length = int.from_bytes(data[at : at + 2], "big"), int.from_bytes(data[at + 2 : at + 4], "big")
        if marker == _END:
            data[at + 2 : end] = bytes(end - at - 2)
            return
        if marker == _DATA:
            at = tile_end
            continue
        if marker == _TILE:
            size = int.from_bytes(data[at + 6 : at + 10], "big")
            tile_end = at + size if size > length else end
        elif marker == _COMMENT:
            last = min(at + 2 + length, end)
            if not _ENCODER.fullmatch(data[at + 6 : last]):
                data[at + 4 : last] = bytes(max(last - at - 4, 0))
        at += 2 + max(length, 2)
