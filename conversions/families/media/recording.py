"""Recordings: sound to sound, and the sound of a film, with its tags, its cover and its chapters as far as they go."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from conversions.families.media import covers, foresight, program, sound
from conversions.families.media.containers import CONTAINERS, Container
from conversions.families.media.probe import Media, probe
from conversions.families.media.reporting import tags_lost, told
from conversions.families.media.timing import Part, part_of
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Warn

EXACT = ("-fflags", "+bitexact", "-flags:a", "+bitexact", "-flags:v", "+bitexact")
"""Nothing of the machine and the moment is in the output."""


def convert(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Write the sound of a file; see probe() and coding() for what is raised."""
    media = probe(source)
    told(media, warn)
    container = CONTAINERS[target.suffix[1:]]
    stream = media.first("audio")
    if stream is None:
        raise Unreadable("The file holds no sound that can be read.")
    part = part_of(media, options)
    foresight.must_fit(
        work(part, options),
        seconds=part.seconds,
        height=0,
        copies=False,
        options=options,
    )
    coded = sound.coding(media, (stream,), container, part, options, warn, source.parent, cut=not part.whole)
    _losses(media, container, options, warn)
    if coded.copied:
        warn("STREAM_COPIED", f"The sound ({coded.codec}) was copied without coding it again.")
    cut = _cut(part.start, options.trim_end) if coded.copied and not part.whole else []
    cover = covers.keep(source, media, container, options)
    command = [*program.reading(media.demuxer, source.name, *cut), *cover.inputs]
    command += ["-map", f"0:{stream.number}", *coded.arguments, *cover.arguments]
    command += [*kept(media, stream.number, container, options), *EXACT, *container.arguments]
    length = part.seconds / options.speed
    command += ["-f", container.muxer, f"file:{target.name}"]
    with sound.explained(options):
        program.run(source.parent, command, seconds=length, heard=hearing(warn, length))


def work(part: Part, options: Any) -> float:
    """The processor seconds of sound that is coded anew."""
    return foresight.SOUND * part.seconds * (2 if options.normalize else 1)


def hearing(warn: Warn, seconds: float) -> Callable[[float], None]:
    """What is told which share of a work of `seconds` is done."""
    return lambda share: warn.progress(round(share * seconds), max(1, round(seconds)), "seconds")


def _cut(start: float, end: float | None) -> list[str]:
    return ["-ss", f"{start:.6f}", *([] if end is None else ["-t", f"{end - start:.6f}"])]


def kept(media: Media, number: int, container: Container, options: Any) -> list[str]:
    """The arguments that keep tags and chapters, or leave them."""
    if not options.keep_metadata:
        return ["-map_metadata", "-1", "-map_chapters", "-1"]
    # Ogg has its tags in the stream, all others have them in the file.
    whence = f"0:s:{number}" if media.demuxer == "ogg" else "0"
    return ["-map_metadata", whence, "-map_chapters", "0" if container.chapters else "-1"]


def _losses(media: Media, container: Container, options: Any, warn: Warn) -> None:
    tracks = len(media.every("audio"))
    if tracks > 1:
        warn("CONTENT_DROPPED", f"The output has one track of sound: {tracks - 1} more were left out.")
    if media.every("video"):
        warn.detect(film=True)
    if not options.keep_metadata:
        return
    if media.cover is not None and container.cover is None:
        warn("CONTENT_DROPPED", "The cover was left out, as the output has no place for one.")
    if media.chapters and not container.chapters:
        warn("CONTENT_DROPPED", f"{media.chapters} chapters were left out, as the output has none.")
    tags_lost(media, container, warn)
