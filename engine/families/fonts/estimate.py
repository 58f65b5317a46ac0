"""Estimate how long converting a font takes, to refuse early what can't finish in time."""

from __future__ import annotations

from pathlib import Path

from engine.families.fonts import sizes
from engine.toolkit.failures import OverLimit
from engine.toolkit.formats import OTF, TTF, WOFF2, Format
from engine.toolkit.messages import say

MOST_SECONDS = 25.0
"""Work estimated to take longer is not begun; a conversion of this profile may take 30."""
_PACKED, _UNPACKED = 3.5, 1.0
"""Processor seconds per MB of tables: compressed as WOFF2 (Brotli at its slowest level), and decompressed."""
_TO_CUBIC, _TO_QUADRATIC = 3.2, 2.2


def seconds(source: Path, output: Format) -> float:
    """The estimated processor seconds to convert a whole font file to `output`."""
    with source.open("rb") as file:
        mark = file.read(4)
    size = sizes.unpacked(source) / 1e6
    work = _UNPACKED if mark == b"wOF2" else 0.0
    work += _PACKED if output is WOFF2 else 0.0
    if output is OTF and mark != b"OTTO":
        work += _TO_CUBIC
    elif output is TTF and mark != b"\0\1\0\0":
        work += _TO_QUADRATIC
    return work * size


def must_fit(source: Path, output: Format) -> None:
    """Refuse a font that would not finish in time, and suggest options that would. Raises OverLimit."""
    work = seconds(source, output)
    if work > MOST_SECONDS:
        fewer = say("Set subset or ranges to the characters you need.")
        ways = say("Set subset or ranges to the characters you need, or choose WOFF.")
        raise OverLimit(
            "too_long",
            say(
                "This would take about {work} seconds, and the limit is {most_seconds}. {ways}",
                work=round(work),
                most_seconds=f"{MOST_SECONDS:.0f}",
                ways=ways if output is WOFF2 else fewer,
            ),
        )
