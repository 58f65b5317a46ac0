"""MicroDVD: subtitles timed by video frames."""

from __future__ import annotations

import io
import re
from dataclasses import replace

from pysubs2.formats.microdvd import MICRODVD_LINE

from engine.families.subtitles.track import PLAIN, Cue, Piece, Track, wrong_format
from engine.toolkit.failures import InvalidOption, Unreadable
from engine.toolkit.messages import say

USUAL = 25.0
HELD = frozenset({"bold", "italic", "underline", "strike", "colour"})
"""The codes that apply to a whole line."""

_CODE = re.compile(r"\{([a-zA-Z]):([^{}]*)\}")
_LETTERS = {"b": "bold", "i": "italic", "u": "underline", "s": "strike"}
_COLOUR = re.compile(r"\$([0-9A-Fa-f]{6})\Z")
_MAX_FRAME = 10**9


def read(text: str, fps: float | None) -> Track:
    """Parse a MicroDVD file; its frame rate is `fps`, else that in its first line.

    Raises InvalidOption if neither is given, Unreadable for a malformed line.
    """
    track = Track()
    for number, line in enumerate(io.StringIO(text), 1):
        if not line.strip():
            continue
        found = MICRODVD_LINE.match(line.rstrip("\n"))
        if not found:
            if not track.cues and track.fps is None:
                wrong_format(
                    say("its lines don't start with two frame numbers in braces, such as {{25}}{{75}}"), line=number
                )
            track.lost[say("Lines that are not subtitles")] += 1
            continue
        try:
            first, last = (min(int(each), _MAX_FRAME) for each in found.group(1, 2))
        except ValueError:
            raise Unreadable("A frame number is too long.", line=number, column=1, reason="damaged") from None
        declared = _rate(found[3]) if not track.cues and first in (0, 1) and last in (0, 1) else None
        if declared:
            track.fps = declared
            continue
        rate = fps or track.fps
        if rate is None:
            raise InvalidOption("fps", "The file counts frames but has no frame rate. Set fps, such as 23.976.")
        track.add(round(first * 1000 / rate), round(last * 1000 / rate), _pieces(found[3], track))
    return track


def _rate(text: str) -> float | None:
    try:
        rate = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return rate if 1 <= rate <= 1_000 else None


def _pieces(text: str, track: Track) -> list[Piece]:
    """Split a line by its codes; upper-case ones apply to all lines of a subtitle, others to their own line."""
    everywhere, pieces = PLAIN, []
    for number, line in enumerate(text.split("|")):
        formatting = everywhere
        for code in _CODE.finditer(line):
            changes: dict[str, object] = {}
            if code[1] in "Yy":
                changes = {_LETTERS[each]: True for each in code[2].lower() if each in _LETTERS}
            elif code[1] in "Cc" and (colour := _COLOUR.match(code[2].strip())):
                blue_first = colour[1].lower()
                changes = {"colour": blue_first[4:] + blue_first[2:4] + blue_first[:2]}
            else:
                track.lost[say("Fonts, sizes and positions")] += 1
            formatting = replace(formatting, **changes)  # type: ignore[arg-type]  # the names are those of Piece
            if code[1].isupper():
                everywhere = replace(everywhere, **changes)  # type: ignore[arg-type]
        shown = _CODE.sub("", line)
        if shown.startswith("/"):
            formatting, shown = replace(formatting, italic=True), shown[1:]
        pieces.append(replace(formatting, text=("\n" if number else "") + shown))
    return pieces


def write(track: Track) -> str:
    """Format a track as MicroDVD, with its frame rate in the first line."""
    rate = track.fps or USUAL
    lines = [f"{{1}}{{1}}{rate:g}"]
    for cue in track.cues:
        first, last = (round(each * rate / 1000) for each in (cue.start, cue.end))
        lines.append(f"{{{first}}}{{{last}}}{_codes(cue)}{cue.text.replace('|', '¦').replace(chr(10), '|')}")
    return "\n".join(lines) + "\n"


def _codes(cue: Cue) -> str:
    if len(cue.pieces) != 1:
        return ""
    formatting = cue.pieces[0]
    codes = ",".join(letter for letter, name in _LETTERS.items() if getattr(formatting, name))
    colour = (
        f"{{C:${(formatting.colour[4:] + formatting.colour[2:4] + formatting.colour[:2]).upper()}}}"
        if formatting.colour
        else ""
    )
    return (f"{{Y:{codes}}}" if codes else "") + colour
