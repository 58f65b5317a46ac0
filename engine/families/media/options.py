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
        0.0, "Seconds to leave out at the beginning.", minimum=0, maximum=DAY, unit="s", selects=EVERYTHING
    )
    trim_end: float | None = option(
        None,
        "The second of the input at which the output ends. Left out, it ends with the input.",
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
            "How the sound is coded. auto copies it where players of the output know it and nothing is to be changed, "
            "and else takes what the output is known for; copy never codes it again.",
            choices={
                "auto": "Automatic: Copied where that works, else what the output is known for.",
                "copy": "Copy: Never coded again: quick, and nothing is lost.",
                "aac": "AAC: Plays nearly everywhere; usual in MP4.",
                "mp3": "MP3: Plays on everything there is.",
                "opus": "Opus: The smallest for how it sounds; for the web and for speech.",
                "vorbis": "Vorbis: Free, older than Opus; usual in OGG.",
                "flac": "FLAC: Nothing is lost, about half as large as plain samples.",
                "alac": "Apple Lossless: Nothing is lost; for Apple's devices.",
                "pcm16": "Plain samples, 16 bits: As on a CD; large.",
                "pcm24": "Plain samples, 24 bits: For work in a studio; larger.",
                "pcm32": "Plain samples, 32 bits: For work with much headroom; largest.",
            },
        )
    )
    audio_bitrate: int | None = option(
        None,
        "Kilobits a second of the sound, such as 192. Left out, it follows audioQuality.",
        minimum=8,
        maximum=512,
        unit="kbit/s",
    )
    audio_quality: Literal["low", "medium", "high", "best"] = option(
        "high",
        "How much of the sound is kept where no bitrate is given: more quality is a larger file.",
        choices={
            "low": "Low: Small; fine for speech.",
            "medium": "Medium: Good for listening by the way.",
            "high": "High: Hard to tell from the original.",
            "best": "Best: Everything that can be heard; largest.",
        },
    )
    sample_rate: int | None = option(
        None, "Samples a second, such as 44100. Left out, it stays.", minimum=8_000, maximum=192_000, unit="Hz"
    )
    channels: Literal["keep", "mono", "stereo"] = option(
        "keep",
        "Mix the sound down to one channel or two.",
        choices={
            "keep": "As they are: All channels of the file.",
            "mono": "Mono: One channel, half as large; for speech.",
            "stereo": "Stereo: Two channels, left and right.",
        },
    )
    normalize: bool = option(
        False, "Bring the sound to the loudness of broadcasts, -23 LUFS, measured before (EBU R128)."
    )
    fade_in: float = option(0.0, "Seconds in which the sound rises at the beginning.", minimum=0, maximum=600, unit="s")
    fade_out: float = option(0.0, "Seconds in which the sound fades at the end.", minimum=0, maximum=600, unit="s")
    volume: float = option(
        0.0, "Decibels by which the sound gets louder; less than 0 for softer.", minimum=-60, maximum=30
    )
    speed: float = option(1.0, "How fast it is played: 2 is twice as fast, at the same pitch.", minimum=0.25, maximum=4)
    keep_metadata: bool = option(
        True, "Keep the title, the artist and all other tags, with the cover and the chapters."
    )


@dataclass(frozen=True)
class Size:
    """The size and rate of frames."""

    width: int | None = option(
        None, "Width in pixels; without a height it keeps its shape.", minimum=2, maximum=7_680, unit="px"
    )
    height: int | None = option(
        None, "Height in pixels; without a width it keeps its shape.", minimum=2, maximum=7_680, unit="px"
    )
    fps: float | None = option(None, "Pictures a second. Left out, they stay.", minimum=0.1, maximum=120, unit="/s")
    rotate: Literal["0", "90", "180", "270"] = option(
        "0",
        "Degrees to turn it clockwise.",
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
        "How the pictures are coded. auto copies them where players of the output know them and nothing is to be "
        "changed; copy never codes them again, and takes moments.",
        choices={
            "auto": "Automatic: Copied where that works, else what the output is known for.",
            "copy": "Copy: Never coded again: done in moments, and nothing is lost.",
            "h264": "H.264: Plays nearly everywhere.",
            "h265": "H.265: Smaller; for newer devices.",
            "vp9": "VP9: Smaller; for browsers.",
            "av1": "AV1: Smallest; for newest devices, and slow to make.",
        },
    )
    crf: int | None = option(
        None,
        "Quality as a number: fewer is better and larger. 23 is usual for h264, 31 for vp9.",
        minimum=0,
        maximum=63,
    )
    preset: Literal["fast", "medium", "slow"] = option(
        "medium",
        "More time for a smaller file of the same quality.",
        choices={
            "fast": "Fast: Done soon, a larger file.",
            "medium": "Medium: Balances speed and size.",
            "slow": "Slow: The smallest file of the same quality; takes longer.",
        },
    )
    remove_audio: bool = option(False, "Leave the sound out.")
    loop: int = option(1, "How many times it is played, one after the other.", minimum=1, maximum=100)
    target_size: float | None = option(
        None, "Megabytes that the file is to have at most, such as 8.", minimum=0.05, maximum=500, unit="MB"
    )


@dataclass(frozen=True)
class Animation:
    """The conversion of a film to an animation."""

    loop: int = option(0, "How many times it is played; 0 is without end.", minimum=0, maximum=1_000)
    quality: int = option(75, "Quality of the pictures, where the format has one.", minimum=1, maximum=100)


@dataclass(frozen=True)
class Moment:
    """The frames to extract from a film."""

    at: float | None = option(
        None,
        "The second whose picture is taken. Left out, it is one from the first tenth.",
        minimum=0,
        maximum=DAY,
        unit="s",
    )
    every: float | None = option(
        None, "Seconds from one picture to the next: several come as a ZIP.", minimum=0.04, maximum=3_600
    )
    contact_sheet: bool = option(False, "Draw pictures of all of the film side by side, with equal times between them.")
    columns: int = option(4, "Pictures side by side on a contact sheet.", minimum=1, maximum=10)
    rows: int = option(4, "Rows of pictures on a contact sheet.", minimum=1, maximum=20)


@dataclass(frozen=True)
class Track:
    """The subtitle track to extract."""

    track: int = option(1, "Which of the subtitles, counted from 1.", minimum=1, maximum=64, selects=EVERYTHING)


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

    fps: float = option(1.0, "Pictures a second.", minimum=0.02, maximum=60, unit="/s")


@dataclass(frozen=True)
class Slides(Pictures):
    """The encoding of a slideshow."""

    width: int | None = option(
        None, "Width in pixels; left out, it is that of the first picture.", minimum=2, maximum=7_680, unit="px"
    )
    height: int | None = option(
        None, "Height in pixels; left out, it follows the width.", minimum=2, maximum=7_680, unit="px"
    )
    crf: int | None = option(None, "Quality as a number: fewer is better and larger.", minimum=0, maximum=51)
    preset: Literal["fast", "medium", "slow"] = option(
        "medium",
        "More time for a smaller file of the same quality.",
        choices={
            "fast": "Fast: Done soon, a larger file.",
            "medium": "Medium: Balances speed and size.",
            "slow": "Slow: The smallest file of the same quality; takes longer.",
        },
    )


FILM = OptionGroups("FilmOptions", (Film, Size, Trim, Sound))
"""The options of conversions from film to film."""
