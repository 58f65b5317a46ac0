"""Options of audio and video conversions, and the ffmpeg engine."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from engine.toolkit.census import EVERYTHING
from engine.toolkit.options import OptionGroups, option

DAY = 86_400
_VERSION = re.compile(r"-v?(\d[\d.]*\d)")

FOLDER = "imageio_ffmpeg/binaries"


def find() -> str | None:
    """The path of the program in its wheel, found without importing it."""
    found = importlib.util.find_spec("imageio_ffmpeg")
    for folder in (found.submodule_search_locations or ()) if found else ():
        for each in sorted(Path(folder, "binaries").glob("ffmpeg-*")):
            return str(each)
    return None


PROGRAM = find()


def version() -> str | None:
    """The version in the program's file name, such as 9.0.2."""
    match = _VERSION.search(Path(PROGRAM).name) if PROGRAM else None
    return match[1] if match else None


@dataclass(frozen=True)
class Trim:
    """The part that is converted."""

    trim_start: float = option(
        0.0, "Seconds to cut off at the start.", minimum=0, maximum=DAY, unit="s", selects=EVERYTHING
    )
    trim_end: float | None = option(
        None,
        "Second of the input at which to stop. If not given, the end.",
        minimum=0,
        maximum=DAY,
        unit="s",
        selects=EVERYTHING,
    )


@dataclass(frozen=True)
class Sound:
    """The encoding and processing of sound."""

    audio_codec: Literal["auto", "copy", "aac", "mp3", "opus", "vorbis", "flac", "alac", "pcm16", "pcm24", "pcm32"] = (
        option(
            "auto",
            "Audio codec. auto copies the audio where players support it and nothing changes, "
            "otherwise it uses the output's usual codec; copy never re-encodes.",
            choices={
                "auto": "Automatic: Copied where possible, otherwise the output's usual codec.",
                "copy": "Copy: Never re-encoded: fast, without loss.",
                "aac": "AAC: Plays nearly everywhere; common in MP4.",
                "mp3": "MP3: Plays on every device.",
                "opus": "Opus: Best quality for its size; for the web and for speech.",
                "vorbis": "Vorbis: Free, older than Opus; common in OGG.",
                "flac": "FLAC: Lossless, about half the size of uncompressed audio.",
                "alac": "Apple Lossless: Lossless; for Apple devices.",
                "pcm16": "Uncompressed, 16-bit: As on a CD; large.",
                "pcm24": "Uncompressed, 24-bit: For studio work; larger.",
                "pcm32": "Uncompressed, 32-bit: For studio work with extra headroom; largest.",
            },
        )
    )
    audio_bitrate: int | None = option(
        None,
        "Audio bitrate in kilobits per second, such as 192. If not given, audioQuality decides.",
        minimum=8,
        maximum=512,
        unit="kbit/s",
    )
    audio_quality: Literal["low", "medium", "high", "best"] = option(
        "high",
        "Audio quality if no bitrate is given. Higher quality means a larger file.",
        choices={
            "low": "Low: Small; fine for speech.",
            "medium": "Medium: Good for casual listening.",
            "high": "High: Hard to tell from the original.",
            "best": "Best: Everything you can hear; largest file.",
        },
    )
    sample_rate: int | None = option(
        None, "Sample rate in hertz, such as 44100. Unchanged if not given.", minimum=8_000, maximum=192_000, unit="Hz"
    )
    channels: Literal["keep", "mono", "stereo"] = option(
        "keep",
        "Mix the audio down to one or two channels.",
        choices={
            "keep": "As they are: All channels in the file.",
            "mono": "Mono: One channel, half the size; for speech.",
            "stereo": "Stereo: Two channels, left and right.",
        },
    )
    normalize: bool = option(False, "Normalise the loudness to the broadcast standard of -23 LUFS (EBU R128).")
    fade_in: float = option(0.0, "Length of the fade-in at the start, in seconds.", minimum=0, maximum=600, unit="s")
    fade_out: float = option(0.0, "Length of the fade-out at the end, in seconds.", minimum=0, maximum=600, unit="s")
    volume: float = option(0.0, "Volume change in decibels; negative values make it quieter.", minimum=-60, maximum=30)
    speed: float = option(1.0, "Playback speed: 2 is twice as fast, at the same pitch.", minimum=0.25, maximum=4)
    keep_metadata: bool = option(True, "Keep the title, artist and other tags, with the cover and chapters.")


@dataclass(frozen=True)
class Size:
    """The size and rate of frames."""

    width: int | None = option(
        None, "Width in pixels. Without a height, the aspect ratio is kept.", minimum=2, maximum=7_680, unit="px"
    )
    height: int | None = option(
        None, "Height in pixels. Without a width, the aspect ratio is kept.", minimum=2, maximum=7_680, unit="px"
    )
    fps: float | None = option(None, "Frames per second. Unchanged if not given.", minimum=0.1, maximum=120, unit="/s")
    rotate: Literal["0", "90", "180", "270"] = option(
        "0",
        "Degrees to rotate it clockwise.",
        choices={
            "0": "No: As it is.",
            "90": "A quarter to the right: 90 degrees clockwise.",
            "180": "Upside down: 180 degrees.",
            "270": "A quarter to the left: 270 degrees clockwise.",
        },
    )


@dataclass(frozen=True)
class Film:
    """The encoding of video."""

    video_codec: Literal["auto", "copy", "h264", "h265", "vp9", "av1"] = option(
        "auto",
        "Video codec. auto copies the video where players support it and nothing changes; copy "
        "never re-encodes and takes seconds.",
        choices={
            "auto": "Automatic: Copied where possible, otherwise the output's usual codec.",
            "copy": "Copy: Never re-encoded: done in seconds, without loss.",
            "h264": "H.264: Plays nearly everywhere.",
            "h265": "H.265: Smaller; for newer devices.",
            "vp9": "VP9: Smaller; for browsers.",
            "av1": "AV1: Smallest; for the newest devices, slow to encode.",
        },
    )
    crf: int | None = option(
        None,
        "Constant rate factor: lower means better quality and a larger file. Typical values are "
        "23 for h264 and 31 for vp9.",
        minimum=0,
        maximum=63,
    )
    preset: Literal["fast", "medium", "slow"] = option(
        "medium",
        "Takes longer, for a smaller file of the same quality.",
        choices={
            "fast": "Fast: Faster, larger file.",
            "medium": "Medium: Balances speed and size.",
            "slow": "Slow: The smallest file at the same quality; takes longer.",
        },
    )
    remove_audio: bool = option(False, "Remove the audio.")
    loop: int = option(1, "How many times it plays.", minimum=1, maximum=100)
    target_size: float | None = option(
        None, "Maximum file size in megabytes, such as 8.", minimum=0.05, maximum=500, unit="MB"
    )


@dataclass(frozen=True)
class Animation:
    """The conversion of a film to an animation."""

    loop: int = option(0, "How many times it plays; 0 loops forever.", minimum=0, maximum=1_000)
    quality: int = option(75, "Picture quality, where the format supports it.", minimum=1, maximum=100)


@dataclass(frozen=True)
class Moment:
    """The frames to extract from a film."""

    at: float | None = option(
        None,
        "Second of the frame to extract. If not given, a frame from the first tenth.",
        minimum=0,
        maximum=DAY,
        unit="s",
    )
    every: float | None = option(
        None, "Seconds between pictures. Several pictures come in a ZIP.", minimum=0.04, maximum=3_600
    )
    contact_sheet: bool = option(False, "Make a contact sheet of frames from the whole video, at equal intervals.")
    columns: int = option(4, "Number of columns on a contact sheet.", minimum=1, maximum=10)
    rows: int = option(4, "Number of rows on a contact sheet.", minimum=1, maximum=20)


@dataclass(frozen=True)
class Track:
    """The subtitle track to extract."""

    track: int = option(1, "Subtitle track, counting from 1.", minimum=1, maximum=64, selects=EVERYTHING)


@dataclass(frozen=True)
class Drawing:
    """The drawing of a waveform."""

    width: int = option(1_200, "Width in pixels.", minimum=100, maximum=4_000, unit="px")
    height: int = option(300, "Height in pixels.", minimum=40, maximum=2_000, unit="px")
    color: str = option(
        "#3366cc", "Colour of the wave, as #rrggbb.", pattern=r"#[0-9a-fA-F]{6}", max_length=7, shape="colour"
    )


@dataclass(frozen=True)
class Pictures:
    """The duration of each picture in a slideshow."""

    fps: float = option(1.0, "Frames per second.", minimum=0.02, maximum=60, unit="/s")


@dataclass(frozen=True)
class Slides(Pictures):
    """The encoding of a slideshow."""

    width: int | None = option(
        None, "Width in pixels. If not given, the first picture's width.", minimum=2, maximum=7_680, unit="px"
    )
    height: int | None = option(
        None, "Height in pixels. If not given, it follows the width.", minimum=2, maximum=7_680, unit="px"
    )
    crf: int | None = option(
        None, "Constant rate factor: lower means better quality and a larger file.", minimum=0, maximum=51
    )
    preset: Literal["fast", "medium", "slow"] = option(
        "medium",
        "Takes longer, for a smaller file of the same quality.",
        choices={
            "fast": "Fast: Faster, larger file.",
            "medium": "Medium: Balances speed and size.",
            "slow": "Slow: The smallest file at the same quality; takes longer.",
        },
    )


FILM = OptionGroups("FilmOptions", (Film, Size, Trim, Sound))
"""The options of conversions from film to film."""
