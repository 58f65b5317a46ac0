"""Encode picture samples for a PDF: JPEG, fax and Flate."""

from __future__ import annotations

import io
from dataclasses import dataclass

import pikepdf
from pikepdf import Name
from PIL import Image, ImageChops

from engine.families.pdf.tasks.samples import PALETTES, Colours, is_stencil


@dataclass(frozen=True)
class Encoded:
    """An encoded picture, ready for a PDF."""

    data: bytes
    filter: pikepdf.Name
    parameters: pikepdf.Dictionary | None
    bits: int
    space: pikepdf.Object | None
    size: tuple[int, int]

    def into(self, picture: pikepdf.Object) -> None:
        """Replace the data of `picture`, whose masks and other entries stay."""
        picture.write(self.data, filter=self.filter, decode_parms=self.parameters)
        picture[Name.Width], picture[Name.Height] = self.size
        if is_stencil(picture):
            return
        picture[Name.BitsPerComponent] = self.bits
        if self.space is not None:
            picture[Name.ColorSpace] = self.space


def as_jpeg(image: Image.Image, space: pikepdf.Object | None, quality: int) -> Encoded:
    """A picture of mode L, RGB or CMYK as a JPEG of this quality."""
    stored = image
    if image.mode == "CMYK":
        stored = ImageChops.invert(image)  # Pillow inverts, as Adobe does
    data = io.BytesIO()
    # Without a comment given, Pillow writes that of the file which the picture was read from.
    progressive = image.width * image.height > 10_000
    stored.save(data, "JPEG", quality=quality, optimize=True, progressive=progressive, comment=b"")
    return Encoded(data.getvalue(), Name.DCTDecode, None, 8, space, image.size)


def as_fax(image: Image.Image, space: pikepdf.Object | None) -> Encoded:
    """A picture of mode 1, lossless (ITU-T T.6)."""
    data = io.BytesIO()
    ImageChops.invert(image).save(data, "TIFF", compression="group4", tiffinfo={278: image.height})
    strip = Image.open(data, formats=("TIFF",))
    (start,), (length,) = strip.tag_v2[273], strip.tag_v2[279]  # type: ignore[attr-defined]
    parameters = pikepdf.Dictionary(K=-1, Columns=image.width, Rows=image.height)
    return Encoded(data.getvalue()[start : start + length], Name.CCITTFaxDecode, parameters, 1, space, image.size)


def as_flate(image: Image.Image, about: Colours, effort: int) -> Encoded:
    """A picture of mode 1, L, P or RGB, lossless: PNG data is that of a PDF with predictor 15."""
    data = io.BytesIO()
    bits = 1 if image.mode == "1" else 8
    if image.mode == "P":
        highest = len(image.histogram()) - next((at for at, n in enumerate(reversed(image.histogram())) if n), 0) - 1
        bits = next(each for each in PALETTES if highest < 1 << each)
    image.save(data, "PNG", compress_level=effort, bits=bits)
    raw, at, parts = data.getvalue(), 8, []
    while at < len(raw):
        length, kind = int.from_bytes(raw[at : at + 4], "big"), raw[at + 4 : at + 8]
        if kind == b"IDAT":
            parts.append(raw[at + 8 : at + 8 + length])
        at += 12 + length
    space = about.space
    if image.mode == "P":
        assert about.palette is not None
        table = about.palette[: about.components << bits]
        space = pikepdf.Array([Name.Indexed, about.space, len(table) // about.components - 1, pikepdf.String(table)])
    parameters = pikepdf.Dictionary(
        Predictor=15, Colors=len(image.getbands()), BitsPerComponent=bits, Columns=image.width
    )
    return Encoded(b"".join(parts), Name.FlateDecode, parameters, bits, space, image.size)
