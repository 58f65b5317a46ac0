"""Draw audio as a waveform."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

from engine.families.media import estimate, program, recording, timing
from engine.families.media.probe import Media, probe
from engine.families.media.reporting import report_contents
from engine.families.media.streams import Stream
from engine.toolkit.failures import Unreadable
from engine.toolkit.warnings import Warn

_RATE = 8_000
_FULL = 32_768
_SAMPLE = 2
"""Bytes per sample."""


def draw(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Draw the first audio stream, with all channels mixed."""
    media = probe(source)
    report_contents(media, warn)
    stream = media.first("audio")
    if stream is None:
        raise Unreadable("The file has no readable audio.", reason="empty")
    estimate.must_fit(
        estimate.SOUND * media.seconds / 2, seconds=media.seconds, height=0, copies=False, options=options
    )
    peaks = _peaks(source, media, stream, options.width, warn)
    if target.suffix == ".svg":
        target.write_text(_svg(peaks, options), encoding="utf-8")
    else:
        _png(peaks, options, target)


def _peaks(source: Path, media: Media, stream: Stream, columns: int, warn: Warn) -> list[tuple[float, float]]:
    """The lowest and highest sample of each column, from -1 to 1."""
    raw = source.with_name("samples.raw")
    command = [
        *program.reading(media.demuxer, source.name),
        "-map",
        f"0:{stream.number}",
        "-ac",
        "1",
        "-ar",
        str(_RATE),
    ]
    # By size: packet times may be forged.
    most = math.ceil(timing.last_second(media.seconds)) * _RATE * _SAMPLE
    command += ["-c:a", "pcm_s16le", "-fs", str(most), "-f", "s16le", f"file:{raw.name}"]
    program.run(source.parent, command, on_progress=recording.progress_callback(warn, media.seconds))
    samples = memoryview(raw.read_bytes()).cast("h")
    raw.unlink()
    if not len(samples):
        raise Unreadable("The file has no readable audio.", reason="empty")
    columns = min(columns, len(samples))
    bounds = [len(samples) * each // columns for each in range(columns + 1)]
    parts = (samples[start:end] for start, end in itertools.pairwise(bounds))
    return [(min(each) / _FULL, max(each) / _FULL) for each in parts]


def _points(peaks: list[tuple[float, float]], options: Any) -> list[tuple[float, float]]:
    """The outline of the waveform in pixels: along its peaks, and back along its troughs."""
    step, half = options.width / len(peaks), options.height / 2
    tops = [((at + 0.5) * step, half - high * half) for at, (_, high) in enumerate(peaks)]
    bottoms = [((at + 0.5) * step, half - low * half + 1) for at, (low, _) in enumerate(peaks)]
    return tops + bottoms[::-1]


def _svg(peaks: list[tuple[float, float]], options: Any) -> str:
    points = " ".join(f"{across:.1f},{down:.1f}" for across, down in _points(peaks, options))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{options.width}" height="{options.height}" '
        f'viewBox="0 0 {options.width} {options.height}"><polygon fill="{options.color}" points="{points}"/></svg>\n'
    )


def _png(peaks: list[tuple[float, float]], options: Any, target: Path) -> None:
    from PIL import Image, ImageDraw

    twice = 2
    picture = Image.new("RGBA", (options.width * twice, options.height * twice), (0, 0, 0, 0))
    points = [(across * twice, down * twice) for across, down in _points(peaks, options)]
    ImageDraw.Draw(picture).polygon(points, fill=options.color)
    picture.resize((options.width, options.height), Image.Resampling.BOX).save(target, optimize=True)
