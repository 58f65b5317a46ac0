"""Compare what a conversion promises with what its result contains, by a table of everything that is counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.families.media import counters, probe
from engine.families.media.containers import CONTAINERS
from engine.families.media.counters import Case, Counter
from engine.toolkit.failures import Unreadable
from engine.toolkit.warnings import Kind, Warn, Warning

_PADDED = 0.15
"""Seconds by which a result may be shorter because of codec padding. The most in complete files of the matrix in
tests/converters/test_media is 0.14 (an AAC frame at 8,000 Hz)."""
_SHARE = 0.005
"""The share by which a declared duration may be wrong: times are rounded to frames and blocks."""


@dataclass(frozen=True)
class Row:
    """One quantity to compare: the promised amount, the delivered amount, and the warning if some is missing."""

    kind: Kind
    promised: Counter
    delivered: Counter
    slack: Callable[[float], float] = lambda promised: 0.0


TABLE = (
    Row(
        Kind("MEDIA_SHORTENED", "The file should last {promised} seconds; the result lasts {count}."),
        counters.seconds_promised,
        counters.seconds_delivered,
        lambda promised: max(_PADDED, promised * _SHARE),
    ),
    Row(
        Kind("MEDIA_SHORTENED", "The file has {promised} seconds of audio; the result has {count}."),
        counters.track_promised("audio"),
        counters.track_delivered("audio"),
        lambda promised: max(_PADDED, promised * _SHARE),
    ),
    Row(
        Kind("MEDIA_SHORTENED", "The file has {promised} seconds of video; the result has {count}."),
        counters.track_promised("video"),
        counters.track_delivered("video"),
        lambda promised: max(_PADDED, promised * _SHARE) + 0.5,
    ),
    Row(
        Kind("MEDIA_SHORTENED", "The file has {promised} frames; the result has {count}."),
        counters.pictures(at_frame_rate=False),
        counters.pictures_shown,
    ),
    Row(
        Kind("MEDIA_SHORTENED", "The result should have {promised} frames at this frame rate; it has {count}."),
        counters.pictures(at_frame_rate=True),
        counters.pictures_shown,
        lambda promised: 1.0,
    ),
    Row(
        Kind("CONTENT_DROPPED", "The file has {promised} audio tracks; the result has {count}."),
        counters.tracks,
        lambda case: len(case.result.every("audio")) if case.result else None,
    ),
    Row(
        Kind("CONTENT_DROPPED", "The file has {promised} covers; the result has {count}."),
        counters.covers,
        lambda case: len(case.result.covers) if case.result else None,
    ),
    Row(
        Kind("CONTENT_DROPPED", "The file has {promised} chapters; the result has {count}."),
        counters.chapters,
        lambda case: case.result.chapters if case.result else None,
    ),
    Row(
        Kind("ALPHA_FLATTENED", "The video has transparent parts; the result doesn't."),
        counters.clear,
        counters.still_clear,
    ),
    Row(
        Kind("COLOR_CONVERTED", "The video has a high dynamic range (HDR); the result doesn't."),
        counters.bright,
        counters.still_bright,
    ),
    Row(
        Kind("COLOR_CONVERTED", "Colours have {promised} bits in the file and {count} in the result."),
        counters.colour_bits,
        counters.colour_bits_kept,
    ),
    Row(
        Kind("SOUND_REDUCED", "Samples have {promised} bits in the file and {count} in the result."),
        counters.sample_bits,
        counters.sample_bits_kept,
    ),
    Row(
        Kind("SOUND_REDUCED", "Samples reach {promised} times full scale; anything above full scale was clipped."),
        counters.loudest,
        counters.loudest_kept,
        lambda promised: 0.001,
    ),
)
"""Everything that is compared. A row does not apply to a case for which its counter returns None."""


def check(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Warn of everything that the finished file has less of than was promised; raises Unreadable for an empty
    result."""
    if source.suffix == ".zip":
        return
    container = CONTAINERS.get(target.suffix[1:])
    is_recording = hasattr(options, "audio_codec")
    read_back = probe.written(target, container.demuxer, decoding=is_recording) if container is not None else None
    result, animation = (read_back, None) if is_recording else (None, read_back)
    case = Case(source, target, probe.probe(source), options, result, animation)
    _check_something(case)
    reported: set[str] = set()
    for row in TABLE:
        promised = row.promised(case)
        delivered = None if promised is None else row.delivered(case)
        if promised is None or delivered is None or delivered >= promised - row.slack(promised):
            continue
        # Report a shortfall of time only once: the file is as short as its tracks.
        if row.kind.code == "MEDIA_SHORTENED" and "MEDIA_SHORTENED" in reported:
            continue
        reported.add(row.kind.code)
        kind = Kind(row.kind.code, row.kind.template, (("promised", round(promised, 2)),))
        warning: Warning = kind.counted(round(delivered, 2), "")  # type: ignore[arg-type]
        warn(warning.code, warning.message)


def _check_something(case: Case) -> None:
    if case.result is None:
        if not case.target.exists() or not case.target.stat().st_size:
            raise Unreadable("The file has no readable content, so the result would be empty.", reason="empty")
        return
    kinds = [kind for kind, wanted in (("audio", case.has_audio), ("video", case.has_video)) if wanted]
    for kind in kinds:
        if case.media.first(kind) is None:
            continue
        stream = case.result.first(kind)
        if stream is None or stream.counted is None or not stream.counted.count:
            raise Unreadable("The file's audio or video can't be read, so the result would have none.", reason="empty")
    if not case.result.decodes:
        raise Unreadable("The file's audio or video can't be read, so the result would have none.", reason="empty")
