"""Report facts and warnings about audio and video files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

from engine.families.media import chunks
from engine.families.media.containers import Container
from engine.families.media.probe import Media
from engine.families.media.program import Run
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_MISSTATED = 60.0
"""Seconds by which a declared duration may be wrong without a warning: about one billed minute."""
_JOINED = Kind(
    "VALUE_CONVERTED",
    "Further values of a tag, such as a second artist, follow the first after a semicolon: {count}{places}.",
)


def report_contents(media: Media, warn: Warn) -> None:
    """Report what was found in the file."""
    check_claim(media, warn)
    facts: dict[str, str | int | float | bool] = {"seconds": round(media.seconds, 3)}
    if (film := media.first("video")) is not None:
        facts |= {"videoCodec": film.codec, "width": film.width, "height": film.height, "fps": film.rate}
    if (sound := media.first("audio")) is not None:
        facts |= {"audioCodec": sound.codec, "sampleRate": sound.hertz, "channels": sound.channels}
    warn.detect(**facts)
    lost = [each for each in media.streams if not each.readable]
    if lost:
        warn(
            "CONTENT_DROPPED",
            say("Unreadable tracks were left out: {lost}.", lost=", ".join(each.codec for each in lost)),
        )


def tags_lost(media: Media, container: Container, warn: Warn, kept: Collection[str] = ()) -> None:
    """Report the tags that the output does not support, and that are not `kept` in another one."""
    if container.tags is None:
        return
    if lost := [each for each in media.tags if each.lower() not in container.tags and each.upper() not in kept]:
        warn("METADATA_DROPPED", say("The output doesn't support these tags: {lost}.", lost=", ".join(lost[:20])))


def values_joined(names: Counter[str], warn: Warn) -> None:
    """Report the tags with several values, which become one text."""
    warn.tally(_JOINED, names.total(), [each.lower() for each in names])


def chunks_lost(source: Path, media: Media, warn: Warn) -> None:
    """Report the parts of a WAVE file that are neither sound nor tags."""
    if media.demuxer == "wav" and (lost := chunks.left_out(source)):
        warn(
            "METADATA_DROPPED",
            say(
                "Parts of the file that only some programs understand were left out: {lost}.", lost=", ".join(lost[:20])
            ),
        )


def unusual(container: Container, pictures: str | None, sounds: Sequence[str], warn: Warn) -> None:
    """Report copied codecs that many players don't support in this container."""
    seen, heard = [*{pictures} & container.unusual], [*set(sounds) & container.unusual]
    cures = [*(["videoCodec=h264"] if seen else []), *(["audioCodec=aac"] if heard else [])]
    if cures:
        warn(
            "STREAM_COPIED",
            say(
                "Many players don't play {codecs} in {format}. Choose {cures} for compatibility.",
                codecs=", ".join(map(str, (*seen, *sorted(heard)))),
                format=container.muxer.upper(),
                cures=", ".join(cures),
            ),
        )


def damage(done: Run, media: Media, warn: Warn) -> None:
    """Report packets that could not be decoded."""
    names = {"audio": say("audio"), "video": say("video")}
    # A padding byte of a RIFF chunk is parsed as a separate packet.
    padded = {each.number for each in media.streams if each.counted is not None and each.counted.last == 1}
    for each in done.decoded:
        if each.errors > (each.number in padded):
            warn(
                "CONTENT_DROPPED",
                say(
                    "Parts of the {kind} are damaged: {errors} of {packets} packets can't be decoded.",
                    kind=names.get(each.kind, each.kind),
                    errors=each.errors,
                    packets=each.packets,
                ),
            )


def check_claim(media: Media, warn: Warn) -> None:
    """Report a wrong declared duration."""
    if media.claimed is not None and abs(media.claimed - media.seconds) > _MISSTATED:
        claimed, found = f"{media.claimed:,.0f}", f"{media.seconds:,.0f}"
        warn(
            "DURATION_MISSTATED",
            say(
                "The file's header says {said} seconds, but it lasts {found} seconds.",
                said=claimed,
                found=found,
            ),
        )
