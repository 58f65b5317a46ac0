"""Count the packets of a file's streams, and when they begin and end."""

from __future__ import annotations

import mmap
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MOST = 256 << 20
"""The maximum bytes of a packet list: some 30 hours of the shortest packets. Counting stops there."""
_BASE = re.compile(rb"#tb (\d+): (\d+)/(\d+)")
_HEAD = 1 << 16
_LATEST = 32
"""The packets at the end of a stream among which is the last one shown: frames are listed in decoding order, and no
codec reorders by more than 16 (H.264, A.3.1)."""
_NO_TIME = -(1 << 63)


@dataclass(frozen=True)
class Packets:
    """The packets of one stream: their `count`, the seconds at which they begin and end, the bytes of the last one."""

    count: int = 0
    begins: float = 0.0
    ends: float = 0.0
    last: int = 0

    @property
    def seconds(self) -> float:
        """The duration of the stream from its first packet on; anything before second 0 is not played."""
        return max(0.0, self.ends - max(0.0, self.begins))


def read(listed: Path) -> Mapping[int, Packets]:
    """The packets by stream, from a file that ffmpeg's muxer `framecrc` wrote; the numbers are those of the output."""
    if not listed.exists() or not listed.stat().st_size:
        return {}
    with listed.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as rows:
        bases = {int(each[1]): int(each[2]) / int(each[3]) for each in _BASE.finditer(rows[:_HEAD])}
        counts = _counts(rows, tuple(bases))
        return {number: _packets(rows, number, base, counts[number]) for number, base in bases.items()}


def _counts(rows: mmap.mmap, numbers: tuple[int, ...]) -> dict[int, int]:
    counts = dict.fromkeys(numbers, 0)
    rows.seek(0)
    rest = b""
    while block := rows.read(1 << 20):
        block = rest + block
        end = block.rfind(b"\n") if len(block) > 1 else 0
        for number in numbers:
            counts[number] += block.count(b"\n%d, " % number, 0, end)
        rest = block[end:]
    return counts


def _packets(rows: mmap.mmap, number: int, base: float, count: int) -> Packets:
    mark = b"\n%d, " % number
    first = rows.find(mark, 0)
    if first < 0:
        return Packets()
    begins = min(_row(rows, first)[:2])
    at, ends, last = len(rows), _NO_TIME, 0
    for place in range(_LATEST):
        at = rows.rfind(mark, 0, at)
        if at < 0:
            break
        decoded, shown, lasts, size = _row(rows, at)
        ends = max(ends, max(decoded, shown) + lasts)
        last = last if place else size
    return Packets(count, begins * base, ends * base, last)


def _row(rows: mmap.mmap, at: int) -> tuple[int, int, int, int]:
    """When a packet is decoded, when it is shown and how long it lasts, in the stream's time base, and its size in
    bytes."""
    end = rows.find(b"\n", at + 1)
    _, decoded, shown, lasts, size, *_ = rows[at + 1 : end if end >= 0 else len(rows)].split(b",")
    told = [int(decoded), int(shown)]
    times = [each for each in told if each != _NO_TIME] or [0]
    # ffmpeg writes the time of a packet that ends before it begins, at the end of short Ogg files, without its sign.
    return times[0], times[-1], int(lasts) - (1 << 32 if int(lasts) >= 1 << 31 else 0), int(size)
