"""Moving pictures: films as GIF, APNG and WebP."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from conversions.families.media import film, foresight, program, recording
from conversions.families.media.probe import Stream, probe
from conversions.families.media.reporting import told
from conversions.families.media.timing import Part, part_of
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Warn

_RATE = 15.0
_WIDTH = 640
_PALETTE = "palette.png"
_HELD = 200_000_000
"""Bytes of pictures that wait for the palette of all of them; where they are more, the film is read twice."""


def convert(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Write the film as a moving picture, without its sound."""
    media = probe(source)
    told(media, warn)
    stream = media.first("video")
    if stream is None:
        raise Unreadable("The file holds no pictures that can be read.")
    part = part_of(media, options)
    chosen = _bounded(stream, options)
    if chosen.width != options.width:
        warn("SIZE_REDUCED", f"The pictures were made {_WIDTH} pixels wide; choose a width for another size.")
    if chosen.fps != options.fps:
        warn("SIZE_REDUCED", f"{stream.rate:g} pictures a second became {_RATE:g}; choose fps for more.")
    if media.every("audio"):
        warn("CONTENT_DROPPED", "The sound was left out, as a moving picture has none.")
    shape = film.shape_of(stream, chosen, even=False)
    kind = target.suffix[1:]
    foresight.must_fit(
        work(stream, part, kind, options),
        seconds=part.seconds,
        height=shape.height,
        copies=False,
        options=options,
    )
    chain = ",".join(film.filters(stream, shape, chosen)) or "null"
    before = ["-ss", f"{part.start:.6f}"] if part.start else []
    if options.trim_end is not None:
        before += ["-t", f"{part.seconds:.6f}"]
    opened = [*program.reading(media.demuxer, source.name, *before)]
    heard = recording.hearing(warn, part.seconds)
    end = [*recording.EXACT, "-map_metadata", "-1"]
    if kind == "gif":
        track = f"[0:{stream.number}]"
        drawn = "paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle"
        if 0 < 4 * shape.width * shape.height * shape.rate * part.seconds <= _HELD:
            graph = f"{track}{chain},split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]{drawn}"
        else:
            program.run(
                source.parent,
                [*opened, "-filter_complex", f"{track}{chain},palettegen=stats_mode=diff", "-update", "1",
                 "-frames:v", "1", "-c:v", "png", "-f", "image2", f"file:{_PALETTE}"],
            )  # fmt: skip
            graph = f"{track}{chain}[a];[a][1:v]{drawn}"
            opened += program.reading("png_pipe", _PALETTE)
        arguments = ["-filter_complex", graph, "-c:v", "gif", "-loop", str(_gif_loop(options.loop))]
    elif kind == "apng":
        arguments = ["-map", f"0:{stream.number}", "-vf", chain, "-c:v", "apng", "-plays", str(options.loop)]
    else:
        arguments = ["-map", f"0:{stream.number}", "-vf", chain, "-c:v", "libwebp_anim"]
        arguments += ["-quality", str(options.quality), "-loop", str(options.loop)]
    command = [*opened, *arguments, *end, "-f", kind, f"file:{target.name}"]
    program.run(source.parent, command, seconds=part.seconds, heard=heard)
    (source.parent / _PALETTE).unlink(missing_ok=True)


def _bounded(stream: Stream, options: Any) -> Any:
    """The options, with a size and a rate where none was chosen, and those of the film are more than is usual."""
    chosen = options
    if options.width is None and options.height is None and film.shape_of(stream, options, even=False).width > _WIDTH:
        chosen = dataclasses.replace(chosen, width=_WIDTH)
    if options.fps is None and (stream.rate or 25.0) > _RATE:
        chosen = dataclasses.replace(chosen, fps=_RATE)
    return chosen


def work(stream: Stream, part: Part, kind: str, options: Any) -> float:
    """The processor seconds of a moving picture in a format with this id."""
    shape = film.shape_of(stream, _bounded(stream, options), even=False)
    return foresight.film(stream, part.seconds, kind, "medium", (shape.width, shape.height), shape.rate, 1)


def _gif_loop(times: int) -> int:
    """GIF counts how often it is played again, and says nothing where it is played once."""
    return 0 if times == 0 else -1 if times == 1 else times - 1
