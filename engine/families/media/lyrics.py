"""Find the lyrics at the end of an MP3 (Lyrics3, versions 1 and 2), which ffmpeg takes for sound that is damaged."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from engine.toolkit.warnings import Warn

_BEGIN, _END_1, _END_2 = b"LYRICSBEGIN", b"LYRICSEND", b"LYRICS200"
_TAG, _TAG_BYTES = b"TAG", 128
"""The beginning of an ID3v1 tag, and its length: it follows the lyrics, which are nowhere else."""
_LONGEST_1, _SIZE_BYTES = 5_100, 6
"""The maximum bytes of lyrics in version 1, and the digits of the size in version 2."""
_FIELD = re.compile(rb"([A-Z]{3})(\d{5})")
_CUT = "sound.mp3"


def without(source: Path, warn: Warn) -> Path:
    """An MP3 without its lyrics, which are reported; the file itself if it has none."""
    found = _found(source)
    if found is None:
        return source
    begin, end, has_text = found
    if has_text:
        warn("METADATA_DROPPED", "Lyrics at the end of the file (Lyrics3) were left out.")
    cut = source.with_name(_CUT)
    shutil.copyfile(source, cut)
    with source.open("rb") as file, cut.open("r+b") as out:
        file.seek(end)
        out.seek(begin)
        out.write(file.read(_TAG_BYTES))
        out.truncate()
    return cut


def _found(source: Path) -> tuple[int, int, bool] | None:
    """Where the lyrics begin and end, and whether they are more than a description of the file."""
    size = source.stat().st_size
    with source.open("rb") as file:

        def read(begin: int, end: int) -> bytes:
            file.seek(max(0, begin))
            return file.read(max(0, end - max(0, begin)))

        end = size - _TAG_BYTES if read(size - _TAG_BYTES, size).startswith(_TAG) else size
        mark = read(end - len(_END_2), end)
        if mark == _END_2:
            told = end - len(_END_2) - _SIZE_BYTES
            digits = read(told, told + _SIZE_BYTES)
            begin = told - int(digits) if digits.isdigit() else -1
            if begin < 0 or read(begin, begin + len(_BEGIN)) != _BEGIN:
                return None
            return begin, end, _has_lyrics(read(begin + len(_BEGIN), told))
        if mark == _END_1:
            last = read(end - len(_END_1) - _LONGEST_1 - len(_BEGIN), end - len(_END_1))
            at = last.rfind(_BEGIN)
            if at >= 0:
                return end - len(_END_1) - len(last) + at, end, bool(last[at + len(_BEGIN) :].strip())
    return None


def _has_lyrics(fields: bytes) -> bool:
    at = 0
    while field := _FIELD.match(fields, at):
        at = field.end() + int(field[2])
        if field[1] == b"LYR" and fields[field.end() : at].strip():
            return True
    return False
