"""The 54 preset patterns of DrawingML (ECMA-376, part 1, 20.1.10.52), which repeat every eight pixels."""

from __future__ import annotations

PIXEL = 0.75
"""Points of a pixel."""
SIDE = 8
"""Pixels of a pattern across and down."""
_ROWS = {
    "pct5": "80 00 00 00 08 00 00 00", "pct10": "80 00 08 00 80 00 08 00", "pct20": "88 00 22 00 88 00 22 00",
    "pct25": "88 22 88 22 88 22 88 22", "pct30": "aa 44 aa 11 aa 44 aa 11", "pct40": "aa 55 aa 54 aa 55 aa 45",
    "pct50": "aa 55 aa 55 aa 55 aa 55", "pct60": "ee 55 bb 55 ee 55 bb 55", "pct70": "bb ee bb ee bb ee bb ee",
    "pct75": "ee ff bb ff ee ff bb ff", "pct80": "ff f7 ff 7f ff f7 ff 7f", "pct90": "ff ff ff f7 ff ff ff 7f",
    "horz": "ff 00 00 00 00 00 00 00", "vert": "80 80 80 80 80 80 80 80", "ltHorz": "ff 00 00 00 ff 00 00 00",
    "ltVert": "88 88 88 88 88 88 88 88", "dkHorz": "ff ff 00 00 ff ff 00 00", "dkVert": "cc cc cc cc cc cc cc cc",
    "narHorz": "ff 00 ff 00 ff 00 ff 00", "narVert": "aa aa aa aa aa aa aa aa",
    "dashHorz": "f0 00 00 00 0f 00 00 00", "dashVert": "80 80 80 80 08 08 08 08",
    "cross": "ff 80 80 80 80 80 80 80", "dnDiag": "80 40 20 10 08 04 02 01", "upDiag": "01 02 04 08 10 20 40 80",
    "ltDnDiag": "88 44 22 11 88 44 22 11", "ltUpDiag": "11 22 44 88 11 22 44 88",
    "dkDnDiag": "cc 66 33 99 cc 66 33 99", "dkUpDiag": "33 66 cc 99 33 66 cc 99",
    "wdDnDiag": "c1 e0 70 38 1c 0e 07 83", "wdUpDiag": "83 07 0e 1c 38 70 e0 c1",
    "dashDnDiag": "00 00 88 44 22 11 00 00", "dashUpDiag": "00 00 11 22 44 88 00 00",
    "diagCross": "81 42 24 18 18 24 42 81", "smCheck": "99 66 66 99 99 66 66 99",
    "lgCheck": "f0 f0 f0 f0 0f 0f 0f 0f", "smGrid": "ff 88 88 88 ff 88 88 88", "lgGrid": "ff 80 80 80 80 80 80 80",
    "dotGrid": "aa 00 80 00 80 00 80 00", "smConfetti": "80 08 40 02 10 01 20 04",
    "lgConfetti": "8d 0c c0 d8 1b 03 30 b1", "horzBrick": "ff 80 80 80 ff 08 08 08",
    "diagBrick": "01 02 04 08 18 24 42 81", "solidDmnd": "10 38 7c fe 7c 38 10 00",
    "openDmnd": "82 44 28 10 28 44 82 01", "dotDmnd": "80 00 22 00 08 00 22 00", "plaid": "aa 55 aa 55 f0 f0 f0 f0",
    "sphere": "77 98 f8 f8 77 89 8f 8f", "weave": "88 54 22 45 88 15 22 51", "divot": "00 10 08 10 00 80 01 80",
    "shingle": "03 84 48 30 0c 02 01 01", "wave": "00 18 25 c0 00 18 25 c0", "trellis": "ff 66 ff 99 ff 66 ff 99",
    "zigZag": "81 42 24 18 81 42 24 18",
}  # fmt: skip
"""The pixels of the foreground, a row a byte."""
NAMES = frozenset(_ROWS)


def path(name: str) -> str:
    """The pixels of the foreground of a pattern as SVG path data, in pixels; those side by side are one rectangle."""
    found = []
    for down, row in enumerate(_ROWS[name].split()):
        bits = f"{int(row, 16):08b}"
        at = 0
        while (start := bits.find("1", at)) >= 0:
            at = bits.find("0", start) if "0" in bits[start:] else SIDE
            found.append(f"M{start} {down}h{at - start}v1h-{at - start}z")
    return "".join(found)
