"""Read subtitles, shift their times, write them and report losses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.families.subtitles import frames, marked, substation, subviewer, timed_text
from engine.families.subtitles.track import Cue, Track
from engine.toolkit import encodings
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.formats import ASS, SRT, SUB, TTML, TXT, VTT, Format
from engine.toolkit.messages import say, shortened
from engine.toolkit.warnings import Kind, Warn

MAX_BYTES = 50_000_000


def _read_sub(text: str, fps: float | None) -> Track:
    """Parse MicroDVD or SubViewer: both are found in files with this extension."""
    return subviewer.read(text) if subviewer.begins(text) else frames.read(text, fps)


_READERS: dict[Format, Callable[[str, float | None], Track]] = {
    SRT: marked.read_srt,
    VTT: marked.read_vtt,
    ASS: substation.read,
    SUB: _read_sub,
}
_WRITERS: dict[Format, Callable[[Track], str]] = {
    SRT: marked.write_srt,
    VTT: marked.write_vtt,
    ASS: substation.write,
    SUB: frames.write,
    TTML: timed_text.write,
}
_HOLDS: dict[Format, frozenset[str]] = {
    SRT: frozenset({"bold", "italic", "underline", "strike", "colour", "place"}),
    VTT: frozenset({"bold", "italic", "underline", "place", "speaker"}),
    ASS: frozenset({"bold", "italic", "underline", "strike", "colour", "place", "speaker"}),
    SUB: frozenset({"whole"}),
    TTML: frozenset({"bold", "italic", "underline", "strike", "colour", "place"}),
    TXT: frozenset({"speaker"}),
}
_STEPS = {ASS: 10}
_TIMELESS = Kind("CONTENT_DROPPED", "Subtitles with unreadable times were left out: {count}{places}.", counts="cues")
_DETAILS = Kind("METADATA_DROPPED", "Details of the file itself were left out: {count}{places}.")
_WORDS = {
    "bold": say("Bold text"),
    "italic": say("Italic text"),
    "underline": say("Underlined text"),
    "strike": say("Struck-out text"),
    "colour": say("Coloured text"),
    "place": say("A position other than the bottom of the picture"),
    "speaker": say("A speaker's name"),
}


def convert(source: Path, target: Path, input: Format, output: Format, options: Any, warn: Warn) -> None:
    """Write the subtitles of `source`, of the format `input`, as `output`.

    Raises Unreadable for a file without subtitles, InvalidOption for an unknown encoding or a missing frame rate,
    OverLimit for too many subtitles.
    """
    if source.stat().st_size > MAX_BYTES:
        raise OverLimit(
            "memory", say("The subtitle file is larger than {max_bytes} MB.", max_bytes=MAX_BYTES // 1_000_000)
        )
    fps = getattr(options, "fps", None)
    data = source.read_bytes()
    if input is TTML:
        track = timed_text.read(data, options.encoding, fps, warn)
    else:
        text = encodings.read(data, warn, option=options.encoding, declared="utf-8" if input is VTT else None)
        if "\0" in text:
            raise Unreadable(
                "The file is not text: it contains NUL bytes. Save it as UTF-8 text and try again.", reason="format"
            )
        track = _READERS[input](text.replace("\r\n", "\n").replace("\r", "\n"), fps)
    warn.tally(_TIMELESS, len(track.timeless), (f"“{each[:60]}”" for each in track.timeless))
    warn.leave_out(track.timeless)
    if not track.cues:
        raise Unreadable(say("The file has no readable {name} subtitles.", name=input.name), reason="empty")
    over = track.shifted(round(options.shift * 1000))
    warn.account("cues", len(over))
    warn.leave_out(over)
    if track.fps:
        warn.detect(fps=track.fps)
    track.fps = fps or track.fps
    _report(track, output, warn)
    written = _plain(track.cues, times=options.times) if output is TXT else _WRITERS[output](track)
    target.write_text(written, "utf-8", newline="")


def places(path: Path) -> list[tuple[int, int, int]]:
    """The start and end in milliseconds of each subtitle in a SubRip file, and where it is (`Cue.place`)."""
    return [
        (each.start, each.end, each.place) for each in marked.read_srt(path.read_text("utf-8", "replace"), None).cues
    ]


def _plain(cues: list[Cue], *, times: bool) -> str:
    return "\n".join(
        (f"[{marked.clock(each.start, '.')}] " if times else "")
        + (f"{each.speaker}: " if each.speaker else "")
        + f"{each.text}\n"
        for each in cues
    )


def _report(track: Track, output: Format, warn: Warn) -> None:
    warn.tally(_DETAILS, len(track.details), (shortened(each, 60) for each in track.details))
    for what, count in track.lost.items():
        warn.tally(Kind("CONTENT_DROPPED", "{what}: {count}{places}.", (("what", what),)), count)
    lost: dict[str, list[int]] = {}
    holds = _HOLDS[output]
    for number, cue in enumerate(track.cues, 1):
        whole = "whole" in holds and len(cue.pieces) == 1
        found = {name for each in cue.pieces for name in frames.HELD if getattr(each, name)}
        found |= {"place"} if cue.place != 2 else set()
        found |= {"speaker"} if cue.speaker else set()
        for name in found - holds - (frames.HELD if whole else frozenset()):
            lost.setdefault(name, []).append(number)
    for name, words in _WORDS.items():
        numbers = lost.get(name, [])
        kind = Kind(
            "STYLE_DROPPED",
            "{name} doesn't support this: {words}. Subtitles with it: {count}{places}.",
            (
                ("words", words),
                ("name", output.name),
            ),
        )
        warn.tally(kind, len(numbers), (f"number {each:,}" for each in numbers))
    step = 1000 / (track.fps or frames.USUAL) if output is SUB else _STEPS.get(output, 1)
    rounded = sum(
        abs(at / step - round(at / step)) * step > 0.5 for each in track.cues for at in (each.start, each.end)
    )
    warn.tally(
        Kind(
            "VALUE_CONVERTED",
            "Times were rounded to the {step} ms steps of {name}: {count}{places}.",
            (
                ("step", f"{step:.3g}"),
                ("name", output.name),
            ),
        ),
        rounded,
    )
