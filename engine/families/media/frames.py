"""Extract one or many frames of a film, or a contact sheet."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from engine.families.media import estimate, film, program, recording
from engine.families.media.probe import Media, probe
from engine.families.media.reporting import report_contents
from engine.families.media.streams import Stream
from engine.toolkit.bundle import Bundle
from engine.toolkit.failures import InvalidOption, Unreadable
from engine.toolkit.formats import ZIP, Format
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_MOST = 1_000
_CELL = 320
_ENCODERS = {".png": ("-c:v", "png"), ".jpg": ("-c:v", "mjpeg", "-q:v", "2", "-pix_fmt", "yuvj420p")}


def extract(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Write one frame of the film, a contact sheet, or many frames as a ZIP."""
    media = probe(source)
    report_contents(media, warn)
    stream = media.first("video")
    if stream is None:
        raise Unreadable("The file has no readable video.", reason="empty")
    if options.contact_sheet:
        _sheet(source, target, media, stream, options, warn)
    elif options.every is not None:
        return _many(source, target, media, stream, options, warn)
    else:
        _one(source, target, media, stream, options)
    return None


def _run(
    source: Path,
    media: Media,
    stream: Stream,
    before: list[str],
    chain: list[str],
    name: str,
    warn: Warn | None = None,
    more: tuple[str, ...] = (),
) -> None:
    command = [*program.reading(media.demuxer, source.name, *before), "-map", f"0:{stream.number}"]
    command += ["-vf", ",".join(chain)] if chain else []
    command += [*_ENCODERS[Path(name).suffix], *more, "-fps_mode", "passthrough", *recording.EXACT]
    heard = recording.progress_callback(warn, media.seconds) if warn else lambda seconds: None
    program.run(source.parent, [*command, "-f", "image2", f"file:{name}"], on_progress=heard)


def _one(source: Path, target: Path, media: Media, stream: Stream, options: Any) -> None:
    at = options.at
    if at is not None and media.seconds and at > media.seconds:
        raise InvalidOption("at", say("The video is {seconds} seconds long.", seconds=f"{media.seconds:.2f}"))
    chain = film.filters(stream, film.shape_of(stream, options, even=False), options)
    last = max(0.0, media.seconds - 1.5 / (stream.rate or 25))
    moment = min(media.seconds * 0.1 if at is None else at, last)
    for when in dict.fromkeys((moment, 0.0)):
        before = ["-ss", f"{when:.6f}"] if when else []
        _run(source, media, stream, before, chain, target.name, more=("-frames:v", "1", "-update", "1"))
        if target.exists():
            return
    raise Unreadable("The video has no readable frames.", reason="empty")


def _many(source: Path, target: Path, media: Media, stream: Stream, options: Any, warn: Warn) -> Format:
    count = math.ceil(media.seconds / options.every)
    if count > _MOST:
        least = math.ceil(media.seconds / _MOST * 100) / 100
        raise InvalidOption(
            "every",
            say(
                "That would be {count} pictures, and the limit is {most}. Use every={least} or more.",
                count=count,
                most=_MOST,
                least=least,
            ),
        )
    _fits(media, stream, options)
    shape = film.shape_of(stream, options, even=False)
    chain = [f"fps={1 / options.every}:start_time=0:round=near", *film.filters(stream, shape, options)]
    folder = target.parent / "frames"
    folder.mkdir(exist_ok=True)
    _run(source, media, stream, [], chain, f"frames/%05d{target.suffix}", warn)
    found = sorted(folder.iterdir())
    if not found:
        raise Unreadable("The video has no readable frames.", reason="empty")
    with Bundle(target) as bundle:
        for number, each in enumerate(found):
            with bundle.page(number, len(found)) as page:
                each.rename(page)
    folder.rmdir()
    return ZIP


def _sheet(source: Path, target: Path, media: Media, stream: Stream, options: Any, warn: Warn) -> None:
    cells = options.columns * options.rows
    if not media.seconds:
        raise Unreadable("The video doesn't say how long it is.", reason="unsupported_feature")
    _fits(media, stream, options)
    shape = film.shape_of(stream, options, even=False)
    wide = min(_CELL, shape.width) if options.width is None else shape.width
    high = max(1, round(shape.height * wide / shape.width))
    if wide * high * cells > program.MOST_PIXELS:
        raise InvalidOption("columns", "The sheet would have more than 36 megapixels.")
    chain = film.filters(stream, film.Shape(wide, high, shape.rate), options)
    gap = media.seconds / cells
    sheet = [f"fps={1 / gap:.9f}:start_time={gap / 2:.6f}:eof_action=pass", *chain]
    sheet.append(f"tile={options.columns}x{options.rows}:margin=4:padding=4:color=white")
    _run(source, media, stream, [], sheet, target.name, warn, more=("-frames:v", "1", "-update", "1"))
    if not target.exists():
        raise Unreadable("The video has no readable frames.", reason="empty")


def _fits(media: Media, stream: Stream, options: Any) -> None:
    work = estimate.film(stream, media.seconds, "none", "none", (0, 0), 0.0, 1)
    estimate.must_fit(work, seconds=media.seconds, height=0, copies=False, options=options)
