"""Unpack streams of Deflate64 (method 9 of the ZIP format, APPNOTE 5.5)."""

from __future__ import annotations

from collections.abc import Iterator

_PIECE = 256
"""Bytes unpacked at a time, which become at most 10 MB: the library can't stop before the end of what it is given."""


def unpacked(stream: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the unpacked bytes of a stream. Raises ValueError if it is damaged, EOFError if it ends too soon."""
    import inflate64

    unpacker = inflate64.Inflater()
    # The library keeps every object that it is given for as long as the process lives, so it is given one, again and
    # again.
    piece = bytearray(_PIECE)
    for block in stream:
        for at in range(0, len(block), _PIECE):
            part = block[at : at + _PIECE]
            if len(part) == _PIECE:
                piece[:] = part
                data = unpacker.inflate(piece)
            else:
                data = unpacker.inflate(part)
            if data:
                yield data
            if unpacker.eof:
                return
    raise EOFError
