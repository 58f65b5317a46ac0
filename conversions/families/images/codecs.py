"""Codecs of pictures: the modules that read and write each format, loaded once there is a picture of that format."""

from __future__ import annotations

import importlib

from PIL import Image

_MODULES = {
    "png": ("PIL.PngImagePlugin",),
    "jpg": ("PIL.JpegImagePlugin",),
    "webp": ("PIL.WebPImagePlugin",),
    "avif": ("PIL.AvifImagePlugin",),
    "heic": ("pillow_heif",),
    "gif": ("PIL.GifImagePlugin",),
    "bmp": ("PIL.BmpImagePlugin",),
    "tiff": ("PIL.TiffImagePlugin",),
    "ico": ("PIL.IcoImagePlugin",),
    "psd": ("PIL.PsdImagePlugin",),
    "jp2": ("PIL.Jpeg2KImagePlugin",),
    "tga": ("PIL.TgaImagePlugin",),
    "qoi": ("PIL.QoiImagePlugin",),
    "pcx": ("PIL.PcxImagePlugin",),
    "dds": ("PIL.DdsImagePlugin",),
    "icns": ("PIL.IcnsImagePlugin",),
    "ppm": ("PIL.PpmImagePlugin",),
    "sgi": ("PIL.SgiImagePlugin",),
    "jxl": ("conversions.families.images.jpegxl",),
    "raw": ("conversions.families.images.camera_raw",),
}
"""Format id to its modules. They are named, so that no other one is even loaded: Pillow asks all that it has."""

_EXTRAS = {"jxl", "raw"}
"""Those whose libraries need not be installed, and are too large to have in memory before they are needed."""

_loaded: set[str] = set()


def load(*formats: str) -> None:
    """Make the codecs of the formats with these ids known to Pillow."""
    for format in formats:
        if format in _loaded:
            continue
        for name in _MODULES[format]:
            module = importlib.import_module(name)
            if name == "pillow_heif":
                module.register_heif_opener(thumbnails=False, depth_images=False, aux_images=False, decode_threads=1)
        _loaded.add(format)


def load_all() -> None:
    """Make the codecs of all formats known to Pillow, but for those of the extras."""
    load(*(format for format in _MODULES if format not in _EXTRAS))
    Image.preinit()  # what Pillow imports of itself with the first picture it opens or saves
