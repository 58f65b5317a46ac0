"""Read JPEG XL (ISO/IEC 18181) with libjxl, decoding pixels on demand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pylibjxl
from PIL import Image, ImageFile

from engine.toolkit.formats import JXL

FORMAT = "JXL"
_MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}


class JxlFile(ImageFile.ImageFile):
    """A JPEG XL file as a Pillow image; its header is read at once, metadata and pixels later."""

    format = FORMAT
    format_description = "JPEG XL"

    def _open(self) -> None:
        if not self.filename:
            raise SyntaxError("a JPEG XL file is read by its path")
        try:
            found = pylibjxl.probe(Path(str(self.filename)).read_bytes())
        except (RuntimeError, ValueError) as error:
            raise SyntaxError("not a JPEG XL file that can be read") from error
        self._size = (found["width"], found["height"])
        self._mode = _MODES[found["color_channels"] + bool(found["has_alpha"])]
        self.info["bit_depth"] = found["bits_per_sample"]
        self.info["moves"] = bool(found["have_animation"])
        self.tile = []

    def load(self) -> Any:
        if self._im is None:
            try:
                pixels, found = pylibjxl.decode(Path(str(self.filename)).read_bytes(), metadata=True)
            except (RuntimeError, ValueError) as error:
                raise OSError("damaged JPEG XL") from error
            bands = pixels.shape[2] if pixels.ndim == 3 else 1
            self._mode = _MODES[bands]
            size = (pixels.shape[1], pixels.shape[0])
            self.im = Image.frombytes(self._mode, size, pixels.tobytes()).im
            self._size = size
            self.info |= {
                name: bytes(found[key])
                for name, key in (("icc_profile", "icc"), ("exif", "exif"), ("xmp", "xmp"))
                if found.get(key)
            }
        return Image.Image.load(self)


Image.register_open(FORMAT, JxlFile, JXL.recognises)
