"""Read the colour description of a picture without a colour profile."""

from __future__ import annotations

import struct
from pathlib import Path

from PIL import Image

from engine.families.images import described_profiles, gif_profiles
from engine.families.images.described_profiles import CodePoints

_HEAD = 262_144
"""Bytes at the beginning of AVIF and HEIC that are searched for colour boxes."""
_MARK = b"colrnclx"


def read(image: Image.Image) -> tuple[CodePoints | None, bytes | None]:
    """Return the code points of an opened picture's colours, and its profile: embedded, or built from those."""
    profile = image.info.get("icc_profile") or None
    path = getattr(image, "filename", None)
    grey = image.mode in ("1", "L", "LA", "La", "I", "I;16")
    if image.format == "PNG":
        points = _of_chunk(Path(str(path))) if path else None
        if points is not None:  # takes precedence over a profile (PNG, third edition, 4.3)
            return points, points.profile(grey=grey)
        if profile or "srgb" in image.info or not image.info.get("gamma"):
            return None, profile
        return None, described_profiles.of_gamma(image.info["gamma"], image.info.get("chromaticity"), grey=grey)
    if image.format in ("AVIF", "HEIF") and path:
        points = _of_box(Path(str(path)))
        return points, profile or (points.profile(grey=grey) if points else None)
    if image.format == "GIF" and path:
        profile = gif_profiles.read(Path(str(path)))
    return None, profile


def _of_chunk(path: Path) -> CodePoints | None:
    with path.open("rb") as file:
        file.seek(8)
        while len(head := file.read(8)) == 8:
            length, kind = struct.unpack(">I4s", head)
            if kind == b"cICP":
                body = file.read(4)
                return CodePoints(body[0], body[1]) if len(body) == 4 else None
            if kind in (b"IDAT", b"IEND"):
                return None
            file.seek(length + 4, 1)
    return None


def _of_box(path: Path) -> CodePoints | None:
    with path.open("rb") as file:
        head = file.read(_HEAD)
    at = head.find(_MARK)
    if at < 0 or at + len(_MARK) + 4 > len(head):
        return None
    return CodePoints(*struct.unpack_from(">HH", head, at + len(_MARK)))
