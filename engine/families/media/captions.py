"""Extract the subtitles of a film."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.families.media import program
from engine.families.media.probe import probe
from engine.families.media.reels import TEXTS
from engine.families.media.reporting import report_contents
from engine.toolkit.failures import InvalidOption, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_CODECS = {".srt": ("subrip", "srt"), ".vtt": ("webvtt", "webvtt")}


def extract(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Write one subtitle track; raises Unreadable if there is no text track."""
    media = probe(source)
    report_contents(media, warn)
    found = media.every("subtitle")
    if not found:
        raise Unreadable(
            "The video has no subtitle tracks. Subtitles burnt into the picture can't be extracted.",
            reason="empty",
        )
    if options.track > len(found):
        raise InvalidOption("track", say("The video has {count} subtitle tracks.", count=len(found)))
    chosen = found[options.track - 1]
    if chosen.codec not in TEXTS:
        raise Unreadable(
            say("These subtitles ({codec}) are pictures, not text.", codec=chosen.codec),
            reason="unsupported_feature",
        )
    if len(found) > 1:
        told_of = ", ".join(each.language or "?" for each in found)
        warn(
            "CONTENT_DROPPED",
            say(
                "The video has {count} subtitle tracks ({told_of}); track {track} was extracted.",
                count=len(found),
                told_of=told_of,
                track=options.track,
            ),
        )
    codec, muxer = _CODECS[target.suffix]
    command = [*program.reading(media.demuxer, source.name), "-map", f"0:{chosen.number}", "-c:s", codec]
    program.run(source.parent, [*command, "-f", muxer, f"file:{target.name}"])
