"""Captions: the subtitles of a film as a file of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conversions.families.media import program
from conversions.families.media.probe import probe
from conversions.families.media.reels import TEXTS
from conversions.families.media.reporting import told
from conversions.toolkit.failures import InvalidOption, Unreadable
from conversions.toolkit.warnings import Warn

_CODECS = {".srt": ("subrip", "srt"), ".vtt": ("webvtt", "webvtt")}


def extract(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Write one track of subtitles; raises Unreadable where there is none of text."""
    media = probe(source)
    told(media, warn)
    found = media.every("subtitle")
    if not found:
        raise Unreadable("The film has no subtitles of its own; those that are drawn into its pictures can't be read.")
    if options.track > len(found):
        raise InvalidOption("track", f"The film has {len(found)} tracks of subtitles.")
    chosen = found[options.track - 1]
    if chosen.codec not in TEXTS:
        raise Unreadable(f"These subtitles ({chosen.codec}) are pictures, and hold no text.")
    if len(found) > 1:
        told_of = ", ".join(each.language or "?" for each in found)
        warn(
            "CONTENT_DROPPED",
            f"The film has {len(found)} tracks of subtitles ({told_of}); track {options.track} was taken.",
        )
    codec, muxer = _CODECS[target.suffix]
    command = [*program.reading(media.demuxer, source.name), "-map", f"0:{chosen.number}", "-c:s", codec]
    program.run(source.parent, [*command, "-f", muxer, f"file:{target.name}"])
