"""Convert films to another container, copying streams that fit and re-encoding the rest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.families.media import encoders, estimate, program, sound
from engine.families.media.containers import CONTAINERS, Container
from engine.families.media.probe import probe
from engine.families.media.reels import Reel, to_size
from engine.families.media.reporting import report_contents, unusual
from engine.families.media.streams import Stream
from engine.families.media.timing import Part, part_of, played
from engine.toolkit.failures import InvalidOption, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_NAMES = {"h265": "hevc"}
_EVEN = 0.005
"""Share by which the number of frames at a constant rate may differ from the frame rate."""


@dataclass(frozen=True)
class Shape:
    """The frame size and frame rate of the output."""

    width: int
    height: int
    rate: float


def shape_of(stream: Stream, options: Any, *, even: bool) -> Shape:
    """The shape that the options request; `even` sizes are required by most codecs."""
    across = abs(stream.rotation) % 180 == 90
    width, height = (stream.height, stream.width) if across else (stream.width, stream.height)
    if options.rotate in ("90", "270"):
        width, height = height, width
    if options.width and options.height:
        wide, high = options.width, options.height
    elif options.width:
        wide, high = options.width, round(height * options.width / width)
    elif options.height:
        wide, high = round(width * options.height / height), options.height
    else:
        wide, high = width, height
    step = 2 if even else 1
    wide, high = max(step, wide // step * step), max(step, high // step * step)
    if wide * high > program.MOST_PIXELS:
        raise InvalidOption("width" if options.width else "height", "The frames would have more than 36 megapixels.")
    return Shape(wide, high, options.fps or min(stream.rate or 25.0, 120.0))


def filters(stream: Stream, shape: Shape, options: Any) -> list[str]:
    """The filters that rotate, scale and time the frames."""
    found = []
    if options.rotate == "180":
        found.append("hflip,vflip")
    elif options.rotate != "0":
        found.append(f"transpose={'clock' if options.rotate == '90' else 'cclock'}")
    if getattr(options, "speed", 1.0) != 1:
        found.append(f"setpts=PTS/{options.speed}")
    if options.fps:
        found.append(f"fps={options.fps}")
    across = (abs(stream.rotation) % 180 == 90) != (options.rotate in ("90", "270"))
    before = (stream.height, stream.width) if across else (stream.width, stream.height)
    if before != (shape.width, shape.height):
        found.append(f"scale={shape.width}:{shape.height}:flags=bicubic,setsar=1")
    return found


def paced(stream: Stream, options: Any) -> list[str]:
    """The arguments that keep the time of each frame if frames are not evenly spaced.

    Otherwise ffmpeg rounds their times to a frame rate that it guesses, and drops frames with the same time.
    """
    counted = stream.counted
    if options.fps or counted is None or not stream.frame_rate:
        return []
    missed = abs(stream.frame_rate * counted.seconds - counted.count)
    return [] if missed <= 1 + counted.count * _EVEN else ["-enc_time_base:v", "demux"]


def convert(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Write the film; see probe(), coding() and must_fit() for the errors raised."""
    media = probe(source)
    report_contents(media, warn)
    container = CONTAINERS[target.suffix[1:]]
    stream = media.first("video")
    if stream is None:
        raise Unreadable("The file has no readable video.", reason="empty")
    part = part_of(media, options)
    shape = shape_of(stream, options, even=True)
    coded = chosen(stream, container, part, options)
    tracks = () if options.remove_audio else tuple(each for each in media.every("audio") if each.readable)
    coded_sound = None
    if tracks:
        # Seek before decoding, so that sound and video start together; stream copies of sound can't start anywhere.
        inner = Part(0.0, part.seconds, True)
        cut = coded != "copy" and not part.whole
        coded_sound = sound.coding(media, tracks, container, inner, options, warn, source.parent, cut=cut)
        if cut and coded_sound.copied:
            coded_sound = replace(coded_sound, arguments=(*coded_sound.arguments, "-copypriorss:a", "0"))
    reel = Reel(source, target, media, stream, container, part, tracks, coded_sound, options, warn)
    heard = tuple(dict.fromkeys(each.codec for each in tracks)) if coded_sound and coded_sound.copied else ()
    unusual(container, stream.codec if coded == "copy" else None, heard, warn)
    if coded == "copy":
        _check_copy(options)
        copied = say("video and audio") if heard else "pictures"
        codecs = ", ".join(dict.fromkeys((stream.codec, *heard)))
        warn(
            "STREAM_COPIED",
            say("The {said} ({codec}) were copied without re-encoding.", said=copied, codec=codecs),
        )
        if not part.whole:
            warn(
                "VALUE_CONVERTED",
                "Copied video starts at a keyframe, which may be some seconds before trimStart.",
            )
        reel.run(["-c:v", "copy", *_tag(stream.codec, container)], played(part, options))
        return
    estimate.must_fit(
        estimated_seconds(stream, tracks, coded, part, shape, options),
        seconds=part.seconds,
        height=shape.height,
        copies=stream.codec in container.video,
        options=options,
    )
    seconds = played(part, options)
    arguments = [*encoders.arguments(coded, options), *_tag(coded, container), *paced(stream, options)]
    chain = filters(stream, shape, options)
    pixels = encoders.pixels(coded, stream)
    arguments += ["-vf", ",".join([*chain, f"format={pixels}"])]
    if options.target_size:
        to_size(reel, coded, arguments, seconds)
    else:
        reel.run([*arguments, *encoders.quality(coded, options)], seconds)


def estimated_seconds(
    stream: Stream, tracks: tuple[Stream, ...], codec: str, part: Part, shape: Shape, options: Any
) -> float:
    """The estimated processor seconds of re-encoding a film."""
    seconds = played(part, options)
    runs = 2 if options.target_size else 1
    drawn = estimate.film(stream, seconds, codec, options.preset, (shape.width, shape.height), shape.rate, runs)
    return drawn + estimate.SOUND * seconds * len(tracks)


def chosen(stream: Stream, container: Container, part: Part, options: Any) -> str:
    """The codec to encode with, or copy."""
    asked = _NAMES.get(options.video_codec, options.video_codec)
    if asked == "copy":
        if stream.codec not in container.video:
            raise InvalidOption(
                "videoCodec",
                say(
                    "The output doesn't support {codec}. It supports {video}.",
                    codec=stream.codec,
                    video=", ".join(container.video),
                ),
            )
        return "copy"
    if asked != "auto":
        if asked not in container.video:
            raise InvalidOption(
                "videoCodec",
                say(
                    "The output doesn't support {asked}. It supports {video}.",
                    asked=asked,
                    video=", ".join(container.video),
                ),
            )
        return str(asked)
    if container.plays(stream.codec) and part.whole and unchanged(options):
        return "copy"
    return "vp9" if container.video[0] == "vp9" else "h264"


def unchanged(options: Any) -> bool:
    """Whether the frames need no processing."""
    return (
        options.crf is None
        and options.preset == "medium"
        and options.width is None
        and options.height is None
        and options.fps is None
        and options.rotate == "0"
        and options.target_size is None
        and options.speed == 1
    )


def _check_copy(options: Any) -> None:
    if not unchanged(options):
        raise InvalidOption("videoCodec", "Copied video can't be changed. Remove the other video options.")


def _tag(codec: str, container: Container) -> list[str]:
    # QuickTime only plays H.265 under this tag.
    return ["-tag:v", "hvc1"] if codec == "hevc" and container.muxer in ("mp4", "mov") else []
