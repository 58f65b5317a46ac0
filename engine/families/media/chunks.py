"""Find the chunks of WAVE files that no output has a place for, such as notes of a film production."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_KNOWN = frozenset({
    b"fmt ", b"data", b"fact", b"ds64", b"JUNK", b"junk", b"PAD ", b"FLLR", b"minf", b"elm1", b"LIST", b"bext", b"cue ",
    b"id3 ", b"ID3 ", b"PEAK", b"SMV0", b"filr", b"regn", b"umid",
})  # fmt: skip
"""Chunks of sound and padding, and those whose content becomes tags or chapters."""
_MOST = 1_000


def left_out(source: Path) -> list[str]:
    """The names of further chunks of a RIFF or RF64 file (EBU Tech 3285, 3306); none of another file."""
    return [name.decode("latin-1").strip() for name in _names(source) if name not in _KNOWN and name.isascii()]


def _names(source: Path) -> Iterator[bytes]:
    """The names of chunks in order; after samples of unknown length no more are looked for."""
    end = source.stat().st_size
    with source.open("rb") as file:
        head = file.read(12)
        if head[:4] not in (b"RIFF", b"RIFX", b"RF64") or head[8:] != b"WAVE":
            return
        order = "big" if head[:4] == b"RIFX" else "little"
        for _ in range(_MOST):
            chunk = file.read(8)
            length = int.from_bytes(chunk[4:], order)  # type: ignore[arg-type]
            after = file.tell() + length + length % 2
            if len(chunk) < 8 or not chunk[:4].strip(b"\0") or after > end + 1:
                return
            yield chunk[:4]
            file.seek(after)
