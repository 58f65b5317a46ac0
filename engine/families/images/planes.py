"""Planar TIFFs with 16 bits per channel, which Pillow misreads."""

from __future__ import annotations

from PIL import Image, ImageFile, TiffImagePlugin

from engine.toolkit.failures import Unreadable

_DECODER = "deep_planes"
_APART = 2
"""A TIFF's PlanarConfiguration with a separate plane per channel (TIFF 6.0, page 38)."""


def are_deep(image: Image.Image) -> bool:
    """Whether the current page of an opened TIFF has planes with more than 8 bits."""
    if not isinstance(image, TiffImagePlugin.TiffImageFile) or len(image.getbands()) == 1:
        return False
    bits = image.tag_v2.get(TiffImagePlugin.BITSPERSAMPLE, 8)
    planes = image.tag_v2.get(TiffImagePlugin.PLANAR_CONFIGURATION, 1) == _APART
    return bool(planes and max(bits if isinstance(bits, tuple) else (bits,)) > 8)


def check(image: Image.Image) -> None:
    """Raise Unreadable for a page that is also tiled, which no decoder here assembles."""
    if are_deep(image) and TiffImagePlugin.TILEWIDTH in image.tag_v2:  # type: ignore[attr-defined]
        raise Unreadable(
            "The TIFF has tiles in which colours of 16 bits are apart from each other, which can't be read. "
            "Save it with the colours of a pixel together, or without tiles."
        )


def prepare(image: Image.Image) -> None:
    """Let libvips decode the current page if it has such planes."""
    if are_deep(image):
        assert isinstance(image, TiffImagePlugin.TiffImageFile)
        Image.register_decoder(_DECODER, _Planes)
        image.use_load_libtiff = False
        image.tile = [ImageFile._Tile(_DECODER, (0, 0, *image.size), 0, (str(image.filename), image.tell()))]


class _Planes(ImageFile.PyDecoder):
    """Decodes to 8 bits, keeping the upper ones, as Pillow does for interleaved colours."""

    _pulls_fd = True

    def decode(self, buffer: Image.DecoderInput) -> tuple[int, int]:
        from engine.families.images import vips  # which other pictures don't need

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
