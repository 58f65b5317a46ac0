r"""Put RTF tables in a form that pandoc reads: nested ones as lines of their cell, and none right after a list.

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

_PLACE = re.compile(rb"\\(par|cell|row|trowd|intbl|pard|ls)(-?\d*)(?![a-zA-Z]) ?|\\[\\{}]")
_BETWEEN = "{\\pard \u2060\\par}".encode()


def apart(data: bytes) -> bytes:
    """The same file with a paragraph, of a word joiner, before each table after a list.

    pandoc ends a list at a paragraph outside tables, and moves one that a table follows before all text. Its filter
    leaves out the paragraph.
    """
    pieces: list[bytes] = []
    at = 0
    last, in_table, listed = b"par", False, False
    for match in _PLACE.finditer(data):
        word, number = match[1], match[2]
        if word == b"ls":
            listed = listed or number not in (b"", b"0")
        elif word == b"intbl":
            in_table = True
        elif word == b"pard":
            in_table = False
        elif word == b"trowd":
            if listed and last == b"par" and not in_table:
                pieces += [data[at : match.start()], _BETWEEN]
                at, listed = match.start(), False
        elif word:
            last = word
    return b"".join([*pieces, data[at:]])


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
