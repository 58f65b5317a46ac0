"""Load the codecs of each picture format on demand."""

from __future__ import annotations

import importlib

from PIL import Image

_MODULES = {
    "png": ("PIL.PngImagePlugin",),
    "jpg": ("PIL.JpegImagePlugin",),
    "webp": ("PIL.WebPImagePlugin",),
    "avif": ("PIL.AvifImagePlugin",),
    "heic": ("engine.families.images.heif",),
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
    "jxl": ("engine.families.images.jpegxl",),
    "raw": ("engine.families.images.camera_raw",),
}
"""Format id to its modules. They are loaded by name, as Pillow would otherwise load all of its plugins."""

_EXTRAS = {"jxl", "raw"}
"""Formats whose libraries are optional, and too large to load before they are needed."""

_loaded: set[str] = set()


def load(*formats: str) -> None:
    """Register the codecs of these formats with Pillow."""
    for format in formats:
        if format in _loaded:
            continue
        for name in _MODULES[format]:
            importlib.import_module(name)
        _loaded.add(format)


def load_all() -> None:
    """Register the codecs of all formats except the optional ones with Pillow."""
    load(*(format for format in _MODULES if format not in _EXTRAS))
    Image.preinit()  # Pillow would run it for the first picture that it opens or saves
