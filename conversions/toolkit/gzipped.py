"""Gzip (RFC 1952): a file that came packed is unpacked in its place, as far as the service takes files of that size."""

from __future__ import annotations

import zlib
from pathlib import Path

from conversions.toolkit.failures import OverLimit, Unreadable
from conversions.toolkit.warnings import Warn

MAX_BYTES = 500_000_000
"""What a file may unpack to: twice the largest that may be sent as it is."""

_MARK = b"\x1f\x8b"
_BLOCK = 1 << 14
"""No more than a thousand times as much comes out of a block at once."""
_MEMBER = 31
"""zlib's name for a gzip header and the largest window."""


def unpack(path: Path, warn: Warn) -> None:
    """Put the content of a gzip file in its place, of all its members; a file that is no gzip stays as it is.

    Raises Unreadable for a damaged or incomplete one, and OverLimit, before more is written, where it unpacks to more
    than MAX_BYTES.
    """
    with path.open("rb") as packed:
        if packed.read(len(_MARK)) != _MARK:
            return
        packed.seek(0)
        content = path.with_name(f"{path.name}.content")
        total, member, data = 0, zlib.decompressobj(_MEMBER), packed.read(_BLOCK)
        with content.open("wb") as target:
            while data:
                if member.eof and (data := data.lstrip(b"\0")):  # some tools fill up the last block
                    member = zlib.decompressobj(_MEMBER)
                try:
                    piece = member.decompress(data) if data else b""
                except zlib.error as error:
                    raise _damaged() from error
                total += len(piece)
                if total > MAX_BYTES:
                    raise OverLimit(
                        "output",
                        f"The file unpacks to more than {MAX_BYTES // 1_000_000:,} MB. Split it into smaller ones.",
                    )
                target.write(piece)
                data = (member.unused_data if data else b"") or packed.read(_BLOCK)
    if not member.eof:
        raise _damaged()
    content.replace(path)
    warn.detect(compression="gzip")


def _damaged() -> Unreadable:
    return Unreadable("The file is packed with gzip and is damaged or incomplete. Pack or download it again.")
