"""Paint over pixels in the pictures of a PDF."""

from __future__ import annotations

import math
import zlib

import pikepdf
from pikepdf import Name
from PIL import Image, ImageDraw

from engine.families.pdf.read import DAMAGED
from engine.families.pdf.tasks import encodings, samples
from engine.families.pdf.tasks.drawn_sizes import Matrix
from engine.families.pdf.tasks.fax import Unfit
from engine.families.pdf.tasks.redaction.finding import Box
from engine.families.pdf.tasks.samples import Colours

_FAILED = (*DAMAGED, Unfit, NotImplementedError, OSError, SyntaxError, EOFError, zlib.error, ZeroDivisionError)
_BLACK: dict[str, int | tuple[int, ...]] = {"1": 0, "L": 0, "RGB": (0, 0, 0), "CMYK": (0, 0, 0, 255)}


def blackened(pdf: pikepdf.Pdf, picture: pikepdf.Object, boxes: list[Box], matrix: Matrix) -> pikepdf.Object | None:
    """A copy that is black under these page boxes, given the picture's `matrix`; None if it can't be decoded."""
    try:
        about = samples.colours(picture)
        size = int(picture[Name.Width]), int(picture[Name.Height])
        image = samples.decoded(picture, about, size)
        if about.palette is not None:
            image = about.spread(image)
        draw = ImageDraw.Draw(image)
        for box in boxes:
            draw.polygon(_corners(box, matrix, size), fill=_BLACK[image.mode])
        encoded = _encoded(image, picture, about)
    except _FAILED:
        return None
    new = pdf.make_stream(b"")
    for key in picture.keys():  # noqa: SIM118  # it is no mapping
        if key not in ("/Length", "/Filter", "/DecodeParms", "/Metadata", "/Alternates", "/OPI"):
            new[key] = picture[key]
    encoded.into(new)
    if about.palette is not None and Name.Decode in new:
        del new[Name.Decode]
    return new


def _corners(box: Box, matrix: Matrix, size: tuple[int, int]) -> list[tuple[int, int]]:
    """The corners of a box in picture pixels, from the upper left, enlarged by a pixel."""
    a, b, c, d, e, f = matrix
    area = a * d - b * c
    points = []
    for x, y in ((box.left, box.bottom), (box.right, box.bottom), (box.right, box.top), (box.left, box.top)):
        u = (d * (x - e) - c * (y - f)) / area
        v = (a * (y - f) - b * (x - e)) / area
        points.append((u * size[0], (1 - v) * size[1]))
    middle = sum(x for x, _ in points) / 4, sum(y for _, y in points) / 4
    return [
        (
            math.ceil(x + 1) if x > middle[0] else math.floor(x - 1),
            math.ceil(y + 1) if y > middle[1] else math.floor(y - 1),
        )
        for x, y in points
    ]


def _encoded(image: Image.Image, picture: pikepdf.Object, about: Colours) -> encodings.Encoded:
    if image.mode == "1":
        return encodings.as_fax(image, None)
    count = len(image.getbands())
    space = about.space if about.components else {1: Name.DeviceGray, 3: Name.DeviceRGB}[count]
    if samples.filters(picture)[-1:] in (["/DCTDecode"], ["/JPXDecode"]) or count == 4:
        return encodings.as_jpeg(image, space, 92)
    return encodings.as_flate(image, Colours(count, space), 6)
