"""Predict the duration of a conversion for callers that ask before it starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from engine.families.media import animation, estimate, film, program, recording, sound
from engine.families.media.containers import CONTAINERS
from engine.families.media.probe import probe
from engine.families.media.timing import part_of
from engine.toolkit.formats import Format

_BEGUN = 0.1
"""Seconds that any conversion takes: the program is started twice."""
_COPIED = 0.002
"""Seconds per second of copied film."""


def _recording(source: Path, output: Format, options: Any) -> float:
    media = probe(source)
    stream, part = media.first("audio"), part_of(media, options)
    copied = stream is not None and sound.copies((stream,), CONTAINERS[output.id], options, cut=not part.whole)
    return part.seconds * _COPIED if copied else recording.estimated_seconds(part, options)


def _film(source: Path, output: Format, options: Any) -> float:
    media = probe(source)
    stream, part, container = media.first("video"), part_of(media, options), CONTAINERS[output.id]
    if stream is None:
        return 0.0
    tracks = () if options.remove_audio else tuple(each for each in media.every("audio") if each.readable)
    coded = film.chosen(stream, container, part, options)
    if coded != "copy":
        shape = film.shape_of(stream, options, even=True)
        return film.estimated_seconds(stream, tracks, coded, part, shape, options) / program.threads()
    played: float = part.seconds * options.loop
    heard = bool(tracks) and not sound.copies(tracks, container, options, cut=False)
    return played * (_COPIED + estimate.SOUND * len(tracks) * heard)


def _animation(source: Path, output: Format, options: Any) -> float:
    media = probe(source)
    stream = media.first("video")
    return 0.0 if stream is None else animation.estimated_seconds(stream, part_of(media, options), output.id, options)


def _frames(source: Path, output: Format, options: Any) -> float:
    media = probe(source)
    stream = media.first("video")
    if stream is None or (options.every is None and not options.contact_sheet):
        return 0.0
    return estimate.film(stream, media.seconds, "none", "none", (0, 0), 0.0, 1) / program.threads()


def _wave(source: Path, output: Format, options: Any) -> float:
    return estimate.SOUND * probe(source).seconds / 2


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
    """The estimated seconds of a conversion of this kind, named after its module; raises that module's errors for the
    input."""
    return _BEGUN + _KINDS[kind](source, output, options)
