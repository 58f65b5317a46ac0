"""Develop camera raw files to sRGB with LibRaw and the camera's white balance."""

from __future__ import annotations

from typing import Any

import rawpy
from PIL import Image, ImageFile

FORMAT = "RAW"


class RawFile(ImageFile.ImageFile):
    """A raw file as a Pillow image: its size is read at once, its pixels are developed on demand."""

    format = FORMAT
    format_description = "Camera raw"

    def _open(self) -> None:
        if not self.filename:
            raise SyntaxError("a raw file is read by its path")
        try:
            with rawpy.imread(str(self.filename)) as raw:
                sizes = raw.sizes
        except rawpy.LibRawError as error:
            raise SyntaxError("not a raw file that can be read") from error
        # Rotated by a quarter turn, as the camera was held (5 and 6 in LibRaw's numbering).
        turned = sizes.flip in (5, 6)
        self._size = (sizes.height, sizes.width) if turned else (sizes.width, sizes.height)
        self._mode = "RGB"
        self.tile = []

    def load(self) -> Any:
        if self._im is None:
            developed = Image.frombytes("RGB", self.size, developed_bytes(str(self.filename), bits=8))
            self.im = developed.im
        return Image.Image.load(self)


def developed_bytes(path: str, *, bits: int) -> bytes:
    """The upright pixels as interleaved red, green and blue, in 8 or 16 bits, native byte order.

    Raises OSError for a damaged file.
    """
    try:
        with rawpy.imread(path) as raw:
            pixels: Any = raw.postprocess(use_camera_wb=True, output_bps=bits, output_color=rawpy.ColorSpace.sRGB)
    except rawpy.LibRawError as error:
        raise OSError("damaged raw file") from error
    return bytes(pixels.tobytes())


Image.register_open(FORMAT, RawFile)
