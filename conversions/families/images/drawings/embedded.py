"""Pictures inside a drawing: of a size that can be decoded, and in a format that each engine reads."""

from __future__ import annotations

import base64
import binascii
import io
import urllib.parse

from PIL import ExifTags, Image, ImageOps

from conversions.families.images import codecs
from conversions.families.images.reading import decoding
from conversions.toolkit.data_uris import data_uri
from conversions.toolkit.failures import OverLimit, Unreadable
from conversions.toolkit.picture_limits import MAX_PIXELS
from conversions.toolkit.warnings import Warn

_FORMATS = {"PNG": "png", "JPEG": "jpg", "GIF": "gif", "WEBP": "webp", "AVIF": "avif", "BMP": "bmp"}
_DRAWN = ("PNG", "JPEG")


class Pictures:
    """Decides on the addresses of one drawing: only pictures inside it are drawn, each decoded once."""

    def __init__(self, warn: Warn) -> None:
        self._warn = warn
        self._total = 0
        self._blocked: list[str] = []
        self._dropped = 0
        self._frames = 0
        self._known: dict[str, str | None] = {}

    def drawn(self, address: str) -> str | None:
        """The address of the same picture as the engines read it, or None where there is none to draw.

        Raises OverLimit for too many pixels.
        """
        if address not in self._known:
            self._known[address] = self._read(address)
        return self._known[address]

    def report(self) -> None:
        """Warn of what was not drawn: once for each kind."""
        if self._blocked:
            count = f"{len(self._blocked)} references lie" if len(self._blocked) > 1 else "A reference lies"
            shown = ", ".join(each[:100] for each in self._blocked[:3])
            self._warn("REMOTE_RESOURCE_BLOCKED", f"{count} outside the file and was not loaded: {shown}")
        if self._dropped:
            count = f"{self._dropped} embedded files that are" if self._dropped > 1 else "An embedded file that is"
            self._warn("CONTENT_DROPPED", f"{count} no picture that can be drawn: left out.")
        if self._frames:
            self._warn("ANIMATION_DROPPED", "An embedded picture is animated; only its first frame was drawn.")

    def _read(self, address: str) -> str | None:
        if not address.lower().startswith("data:"):
            self._blocked.append(" ".join(address.split()))
            return None
        try:
            with decoding():
                return self._picture(address, data_of(address))
        except Unreadable:
            self._dropped += 1
            return None

    def _picture(self, address: str, data: bytes) -> str:
        codecs.load(*_FORMATS.values())
        with Image.open(io.BytesIO(data), formats=list(_FORMATS)) as image:
            self._total += image.width * image.height
            if self._total > MAX_PIXELS:
                raise OverLimit("memory", f"The embedded pictures have more than {MAX_PIXELS:,} pixels in all.")
            self._frames += getattr(image, "n_frames", 1) > 1
            if image.format in _DRAWN and image.getexif().get(ExifTags.Base.Orientation, 1) == 1:
                return data_uri(Image.MIME[image.format], data)
            upright = ImageOps.exif_transpose(image)
            file = io.BytesIO()
            upright.convert("RGBA" if upright.has_transparency_data else "RGB").save(file, "PNG", compress_level=1)
        return data_uri("image/png", file.getvalue())


def size_of(address: str) -> tuple[int, int] | None:
    """Width and height of the picture at an address that `Pictures` gave, or None where it is none."""
    if not address.startswith("data:"):
        return None
    with Image.open(io.BytesIO(data_of(address)), formats=_DRAWN) as image:
        return image.size


def data_of(address: str) -> bytes:
    """The bytes in a data: address (RFC 2397). Raises ValueError."""
    head, _, body = address.partition(",")
    plain = urllib.parse.unquote_to_bytes(body)
    if not head.lower().rstrip().endswith(";base64"):
        return plain
    try:
        return base64.b64decode(plain)
    except binascii.Error as error:
        raise ValueError("no base64") from error
