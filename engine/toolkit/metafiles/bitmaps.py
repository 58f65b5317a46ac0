"""The bitmaps of metafiles as PNG, with the transparency that their raster operation means."""

from __future__ import annotations

import io
import struct

from metafile_render.commands import DibPayload, DrawImageCommand
from metafile_render.models import MetafileMalformedError
from PIL import Image, ImageChops

from engine.toolkit.data_uris import data_uri
from engine.toolkit.metafiles import raster_operations
from engine.toolkit.metafiles.raster_operations import AND, COPY, OR, WITHOUT_COLOUR, XOR

_NOT_COPY = 0x330008
_BRUSH_WHERE_BLACK, _BRUSH_WHERE_WHITE = 0xB8074A, 0xE20746
EXACT = frozenset((0, COPY, AND, OR, XOR, _NOT_COPY, _BRUSH_WHERE_BLACK, _BRUSH_WHERE_WHITE))
"""The operations that are drawn as GDI does on white; others copy the bitmap."""
_EMBEDDED = {4: "JPEG", 5: "PNG"}
"""Compressions whose data is a file of its own (BI_JPEG, BI_PNG)."""
_FASTEST = 1


def opened(command: DrawImageCommand) -> Image.Image:
    """The part of a bitmap that a command shows, as RGBA. Raises MetafileMalformedError if it can't be decoded."""
    try:
        image = _decoded(command)
    except (OSError, ValueError, SyntaxError, struct.error, IndexError, Image.DecompressionBombError) as error:
        raise MetafileMalformedError("a bitmap can't be decoded") from error
    source = command.source
    if source is None:
        return image
    left, right = sorted((source.left, source.right))
    top, bottom = sorted((source.top, source.bottom))
    area = (max(0, int(left)), max(0, int(top)), min(image.width, round(right)), min(image.height, round(bottom)))
    if area[2] <= area[0] or area[3] <= area[1]:
        raise MetafileMalformedError("the bitmap has no such part")
    image = image.crop(area) if area != (0, 0, *image.size) else image
    if source.width < 0:
        image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    if source.height < 0:
        image = image.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    return image


def _decoded(command: DrawImageCommand) -> Image.Image:
    payload = command.image
    if not isinstance(payload, DibPayload):
        return Image.open(io.BytesIO(payload.png), formats=["PNG"]).convert("RGBA")
    size, width, height, _, bits, compression = struct.unpack_from("<IiiHHI", payload.header.ljust(20, b"\0"))
    if size >= 40 and compression in _EMBEDDED:
        return Image.open(io.BytesIO(payload.bits), formats=[_EMBEDDED[compression]]).convert("RGBA")
    if payload.use_source_alpha and size >= 40 and bits == 32 and width > 0:
        whole = payload.bits[: width * abs(height) * 4]
        order = -1 if height > 0 else 1
        return Image.frombytes("RGBa", (width, abs(height)), whole, "raw", "BGRa", width * 4, order).convert("RGBA")
    image = Image.open(io.BytesIO(raster_operations.file(payload)), formats=["BMP"])
    return image.convert("RGB").convert("RGBA")


def shown(image: Image.Image, operation: int, colour: str, *, mask: Image.Image | None = None) -> Image.Image:
    """A bitmap as its operation shows it over white.

    AND leaves what is below white pixels, OR and XOR what is below black ones. With `mask`, the bitmap of an AND that
    came before, only what that mask blackened is shown.
    """
    grey = image.convert("L")
    if mask is not None:
        image.putalpha(mask.convert("L").resize(image.size).point(lambda value: 255 if value < 128 else 0))
    elif operation == AND:
        image.putalpha(grey.point(lambda value: 0 if value == 255 else 255))
    elif operation == OR:
        image.putalpha(_any(image))
    elif operation == XOR:
        image = ImageChops.invert(image.convert("RGB")).convert("RGBA")
        image.putalpha(grey.point(lambda value: 255 if value else 0))
    elif operation == _NOT_COPY:
        image = ImageChops.invert(image.convert("RGB")).convert("RGBA")
    elif operation in (_BRUSH_WHERE_BLACK, _BRUSH_WHERE_WHITE):
        image = Image.new("RGBA", image.size, colour)
        black = operation == _BRUSH_WHERE_BLACK
        image.putalpha(ImageChops.invert(grey) if black else grey)
    elif operation & WITHOUT_COLOUR:
        hidden = Image.new("RGB", image.size, (operation & 255, operation >> 8 & 255, operation >> 16 & 255))
        image.putalpha(_any(ImageChops.difference(image.convert("RGB"), hidden)))
    return image


def _any(image: Image.Image) -> Image.Image:
    """255 where any colour is above zero."""
    red, green, blue = image.convert("RGB").split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return most.point(lambda value: 255 if value else 0)


def uri(image: Image.Image) -> str:
    """The bitmap as PNG, in a `data:` URI."""
    file = io.BytesIO()
    opaque = image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255)
    (image.convert("RGB") if opaque else image).save(file, "PNG", compress_level=_FASTEST)
    return data_uri("image/png", file.getvalue())
