"""Convert audio and video, and extract sound, animations, frames and captions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from engine.families.media.options import (
    FILM,
    FOLDER,
    PROGRAM,
    Animation,
    Drawing,
    Moment,
    Size,
    Slides,
    Sound,
    Track,
    Trim,
)
from engine.families.subtitles.options import SUBTITLES, Timing
from engine.toolkit import minutes
from engine.toolkit.declaring import Engine, Run, converter
from engine.toolkit.failures import OverLimit
from engine.toolkit.formats import (
    AAC,
    AIFF,
    AMR,
    APNG,
    AVI,
    FLAC,
    FLV,
    GIF,
    JPG,
    M4A,
    MKV,
    MOV,
    MP3,
    MP4,
    MPEG_TS,
    MPG,
    OGG,
    OPUS,
    PNG,
    SRT,
    SVG,
    THREE_GP,
    VTT,
    WAV,
    WEBM,
    WEBP,
    WMA,
    WMV,
    ZIP,
    Format,
)
from engine.toolkit.messages import say
from engine.toolkit.options import combine
from engine.toolkit.warnings import Warn

_OURS = "engine.families.media"


def _checked(run: Run) -> Run:
    """The converter, followed by a comparison of its result with what it promised, so that no converter can forget
    it."""

    @functools.wraps(run)
    def checked(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
        from engine.families.media import balance, lyrics

        if source.suffix == ".mp3":
            source = lyrics.without(source, warn)
        written = run(source, target, options, warn)
        balance.check(source, target, options, warn)
        return written

    return checked


def _media(*formats: Any, **declared: Any) -> Callable[[Run], Run]:
    """Declare a converter of this family, whose results are compared with what was promised."""
    declare = converter(*formats, profile="media", **declared)
    return lambda run: declare(_checked(run))


def _engine(*modules: str, further: tuple[str, ...] = ()) -> Engine:
    return Engine(
        "imageio-ffmpeg",
        modules=tuple(f"{_OURS}.{each}" for each in (*modules, "prediction", "balance", "lyrics")),
        file=PROGRAM or "/nowhere",
        programs=(f"{FOLDER}/{Path(PROGRAM).name}",) if PROGRAM else (),
        further=further,
    )


def _measure(source: Path, options: Any, warn: Warn) -> float:
    from engine.families.media import reporting, timing
    from engine.families.media.probe import probe

    reporting.check_claim(probe(source), warn)
    seconds = timing.seconds_of(source, options)
    if minutes.started_minutes(seconds) > minutes.MOST:
        raise OverLimit("too_long", say("The result would be longer than {days} days.", days=minutes.MOST // 1440))
    return seconds


def _predict(kind: str, source: Path, output: Format, options: Any) -> float:
    from engine.families.media import prediction

    return prediction.seconds(kind, source, output, options)


def _measure_film(source: Path, options: Any, warn: Warn) -> float:
    """The seconds of the film in a ZIP; 0 for one of pictures, which takes the price of a minute."""
    from engine.families.media import subtitled

    with subtitled.film_of(source, FILMED) as film:
        return 0.0 if film is None else _measure(film, FILM.options(), warn)


RECORDINGS = (MP3, M4A, AAC, OGG, OPUS, FLAC, WAV, AIFF)
RECORDED = (*RECORDINGS, WMA, AMR)
FILMS = (MP4, MOV, MKV, WEBM)
FILMED = (*FILMS, AVI, MPG, MPEG_TS, FLV, WMV, THREE_GP)


@_media(
    RECORDED,
    RECORDINGS,
    measure=_measure,
    predict=partial(_predict, "recording"),
    engine=_engine("recording"),
    options=combine("SoundOptions", Sound, Trim),
    same=True,
)
def sound_to_sound(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to {output}, with tags, cover and chapters where the format supports them."""
    from engine.families.media import recording

    recording.convert(source, target, options, warn)


@_media(
    FILMED,
    RECORDINGS,
    measure=_measure,
    predict=partial(_predict, "recording"),
    engine=_engine("recording"),
    options=combine("FilmSoundOptions", Sound, Trim),
)
def film_to_sound(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Extract the audio of {input} as {output}."""
    from engine.families.media import recording

    recording.convert(source, target, options, warn)


@_media(
    (*FILMED, GIF),
    FILMS,
    measure=_measure,
    predict=partial(_predict, "film"),
    engine=_engine("film"),
    options=FILM,
    same=True,
)
def film_to_film(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to {output}. Video and audio that the output supports are copied in seconds."""
    from engine.families.media import film

    film.convert(source, target, options, warn)


@_media(
    FILMED,
    (GIF, APNG, WEBP),
    measure=_measure,
    predict=partial(_predict, "animation"),
    engine=_engine("animation"),
    options=combine("AnimationOptions", Animation, Size, Trim),
)
def film_to_animation(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to an animation in {output}, without sound."""
    from engine.families.media import animation

    animation.convert(source, target, options, warn)


@_media(
    FILMED,
    (PNG, JPG),
    measure=_measure,
    predict=partial(_predict, "frames"),
    engine=_engine("frames"),
    options=combine("FrameOptions", Moment, Size),
    packs=True,
)
def film_to_pictures(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Extract one frame of {input}, several in a ZIP, or a contact sheet of the whole video."""
    from engine.families.media import frames

    return frames.extract(source, target, options, warn)


@_media(
    FILMED,
    (SRT, VTT),
    measure=_measure,
    predict=partial(_predict, "captions"),
    engine=_engine("captions"),
    options=Track,
)
def film_to_subtitles(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Extract the subtitles of {input} as {output}."""
    from engine.families.media import captions

    captions.extract(source, target, options, warn)


@_media(
    RECORDED,
    (PNG, SVG),
    measure=_measure,
    predict=partial(_predict, "waveform"),
    engine=_engine("waveform", further=("pillow",)),
    options=Drawing,
)
def sound_to_picture(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert the audio of {input} to a waveform picture in {output}."""
    from engine.families.media import waveform

    waveform.draw(source, target, options, warn)


@_media(
    ZIP,
    MP4,
    measure=_measure_film,
    engine=_engine("slideshow", "subtitled", further=("pillow", "pysubs2")),
    options=combine("ZipToFilm", Slides, Timing),
)
def zip_to_film(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert the pictures in a ZIP to a video slideshow, or add the subtitles in it to its video."""
    from engine.families.media import slideshow, subtitled

    if subtitled.has_film(source, FILMED):
        subtitled.add(source, target, FILMED, SUBTITLES, options, warn)
    else:
        slideshow.assemble(source, target, options, warn)


@_media(ZIP, (MKV, WEBM), measure=_measure_film, engine=_engine("subtitled", further=("pysubs2",)), options=Timing)
def subtitles_to_film(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Add the subtitles in a ZIP to its video, as tracks that viewers can turn on and off."""
    from engine.families.media import subtitled

    subtitled.add(source, target, FILMED, SUBTITLES, options, warn)
