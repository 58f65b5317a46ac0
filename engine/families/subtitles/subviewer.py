"""SubViewer: subtitles timed by the clock, in files that often have the extension of MicroDVD."""

from __future__ import annotations

import re

from engine.families.subtitles.track import PLAIN, Piece, Track
from engine.toolkit.messages import say

_CLOCK = r"(\d{1,4}):(\d{1,2}):(\d{1,2})"
_SPAN = re.compile(rf"[ \t]*{_CLOCK}[.:](\d{{1,3}})[ \t]*,[ \t]*{_CLOCK}[.:](\d{{1,3}})[ \t]*$")
_MOMENT = re.compile(rf"[ \t]*\[{_CLOCK}\][ \t]*$")
"""The first version has a line for the start, and one for the end, each to the second."""
_ALMOST = re.compile(r"[ \t]*(?:\d+:\d[^\s,]*,\S*|[^\s,]*,\d+:\d\S*|\[\d+:[^\s\]]*\])[ \t]*$")
"""A line that seems to be meant as times."""
_FIELD = re.compile(r"[ \t]*\[(?!br\])([A-Za-z][A-Za-z ]*)\](.*)$")
_MARKS = frozenset({"INFORMATION", "END INFORMATION", "SUBTITLE", "BEGIN", "END"})
_LOOKS = frozenset({"COLF", "STYLE", "SIZE", "FONT"})
_BREAK = re.compile(r"\[br\]|\|", re.IGNORECASE)


def begins(text: str) -> bool:
    """Return whether the first line with text is one that SubViewer files begin with."""
    line = next((line for line in text.split("\n") if line.strip()), "")
    return any(each.match(line) for each in (_FIELD, _SPAN, _MOMENT))


def read(text: str) -> Track:
    """Parse a SubViewer file of either version; what its head says of the file is counted as lost."""
    track = Track()
    start: int | None = None
    end: int | None = None
    lines: list[str] = []
    timeless = False

    def finish(following: int | None) -> None:
        shown = "\n".join(lines)
        until = following if end is None else end
        if start is not None and until is not None:
            track.add(start, until, _pieces(shown))
        elif shown.strip():
            track.timeless.append(" ".join(_BREAK.sub(" ", shown).split()))
        lines.clear()

    for line in text.split("\n"):
        if span := _SPAN.match(line):
            if lines:
                finish(None)
            start, end, timeless = _milliseconds(span.groups()[:4]), _milliseconds(span.groups()[4:]), False
        elif moment := _MOMENT.match(line):
            at = _milliseconds((*moment.groups(), "0"))
            if lines:
                finish(at)
            start, end, timeless = at, None, False
        elif _ALMOST.match(line):
            if lines:
                finish(None)
            start, end, timeless = None, None, True
        elif (start is None and not timeless) or _is_mark(line):
            _head(line, track)
        elif line.strip():
            lines.append(line)
        elif lines and end is not None:
            finish(None)
            start = end = None
    if lines:
        finish(None)
    return track


def _is_mark(line: str) -> bool:
    field = _FIELD.match(line)
    return field is not None and field[1].upper() in _MARKS


def _head(line: str, track: Track) -> None:
    """Count what a line outside of the subtitles says."""
    field = _FIELD.match(line)
    words = re.sub(r"\[[^\[\]]*\]|&H[0-9A-Fa-f]+", "", line).strip(" \t,")
    if field and field[1].upper() in _LOOKS:
        track.lost[say("Fonts, sizes and positions")] += 1
    elif words and not _is_mark(line):
        track.lost[say("Lines that are not subtitles")] += 1


def _pieces(text: str) -> list[Piece]:
    return [Piece("\n".join(_BREAK.split(text)), *PLAIN.formatting)]


def _milliseconds(clock: tuple[str, ...]) -> int:
    hours, minutes, seconds, fraction = clock
    return (int(hours) * 3600 + int(minutes) * 60 + int(seconds)) * 1000 + int(fraction.ljust(3, "0"))
