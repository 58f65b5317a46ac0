"""Find how large the tables of a font file are, before they are unpacked."""

from __future__ import annotations

import struct
from pathlib import Path

from fontTools.ttLib import TTLibError
from fontTools.ttLib.sfnt import WOFFDirectoryEntry, woffDirectorySize
from fontTools.ttLib.woff2 import WOFF2DirectoryEntry, woff2DirectorySize

from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

_MOST = 60_000_000
_MOST_RATIO, _SMALL = 20, 2_000_000
"""A font with more than 2 MB of tables may unpack to 20 times its size: with deflate, none of 29 packs better than 3
to 1. A font of empty letters packs far better, and is small.
"""
_PACKED = {b"wOFF": (woffDirectorySize, WOFFDirectoryEntry), b"wOF2": (woff2DirectorySize, WOFF2DirectoryEntry)}


def unpacked(source: Path) -> int:
    """The bytes of all tables of a font, by the larger of what its header and its directory say.

    Raises TTLibError for a directory that can't be read.
    """
    with source.open("rb") as file:
        known = _PACKED.get(file.read(4))
        if known is None:
            return source.stat().st_size
        start, entry_of = known
        file.seek(0)
        head = file.read(start)
        if len(head) < start:
            raise TTLibError("the header is cut off")
        count, claimed = struct.unpack(">H2xI", head[12:20])
        total = 0
        for _ in range(count):
            entry = entry_of()
            entry.fromFile(file)
            total += max(int(entry.origLength), int(entry.length))
    return max(total, int(claimed))


def check(source: Path) -> None:
    """Raise OverLimit for a font that unpacks to too much, TTLibError as `unpacked`."""
    size = unpacked(source)
    if size > _MOST:
        raise OverLimit(
            "memory", say("The font unpacks to more than {most_unpacked} MB.", most_unpacked=_MOST // 10**6)
        )
    if size > max(_SMALL, _MOST_RATIO * source.stat().st_size):
        raise OverLimit("limit", say("The font unpacks to more than {times} times its size.", times=_MOST_RATIO))
