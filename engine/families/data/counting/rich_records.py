"""Find the runs of fonts within texts of xls (MS-XLS, 2.5.129) and xlsb workbooks (MS-XLSB, 2.5.143)."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

from engine.families.data.workbooks import phonetic

Runs = tuple[int, ...]
"""The numbers of the fonts in which parts of a text are shown."""


def of_xls(blocks: Sequence[bytes]) -> list[Runs]:
    """The runs of each shared string, in a record and those that continue it."""
    return [_fonts(runs) for runs, _ in phonetic.beside_strings(blocks)]


def of_xlsb(content: bytes, at: int = 0) -> Runs:
    """The runs of a text that begins at this byte of a record."""
    flags, characters = struct.unpack_from("<BI", content, at)
    if not flags & 1:
        return ()
    at += 5 + 2 * characters
    (count,) = struct.unpack_from("<I", content, at)
    return _fonts(content[at + 4 : at + 4 + 4 * count])


def are_unlike(runs: Iterable[int], usual: int, looks: Sequence[object]) -> bool:
    """Whether a run looks unlike the font of its cell; `looks` has that of each font."""
    return any(max(each, usual) < len(looks) and looks[each] != looks[usual] for each in runs)


def _fonts(runs: bytes) -> Runs:
    return tuple(font for _, font in struct.iter_unpack("<HH", runs[: len(runs) // 4 * 4]))
