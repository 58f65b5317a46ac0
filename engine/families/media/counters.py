"""Count what a conversion promises under its options, and what its result contains."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.families.media import declared
from engine.families.media.containers import CONTAINERS, LOSSLESS, MOST_DRAWN
from engine.families.media.probe import Media
from engine.families.media.streams import HDR

_ONE_PICTURE = 0.15
"""Seconds: the last picture of a film only counts up to its start."""


@dataclass(frozen=True)
class Case:
    """A file, the options, and the properties read from the result.

    `result` is None if the output is not audio or video, `animation` if it is not an animation.
    """

    source: Path
    target: Path
    media: Media
    options: Any
    result: Media | None
    animation: Media | None = None

    @property
    def has_video(self) -> bool:
        return hasattr(self.options, "fps")

    @property
    def has_audio(self) -> bool:
        """Whether the result should have sound."""
        return hasattr(self.options, "audio_codec") and not getattr(self.options, "remove_audio", False)

    @property
    def is_untrimmed(self) -> bool:
        """Whether the recording is not trimmed."""
        return getattr(self.options, "trim_start", 0) == 0 and getattr(self.options, "trim_end", None) is None

    @property
    def frame_rate(self) -> float | None:
        """The frames per second of the result; None if it keeps all frames of the file."""
        stream = self.media.first("video")
        asked: float | None = getattr(self.options, "fps", None)
        bounded = self.animation is not None and stream is not None and (stream.rate or 25.0) > MOST_DRAWN
        return asked or (MOST_DRAWN if bounded else None)

    def planned(self, seconds: float) -> float:
        """The seconds that are left of a duration under the options."""
        end = getattr(self.options, "trim_end", None)
        last = seconds if end is None else min(end, seconds)
        times: float = getattr(self.options, "loop", 1) if hasattr(self.options, "audio_codec") else 1
        part = max(0.0, last - getattr(self.options, "trim_start", 0.0))
        return part * times / float(getattr(self.options, "speed", 1.0))


Counter = Callable[[Case], float | None]


def seconds_promised(case: Case) -> float | None:
    """The duration of everything, by the longest track; a single picture has none.

    None for the sound alone of an untrimmed film: it may end before the last picture does.
    """
    if hasattr(case.options, "every") and case.options.every is None and not case.options.contact_sheet:
        return None
    found = declared.seconds(case.source, case.media)
    audio_of_film = case.has_audio and not case.has_video and case.media.first("video") is not None
    if audio_of_film and (found or 0.0) <= case.media.duration + _ONE_PICTURE:
        return None
    return case.planned(max(found or 0.0, case.media.duration))


def seconds_delivered(case: Case) -> float | None:
    """Return the seconds of the result, or for a result without a duration, such as one picture, those of the file."""
    if case.result is not None:
        return case.result.duration
    stream = case.animation.first("video") if case.animation is not None else None
    moves = stream is not None and stream.counted is not None and stream.counted.count > 1
    return case.animation.duration if case.animation is not None and moves else case.planned(case.media.duration)


def track_promised(kind: str) -> Counter:
    """The duration of the first track of a kind."""

    def promised(case: Case) -> float | None:
        stream = case.media.first(kind)
        wanted = case.has_audio if kind == "audio" else case.has_video
        if case.result is None or not wanted or stream is None or stream.counted is None:
            return None
        return case.planned(max(stream.counted.seconds, declared.of_track(stream) or 0.0))

    return promised


def track_delivered(kind: str) -> Counter:
    """The duration of the first track of a kind."""

    def delivered(case: Case) -> float | None:
        stream = case.result.first(kind) if case.result is not None else None
        return 0.0 if stream is None or stream.counted is None else stream.counted.seconds

    return delivered


def pictures(*, at_frame_rate: bool) -> Counter:
    """Count the frames of an uncut video: where all are kept or, if `at_frame_rate`, where a rate limits them."""

    def promised(case: Case) -> float | None:
        stream = case.media.first("video")
        comparable = case.has_video and (case.result or case.animation) is not None and case.target.suffix != ".webp"
        if stream is None or stream.counted is None or stream.interlaced or not comparable or not case.is_untrimmed:
            return None
        if getattr(case.options, "speed", 1.0) > 1:  # the frame rate stays
            return None
        if (case.frame_rate is not None) != at_frame_rate:
            return None
        times: int = case.options.loop if case.animation is None else 1
        count = stream.counted.count * times
        if case.frame_rate is None:
            return count
        return min(count, int(case.planned(stream.counted.seconds) * case.frame_rate))

    return promised


def pictures_shown(case: Case) -> float | None:
    """Return the frames of the result; WebP merges equal ones."""
    read_back = case.result or case.animation
    stream = read_back.first("video") if read_back is not None else None
    return 0 if stream is None or stream.counted is None else stream.counted.count


def covers(case: Case) -> float | None:
    """Count the pictures of a recording; if a container can't hold any, the converter reports it."""
    kept = getattr(case.options, "keep_metadata", False)
    return len(case.media.covers) if kept and case.result is not None and case.result.covers else None


def chapters(case: Case) -> float | None:
    """Chapters, if nothing is trimmed and the container supports them."""
    held = case.result is not None and CONTAINERS[case.target.suffix[1:]].chapters
    return case.media.chapters if held and case.is_untrimmed and getattr(case.options, "keep_metadata", False) else None


def tracks(case: Case) -> float | None:
    """The number of sound tracks of a film."""
    if case.result is None or not case.has_video or not case.has_audio:
        return None
    return sum(each.readable for each in case.media.every("audio"))


def clear(case: Case) -> float | None:
    """Return whether frames are transparent: because a second layer declares it, or because decoded ones are."""
    stream = case.media.first("video")
    if stream is None or not case.has_video or not stream.clear or still_clear(case):
        return None
    return 1 if stream.layered or declared.seen_through(case.source, case.media.demuxer, stream.number) else None


def still_clear(case: Case) -> float | None:
    """Whether the pictures of the result can be transparent."""
    if case.result is None:
        layered = any(each.layered for each in case.media.every("video"))
        return int(case.target.suffix in (".png", ".apng", ".webp", ".gif") and not layered)
    stream = case.result.first("video")
    return int(stream is not None and stream.clear)


def bright(case: Case) -> float | None:
    """Whether the video has a high dynamic range."""
    stream = case.media.first("video")
    return None if stream is None or not case.has_video or stream.transfer not in HDR else 1


def still_bright(case: Case) -> float | None:
    """Return whether the result declares high dynamic range."""
    if case.target.suffix == ".png":
        with case.target.open("rb") as file:
            return int(b"cICP" in file.read(4096))
    stream = case.result.first("video") if case.result is not None else None
    return int(stream is not None and stream.transfer in HDR)


def colour_bits(case: Case) -> float | None:
    """The bits per colour, if more than 8."""
    stream = case.media.first("video")
    return None if case.result is None or stream is None or not case.has_video or stream.depth <= 8 else stream.depth


def colour_bits_kept(case: Case) -> float | None:
    """The bits per colour of the result."""
    stream = case.result.first("video") if case.result is not None else None
    return None if stream is None else stream.depth


def sample_bits(case: Case) -> float | None:
    """The bits per sample of lossless sound, or those that were requested."""
    stream = case.media.first("audio")
    if stream is None or not case.has_audio or stream.codec not in LOSSLESS or not stream.depth:
        return None
    asked = case.options.audio_codec
    return min(stream.depth, int(asked[3:])) if asked.startswith("pcm") else stream.depth


def sample_bits_kept(case: Case) -> float | None:
    """The bits per sample of the result, if it is lossless."""
    stream = case.result.first("audio") if case.result is not None else None
    return stream.depth if stream is not None and stream.codec in LOSSLESS and stream.depth else None


def loudest(case: Case) -> float | None:
    """The highest sample, if it may exceed full scale, which is 1: in the file, or after amplification."""
    stream = case.media.first("audio")
    if stream is None or not case.has_audio or case.options.normalize:
        return None
    if not stream.codec.startswith("pcm_f") and case.options.volume <= 0:
        return None
    louder = float(10 ** (case.options.volume / 20))
    return declared.loudest(case.source, case.media.demuxer, stream.number) * louder


def loudest_kept(case: Case) -> float | None:
    """Return the peak level at which the result clips: full scale, or None for floating-point samples."""
    stream = case.result.first("audio") if case.result is not None else None
    return None if stream is None or stream.codec.startswith("pcm_f") else 1.0
