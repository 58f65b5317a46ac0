r"""The metafiles of an RTF document as pictures that pandoc reads, whatever they are (1.9.1, “Pictures”).

Pandoc passes `\emfblip` on unread, and leaves `\wmetafile` out.
"""

from __future__ import annotations

import re
import struct
from collections import Counter

from engine.families.documents import metafile_pictures
from engine.toolkit.warnings import Kind, Warn

_OTHER = rb"\\(?!emfblip|wmetafile)"
"""The start of a word other than the type of a metafile: a search that fails is not repeated from there."""
_METAFILE = re.compile(
    rb"\\(?P<kind>emfblip|wmetafile\d{0,2}) ?(?![a-z])"
    rb"(?P<between>(?:" + _OTHER + rb"[a-z]++-?\d*+ ?|\s|\{(?:[^{}\\]|" + _OTHER + rb")*+\})*+)"
    rb"(?P<digits>[0-9a-fA-F\s]{40,}+)\}"
)
_GOAL = re.compile(rb"\\pic([wh])goal(\d{1,6})")
_GROUP = re.compile(rb"\{[^{}]*+\}")
_FALLBACK = re.compile(rb"\\nonshppict\s*+\{?\s*+\Z")
_AROUND = 4_000
"""Bytes before the type of a picture in which its group begins."""


def readable(data: bytes, warn: Warn, *, drawn: bool) -> bytes:
    """Return an RTF document with its metafiles as `\\emfblip`: as SVG if they are to be `drawn`, else unchanged.

    Those for old readers, which newer ones leave out, stay.
    """
    found: Counter[Kind] = Counter()

    def replaced(match: re.Match[bytes]) -> bytes:
        head = data[max(0, match.start() - _AROUND) : match.start()]
        start = head.rfind(b"{\\pict")
        if start < 0 or _FALLBACK.search(head, max(0, start - 60), start):
            return match[0]
        digits = b"".join(match["digits"].split())
        picture = bytes.fromhex(digits[: len(digits) // 2 * 2].decode())
        if match["kind"] != b"emfblip":
            picture = _placeable(picture, head[start:] + match["between"])
        svg = metafile_pictures.drawn(picture, found) if drawn else None
        words = _GROUP.sub(b"", match["between"])  # so that the space ends a word: any other is a digit to pandoc
        return b"\\emfblip" + words.rstrip() + b" " + (svg or picture).hex().encode() + b"}"

    made = _METAFILE.sub(replaced, data)
    for kind, count in found.items():
        warn.tally(kind, count)
    return made


def _placeable(picture: bytes, words: bytes) -> bytes:
    """A WMF with the header that says its size (MS-WMF, 2.3.2.3), from the words of its group, in twips."""
    goal = {each[1]: min(int(each[2]), 32_767) for each in _GOAL.finditer(words)}
    if not (goal.get(b"w") and goal.get(b"h")):
        return picture
    fields = struct.pack("<IH4hHI", 0x9AC6CDD7, 0, 0, 0, goal[b"w"], goal[b"h"], 1440, 0)
    checksum = 0
    for word in struct.unpack("<10H", fields):
        checksum ^= word
    return fields + struct.pack("<H", checksum) + picture
