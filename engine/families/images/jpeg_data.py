"""Cut the data of a JPEG to what its picture is made of (ISO/IEC 10918-1, annex B)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.toolkit.failures import Unreadable

_START = b"\xff\xd8"
_END, _SCAN, _COMMENT = 0xD9, 0xDA, 0xFE
_ALONE = frozenset((0x01, *range(0xD0, 0xD8)))
"""Markers without a segment."""
_BETWEEN_SCANS = frozenset((0xC4, 0xCC, _SCAN, 0xDB, 0xDC, 0xDD, *range(0xE0, 0xF0), _COMMENT))
"""Markers of segments that may follow a scan; any other is damage in the scan."""
_MARKER = re.compile(rb"\xff([^\x00\x01\xd0-\xd7\xff])", re.DOTALL)
"""A marker that ends the data of a scan."""


def without_metadata(data: bytes) -> bytes:
    """A JPEG file without Exif, XMP, IPTC, thumbnails, comments, and whatever follows its picture.

    Where a file is cut off, so is the result. Raises Unreadable where what precedes the picture is damaged.
    """
    return b"".join((_START, *_parts(data)))


def _parts(data: bytes) -> Iterator[bytes]:
    at, in_picture = len(_START), False
    while True:
        if in_picture:
            after = _next_marker(data, at)
            yield data[at:after]
            at = after
            if at == len(data):
                return
        if data[at : at + 1] != b"\xff" or (at + 4 > len(data) and not in_picture):
            raise Unreadable("The JPEG is damaged: no picture follows its header.", reason="damaged")
        marker = data[at + 1]
        if marker == 0xFF:  # a fill byte
            at += 1
        elif marker in _ALONE:
            at += 2
        elif marker == _END and in_picture:
            yield data[at : at + 2]
            return
        else:
            end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
            yield _kept(marker, data[at:end])
            in_picture = in_picture or marker == _SCAN
            at = end


def _next_marker(data: bytes, at: int) -> int:
    """Where the data of a scan ends: at the end of the picture, or at a segment that fits into the file."""
    for found in _MARKER.finditer(data, at):
        start, marker = found.start(), found[1][0]
        length = int.from_bytes(data[start + 2 : start + 4], "big")
        if marker == _END or (marker in _BETWEEN_SCANS and 2 <= length <= len(data) - start - 2):
            return start
    return len(data)


def _kept(marker: int, segment: bytes) -> bytes:
    """What affects how the picture is shown: of application segments, JFIF, ICC profile and Adobe's transform."""
    content = segment[4:]
    if marker == 0xE0 and content.startswith(b"JFIF\x00"):
        # The units and resolution are the last five bytes before the size of a thumbnail.
        return segment if len(content) == 14 else _segment(marker, content[:12] + b"\x00\x00")
    if marker == 0xE2 and content.startswith(b"ICC_PROFILE\x00"):
        return segment
    if marker == 0xEE and content.startswith(b"Adobe"):
        return segment if len(content) == 12 else _segment(marker, content[:12])
    return b"" if 0xE0 <= marker <= 0xEF or marker == _COMMENT else segment


def _segment(marker: int, content: bytes) -> bytes:
    return bytes((0xFF, marker)) + (len(content) + 2).to_bytes(2, "big") + content
