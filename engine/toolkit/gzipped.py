"""Unpack gzip files (RFC 1952) in place, within a size limit."""

from __future__ import annotations

import zlib
from pathlib import Path

from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

MAX_BYTES = 500_000_000
"""The largest unpacked size, twice the largest upload: 499 MB of zeros are unpacked in 0.8 s."""

_MARK = b"\x1f\x8b"
_BLOCK = 1 << 14
"""Bounds the output per block: deflate expands by at most about a thousand."""
_MEMBER = 31
"""zlib's `wbits` for a gzip header and the largest window."""


def unpack(path: Path, warn: Warn) -> None:
    """Replace a gzip file with the content of all its members; leave any other file as it is.

    Raises Unreadable if it is damaged or truncated; OverLimit before more than MAX_BYTES are written.
    """
    with path.open("rb") as packed:
        if packed.read(len(_MARK)) != _MARK:
            return
        packed.seek(0)
        content = path.with_name(f"{path.name}.content")
        total, member, data = 0, zlib.decompressobj(_MEMBER), packed.read(_BLOCK)
        with content.open("wb") as target:
            while data:
                if member.eof and (data := data.lstrip(b"\0")):  # some tools pad the last block with zeros
                    member = zlib.decompressobj(_MEMBER)
                try:
                    piece = member.decompress(data) if data else b""
                except zlib.error as error:
                    raise _damaged() from error
                total += len(piece)
                if total > MAX_BYTES:
                    raise _too_large()
                target.write(piece)
                data = (member.unused_data if data else b"") or packed.read(_BLOCK)
    if not member.eof:
        raise _damaged()
    content.replace(path)
    warn.detect(compression="gzip")


def unpacked(data: bytes) -> bytes:
    """The content of one gzip member; any other data as it is.

    Raises Unreadable if it is damaged or truncated; OverLimit before it is more than MAX_BYTES.
    """
    if not data.startswith(_MARK):
        return data
    member = zlib.decompressobj(_MEMBER)
    try:
        content = member.decompress(data, MAX_BYTES)
    except zlib.error as error:
        raise _damaged() from error
    if member.unconsumed_tail:
        raise _too_large()
    if not member.eof:
        raise _damaged()
    return content


def _too_large() -> OverLimit:
    return OverLimit(
        "output",
        say(
            "The file unpacks to more than {max_bytes} MB. Split it into smaller ones.",
            max_bytes=MAX_BYTES // 1_000_000,
        ),
    )


def _damaged() -> Unreadable:
    return Unreadable("The gzip file is damaged or incomplete. Compress or download it again.", reason="damaged")
