"""Find the skew of a page: the angle at which the ink of its lines falls into the fewest rows."""

from __future__ import annotations

import itertools
import struct

from PIL import Image, ImageFilter

_LARGEST = 6.0
"""Degrees: scans and photos tilt less, and slanted drawings more."""

_SIDE = 600
"""The longer side in pixels of the analysed picture: a tenth of a degree is then a pixel."""

_SMALLEST = 0.15
_BETTER = 1.06
"""How much more uneven the rows must be than those of the page as it is."""


def tilt_of(image: Image.Image) -> float:
    """The clockwise tilt of a grey picture's lines in degrees; 0 if none is detected."""
    small = _ink(image)
    level = _unevenness(small, 0.0)
    if not level:
        return 0.0
    best, angle = level, 0.0
    for step, width in ((1.0, _LARGEST), (0.25, 0.75), (0.05, 0.2)):
        middle, count = angle, round(width / step)
        for at in range(-count, count + 1):
            tried = middle + at * step
            value = _unevenness(small, tried)
            if value > best:
                best, angle = value, tried
    return angle if abs(angle) >= _SMALLEST and best > level * _BETTER else 0.0


def straightened(image: Image.Image, tilt: float) -> Image.Image:
    """The picture rotated by `tilt` degrees to level its lines, on white, at its own size.

    Recognition is as good as after finer resampling, and better for noisy scans, in a third of the time.
    """
    return image.rotate(tilt, resample=Image.Resampling.BILINEAR, fillcolor=255) if tilt else image


def _ink(image: Image.Image) -> Image.Image:
    """Pixels darker than their surroundings, white on black, scaled down and without shadows at the margins."""
    scale = min(1.0, _SIDE / max(image.size))
    size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    small = image.resize(size, Image.Resampling.BOX)
    around = small.filter(ImageFilter.BoxBlur(12))
    pairs = zip(around.tobytes(), small.tobytes(), strict=True)
    return Image.frombytes("L", size, bytes(255 if paper - ink > 24 else 0 for paper, ink in pairs))


def _unevenness(ink: Image.Image, angle: float) -> int:
    turned = ink.rotate(angle, resample=Image.Resampling.NEAREST) if angle else ink
    # One pixel wide: the mean of each row, and its change from row to row.
    rows = turned.convert("F").resize((1, turned.height), Image.Resampling.BOX).tobytes()
    values: tuple[float, ...] = struct.unpack(f"{turned.height}f", rows)
    return round(sum((this - other) ** 2 for this, other in itertools.pairwise(values)))
