"""TIFFs that libvips decodes for Pillow: planes of 16 bits, and samples of 32 or 64 bits, signed or floating-point."""

from __future__ import annotations

from PIL import Image, ImageFile, TiffImagePlugin

from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say

_DECODER = "deep_planes"
_APART = 2
"""A TIFF's PlanarConfiguration with a separate plane per channel (TIFF 6.0, page 38)."""
_UNSIGNED, _SIGNED, _FLOAT = 1, 2, 3
"""Values of SampleFormat (TIFF 6.0, page 80)."""
_RARE = {_UNSIGNED: (32, 64), _SIGNED: (8, 16, 32), _FLOAT: (16, 32, 64)}
"""Bits a sample by format: Pillow knows none of them in colour, and not all in grey."""
_UNREADABLE = {(_UNSIGNED, 64), (_FLOAT, 16), (_FLOAT, 64)}
_PHOTOMETRIC = {0: "L", 1: "L", 2: "RGB"}
_ALPHA = {(): "", (0,): "", (1,): "A", (2,): "A"}
"""Values of ExtraSamples, with what they add to Pillow's mode."""


def _teach() -> None:
    """Let Pillow open these files; it is not asked to decode them."""
    for prefix in (TiffImagePlugin.II, TiffImagePlugin.MM):
        for photometric, mode in _PHOTOMETRIC.items():
            for format, sizes in _RARE.items():
                for extra, alpha in _ALPHA.items():
                    for bits in sizes:
                        samples = (bits,) * (len(mode) + len(extra))
                        key = (prefix, photometric, (format,), 1, samples, extra)
                        TiffImagePlugin.OPEN_INFO.setdefault(key, (mode + alpha, "RGB"))


_teach()


def _samples(image: TiffImagePlugin.TiffImageFile) -> tuple[int, int]:
    """The SampleFormat of the current page, and the bits of its largest sample."""
    bits = image.tag_v2.get(TiffImagePlugin.BITSPERSAMPLE, 8)
    formats = image.tag_v2.get(TiffImagePlugin.SAMPLEFORMAT, _UNSIGNED)
    format = formats[0] if isinstance(formats, tuple) else formats
    return int(format), int(max(bits if isinstance(bits, tuple) else (bits,)))


def are_deep(image: Image.Image) -> bool:
    """Whether the current page of an opened TIFF has samples that Pillow reduces to 8 bits, or can't decode."""
    if not isinstance(image, TiffImagePlugin.TiffImageFile) or image.mode not in ("L", "LA", "RGB", "RGBA", "RGBX"):
        return False
    format, most = _samples(image)
    return most in _RARE.get(format, ()) or (len(image.getbands()) > 1 and most > 8 and _has_planes(image))


def _has_planes(image: TiffImagePlugin.TiffImageFile) -> bool:
    return bool(image.tag_v2.get(TiffImagePlugin.PLANAR_CONFIGURATION, 1) == _APART)


def check(image: Image.Image) -> None:
    """Raise Unreadable for a page that no decoder here reads: planes in tiles, half precision, 64 bits."""
    if not are_deep(image):
        return
    assert isinstance(image, TiffImagePlugin.TiffImageFile)
    if (samples := _samples(image)) in _UNREADABLE:
        raise Unreadable(
            say(
                "The TIFF has {bits} bits per channel in an unsupported form. Save it with 16-bit "
                "integers or 32-bit floating-point numbers.",
                bits=samples[1],
            ),
            reason="unsupported_feature",
        )
    if _has_planes(image) and TiffImagePlugin.TILEWIDTH in image.tag_v2:
        raise Unreadable(
            "The TIFF has tiles with separate 16-bit colour planes, which are not supported. Save it "
            "with interleaved colours, or without tiles.",
            reason="unsupported_feature",
        )


def prepare(image: Image.Image) -> None:
    """Let libvips decode the current page if Pillow can't."""
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
            if picture.bands < bands:
                raise ValueError(picture.bands)
            pixels = bytes((vips.of_16_bits(picture)[:bands] >> 8).cast("uchar").write_to_memory())
        except vips.Error as error:
            raise ValueError(str(error)) from error
        self.set_as_raw(pixels, self.mode)
        return -1, 0
