"""Prediction: the seconds that a work would take by the table of foresight, for who asks before it begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from conversions.families.media import animation, film, foresight, program, recording, sound
from conversions.families.media.containers import CONTAINERS
from conversions.families.media.probe import probe
from conversions.families.media.timing import part_of
from conversions.toolkit.formats import Format

_BEGUN = 0.1
"""Seconds that any work takes: the program is started two times."""
_COPIED = 0.002
"""Seconds for a second of film that is copied."""


def _recording(source: Path, output: Format, options: Any) -> float:
    media = probe(source)
    stream, part = media.first("audio"), part_of(media, options)
    copied = stream is not None and sound.copies((stream,), CONTAINERS[output.id], options, cut=not part.whole)
    return part.seconds * _COPIED if copied else recording.work(part, options)


def _film(source: Path, output: Format, options: Any) -> float:
    media = probe(source)
    stream, part, container = media.first("video"), part_of(media, options), CONTAINERS[output.id]
    if stream is None:
        return 0.0
    tracks = () if options.remove_audio else tuple(each for each in media.every("audio") if each.readable)
    coded = film.chosen(stream, container, part, options)
    if coded != "copy":
        shape = film.shape_of(stream, options, even=True)
        return film.work(stream, tracks, coded, part, shape, options) / program.threads()
    played: float = part.seconds * options.loop
    heard = bool(tracks) and not sound.copies(tracks, container, options, cut=False)
    return played * (_COPIED + foresight.SOUND * len(tracks) * heard)


def _animation(source: Path, output: Format, options: Any) -> float:
    media = probe(source)
    stream = media.first("video")
    return 0.0 if stream is None else animation.work(stream, part_of(media, options), output.id, options)


def _frames(source: Path, output: Format, options: Any) -> float:
    media = probe(source)
    stream = media.first("video")
    if stream is None or (options.every is None and not options.contact_sheet):
        return 0.0
    return foresight.film(stream, media.seconds, "none", "none", (0, 0), 0.0, 1) / program.threads()


def _wave(source: Path, output: Format, options: Any) -> float:
    return foresight.SOUND * probe(source).seconds / 2


def _captions(source: Path, output: Format, options: Any) -> float:
    return probe(source).seconds * _COPIED


_KINDS: Mapping[str, Callable[[Path, Format, Any], float]] = {
    "recording": _recording,
    "film": _film,
    "animation": _animation,
    "frames": _frames,
    "waveform": _wave,
    "captions": _captions,
}


def seconds(kind: str, source: Path, output: Format, options: Any) -> float:
    """The seconds of a work of this kind, named for the module that does it; raises what that one does at the input."""
    return _BEGUN + _KINDS[kind](source, output, options)
