"""Recognise drawings and bilevel scans that are stored as photos, by their few colours."""

from __future__ import annotations

import pikepdf
from pikepdf import Name
from PIL import Image, ImageChops

from engine.families.pdf.tasks import encodings
from engine.families.pdf.tasks.encodings import Encoded
from engine.families.pdf.tasks.samples import Colours

_MOST = 256
_MOST_GREYS = 16
"""The maximum greys of a palette; with more, a byte per pixel is as small."""

Colour = tuple[int, ...]


def colours_of(image: Image.Image) -> list[Colour]:
    """The colours of a picture of mode L or RGB, if they fit a palette; else none."""
    found = image.getcolors(_MOST) or []
    return sorted((each if isinstance(each, tuple) else (int(each),)) for _, each in found)


def as_two(
    image: Image.Image, colours: list[Colour], about: Colours, size: tuple[int, int], *, masking: bool
) -> Encoded | None:
    """A picture of one or two colours as one bit per pixel; None for a mask with values other than 0 and 255.

    A mask has no palette (ISO 32000-1, 11.6.5.3).
    """
    dark, light = colours[0], colours[-1]
    if masking and (dark, light) != ((0,), (255,)):
        return None
    at = next((band for band in range(len(light)) if light[band] != dark[band]), 0)
    bits = image.getchannel(at).point([255 if value == light[at] else 0 for value in range(256)])
    if size != image.size:
        bits = bits.resize(size, Image.Resampling.BOX)
    bits = bits.point([0] * 128 + [255] * 128, "1")
    if masking:
        return encodings.as_fax(bits, Name.DeviceGray)
    table = bytes(dark) + bytes(light)
    space = about.space if table == b"\0\xff" else pikepdf.Array([Name.Indexed, about.space, 1, pikepdf.String(table)])
    return encodings.as_fax(bits, space)


def as_palette(image: Image.Image, about: Colours, effort: int) -> Encoded | None:
    """A picture of mode L or RGB as a lossless palette image; None if it has too many colours."""
    colours = colours_of(image)
    if not colours:
        return None
    if image.mode == "L":
        if len(colours) > _MOST_GREYS:
            return None
        numbers = {colour[0]: number for number, colour in enumerate(colours)}
        drawn = image.point([numbers.get(value, 0) for value in range(256)])
        indexed = Image.frombytes("P", drawn.size, drawn.tobytes())
        table = bytes(colour[0] for colour in colours)
        indexed.putpalette(bytes(each for colour in colours for each in colour * 3))
    else:
        exact = _exact(image, colours)
        if exact is None:
            return None
        indexed = exact
        table = bytes(indexed.getpalette() or b"")[: 3 * len(colours)]
    return encodings.as_flate(indexed, Colours(about.components, about.space, table), effort)


def _exact(image: Image.Image, colours: list[Colour]) -> Image.Image | None:
    """The picture as indexes of these colours; None if Pillow confuses some."""
    palette = Image.new("P", (1, 1))
    palette.putpalette([value for colour in colours for value in colour])
    # The first method takes a twentieth of the time, but confuses similar colours.
    for settings in ({"palette": palette}, {"colors": len(colours), "method": Image.Quantize.MEDIANCUT}):
        indexed = image.quantize(dither=Image.Dither.NONE, **settings)
        if ImageChops.difference(indexed.convert("RGB"), image).getbbox() is None:
            return indexed
    return None
