r"""Flatten nested RTF tables into lines of their cell, as pandoc would lose them.

RTF 1.9.1, “Table definitions”: the paragraphs of an inner table have `\itapN` with N over 1, its cells end in
`\nestcell`, and what a row ends in is in `{\*\nesttableprops ... \nestrow}`, followed by `{\nonesttables\par}` for
readers that don't know it.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    rb"(?P<props>\{\\\*\\nesttableprops(?![a-z]))|(?P<other>\{\\nonesttables(?![a-z]))"
    rb"|(?P<cell>\\nestcell(?![a-z]) ?)|(?P<row>\\nestrow(?![a-z]) ?)|(?P<level>\\itap\d* ?)"
    rb"|(?P<open>\{)|(?P<close>\})|(?P<escaped>\\[\\{}])"
)


def flatten(data: bytes) -> tuple[bytes, int]:
    """The same file with each inner row's cells on one line, separated by tabs, and the number of these rows."""
    if b"\\nestcell" not in data:
        return data, 0
    pieces: list[bytes] = []
    at = depth = rows = 0
    left_out: int | None = None
    waiting = False
    for match in _TOKEN.finditer(data):
        kind = match.lastgroup
        if left_out is None:
            between = data[at : match.start()]
            if waiting and between.strip():
                pieces.append(b"\\tab ")
                waiting = False
            pieces.append(between)
        at = match.end()
        if kind in ("props", "other", "open"):
            if kind != "open" and left_out is None:
                left_out = depth
            elif left_out is None:
                pieces.append(match[0])
            depth += 1
        elif kind == "close":
            depth -= 1
            if left_out is None:
                pieces.append(match[0])
            elif depth <= left_out:
                left_out = None
        elif kind == "row":
            rows += 1
            waiting = False
            pieces.append(b"\\par ")
        elif left_out is None:
            if kind == "cell":
                if waiting:
                    pieces.append(b"\\tab ")
                waiting = True
            elif kind == "level":
                pieces.append(b" ")
            else:
                pieces.append(match[0])
    return b"".join([*pieces, data[at:]]), rows
