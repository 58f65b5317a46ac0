"""Check embedded pictures, and convert them to formats each engine reads."""

from __future__ import annotations

import base64
import binascii
import io
import urllib.parse

from PIL import ExifTags, Image, ImageOps

from engine.families.images import codecs
from engine.families.images.reading import decoding
from engine.toolkit.data_uris import data_uri
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.picture_limits import MAX_PIXELS
from engine.toolkit.warnings import Warn

_FORMATS = {"PNG": "png", "JPEG": "jpg", "GIF": "gif", "WEBP": "webp", "AVIF": "avif", "BMP": "bmp"}
_DRAWN = ("PNG", "JPEG")


class Pictures:
    """Resolves the picture references of one drawing: only embedded pictures are drawn, each decoded once."""

    def __init__(self, warn: Warn) -> None:
        self._warn = warn
        self._total = 0
        self._blocked: list[str] = []
        self._dropped = 0
        self._frames = 0
        self._known: dict[str, str | None] = {}

    def drawn(self, address: str) -> str | None:
        """A data URI of the same picture that the engines can read, or None if it can't be drawn.

        Raises OverLimit for too many pixels.
        """
        if address not in self._known:
            self._known[address] = self._read(address)
        return self._known[address]

    def report(self) -> None:
        """Warn of pictures that were not drawn: once for each reason."""
        if self._blocked:
            shown = ", ".join(each[:100] for each in self._blocked[:3])
            self._warn(
                "REMOTE_RESOURCE_BLOCKED",
                say(
                    "External references were not loaded: {count} ({shown}).",
                    count=len(self._blocked),
                    shown=shown,
                ),
            )
        if self._dropped:
            self._warn(
                "CONTENT_DROPPED",
                say("Embedded files that can't be shown were left out: {count}.", count=self._dropped),
            )
        if self._frames:
            self._warn("ANIMATION_DROPPED", "An embedded picture is animated; only its first frame was kept.")

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
                raise OverLimit(
                    "memory",
                    say("The embedded pictures have more than {max_pixels} pixels in all.", max_pixels=MAX_PIXELS),
                )
            self._frames += getattr(image, "n_frames", 1) > 1
            if image.format in _DRAWN and image.getexif().get(ExifTags.Base.Orientation, 1) == 1:
                return data_uri(Image.MIME[image.format], data)
            upright = ImageOps.exif_transpose(image)
            file = io.BytesIO()
            upright.convert("RGBA" if upright.has_transparency_data else "RGB").save(file, "PNG", compress_level=1)
        return data_uri("image/png", file.getvalue())


def size_of(address: str) -> tuple[int, int] | None:
    """The width and height of a picture whose address is from `Pictures`; None if it isn't one."""
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
