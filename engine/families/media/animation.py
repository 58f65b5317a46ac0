"""Convert films to GIF, APNG and WebP animations."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from engine.families.media import estimate, film, program, recording, timing
from engine.families.media.containers import MOST_DRAWN
from engine.families.media.probe import probe
from engine.families.media.reporting import damage, report_contents
from engine.families.media.streams import Stream
from engine.families.media.timing import Part, part_of
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_WIDTH = 640
_PALETTE = "palette.png"
_HELD = 200_000_000
"""The maximum bytes of frames that are buffered to compute a palette for all of them; a longer film is read twice."""


def convert(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Write the film as an animation without sound."""
    media = probe(source)
    report_contents(media, warn)
    stream = media.first("video")
    if stream is None:
        raise Unreadable("The file has no readable video.", reason="empty")
    part = part_of(media, options)
    chosen = _bounded(stream, options)
    if chosen.width != options.width:
        warn(
            "SIZE_REDUCED",
            say("The animation was scaled to {width} pixels wide. Set width for another size.", width=_WIDTH),
        )
    if chosen.fps != options.fps:
        warn(
            "SIZE_REDUCED",
            say(
                "{rate} frames per second became {rate2}. Set fps for more.",
                rate=f"{stream.rate:g}",
                rate2=f"{MOST_DRAWN:g}",
            ),
        )
    if media.every("audio"):
        warn("CONTENT_DROPPED", "Animations have no sound, so the audio was left out.")
    shape = film.shape_of(stream, chosen, even=False)
    kind = target.suffix[1:]
    estimate.must_fit(
        estimated_seconds(stream, part, kind, options),
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
    heard = recording.progress_callback(warn, part.seconds)
    end = [*film.paced(stream, chosen), *recording.EXACT, "-map_metadata", "-1"]
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
    command = [*opened, *arguments, *end, *timing.until_paid(part.seconds), "-f", kind, f"file:{target.name}"]
    done = program.run(source.parent, command, on_progress=heard)
    damage(done, media, warn)
    timing.report_minutes(done.seconds, warn)
    (source.parent / _PALETTE).unlink(missing_ok=True)


def _bounded(stream: Stream, options: Any) -> Any:
    """The options with the usual maximum size and frame rate, if the film exceeds them and none was chosen."""
    chosen = options
    if options.width is None and options.height is None and film.shape_of(stream, options, even=False).width > _WIDTH:
        chosen = dataclasses.replace(chosen, width=_WIDTH)
    if options.fps is None and (stream.rate or 25.0) > MOST_DRAWN:
        chosen = dataclasses.replace(chosen, fps=MOST_DRAWN)
    return chosen


def estimated_seconds(stream: Stream, part: Part, kind: str, options: Any) -> float:
    """The estimated processor seconds of an animation in a format with this id."""
    shape = film.shape_of(stream, _bounded(stream, options), even=False)
    return estimate.film(stream, part.seconds, kind, "medium", (shape.width, shape.height), shape.rate, 1)


def _gif_loop(times: int) -> int:
    """GIF stores the number of repetitions, and nothing for a single run."""
    return 0 if times == 0 else -1 if times == 1 else times - 1
