"""Convert SubRip, WebVTT, SubStation Alpha, MicroDVD and TTML to each other and to text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.families.subtitles.options import SUBTITLES, FrameRate, TextTimes, Timing
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import FORMATS, SRT, SUB, TTML, TXT
from engine.toolkit.options import combine
from engine.toolkit.warnings import Warn

PYSUBS2 = Engine("pysubs2", lazy=("pysubs2", "engine.families.subtitles.exchange"))

_FRAMES = (SUB, TTML)


def _convert(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to {output} with its times, and the styles and positions that the format supports."""
    from engine.families.subtitles import exchange

    exchange.convert(source, target, FORMATS[source.suffix[1:]], FORMATS[target.suffix[1:]], options, warn)


for _source in SUBTITLES:
    for _target in (*SUBTITLES, TXT):
        if _source is not _target or _source is SRT:
            _groups: list[type] = [Timing]
            if _source in _FRAMES or _target is SUB:
                _groups.append(FrameRate)
            if _target is TXT:
                _groups.append(TextTimes)
            converter(
                _source,
                _target,
                profile="text",
                engine=PYSUBS2,
                options=combine(f"{_source.id}_to_{_target.id}".title(), *_groups),
            )(_convert)
