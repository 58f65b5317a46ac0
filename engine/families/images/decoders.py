"""Faster decoders than Pillow's, and variants that it does not read."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable
from pathlib import Path

from PIL import Image, ImageFile

from engine.families.images import jpeg2000, photoshop

_QUICK = {"qoi": "quick_qoi", "ppm": "quick_ppm", "dds_rgb": "quick_dds"}
"""Pillow's decoder names, with the ones that replace them."""

_PLAIN_MASKS = {
    (24, (0xFF0000, 0xFF00, 0xFF)): "BGR",
    (24, (0xFF, 0xFF00, 0xFF0000)): "RGB",
    (32, (0xFF0000, 0xFF00, 0xFF)): "BGRX",
    (32, (0xFF, 0xFF00, 0xFF0000)): "RGBX",
    (32, (0xFF0000, 0xFF00, 0xFF, 0xFF000000)): "BGRA",
    (32, (0xFF, 0xFF00, 0xFF0000, 0xFF000000)): "RGBA",
}
"""The bits per pixel and channel masks, with Pillow's raw mode for each."""


def prepare(image: Image.Image) -> None:
    """Complete an opened, not yet decoded picture; raises what decoders raise, and Unreadable."""
    complete = _COMPLETE.get(image.format or "")
    if complete is not None:
        complete(image)
    tiles = getattr(image, "tile", ())
    if any(each.codec_name in _QUICK for each in tiles):
        assert isinstance(image, ImageFile.ImageFile)
        for name, decoder in _DECODERS.items():
            Image.register_decoder(name, decoder)
        image.tile = [each._replace(codec_name=_QUICK.get(each.codec_name, each.codec_name)) for each in tiles]


def finish(image: Image.Image) -> None:
    """Make a decoded Targa opaque if its alpha is zero everywhere: many programs leave it empty."""
    if image.format == "TGA" and image.mode in ("LA", "RGBA") and image.getchannel("A").getextrema() == (0, 0):
        image.putalpha(255)


def _check_runs(image: Image.Image) -> None:
    """Raise ValueError if a run of an SGI picture is outside the file: the decoder does not check offsets."""
    assert isinstance(image, ImageFile.ImageFile)
    with Path(str(image.filename)).open("rb") as file:
        size = file.seek(0, 2)
        file.seek(2)
        if file.read(1) != b"\1":
            return
        rows = image.height * len(image.getbands())
        file.seek(512)
        table = array("I", file.read(8 * rows))
    if sys.byteorder == "little":
        table.byteswap()
    starts, lengths = table[:rows], table[rows:]
    if any(start + length > size for start, length in zip(starts, lengths, strict=True)):
        raise ValueError("a run is outside the file")


class _Quick(ImageFile.PyDecoder):
    _pulls_fd = True

    @property
    def pixels(self) -> int:
        return self.state.xsize * self.state.ysize

    def read(self) -> bytes:
        assert self.fd is not None
        return self.fd.read()


class _Qoi(_Quick):
    """The Quite OK Image format, specification 1.0."""

    def decode(self, buffer: Image.DecoderInput) -> tuple[int, int]:
        data, at, out = self.read(), 0, array("I")
        seen = [(0, 0, 0, 0)] * 64
        red = green = blue = 0
        alpha, count, whole = 255, 0, self.pixels
        append, packed = out.append, 0xFF000000
        while count < whole:
            tag = data[at]
            at += 1
            if tag >= 0xFE:
                red, green, blue = data[at], data[at + 1], data[at + 2]
                at += 3
                if tag == 0xFF:
                    alpha = data[at]
                    at += 1
            elif tag >= 0xC0:
                run = min(tag - 0xBF, whole - count)
                out.extend((packed,) * run)
                count += run
                continue
            elif tag >= 0x80:
                more = data[at]
                at += 1
                by = tag - 0xA0
                red = (red + by + (more >> 4) - 8) & 255
                green = (green + by) & 255
                blue = (blue + by + (more & 15) - 8) & 255
            elif tag >= 0x40:
                red = (red + (tag >> 4 & 3) - 2) & 255
                green = (green + (tag >> 2 & 3) - 2) & 255
                blue = (blue + (tag & 3) - 2) & 255
            else:
                red, green, blue, alpha = seen[tag]
            seen[(red * 3 + green * 5 + blue * 7 + alpha * 11) & 63] = (red, green, blue, alpha)
            packed = red | green << 8 | blue << 16 | alpha << 24
            append(packed)
            count += 1
        if sys.byteorder == "big":
            out.byteswap()
        self.set_as_raw(out.tobytes(), "RGBA" if self.mode == "RGBA" else "RGBX")
        return -1, 0


class _Anymap(_Quick):
    """Netpbm's binary formats with a maximum value other than 255 or, in grey, 65,535."""

    def decode(self, buffer: Image.DecoderInput) -> tuple[int, int]:
        most = int(self.args[-1])
        wide = self.mode == "I"
        top = 65_535 if wide else 255
        samples = self.pixels * Image.getmodebands(self.mode)
        data = self.read()[: samples * (1 if most < 256 else 2)]
        scaled = [min(top, round(value * top / most)) for value in range(256 if most < 256 else 65_536)]
        if most < 256:
            result = data.translate(bytes(scaled))
        else:
            words = array("H", data[: len(data) // 2 * 2])
            if sys.byteorder == "little":
                words.byteswap()
            values = map(scaled.__getitem__, words)
            result = array("i", values).tobytes() if wide else bytes(values)
        self.set_as_raw(result, "I;32N" if wide else self.mode)
        return -1, 0


class _Surface(_Quick):
    """Uncompressed DirectDraw surfaces: a mask for each channel of a pixel."""

    def decode(self, buffer: Image.DecoderInput) -> tuple[int, int]:
        bits, masks = self.args
        raw = _PLAIN_MASKS.get((bits, masks))
        if raw is None:
            self._by_masks(bits, masks)
        else:
            self.set_as_raw(self.read()[: self.pixels * bits // 8], raw)
        return -1, 0

    def _by_masks(self, bits: int, masks: tuple[int, ...]) -> None:
        if bits not in (8, 16, 24, 32):
            raise ValueError(bits)
        data = self.read()[: self.pixels * bits // 8]
        if bits == 24:
            padded = bytearray(len(data) // 3 * 4)
            for at in range(3):
                padded[at::4] = data[at : len(data) // 3 * 3 : 3]
            data = bytes(padded)
        pixels = array({8: "B", 16: "H"}.get(bits, "I"), data)
        if sys.byteorder == "big":
            pixels.byteswap()
        result = bytearray(len(masks) * len(pixels))
        for channel, mask in enumerate(masks):
            shift = (mask & -mask).bit_length() - 1 if mask else 0
            most = mask >> shift
            result[channel :: len(masks)] = bytes(
                ((pixel & mask) >> shift) * 255 // most if most else 0 for pixel in pixels
            )
        self.set_as_raw(bytes(result))


_COMPLETE: dict[str, Callable[[Image.Image], None]] = {
    "PSD": photoshop.complete,
    "JPEG2000": jpeg2000.complete,
    "SGI": _check_runs,
}
_DECODERS = {"quick_qoi": _Qoi, "quick_ppm": _Anymap, "quick_dds": _Surface}
