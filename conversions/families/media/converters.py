"""Sound and film: recordings to each other, films to films, sound, moving pictures, frames and captions."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from conversions.families.media.options import (
    FOLDER,
    PROGRAM,
    Animation,
    Drawing,
    Film,
    Moment,
    Size,
    Slides,
    Sound,
    Track,
    Trim,
)
from conversions.toolkit.declaring import Engine, converter
from conversions.toolkit.formats import (
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
from conversions.toolkit.options import combine
from conversions.toolkit.warnings import Warn

_OURS = "conversions.families.media"


def _engine(*modules: str, further: tuple[str, ...] = ()) -> Engine:
    return Engine(
        "imageio-ffmpeg",
        modules=tuple(f"{_OURS}.{each}" for each in (*modules, "prediction")),
        file=PROGRAM or "/nowhere",
        programs=(f"{FOLDER}/{Path(PROGRAM).name}",) if PROGRAM else (),
        further=further,
    )


def _measure(source: Path, options: Any) -> float:
    from conversions.families.media import timing

    return timing.seconds_of(source, options)


def _predict(kind: str, source: Path, output: Format, options: Any) -> float:
    from conversions.families.media import prediction

    return prediction.seconds(kind, source, output, options)


RECORDINGS = (MP3, M4A, AAC, OGG, OPUS, FLAC, WAV, AIFF)
RECORDED = (*RECORDINGS, WMA, AMR)
FILMS = (MP4, MOV, MKV, WEBM)
FILMED = (*FILMS, AVI, MPG, MPEG_TS, FLV, WMV, THREE_GP)


@converter(
    RECORDED,
    RECORDINGS,
    profile="media",
    measure=_measure,
    predict=partial(_predict, "recording"),
    engine=_engine("recording"),
    options=combine("SoundOptions", Sound, Trim),
    same=True,
)
def sound_to_sound(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to {output} with its tags, its cover and its chapters, as far as the output can hold them."""
    from conversions.families.media import recording

    recording.convert(source, target, options, warn)


@converter(
    FILMED,
    RECORDINGS,
    profile="media",
    measure=_measure,
    predict=partial(_predict, "recording"),
    engine=_engine("recording"),
    options=combine("FilmSoundOptions", Sound, Trim),
)
def film_to_sound(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Take the sound out of {input} and write it as {output}."""
    from conversions.families.media import recording

    recording.convert(source, target, options, warn)


@converter(
    (*FILMED, GIF),
    FILMS,
    profile="media",
    measure=_measure,
    predict=partial(_predict, "film"),
    engine=_engine("film"),
    options=combine("FilmOptions", Film, Size, Trim, Sound),
    same=True,
)
def film_to_film(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to {output}; pictures and sound that the output can hold as they are are copied in moments."""
    from conversions.families.media import film

    film.convert(source, target, options, warn)


@converter(
    FILMED,
    (GIF, APNG, WEBP),
    profile="media",
    measure=_measure,
    predict=partial(_predict, "animation"),
    engine=_engine("animation"),
    options=combine("AnimationOptions", Animation, Size, Trim),
)
def film_to_animation(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to a moving picture in {output}, without its sound."""
    from conversions.families.media import animation

    animation.convert(source, target, options, warn)


@converter(
    FILMED,
    (PNG, JPG),
    profile="media",
    measure=_measure,
    predict=partial(_predict, "frames"),
    engine=_engine("frames"),
    options=combine("FrameOptions", Moment, Size),
    packs=True,
)
def film_to_pictures(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Take a picture of {input}, or many as a ZIP, or draw all of it on a contact sheet."""
    from conversions.families.media import frames

    return frames.take(source, target, options, warn)


@converter(
    FILMED,
    (SRT, VTT),
    profile="media",
    measure=_measure,
    predict=partial(_predict, "captions"),
    engine=_engine("captions"),
    options=Track,
)
def film_to_subtitles(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Take the subtitles out of {input} and write them as {output}."""
    from conversions.families.media import captions

    captions.extract(source, target, options, warn)


@converter(
    RECORDED,
    (PNG, SVG),
    profile="media",
    measure=_measure,
    predict=partial(_predict, "waveform"),
    engine=_engine("waveform", further=("pillow",)),
    options=Drawing,
)
def sound_to_picture(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Draw the sound of {input} as a wave in {output}."""
    from conversions.families.media import waveform

    waveform.draw(source, target, options, warn)


@converter(ZIP, MP4, profile="media", engine=_engine("slideshow", further=("pillow",)), options=Slides)
def pictures_to_film(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Show the pictures of a ZIP one after the other in a film."""
    from conversions.families.media import slideshow

    slideshow.assemble(source, target, options, warn)
