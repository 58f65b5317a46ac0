"""Foresight: how long a font will take, by rates measured once, so that what can't end in time is not begun."""

from __future__ import annotations

import struct
from pathlib import Path

from conversions.toolkit.failures import OverLimit
from conversions.toolkit.formats import OTF, TTF, WOFF2, Format

MOST_SECONDS = 25.0
"""Of work that is begun; a conversion of this profile may take 30."""
_PACKED, _UNPACKED = 3.5, 1.0
"""Seconds of a processor for each MB of tables: packed as WOFF2, which is Brotli at its slowest, and unpacked."""
_TO_CUBIC, _TO_QUADRATIC = 3.2, 2.2


def seconds(source: Path, output: Format) -> float:
    """The processor seconds that the whole font of a file takes to become `output`."""
    with source.open("rb") as file:
        head = file.read(20)
    packed = head[:4] in (b"wOFF", b"wOF2") and len(head) == 20
    size = (struct.unpack(">I", head[16:])[0] if packed else source.stat().st_size) / 1e6
    work = _UNPACKED if head[:4] == b"wOF2" else 0.0
    work += _PACKED if output is WOFF2 else 0.0
    if output is OTF and head[:4] != b"OTTO":
        work += _TO_CUBIC
    elif output is TTF and head[:4] != b"\0\1\0\0":
        work += _TO_QUADRATIC
    return work * size


def must_fit(source: Path, output: Format) -> None:
    """Refuse a font that would not end in time, and say what would. Raises OverLimit."""
    work = seconds(source, output)
    if work > MOST_SECONDS:
        ways = "Give the characters that are needed as subset or ranges" + (
            ", or choose WOFF." * (output is WOFF2) or "."
        )
        raise OverLimit(
            "too_long",
            f"This would take about {work:,.0f} seconds, and a conversion may take {MOST_SECONDS:.0f}. {ways}",
        )
