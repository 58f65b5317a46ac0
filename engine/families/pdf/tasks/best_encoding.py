"""Choose the smallest encoding of a picture at a permitted loss."""

from __future__ import annotations

from dataclasses import dataclass

import pikepdf
from pikepdf import Name
from PIL import Image

from engine.families.pdf.tasks import encodings, few_colours, samples
from engine.families.pdf.tasks.encodings import Encoded
from engine.families.pdf.tasks.fax import Unfit
from engine.families.pdf.tasks.samples import Colours

_POINTS = 72
_SLACK = 1.25
"""The ratio of a picture's resolution to the wanted one above which it is downsampled; less is not worth the loss."""
_SMALL_FAX = 5_000
_PACKED = 40
"""The minimum pixels per byte of JBIG2 data for which no other encoding is smaller."""
_MAX_RATIO = 0.9
"""A lossy picture is re-encoded only if the result is smaller by at least this factor."""
QUICK = 7
"""The Flate effort at lossy levels: saving the last per cent takes three times as long."""
_FEW_BITS = 4
_CHANNELS = {"L": 1, "RGB": 3, "CMYK": 4}


@dataclass(frozen=True)
class Level:
    """The permitted loss: pixels per inch of pictures, and of bilevel ones, and JPEG quality; None keeps all."""

    dpi: int | None
    fax_dpi: int | None
    quality: int | None

    @property
    def lossless(self) -> bool:
        return self.quality is None


@dataclass(frozen=True)
class Picture:
    """One picture: its largest drawn size in points, and whether it is the soft mask of another.

    If the picture is preblended with a soft mask, `mask` is that mask, and the pixels of both must correspond.
    """

    stream: pikepdf.Object
    place: tuple[float, float] | None
    masking: bool = False
    mask: pikepdf.Object | None = None

    @property
    def size(self) -> tuple[int, int]:
        return int(self.stream[Name.Width]), int(self.stream[Name.Height])

    def wanted(self, dpi: int | None) -> tuple[int, int]:
        """Return the size in pixels at this resolution, or the picture's own size if that is smaller."""
        width, height = self.size
        if dpi is None or self.place is None or width * height <= 1024:
            return width, height
        across, down = (max(1, round(side * dpi / _POINTS)) for side in self.place)
        if width < across * _SLACK and height < down * _SLACK:
            return width, height
        return min(width, across), min(height, down)


def best(picture: Picture, level: Level, before: int) -> Encoded | None:
    stream = picture.stream
    about = samples.colours(stream)
    last = (samples.filters(stream) or [""])[-1]
    lossy = last in ("/DCTDecode", "/JPXDecode")
    if lossy and level.lossless:
        return None
    bitonal = about.palette is None and (samples.is_stencil(stream) or stream.get(Name.BitsPerComponent) == 1)
    wanted = picture.wanted(level.fax_dpi if bitonal else level.dpi)
    if wanted == picture.size and last == "/CCITTFaxDecode" and before < _SMALL_FAX:
        return None
    if wanted == picture.size and last == "/JBIG2Decode" and before * _PACKED < picture.size[0] * picture.size[1]:
        return None
    if about.palette is not None and Name.Decode in stream:
        return None
    image = samples.decoded(stream, about, wanted)
    if bitonal:
        return _bitonal(image, stream, wanted)
    about = Colours(
        about.components or _CHANNELS[image.mode],
        about.space if Name.ColorSpace in stream else _device(image),
        about.palette,
        about.exact,
    )
    deep = int(stream.get(Name.BitsPerComponent, 8)) == 16
    if not (lossy or about.exact or deep or Name.Decode in stream):
        found = _of_few_colours(image, about, level, picture)
        if found is not None:
            return found
    if level.lossless or level.quality is None:
        return None if deep or image.mode == "CMYK" else encodings.as_flate(image, about, _effort(image))
    if about.exact:
        image = about.spread(image) if image.mode == "P" and wanted != picture.size else image
        if image.size != wanted:
            image = image.resize(wanted, Image.Resampling.BOX)
        return encodings.as_flate(image, about, QUICK)
    if wanted == picture.size:
        return _same_size(image, about, level.quality, before, lossy=lossy, masking=picture.masking)
    if image.mode == "P":
        image = about.spread(image)
    if image.size != wanted:
        image = image.resize(wanted, Image.Resampling.BICUBIC, reducing_gap=2.0)
    return _continuous(image, about, level.quality, masking=picture.masking, graphic=not lossy)


def _of_few_colours(image: Image.Image, about: Colours, level: Level, picture: Picture) -> Encoded | None:
    """The smallest encoding of a picture with few colours that doesn't blur it; None for others."""
    wanted = picture.wanted(level.dpi)
    if image.mode == "P":
        if about.components not in (1, 3) or (wanted == image.size and len(image.getcolors(256) or ()) > 2):
            return None
        image = about.spread(image)
        about = Colours(about.components, about.space)
    if image.mode not in ("L", "RGB"):
        return None
    few = few_colours.colours_of(image)
    if 0 < len(few) <= 2:
        size = picture.wanted(level.fax_dpi)
        two = few_colours.as_two(image, few, about, size, masking=picture.masking)
        if two is not None:
            return two
    if not few or picture.masking:
        return None
    if wanted != image.size:
        image = image.resize(wanted, Image.Resampling.BOX, reducing_gap=2.0)
    effort = _effort(image) if level.lossless else QUICK
    palette = few_colours.as_palette(image, about, effort)
    if palette is not None and palette.bits <= _FEW_BITS:
        return palette  # nothing else is smaller
    found = [encodings.as_flate(image, about, effort)] if palette is None or level.lossless else []
    if level.quality is not None:
        found.append(encodings.as_jpeg(image, about.space, level.quality))
    return min((*found, *([palette] if palette else [])), key=lambda each: len(each.data))


def _effort(image: Image.Image) -> int:
    return 9 if image.width * image.height < 2_000_000 else QUICK


def _device(image: Image.Image) -> pikepdf.Object:
    return {"L": Name.DeviceGray, "RGB": Name.DeviceRGB, "CMYK": Name.DeviceCMYK}[image.mode]


def _bitonal(image: Image.Image, stream: pikepdf.Object, wanted: tuple[int, int]) -> Encoded:
    if image.mode != "1":
        raise Unfit("no picture in black and white")
    if image.size != wanted:
        grey = image.convert("L").resize(wanted, Image.Resampling.BOX)
        image = grey.point([0] * 128 + [255] * 128, "1")
    return encodings.as_fax(image, None)


def _same_size(
    image: Image.Image, about: Colours, quality: int, before: int, *, lossy: bool, masking: bool
) -> Encoded | None:
    if lossy:
        encoded = encodings.as_jpeg(image, about.space, quality)
        return encoded if len(encoded.data) < before * _MAX_RATIO else None
    if image.mode == "P":
        indexed = encodings.as_flate(image, about, QUICK)
        if len(image.getcolors(256) or ()) <= 64:
            return indexed
        other = encodings.as_jpeg(about.spread(image), about.space, quality)
        return min(indexed, other, key=lambda each: len(each.data))
    return _continuous(image, about, quality, masking=masking, graphic=True)


def _continuous(image: Image.Image, about: Colours, quality: int, *, masking: bool, graphic: bool) -> Encoded:
    """Encode as JPEG, or losslessly if that is smaller, as it is for drawings."""
    about = Colours(about.components, about.space)
    jpeg = encodings.as_jpeg(image, about.space, quality)
    if image.mode == "CMYK" or not graphic:
        return jpeg
    # A fast attempt shows whether the slow one can be smaller.
    quick = encodings.as_flate(image, about, 1)
    if len(quick.data) > 1.6 * len(jpeg.data):
        return jpeg
    return min(encodings.as_flate(image, about, QUICK), jpeg, key=lambda each: len(each.data))
