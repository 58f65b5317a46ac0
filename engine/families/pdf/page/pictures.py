"""Extract the pictures of a page as files, each once."""

from __future__ import annotations

import ctypes
import hashlib
import io
import math
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw as raw
from PIL import Image, ImageOps

from engine.families.pdf.page import figures
from engine.families.pdf.page.illustrations import Region
from engine.families.pdf.page.view import Box, View

_LARGEST = 40_000_000
"""The maximum pixels of a picture that is extracted."""

_MOST = 2_000
_FEWEST_DPI, _DPI = 150, 300
"""Pixels per inch: the minimum for a region of a page, and the maximum for any rendered picture."""

_LARGE, _SMALLER, _QUALITY = 500_000, 3, 90
"""A region of more bytes becomes a JPEG of this quality if that is this many times smaller."""


class PictureFiles:
    """A folder with the extracted pictures, named by number; `lost` counts those that failed.

    Drawings include their text if `with_text`.
    """

    def __init__(self, document: pypdfium2.PdfDocument, folder: Path, *, with_text: bool = True) -> None:
        self._with_text = with_text
        self._document = document
        self._folder = folder
        self._known: dict[bytes, str] = {}
        self._page: Any = None
        self.lost = 0
        self.files: list[Path] = []

    def on(self, page: pypdfium2.PdfPage) -> PictureFiles:
        """The same, for the pictures of this page."""
        self._page = page
        return self

    def save(self, item: Any, box: Box, view: View) -> str | None:
        """Save a picture and return its file name; None, and counted as lost, if it can't be drawn."""
        width, height = ctypes.c_uint(), ctypes.c_uint()
        raw.FPDFImageObj_GetImagePixelSize(item, width, height)
        if not 0 < width.value * height.value <= _LARGEST or len(self.files) >= _MOST:
            self.lost += 1
            return None
        data, extension = self._jpeg(item, view), "jpg"
        if data is None:
            data, extension = self._drawn(item, box, view), "png"
        if data is None:
            self.lost += 1
            return None
        return self._kept(data, extension)

    def draw(self, regions: list[Region], view: View) -> list[str]:
        """Save these parts of the page as displayed, and return their file names."""
        names: dict[int, str] = {}
        for with_text in (True, False):  # drawing without text removes it from the page for good
            found = [at for at, each in enumerate(regions) if each.with_text == with_text]
            if found:
                dots = min(max(_FEWEST_DPI, *(regions[at].dots for at in found)), _DPI)
                boxes = [regions[at].box for at in found]
                parts = figures.drawn(self._page, boxes, view, dots=dots, with_text=with_text and self._with_text)
                names |= {at: self._kept(*self._small(part)) for at, part in zip(found, parts, strict=True)}
        return [names[at] for at in range(len(regions))]

    def _small(self, part: Image.Image) -> tuple[bytes, str]:
        """A part of a page as a file: grey if it has no colours, a photo as JPEG."""
        red, green, blue = part.split()
        if red.tobytes() == green.tobytes() == blue.tobytes():
            part = red
        data = self._png(part)
        if len(data) > _LARGE:
            buffer = io.BytesIO()
            part.save(buffer, "JPEG", quality=_QUALITY)
            if _SMALLER * buffer.tell() < len(data):
                return buffer.getvalue(), "jpg"
        return data, "png"

    def _kept(self, data: bytes, extension: str) -> str:
        digest = hashlib.sha256(data).digest()
        if digest not in self._known:
            name = f"picture-{len(self._known) + 1:03}.{extension}"
            path = self._folder / name
            self._folder.mkdir(exist_ok=True)
            path.write_bytes(data)
            self._known[digest] = name
            self.files.append(path)
        return self._known[digest]

    def _jpeg(self, item: Any, view: View) -> bytes | None:
        """The original JPEG data, if the page shows it unchanged."""
        matrix = raw.FS_MATRIX()
        if view.turn or view.mirrored or not raw.FPDFPageObj_GetMatrix(item, matrix):
            return None
        if matrix.a <= 0 or matrix.d <= 0 or abs(matrix.b) > 0.01 or abs(matrix.c) > 0.01:
            return None
        filters = raw.FPDFImageObj_GetImageFilterCount(item)
        if filters < 1 or raw.FPDFPageObj_HasTransparency(item):
            return None
        name = ctypes.create_string_buffer(32)
        raw.FPDFImageObj_GetImageFilter(item, filters - 1, name, len(name))
        facts = raw.FPDF_IMAGEOBJ_METADATA()
        raw.FPDFImageObj_GetImageMetadata(item, self._page.raw, facts)
        plain = facts.colorspace in (
            raw.FPDF_COLORSPACE_DEVICEGRAY,
            raw.FPDF_COLORSPACE_DEVICERGB,
            raw.FPDF_COLORSPACE_ICCBASED,
        )
        if name.value != b"DCTDecode" or not plain or facts.bits_per_pixel not in (8, 24):
            return None
        length = raw.FPDFImageObj_GetImageDataDecoded(item, None, 0)
        buffer = ctypes.create_string_buffer(length)
        raw.FPDFImageObj_GetImageDataDecoded(item, buffer, length)
        return buffer.raw if buffer.raw.startswith(b"\xff\xd8\xff") else None

    def _drawn(self, item: Any, box: Box, view: View) -> bytes | None:
        """The picture as displayed, with its mask."""
        bitmap = raw.FPDFImageObj_GetRenderedBitmap(self._document.raw, self._page.raw, item)
        is_placed = bool(bitmap)
        if not bitmap:
            bitmap = raw.FPDFImageObj_GetBitmap(item)
        if not bitmap:
            return None
        held = pypdfium2.PdfBitmap.from_raw(bitmap)  # freed with its last reference, at the end of this call
        image: Image.Image = held.to_pil()
        if is_placed and view.turn:
            image = image.rotate(-view.turn, expand=True)
        if is_placed and view.mirrored:
            image = ImageOps.mirror(image)
        most = math.ceil(_DPI / 72 * (box[2] - box[0])), math.ceil(_DPI / 72 * (box[3] - box[1]))
        if image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255):
            image = image.convert("RGB")
        if image.width > 2 * most[0] and image.height > 2 * most[1]:
            image = image.resize((max(1, most[0]), max(1, most[1])), Image.Resampling.BOX)
        return self._png(image)

    def _png(self, image: Image.Image) -> bytes:
        path = self._folder / "drawn.png"
        self._folder.mkdir(exist_ok=True)
        image.save(path, "PNG", compress_level=6)
        data = path.read_bytes()
        path.unlink()
        return data
