"""SubStation Alpha, ASS and SSA: styles and override codes."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pysubs2
from pysubs2 import Alignment, SSAEvent, SSAFile, SSAStyle

from engine.families.subtitles.format_lines import ordered
from engine.families.subtitles.track import BOTTOM, PLAIN, Cue, Piece, Track, wrong_format
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say

_CODES = re.compile(r"(?<!\\)\{([^{}]*)\}")
_CODE = re.compile(
    r"\\(?:([ibus])(\d{1,4})?(?![a-zA-Z])|1?c(?:&H([0-9A-Fa-f]{1,8})&?)?(?![a-zA-Z(])|an(\d)|a(\d{1,2})(?![a-zA-Z])"
    r"|p(\d{1,2})(?![a-zA-Z])|r([^\\}]*))"
)
_ANY_CODE = re.compile(r"\\[a-zA-Z0-9]+")
_ESCAPED = re.compile(r"\\([Nnh{}]|\u2060)")
_MEANT = {"N": "\n", "n": "\n", "h": "\xa0", "\u2060": "\\"}
_LETTERS = {"i": "italic", "b": "bold", "u": "underline", "s": "strike"}
_DRAWN = (
    "fontname", "fontsize", "outlinecolor", "backcolor", "scalex", "scaley", "spacing", "angle", "borderstyle",
    "outline", "shadow",
)  # fmt: skip
_WHITE = "ffffff"
_INFO = re.compile(r"^\s*\[Script Info\][^\n]*\n(.*?)(?=^\s*\[|\Z)", re.MULTILINE | re.DOTALL | re.IGNORECASE)
_ABOUT = (
    "title",
    "original ",
    "translation",
    "synch point",
    "script updated by",
    "update details",
    "author",
    "copyright",
)
"""The beginnings of the lines that people read; the others tell players how to draw, and editors where they were."""
_USUAL_TITLE = ("title", "default aegisub file")


def read(text: str, fps: float | None) -> Track:
    """Parse an ASS or SSA file. Raises Unreadable for a malformed line, with its number."""
    old = re.search(r"^\[V4 Styles\]", text, re.MULTILINE | re.IGNORECASE) is not None
    if not re.search(r"^\s*(?:Dialogue|Comment):", text, re.MULTILINE):
        wrong_format(say("an ASS file has lines that start with “Dialogue:”"))
    file = _loaded(ordered(text), "ssa" if old else "ass")
    track = Track(details=[*_details(text)])
    track.lost[say("Fonts and pictures in the file")] = len(file.fonts_opaque) + len(file.graphics_opaque)
    used = {event.style.removeprefix("*") for event in file.events if event.type == "Dialogue"}
    track.lost[say("Fonts, sizes and outlines of styles")] = sum(
        _is_drawn(file.styles[each]) for each in used & {*file.styles}
    )
    for event in file.events:
        if event.type != "Dialogue":
            track.lost["Comments"] += 1
        elif event.effect.strip():
            track.lost["Effects"] += 1
        if event.type == "Dialogue":
            style = file.styles.get(event.style.removeprefix("*"), SSAStyle())
            pieces, place = _pieces(event.text, style, file.styles, track)
            track.add(event.start, event.end, pieces, place=place, speaker=event.name.strip())
    return track


def _details(text: str) -> Iterator[str]:
    """What the file says of itself, besides how it is drawn."""
    section = _INFO.search(text)
    for line in (section[1] if section else "").split("\n"):
        name, colon, value = map(str.strip, line.partition(":"))
        is_told = name.lower().startswith(_ABOUT) and (name.lower(), value.lower()) != _USUAL_TITLE
        if colon and value and is_told:
            yield f"{name}: {value}"


def _loaded(text: str, format: str) -> SSAFile:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return SSAFile.from_string(text, format_=format)
    except (ValueError, TypeError, IndexError, pysubs2.exceptions.Pysubs2Error) as error:
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip().startswith(("Style:", "Dialogue:", "Comment:")):
                try:
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        SSAFile.from_string(line, format_=format)
                except (ValueError, TypeError, IndexError):
                    raise Unreadable("A line in the file can't be read.", line=number, reason="damaged") from error
        raise Unreadable("The file can't be read as SubStation Alpha.", reason="damaged") from error


def _is_drawn(style: SSAStyle) -> bool:
    """Whether a style draws its text otherwise than the usual one, besides what other formats have."""
    usual = SSAStyle()
    return any(getattr(style, each) != getattr(usual, each) for each in _DRAWN)


def _pieces(text: str, style: SSAStyle, styles: dict[str, SSAStyle], track: Track) -> tuple[list[Piece], int]:
    formatting, place, drawing = _of(style), int(style.alignment), False
    pieces, at = list[Piece](), 0
    for codes in _CODES.finditer(text):
        if not drawing:
            pieces.append(replace(formatting, text=_shown(text[at : codes.start()])))
        at = codes.end()
        known = 0
        for code in _CODE.finditer(codes[1]):
            known += 1
            letter, number, colour, numpad, older, scale, reset = code.groups()
            if letter:
                on = number is None or int(number) == 1 or (letter == "b" and int(number) >= 600)
                formatting = formatting.having(
                    _LETTERS[letter], on if number else getattr(_of(style), _LETTERS[letter])
                )
            elif numpad or older:
                place = int(numpad) if numpad else _from_old(int(older))
                place = place if 1 <= place <= 9 else BOTTOM
            elif scale:
                drawing = int(scale) > 0
                track.lost["Drawings"] += drawing
            elif reset is not None:
                formatting = _of(styles.get(reset.strip(), style))
            else:
                formatting = replace(formatting, colour=_rgb(int(colour, 16)) if colour else _of(style).colour)
        track.lost[say("Codes for effects, fonts and exact positions")] += len(_ANY_CODE.findall(codes[1])) - known > 0
    if not drawing:
        pieces.append(replace(formatting, text=_shown(text[at:])))
    return pieces, place if 1 <= place <= 9 else BOTTOM


def _from_old(number: int) -> int:
    try:
        return int(Alignment.from_ssa_alignment(number))
    except ValueError:
        return BOTTOM


def _shown(text: str) -> str:
    return _ESCAPED.sub(lambda found: _MEANT.get(found[1], found[1]), text)


def _of(style: SSAStyle) -> Piece:
    colour = style.primarycolor
    shown = f"{colour.r:02x}{colour.g:02x}{colour.b:02x}"
    return replace(
        PLAIN,
        bold=bool(style.bold),
        italic=bool(style.italic),
        underline=bool(style.underline),
        strike=bool(style.strikeout),
        colour=None if shown == _WHITE else shown,
    )


def _rgb(number: int) -> str | None:
    shown = f"{number & 255:02x}{number >> 8 & 255:02x}{number >> 16 & 255:02x}"
    return None if shown == _WHITE else shown


def write(track: Track) -> str:
    """Format a track as ASS with one style."""
    file = SSAFile()
    file.info.update({"PlayResX": "384", "PlayResY": "288"})
    file.events = [
        SSAEvent(start=each.start, end=each.end, text=_coded(each), name=_field(each.speaker)) for each in track.cues
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return str(file.to_string("ass", header_notice=""))


def _field(text: str) -> str:
    return " ".join(text.replace(",", ";").split())


def _coded(cue: Cue) -> str:
    parts = [f"{{\\an{cue.place}}}"] if cue.place != BOTTOM else []
    before = PLAIN
    for each in cue.pieces:
        codes = "".join(
            _change(letter, getattr(before, name), getattr(each, name)) for letter, name in _LETTERS.items()
        )
        if each.colour != before.colour:
            rgb = each.colour or _WHITE
            codes += f"\\c&H{rgb[4:]}{rgb[2:4]}{rgb[:2]}&".upper().replace("\\C", "\\c")
        text = each.text.replace("\\", "\\\u2060").replace("{", "\\{").replace("}", "\\}")
        parts.append((f"{{{codes}}}" if codes else "") + text.replace("\n", "\\N").replace("\xa0", "\\h"))
        before = each
    return "".join(parts)


def _change(letter: str, before: Any, now: Any) -> str:
    return "" if before == now else f"\\{letter}{int(now)}"
