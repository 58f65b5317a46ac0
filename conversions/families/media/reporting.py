"""Reporting: what is told of a file of sound or film beside its result."""

from __future__ import annotations

from conversions.families.media.containers import Container
from conversions.families.media.probe import Media
from conversions.toolkit.warnings import Warn


def told(media: Media, warn: Warn) -> None:
    """Say what was found in the file."""
    facts: dict[str, str | int | float | bool] = {"seconds": round(media.seconds, 3)}
    if (film := media.first("video")) is not None:
        facts |= {"videoCodec": film.codec, "width": film.width, "height": film.height, "fps": film.rate}
    if (sound := media.first("audio")) is not None:
        facts |= {"audioCodec": sound.codec, "sampleRate": sound.hertz, "channels": sound.channels}
    warn.detect(**facts)
    lost = [each for each in media.streams if not each.readable]
    if lost:
        warn("CONTENT_DROPPED", f"Tracks that can't be read were left out: {', '.join(each.codec for each in lost)}.")


def tags_lost(media: Media, container: Container, warn: Warn) -> None:
    """Say which tags of the file the output has no place for."""
    if container.tags is None:
        return
    if lost := [each for each in media.tags if each.lower() not in container.tags]:
        warn("METADATA_DROPPED", f"The output has no place for these tags: {', '.join(lost[:20])}.")
