"""Planes: TIFFs that keep colours of 16 bits apart from each other, of which Pillow takes every byte for a pixel."""

from __future__ import annotations

from PIL import Image, ImageFile, TiffImagePlugin

from conversions.toolkit.failures import Unreadable

_DECODER = "deep_planes"
_APART = 2
"""A TIFF's PlanarConfiguration where each colour has a plane of its own (TIFF 6.0, page 38)."""


def are_deep(image: Image.Image) -> bool:
    """Whether the current page of an opened TIFF has planes of more than 8 bits."""
    if not isinstance(image, TiffImagePlugin.TiffImageFile) or len(image.getbands()) == 1:
        return False
    bits = image.tag_v2.get(TiffImagePlugin.BITSPERSAMPLE, 8)
    planes = image.tag_v2.get(TiffImagePlugin.PLANAR_CONFIGURATION, 1) == _APART
    return bool(planes and max(bits if isinstance(bits, tuple) else (bits,)) > 8)


def check(image: Image.Image) -> None:
    """Raise Unreadable for a page that is in tiles besides, which no decoder here puts together."""
    if are_deep(image) and TiffImagePlugin.TILEWIDTH in image.tag_v2:  # type: ignore[attr-defined]
        raise Unreadable(
            "The TIFF has tiles in which colours of 16 bits are apart from each other, which can't be read. "
            "Save it with the colours of a pixel together, or without tiles."
        )


def prepare(image: Image.Image) -> None:
    """Let libvips decode the current page where it has such planes."""
    if are_deep(image):
        assert isinstance(image, TiffImagePlugin.TiffImageFile)
        Image.register_decoder(_DECODER, _Planes)
        image.use_load_libtiff = False
        image.tile = [ImageFile._Tile(_DECODER, (0, 0, *image.size), 0, (str(image.filename), image.tell()))]


class _Planes(ImageFile.PyDecoder):
    """Decodes to 8 bits: the upper ones, as Pillow does where colours are not apart."""

    _pulls_fd = True

    def decode(self, buffer: Image.DecoderInput) -> tuple[int, int]:
        from conversions.families.images import vips  # which other pictures have no need of

        path, page = self.args
        bands = Image.getmodebands(self.mode)
        try:
            picture = vips.load(path, "tiff", page=page)
            if picture.format != "ushort" or picture.bands < bands:
                raise ValueError(picture.format)
            pixels = bytes((picture[:bands] >> 8).cast("uchar").write_to_memory())
        except vips.Error as error:
            raise ValueError(str(error)) from error
        self.set_as_raw(pixels, self.mode)
        return -1, 0
