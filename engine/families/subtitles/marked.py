"""SubRip and WebVTT: blocks of lines with HTML-like tags."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape, unescape

from engine.families.subtitles.track import BOTTOM, PLAIN, Piece, Track, wrong_format
from engine.toolkit.messages import say

_TIME = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,:](\d{1,3})\d{0,6})?"
_TIMES = re.compile(rf"[ \t]*{_TIME}[ \t]*-{{1,2}}>[ \t]*{_TIME}(?:[ \t]+(.*))?[ \t]*$")
_ALMOST = re.compile(r"[ \t]*\d+:[^\n]{0,40}?-{1,2}>|[^\n]{0,40}-->[ \t]*\d+:")
"""A line that seems to be meant as a time range."""
_TAG = re.compile(r"<(/?)([a-zA-Z]++)([^<>]*+)>|<\d[\d:.]*+>|\{(\\[^{}]*+)\}")
_PLACE = re.compile(r"\\an?(\d{1,2})")
_COLOUR = re.compile(r"""color\s*=\s*["']?#?([0-9A-Fa-f]{6}|[a-zA-Z]{3,10})""")
_LOOKS = {"b": "bold", "i": "italic", "em": "italic", "strong": "bold", "u": "underline", "s": "strike"}
_NAMED = {
    "white": "ffffff", "lime": "00ff00", "cyan": "00ffff", "red": "ff0000", "yellow": "ffff00", "magenta": "ff00ff",
    "blue": "0000ff", "black": "000000", "green": "008000", "gray": "808080", "orange": "ffa500", "silver": "c0c0c0",
}  # fmt: skip
_CLASSES = re.compile(r"\A(?:\.[^\s.]+)+")
_MAX_OPEN = 50
"""The maximum nesting of tags; deeper ones have no effect."""
_OLD_PLACES = {1: 1, 2: 2, 3: 3, 5: 7, 6: 8, 7: 9, 9: 4, 10: 5, 11: 6}
"""The positions of `\a`, the older form of `\an`."""
_SETTING = re.compile(r"(line|align|position|size|vertical|region):(\S+)")


def read_srt(text: str, fps: float | None) -> Track:
    """Parse a SubRip file; cue numbers are ignored. Raises Unreadable if there are no times."""
    track = Track()
    for times, lines, _ in _blocks(text, track, numbered=True):
        pieces, place, speaker = _parsed("\n".join(lines), track, entities=False)
        track.add(*_moments(times), pieces, place=place, speaker=speaker)
    return track


def read_vtt(text: str, fps: float | None) -> Track:
    """Parse a WebVTT file (W3C, 2019). Raises Unreadable if it lacks the signature."""
    if not re.match(r"WEBVTT(?:[ \t\n]|\Z)", text):
        wrong_format(say("a WebVTT file starts with WEBVTT"), line=1)
    first, *others = text.partition("-->")[0].partition("\n\n")[0].split("\n")
    told = (first.removeprefix("WEBVTT").strip(" \t-"), *(each.strip() for each in others if ":" in each))
    track = Track(details=[each for each in told if each and not each.startswith(_OF_PLAYERS)])
    body = text.partition("\n")[2]
    for times, lines, settings in _blocks(body, track, numbered=False):
        pieces, _, speaker = _parsed("\n".join(lines), track, entities=True)
        track.add(*_moments(times), pieces, place=_settled(settings, track), speaker=speaker)
    return track


def _blocks(text: str, track: Track, *, numbered: bool) -> Iterator[tuple[re.Match[str], list[str], str]]:
    """Each line with times, and its text; the number before the next times is excluded."""
    times: re.Match[str] | None = None
    lines: list[str] = []
    block, before = "", ""
    timeless: list[str] | None = None
    for line in text.split("\n"):
        found = _TIMES.match(line)
        almost = not found and _ALMOST.match(line) is not None
        if timeless is not None and (found or almost or not line.strip()):
            track.timeless.append(" ".join(timeless))
            timeless = None
        if almost:
            if times:
                _without_number(lines, numbered=numbered)
                yield times, lines, times[9] or ""
            times, timeless, before = None, [], ""
        elif timeless is not None:
            timeless.append(line.strip())
        elif found:
            if times:
                _without_number(lines, numbered=numbered)
                yield times, lines, times[9] or ""
            elif not numbered and before:
                track.lost[say("Identifiers of subtitles")] += 1
            times, lines, block = found, [], ""
        elif times:
            if not numbered and not line.strip():
                yield times, lines, times[9] or ""
                times = None
            else:
                lines.append(line)
        elif not block and line.strip():
            block = line.split(None, 1)[0]
            if not numbered and block in ("NOTE", "STYLE", "REGION"):
                track.lost[{"NOTE": "Comments", "STYLE": say("Style sheets"), "REGION": "Regions"}[block]] += 1
                line = ""
        elif not line.strip():
            block = ""
        before = line.strip() if block not in ("NOTE", "STYLE", "REGION") else ""
    if timeless is not None:
        track.timeless.append(" ".join(timeless))
    if times:
        yield times, lines, times[9] or ""


_OF_PLAYERS = ("X-TIMESTAMP-MAP", "Kind:")
"""Lines of a header that tell players what kind of track it is, and where it belongs."""


def _without_number(lines: list[str], *, numbered: bool) -> None:
    """Take away the number of the next subtitle."""
    if numbered and lines and lines[-1].strip().isdigit() and (len(lines) == 1 or not lines[-2].strip()):
        lines.pop()


def _moments(times: re.Match[str]) -> tuple[int, int]:
    return _milliseconds(*times.group(1, 2, 3, 4)), _milliseconds(*times.group(5, 6, 7, 8))


def _milliseconds(hours: str | None, minutes: str, seconds: str, fraction: str | None) -> int:
    return (int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)) * 1000 + int((fraction or "0").ljust(3, "0"))


def _parsed(text: str, track: Track, *, entities: bool) -> tuple[list[Piece], int, str]:
    place, speaker, at = BOTTOM, "", 0
    formatting, pieces, opened = PLAIN, list[Piece](), list[tuple[str, Piece]]()
    for tag in _TAG.finditer(text):
        pieces.append(replace(formatting, text=_shown(text[at : tag.start()], entities)))
        at = tag.end()
        name = (tag[2] or "").lower()
        if tag[4]:
            if not entities and (found := _PLACE.match(tag[4])):
                number = int(found[1])
                place = (number if found[0][2] == "n" else _OLD_PLACES.get(number, BOTTOM)) or BOTTOM
                place = place if place <= 9 else BOTTOM
            elif entities:
                pieces.append(replace(formatting, text=tag[0]))
            else:
                track.lost[say("Codes in braces")] += 1
        elif tag[1]:
            while opened and any(each == name for each, _ in opened):
                closed, formatting = opened.pop()
                if closed == name:
                    break
        elif len(opened) >= _MAX_OPEN:
            continue
        elif name in _LOOKS:
            opened.append((name, formatting))
            formatting = formatting.having(_LOOKS[name])
            track.lost[say("Classes and fonts")] += entities and tag[3].startswith(".")
        elif name == "font" or (entities and name == "c"):
            opened.append((name, formatting))
            if colour := _colour(tag[3], name):
                formatting = replace(formatting, colour=colour)
            elif tag[3]:
                track.lost[say("Classes and fonts")] += 1
        elif entities and name == "v":
            opened.append((name, formatting))
            spoken = unescape(_CLASSES.sub("", tag[3]).strip())
            if speaker and spoken != speaker:
                pieces.append(replace(formatting, text=f"{spoken}: "))
            speaker = speaker or spoken
        elif name:
            track.lost[say("Languages of words")] += name == "lang"
            track.lost[say("Tags specific to this format")] += name not in ("lang", "ruby", "rt")
        else:
            track.lost[say("Times inside the text")] += 1
    pieces.append(replace(formatting, text=_shown(text[at:], entities)))
    return pieces, place, " ".join(speaker.split())


def _shown(text: str, entities: bool) -> str:
    return unescape(text) if entities else text


def _colour(attributes: str, name: str) -> str | None:
    if name == "c":
        return next((_NAMED[each] for each in attributes.split(".") if each in _NAMED), None)
    found = _COLOUR.search(attributes)
    return (_NAMED.get(found[1].lower()) or (found[1].lower() if len(found[1]) == 6 else None)) if found else None


def _settled(settings: str, track: Track) -> int:
    """The number pad position nearest to a cue's settings."""
    row, column = 0, 1
    for name, value in _SETTING.findall(settings):
        number = re.match(r"(-?\d{1,3})(?:\.\d+)?(%?)", value)
        if name == "line" and number:
            at = int(number[1])
            row = (0 if at >= 60 else 3 if at > 30 else 6) if number[2] else (0 if at < 0 else 6)
        elif name == "align":
            column = {"start": 0, "left": 0, "end": 2, "right": 2}.get(value, 1)
        else:
            track.lost[say("Settings for size, position, direction and region")] += 1
    return row + column + 1


def clock(milliseconds: int, point: str) -> str:
    """A time such as 01:02:03,456."""
    seconds, rest = divmod(max(0, milliseconds), 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{point}{rest:03}"


def write_srt(track: Track) -> str:
    """Format a track as SubRip."""
    blocks = []
    for number, cue in enumerate(track.cues, 1):
        place = f"{{\\an{cue.place}}}" if cue.place != BOTTOM else ""
        text = "".join(_tagged(each, each.text, ("b", "i", "u", "s"), font=True) for each in cue.pieces)
        blocks.append(f"{number}\n{clock(cue.start, ',')} --> {clock(cue.end, ',')}\n{place}{_dense(text)}\n\n")
    return "".join(blocks)


def write_vtt(track: Track) -> str:
    """Format a track as WebVTT, its cues sorted by time."""
    blocks = ["WEBVTT\n\n"]
    for cue in sorted(track.cues, key=lambda each: each.start):
        text = "".join(_tagged(each, escape(each.text, quote=False), ("b", "i", "u")) for each in cue.pieces)
        voice = f"<v {escape(' '.join(cue.speaker.split()), quote=False)}>" if cue.speaker else ""
        row, column = divmod(cue.place - 1, 3)
        settings = ("", " line:50%", " line:0")[row] + (" align:start", "", " align:end")[column]
        blocks.append(f"{clock(cue.start, '.')} --> {clock(cue.end, '.')}{settings}\n{voice}{_dense(text)}\n\n")
    return "".join(blocks)


def _tagged(formatting: Piece, text: str, codes: tuple[str, ...], *, font: bool = False) -> str:
    names = [each for each in codes if getattr(formatting, _LOOKS[each])]
    inner = "".join(f"<{each}>" for each in names) + text + "".join(f"</{each}>" for each in reversed(names))
    return f'<font color="#{formatting.colour}">{inner}</font>' if font and formatting.colour else inner


def _dense(text: str) -> str:
    """The text without blank lines, which would end a cue."""
    return re.sub(r"\n\s*\n", "\n", text)
