"""Count the cues of subtitle files and extract their text, by the syntax that begins a cue in each format."""

from __future__ import annotations

import html
import re
from pathlib import Path

from engine.toolkit.census import Census, Counting
from engine.toolkit.formats import ASS, SRT, SUB, TTML, VTT

_KINDS = frozenset({"cues", "words"})
_ARROW = re.compile(r"^(?=.*\d:\d).*-->.*$\n*+", re.MULTILINE)
"""A line with an arrow, and the line feeds before its text."""
_DIALOGUE = re.compile(r"^Dialogue:(.*)$", re.MULTILINE)
_FRAMES = re.compile(r"^\{\d+\}\{\d*\}(?!\d+(?:\.\d+)?$)(.*)$", re.MULTILINE)
"""A first cue that is only a number is the frame rate."""
_CLOCKS = re.compile(
    r"^[ \t]*\d+:\d+:\d+[.:]\d+,\d+:\d+:\d+[.:]\d+[ \t]*\n(.*?)(?:\n\s*\n|\Z|(?=^[ \t]*\d+:\d+:\d+[.:]))"
    r"|^\[\d+:\d+:\d+\][ \t]*\n([^\[\n].*?)(?=^\[\d+:)",
    re.MULTILINE | re.DOTALL,
)
"""The cues of SubViewer, of the second version and of the first."""
_PARAGRAPH = re.compile(r"<(?:\w+:)?p\b[^<>]*+>(?:(?<=/>)|((?:[^<]|<(?!/?(?:\w+:)?p\b))*+)</(?:\w+:)?p>)")
_TAG = re.compile(r"<[/\w.][^<>]*>|\{[^{}]*\}")
_DRAWING = re.compile(r"\{[^{}]*\\p[1-9][^{}]*\}.*?(?:\{[^{}]*\\p0[^{}]*\}|$)")
_BREAK = re.compile(r"\\[Nnh]|\||\[br\]|<(?:\w+:)?br\b[^<>]*>")
_EVENTS = re.compile(r"^\[Events\]\s*^Format:(.*)$", re.MULTILINE | re.IGNORECASE)
_USUAL = 9
"""Commas before the text of a dialogue line, unless `Format:` says otherwise."""


def _arrows(path: Path) -> Census:
    """Count SubRip and WebVTT: a cue is a line with an arrow and the lines up to the next blank one."""
    census, text = Census(), _text(path)
    for match in _ARROW.finditer(text):
        end = text.find("\n\n", match.end())
        _cue(census, text[match.end() :] if end < 0 else text[match.end() : end])
    return census


def _dialogues(path: Path) -> Census:
    census, text = Census(), _text(path)
    fields = _EVENTS.search(text)
    commas = fields[1].count(",") if fields else _USUAL
    for match in _DIALOGUE.finditer(text):
        _cue(census, _DRAWING.sub("", match[1].split(",", commas)[-1]))
    return census


def _frames(path: Path) -> Census:
    census, text = Census(), _text(path)
    for match in _FRAMES.finditer(text):
        _cue(census, match[1])
    for match in _CLOCKS.finditer(text):
        _cue(census, match[1] or match[2] or "")
    return census


def _paragraphs(path: Path) -> Census:
    """Count TTML: a cue is a `p` element."""
    census = Census()
    for match in _PARAGRAPH.finditer(_text(path)):
        _cue(census, match[1] or "")
    return census


def _cue(census: Census, text: str) -> None:
    shown = html.unescape(_TAG.sub("", _BREAK.sub(" ", text))).strip()
    if shown:
        census.add("cues")
        census.texts.append(shown)


def _text(path: Path) -> str:
    from engine.toolkit import encodings
    from engine.toolkit.warnings import Warn

    return encodings.read(path.read_bytes(), Warn()).replace("\r\n", "\n").replace("\r", "\n")


COUNTINGS = {
    SRT: Counting(_arrows, _KINDS),
    VTT: Counting(_arrows, _KINDS),
    ASS: Counting(_dialogues, _KINDS),
    SUB: Counting(_frames, _KINDS),
    TTML: Counting(_paragraphs, _KINDS),
}
