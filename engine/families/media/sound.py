"""Copy or encode audio for an output, with filters."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.families.media import program, timing
from engine.families.media.containers import AUDIO_ENCODERS, LOSSLESS, Container
from engine.families.media.probe import Media
from engine.families.media.streams import Stream
from engine.families.media.timing import Part
from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_RATES: Mapping[str, tuple[int, ...]] = {
    "mp3": (8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000),
    "aac": (8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000),
    "opus": (48_000,),
}
_MOST_CHANNELS: Mapping[str, int] = {"mp3": 2, "opus": 8, "vorbis": 8, "aac": 8, "flac": 8, "alac": 8}
_STEPS = ("low", "medium", "high", "best")
_MP3, _VORBIS = (6, 4, 2, 0), (2, 4, 6, 8)
_KILOBITS: Mapping[str, tuple[int, ...]] = {"aac": (40, 64, 96, 128), "opus": (24, 40, 64, 96)}
"""Bit rates per channel."""
_MP3_KILOBITS = ((32_000, (32, 320)), (16_000, (8, 160)), (0, (8, 64)))
"""Bit rate limits by minimum sample rate (ISO 11172-3, ISO 13818-3 and MPEG-2.5); lame silently takes the nearest."""
_SIXTEEN_BITS = {"flac": "s16", "alac": "s16p"}
_LAYOUTS = {1: "mono", 2: "stereo", 3: "2.1", 4: "quad", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1"}
_LOUDNESS = "I=-23:TP=-1:LRA=20"
"""EBU R128: programme loudness and true peak."""
_MEASURED = "loudness.json"
_MEASUREMENTS = {
    "measured_I": "input_i",
    "measured_TP": "input_tp",
    "measured_LRA": "input_lra",
    "measured_thresh": "input_thresh",
    "offset": "target_offset",
}
"""The options of ffmpeg's filter `loudnorm` by what its first pass says."""


@dataclass(frozen=True)
class Coding:
    """How audio is written: `copied`, or encoded by `codec`, with ffmpeg's arguments."""

    codec: str
    copied: bool
    arguments: tuple[str, ...]


def unchanged(options: Any) -> bool:
    """Whether the samples need no processing."""
    return (
        options.audio_bitrate is None
        and options.sample_rate is None
        and options.channels == "keep"
        and not (options.normalize or options.fade_in or options.fade_out or options.volume)
        and options.speed == 1
    )


def coding(
    media: Media,
    streams: tuple[Stream, ...],
    container: Container,
    part: Part,
    options: Any,
    warn: Warn,
    folder: Path,
    *,
    cut: bool,
) -> Coding:
    """The audio settings for a container; a `part` that is `cut` must be re-encoded.

    Raises InvalidOption for codecs the container can't hold and streams that can't be copied.
    """
    asked = options.audio_codec
    if asked == "copy":
        if not _fits(streams, container):
            raise InvalidOption(
                "audioCodec",
                say(
                    "The output doesn't support {codec}. It supports {container}.",
                    codec=streams[0].codec,
                    container=_held(container),
                ),
            )
        if not unchanged(options):
            raise InvalidOption("audioCodec", "Copied audio can't be changed. Remove the other audio options.")
        return Coding(streams[0].codec, True, ("-c:a", "copy"))
    if copies(streams, container, options, cut=cut):
        return Coding(streams[0].codec, True, ("-c:a", "copy"))
    codec = _codec(asked, container, streams[0])
    return Coding(codec, False, tuple(_encoded(codec, media, streams[0], part, options, warn, folder)))


def copies(streams: tuple[Stream, ...], container: Container, options: Any, *, cut: bool) -> bool:
    """Whether audio is copied: on request, or if nothing else is requested and players of the container support it."""
    if options.audio_codec != "auto":
        return bool(options.audio_codec == "copy")
    usual = all(container.plays(each.codec) for each in streams)
    return usual and not cut and unchanged(options) and options.audio_quality == "high"


def _fits(streams: tuple[Stream, ...], container: Container) -> bool:
    return all(each.codec in container.audio for each in streams)


@contextmanager
def explained(options: Any) -> Iterator[None]:
    """Name the responsible option if ffmpeg refuses the audio settings."""
    try:
        yield
    except program.Refused as error:
        if getattr(options, "audio_bitrate", None) is not None:
            message = say("The codec doesn't support this bitrate with these channels and this sample rate.")
            raise InvalidOption("audioBitrate", message) from error
        if getattr(options, "sample_rate", None) is not None:
            raise InvalidOption("sampleRate", "The codec doesn't support this sample rate.") from error
        raise


def _held(container: Container) -> str:
    return ", ".join(each for each in container.audio if not each.startswith("pcm_")) or "PCM"


def _codec(asked: str, container: Container, stream: Stream) -> str:
    raw = [each for each in container.audio if each.startswith(("pcm_s", "pcm_f"))]
    if asked == "auto" and raw and container.audio[0] in raw:
        asked = "pcm16" if _sixteen_bits(stream) else "pcm24"
    if asked == "auto":
        return container.audio[0]
    if asked.startswith("pcm"):
        found = next((each for each in raw if asked[3:] in each), None)
    else:
        found = asked if asked in container.audio else None
    if found is None:
        raise InvalidOption(
            "audioCodec",
            say(
                "The output doesn't support {asked}. It supports {container}.", asked=asked, container=_held(container)
            ),
        )
    return found


def _sixteen_bits(stream: Stream) -> bool:
    """Whether more than 16 bits would only hold rounding noise of a decoder or filter."""
    return stream.codec not in LOSSLESS or stream.samples.startswith(("s16", "u8"))


def _encoded(codec: str, media: Media, stream: Stream, part: Part, options: Any, warn: Warn, folder: Path) -> list[str]:
    channels = _channels(codec, stream, options, warn)
    rate = _rate(codec, stream, options, warn)
    arguments = ["-c:a", AUDIO_ENCODERS.get(codec, codec), "-ar", str(rate), *_quality(codec, channels, rate, options)]
    filters = _filters(media, part, options)
    # Samples are counted, as forged packet times could keep `-t` from ever ending.
    last = timing.last_second(timing.played(part, options))
    if options.normalize:
        filters.append(_loudness(media, stream, [*filters, _ended(last, stream.hertz)], folder))
    filters += [f"aresample={rate}", _ended(last, rate)]
    if channels != stream.channels or codec in ("opus", "vorbis", "aac", "mp3"):
        filters.append(f"aformat=channel_layouts={_LAYOUTS.get(channels, 'stereo')}")
    if codec in _SIXTEEN_BITS and _sixteen_bits(stream):
        arguments += ["-sample_fmt", _SIXTEEN_BITS[codec]]
    return [*arguments, "-af", ",".join(filters)]


def _ended(last: float, rate: int) -> str:
    """The filter that ends audio of `rate` samples per second after its last second, by sample count."""
    return f"atrim=end_sample={math.ceil(last * rate)}"


def _channels(codec: str, stream: Stream, options: Any, warn: Warn) -> int:
    most = min(_MOST_CHANNELS.get(codec, 8), {"mono": 1, "stereo": 2}.get(options.channels, 8))
    if stream.channels <= most and stream.channels:
        return 2 if options.channels == "stereo" else stream.channels
    if stream.channels > most:
        warn(
            "SOUND_REDUCED",
            say(
                "{channels} channels ({layout}) were mixed down to {most}.",
                channels=stream.channels,
                layout=stream.layout,
                most=most,
            ),
        )
    return min(most, 2) if not stream.channels else most


def _rate(codec: str, stream: Stream, options: Any, warn: Warn) -> int:
    rates = _RATES.get(codec)
    if options.sample_rate is not None:
        if rates and options.sample_rate not in rates:
            raise InvalidOption(
                "sampleRate",
                say("{codec} supports sample rates of {str} Hz.", codec=codec, str=", ".join(map(str, rates))),
            )
        return int(options.sample_rate)
    most = 192_000 if rates is None else rates[-1]
    found = next((each for each in rates or () if each >= stream.hertz), min(stream.hertz, most))
    if found < stream.hertz:
        warn(
            "SOUND_REDUCED", say("The sample rate changed from {hertz} to {found} Hz.", hertz=stream.hertz, found=found)
        )
    return found


def _quality(codec: str, channels: int, rate: int, options: Any) -> list[str]:
    if options.audio_bitrate is not None:
        if codec in LOSSLESS:
            raise InvalidOption("audioBitrate", say("{codec} is lossless and has no bitrate to choose.", codec=codec))
        least, most = next(bounds for hertz, bounds in _MP3_KILOBITS if rate >= hertz)
        if codec == "mp3" and not least <= options.audio_bitrate <= most:
            raise InvalidOption(
                "audioBitrate",
                say(
                    "MP3 at {rate} Hz supports {least} to {most} kilobits per second.",
                    rate=rate,
                    least=least,
                    most=most,
                ),
            )
        return ["-b:a", f"{options.audio_bitrate}k"]
    step = _STEPS.index(options.audio_quality)
    if codec == "mp3":
        return ["-q:a", str(_MP3[step])]
    if codec == "vorbis":
        return ["-q:a", str(_VORBIS[step])]
    if codec in _KILOBITS:
        return ["-b:a", f"{_KILOBITS[codec][step] * channels}k"]
    return []


def _filters(media: Media, part: Part, options: Any) -> list[str]:
    found = []
    if not part.whole:
        end = f":end={part.end:.6f}" if options.trim_end is not None else ""
        found += [f"atrim=start={part.start:.6f}{end}", "asetpts=PTS-STARTPTS"]
    speed = options.speed
    while speed != 1:
        step = min(2.0, max(0.5, speed))
        found.append(f"atempo={step:.6f}")
        speed = 1 if math.isclose(step, speed) else speed / step
    if options.volume:
        found.append(f"volume={options.volume}dB")
    length = part.seconds / options.speed
    if options.fade_in:
        found.append(f"afade=t=in:d={options.fade_in}")
    if options.fade_out:
        if not length:
            raise InvalidOption("fadeOut", "The file doesn't say how long it is.")
        found.append(f"afade=t=out:st={max(0.0, length - options.fade_out):.6f}:d={options.fade_out}")
    return found


def _loudness(media: Media, stream: Stream, filters: list[str], folder: Path) -> str:
    """The filter that normalises loudness linearly, from the measurements of a first pass."""
    # Not from the log, which quotes the file's tags.
    chain = ",".join([*filters, f"loudnorm={_LOUDNESS}:print_format=json:stats_file={_MEASURED}"])
    source = next(folder.glob("input.*")).name
    program.run(
        folder,
        [*program.reading(media.demuxer, source), "-map", f"0:{stream.number}", "-af", chain, "-f", "null", "-"],
    )
    found = folder / _MEASURED
    measurements = json.loads(found.read_text("utf-8") or "{}") if found.exists() else {}
    found.unlink(missing_ok=True)
    values = {name: float(measurements.get(key, "nan")) for name, key in _MEASUREMENTS.items()}
    if not all(map(math.isfinite, values.values())):
        return f"loudnorm={_LOUDNESS}"  # silence has no loudness
    measured = ":".join(f"{name}={value}" for name, value in values.items())
    return f"loudnorm={_LOUDNESS}:{measured}:linear=true"
