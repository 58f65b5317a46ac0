"""Run ffmpeg to write one film: loops and target size."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.families.media import encoders, program, recording, sound, timing
from engine.families.media.containers import LOSSLESS, Container
from engine.families.media.probe import Media
from engine.families.media.reporting import damage, tags_lost
from engine.families.media.streams import Stream
from engine.families.media.timing import Part
from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

TEXTS = ("subrip", "ass", "ssa", "mov_text", "webvtt", "text")
"""Text subtitle codecs."""
_LEAST, _MOST = 24, 128
"""The audio bit rate in kbit/s of a film with a target size."""
_LEAST_MP3 = 32
_SMALL = ("h264", "hevc", "vp8", "vp9", "av1", "mpeg4")
"""Codecs whose packets may be queued: 32 uncompressed frames would take a gigabyte."""


@dataclass(frozen=True)
class Reel:
    """The common inputs of all ffmpeg runs for one film."""

    source: Path
    target: Path
    media: Media
    stream: Stream
    container: Container
    part: Part
    tracks: tuple[Stream, ...]
    sound: sound.Coding | None
    options: Any
    warn: Warn

    def run(self, pictures: list[str], seconds: float, *, measures: bool = False) -> None:
        """Write the film with these video arguments, or only analyse it for a later run."""
        again = self.options.loop - 1
        before: list[str] = []
        if again and self.part.whole:
            before += ["-stream_loop", str(again)]
        if self.part.start:
            before += ["-ss", f"{self.part.start:.6f}"]
        if self.options.trim_end is not None and not self.part.whole:
            before += ["-t", f"{self.part.seconds:.6f}"]
        command = [*program.reading(self.media.demuxer, self.source.name, *before), "-map", f"0:{self.stream.number}"]
        command += pictures
        if measures:
            self._write([*command, "-an"], "null", "-", seconds)
            return
        command += self._rest()
        if not again or self.part.whole:
            self._write(command, self.container.muxer, f"file:{self.target.name}", seconds)
            return
        # ffmpeg can only loop whole files: the part is written to a file first.
        once = self.target.with_stem("once")
        self._write(command, self.container.muxer, f"file:{once.name}", seconds)
        opened = program.reading(self.container.demuxer, once.name, "-stream_loop", str(again))
        kept = ["-map", "0:v", "-map", "0:a?", "-c", "copy", "-map_metadata", "0"]
        self._write([*opened, *kept], self.container.muxer, f"file:{self.target.name}", seconds)
        once.unlink()

    def _write(self, command: list[str], muxer: str, name: str, seconds: float) -> None:
        written = () if muxer == "null" else self.container.arguments
        command = [*command, *written, *recording.EXACT, *timing.until_paid(seconds)]
        if "copy" in command and self.stream.codec in _SMALL:
            command += program.QUEUE
        command += ["-threads", str(program.threads()), "-f", muxer, name]
        with sound.explained(self.options):
            done = program.run(self.source.parent, command, on_progress=recording.progress_callback(self.warn, seconds))
        damage(done, self.media, self.warn)
        timing.report_minutes(done.seconds, self.warn)

    def _rest(self) -> list[str]:
        found: list[str] = []
        if self.sound is not None:
            for each in self.tracks:
                found += ["-map", f"0:{each.number}"]
            found += self.sound.arguments
        found += self._subtitles()
        lost = {"data": say("Data tracks"), "attachment": say("Attached files")}
        for kind, name in lost.items():
            if count := sum(not (each.titles and self.media.chapters) for each in self.media.every(kind)):
                self.warn("CONTENT_DROPPED", say("{name} were left out: {count}.", name=name, count=count))
        others = len(self.media.every("video")) - 1
        if others > 0:
            self.warn(
                "CONTENT_DROPPED",
                say("The output can have one video track; {others} more were left out.", others=others),
            )
        if self.options.keep_metadata:
            if self.media.cover is not None:
                self.warn("CONTENT_DROPPED", "The video's cover was left out.")
            tags_lost(self.media, self.container, self.warn)
        return [*found, *recording.kept(self.media, self.stream.number, self.container, self.options)]

    def _subtitles(self) -> list[str]:
        found: list[str] = []
        lost = []
        for each in self.media.every("subtitle"):
            if self.container.subtitles and each.codec in TEXTS and self.options.loop == 1 and self.options.speed == 1:
                found += ["-map", f"0:{each.number}"]
            else:
                lost.append(each.codec)
        if lost:
            self.warn(
                "CONTENT_DROPPED",
                say("Subtitles that the output doesn't support were left out: {lost}.", lost=", ".join(lost)),
            )
        return [*found, "-c:s", str(self.container.subtitles)] if found else []


def to_size(reel: Reel, codec: str, arguments: list[str], seconds: float) -> None:
    """Encode for a target size in bytes: an analysis pass, an encoding pass, and another if the size was missed."""
    if not seconds:
        raise InvalidOption("targetSize", "The file doesn't say how long it is.")
    most = reel.options.target_size * 1e6
    reel, audio_rate = _with_sound_of(reel, round(min(_MOST, max(_LEAST, most * 8 / seconds / 1000 * 0.2))))
    bits = (most * 8 * 0.96 - audio_rate * seconds) / seconds
    if bits < 8_000:
        least = (8_000 + audio_rate) * seconds / 8e6 / 0.96
        raise InvalidOption(
            "targetSize",
            say("Nothing of the video would be left. The minimum is {least}.", least=math.ceil(least * 100) / 100),
        )
    for _ in range(2):
        rate_arguments = [*arguments, *encoders.rate(codec, bits)]
        if codec in encoders.TWICE:
            reel.run([*rate_arguments, "-pass", "1", "-passlogfile", "passes"], seconds, measures=True)
            reel.run([*rate_arguments, "-pass", "2", "-passlogfile", "passes"], seconds)
        else:
            reel.run(rate_arguments, seconds)
        size = reel.target.stat().st_size
        if size <= most:
            return
        bits *= most / size * 0.95
    reel.warn(
        "SIZE_MISSED",
        say("The file could not be made smaller than {st_size} MB.", st_size=f"{reel.target.stat().st_size / 1e6:.2f}"),
    )


def _with_sound_of(reel: Reel, rate: int) -> tuple[Reel, float]:
    """The reel with audio of at most `rate` kbit/s unless another is requested, and its bits per second."""
    if reel.sound is None:
        return reel, 0.0
    kilobits = sum(each.kilobits for each in reel.tracks)
    wanted = reel.options.audio_codec
    if reel.sound.copied and (wanted == "copy" or 0 < kilobits <= rate * len(reel.tracks)):
        return reel, kilobits * 1000.0
    if reel.sound.codec in LOSSLESS:
        return reel, float(sum(each.hertz * each.channels * 16 for each in reel.tracks))
    rate = reel.options.audio_bitrate or max(rate, _LEAST_MP3 if reel.sound.codec == "mp3" else 0)
    options = dataclasses.replace(reel.options, audio_bitrate=rate)
    inner = Part(0.0, reel.part.seconds, True)
    coded = sound.coding(
        reel.media, reel.tracks, reel.container, inner, options, reel.warn, reel.source.parent, cut=True
    )
    return dataclasses.replace(reel, sound=coded), rate * 1000.0 * len(reel.tracks)
