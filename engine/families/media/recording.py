"""Convert audio files and extract the audio of films, with tags, cover and chapters."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from engine.families.media import covers, estimate, probe, program, sound, timing, vorbis_comments
from engine.families.media.containers import CONTAINERS, Container
from engine.families.media.probe import Media
from engine.families.media.reporting import chunks_lost, damage, report_contents, tags_lost, values_joined
from engine.families.media.timing import Part, part_of
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

EXACT = ("-fflags", "+bitexact", "-flags:a", "+bitexact", "-flags:v", "+bitexact")
"""Keep the output reproducible: no encoder names or dates."""

_BRANDS = ("major_brand", "minor_version", "compatible_brands")
"""What an MP4 says of its own format (ISO/IEC 14496-12, 4.3), which ffmpeg hands on as tags; without a value they are
left out."""


def convert(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Write the audio of a file; see probe() and coding() for the errors raised."""
    media = probe.probe(source)
    report_contents(media, warn)
    container = CONTAINERS[target.suffix[1:]]
    stream = media.first("audio")
    if stream is None:
        raise Unreadable("The file has no readable audio.", reason="empty")
    part = part_of(media, options)
    estimate.must_fit(
        estimated_seconds(part, options),
        seconds=part.seconds,
        height=0,
        copies=False,
        options=options,
    )
    coded = sound.coding(media, (stream,), container, part, options, warn, source.parent, cut=not part.whole)
    tags = vorbis_comments.read(source) if options.keep_metadata else []
    totals = vorbis_comments.totals(tags) if container.totals else {}
    values_joined(vorbis_comments.repeated(tags), warn)
    _losses(media, container, options, warn, totals)
    if options.keep_metadata:
        chunks_lost(source, media, warn)
    if coded.copied:
        warn("STREAM_COPIED", say("The audio ({codec}) was copied without re-encoding.", codec=coded.codec))
    cut = _cut(part.start, options.trim_end) if coded.copied and not part.whole else []
    cover = covers.keep(source, media, container, options)
    command = [*program.reading(media.demuxer, source.name, *cut), *cover.inputs]
    command += ["-map", f"0:{stream.number}", *coded.arguments, *cover.arguments]
    command += kept(media, stream.number, container, options)
    for name, value in totals.items():
        command += ["-metadata", f"{name}={value}"]
    command += [*EXACT, *container.arguments]
    length = timing.played(part, options)
    command += [*timing.until_paid(length), "-f", container.muxer, f"file:{target.name}"]
    with sound.explained(options):
        damage(program.run(source.parent, command, on_progress=progress_callback(warn, length)), media, warn)
    # Packet times don't limit copied streams, and some outputs have none: the duration in the file counts.
    written = probe.written(target, container.demuxer).seconds
    timing.check_sound(written, length, warn)
    timing.report_minutes(written, warn)


def estimated_seconds(part: Part, options: Any) -> float:
    """The estimated processor seconds of re-encoding audio."""
    return estimate.SOUND * part.seconds * (2 if options.normalize else 1)


def progress_callback(warn: Warn, seconds: float) -> Callable[[float], None]:
    """A callback for the progress of work of `seconds`."""
    total = max(1, round(seconds))
    return lambda done: warn.progress(min(round(done), total), total, "seconds")


def _cut(start: float, end: float | None) -> list[str]:
    return ["-ss", f"{start:.6f}", *([] if end is None else ["-t", f"{end - start:.6f}"])]


def kept(media: Media, number: int, container: Container, options: Any) -> list[str]:
    """The arguments that keep or drop tags and chapters."""
    if not options.keep_metadata:
        return ["-map_metadata", "-1", "-map_chapters", "-1"]
    # Ogg stores tags in the stream, other formats in the container.
    whence = f"0:s:{number}" if media.demuxer == "ogg" else "0"
    brands = [part for name in _BRANDS for part in ("-metadata", f"{name}=")]
    return ["-map_metadata", whence, *brands, "-map_chapters", "0" if container.chapters else "-1"]


def _losses(media: Media, container: Container, options: Any, warn: Warn, totals: Collection[str]) -> None:
    tracks = len(media.every("audio"))
    if tracks > 1:
        warn(
            "CONTENT_DROPPED",
            say("The output can have one audio track; {tracks} more were left out.", tracks=tracks - 1),
        )
    if media.every("video"):
        warn.detect(film=True)
    if not options.keep_metadata:
        return
    if media.cover is not None and container.cover is None:
        warn("CONTENT_DROPPED", "The output doesn't support covers, so the cover was left out.")
    if media.chapters and not container.chapters:
        warn(
            "CONTENT_DROPPED",
            say("The output doesn't support chapters; {chapters} were left out.", chapters=media.chapters),
        )
    tags_lost(media, container, warn, totals)
