"""Trace a picture into areas of colour with VTracer."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image, ImageChops

from engine.families.images import metadata, preparation, reading
from engine.families.images.options import Tracing
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_MOST_PIXELS = 2_000_000
_MOST_EDGES = 300_000
"""Neighbouring pixels of different colours: tracing time grows with them, to about 10 s at this limit."""

_LEAST_SIDE = 16
_DETAIL = {"low": (8, 5, 32), "medium": (4, 6, 16), "high": (2, 7, 10)}
"""Option to the side in pixels of a speckle that is dropped, the bits per colour, the colour step between areas."""

_CURVES = {"smooth": "spline", "polygon": "polygon", "pixels": "none"}
_DECIMALS = 2


def convert(source: Path, target: Path, options: Tracing, warn: Warn) -> None:
    """Write an SVG at the size of the picture in `source`, which is scaled down first if it is too detailed.

    Raises Unreadable, OverLimit, and InvalidOption for a region that lies outside.
    """
    with reading.opened(source) as image:
        found = metadata.read(image, warn)
        preparation.report_left_out(image, reading.frame_count(image), warn)
        frame, _ = preparation.pixels(image, "svg", options, found, warn)
        metadata.selected(found, "keep", "svg", frame.size, warn)
    size = frame.size
    frame = _reduced(_opaque(frame, options.background, warn), options, warn)
    target.write_text(_sized(_traced(frame, options), frame.size, size), encoding="utf-8")


def _opaque(frame: Image.Image, background: str, warn: Warn) -> Image.Image:
    """`frame` with pixels that are either opaque or fully transparent: an area has one colour and no opacity."""
    if frame.mode != "RGBA":
        return frame
    alpha = frame.getchannel("A")
    if set(alpha.histogram()[1:255]) != {0}:
        warn(
            "ALPHA_FLATTENED",
            say(
                "Partly transparent pixels were filled with the background colour {background}.", background=background
            ),
        )
    frame = Image.alpha_composite(Image.new("RGBA", frame.size, background), frame)
    frame.putalpha(alpha.point([0] * 128 + [255] * 128))
    return frame


def _reduced(frame: Image.Image, options: Tracing, warn: Warn) -> Image.Image:
    """`frame` reduced in pixels and areas, and in black and white if requested."""
    size = frame.size
    scale = min(1.0, (_MOST_PIXELS / (size[0] * size[1])) ** 0.5)
    while True:
        small = frame if scale == 1.0 else _shrunk(frame, scale)
        small = _black_and_white(small, options.threshold) if options.colors == "bw" else small
        edges = _edges(small, _DETAIL[options.detail][1])
        if edges <= _MOST_EDGES:
            break
        scale *= min(0.9, (_MOST_EDGES / edges) ** 0.5)
        if min(size) * scale < _LEAST_SIDE:
            raise OverLimit("timeout", "The picture has too much detail to trace. Choose a smaller part of it.")
    if small.size != size:
        warn(
            "SIZE_REDUCED",
            say(
                "The picture has too much detail and was traced at {width} x {height} instead of {size} "
                "x {size2} pixels.",
                width=small.width,
                height=small.height,
                size=size[0],
                size2=size[1],
            ),
        )
    return small


def _shrunk(frame: Image.Image, scale: float) -> Image.Image:
    size = max(1, round(frame.width * scale)), max(1, round(frame.height * scale))
    small = frame.resize(size, Image.Resampling.BICUBIC, reducing_gap=2.0)
    if small.mode == "RGBA":
        small.putalpha(small.getchannel("A").point([0] * 128 + [255] * 128))
    return small


def _black_and_white(frame: Image.Image, threshold: int) -> Image.Image:
    """Black if a pixel is darker than `threshold`, white if it is not or is transparent."""
    grey = frame.convert("L").point([0] * threshold + [255] * (256 - threshold))
    if frame.mode == "RGBA":
        grey.paste(255, mask=ImageChops.invert(frame.getchannel("A")))
    return grey.convert("RGB")


def _edges(frame: Image.Image, bits: int) -> int:
    """The number of pixels that differ from their left or upper neighbour, at this many bits per channel."""
    mask = 0xFF << (8 - bits) & 0xFF
    coarse = frame.convert("RGB").point([value & mask for value in range(256)] * 3)
    count = 0
    for across, down in ((1, 0), (0, 1)):
        width, height = coarse.width - across, coarse.height - down
        first = coarse.crop((0, 0, width, height))
        second = coarse.crop((across, down, coarse.width, coarse.height))
        differing = ImageChops.difference(first, second)
        strongest = ImageChops.lighter(
            ImageChops.lighter(differing.getchannel("R"), differing.getchannel("G")), differing.getchannel("B")
        )
        count += width * height - strongest.histogram()[0]
    return count


def _traced(frame: Image.Image, options: Tracing) -> str:
    import vtracer  # too large to load into a process with another job

    speckle, bits, step = _DETAIL[options.detail]
    data = io.BytesIO()
    frame.info = {}
    frame.save(data, "PNG", compress_level=1)
    drawing: str = vtracer.convert_raw_image_to_svg(
        data.getvalue(),
        img_format="png",
        colormode="binary" if options.colors == "bw" else "color",
        mode=_CURVES[options.curves],
        filter_speckle=speckle,
        color_precision=bits,
        layer_difference=step,
        path_precision=_DECIMALS,
    )
    return drawing


def _sized(drawing: str, traced: tuple[int, int], size: tuple[int, int]) -> str:
    """The drawing at the size of the picture, whatever size it was traced at."""
    own = f'width="{traced[0]}" height="{traced[1]}">'
    if own not in drawing:
        raise RuntimeError("the tracer has begun its drawing in another way")
    box = f'width="{size[0]}" height="{size[1]}" viewBox="0 0 {traced[0]} {traced[1]}">'
    return drawing.replace(own, box, 1)
