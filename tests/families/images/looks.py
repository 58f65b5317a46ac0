"""Looking at pictures with a program that did not write them: libvips, ffmpeg, and by hand where neither reads them."""

from __future__ import annotations

import io
import struct
import subprocess
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass

import pypdf
import pypdfium2
import pyvips

from engine.families.images.heif import library as heif
from engine.families.media.options import PROGRAM

Colour = tuple[int, ...]


@dataclass(frozen=True)
class Look:
    """A decoded picture; `at` gives the channels of a point, of the frame or page that comes `frame`-th."""

    width: int
    height: int
    frames: int
    at: Callable[..., Colour]
    fields: dict[str, object]


def look(data: bytes, format: str) -> Look:
    """What is in a file of the format with this id; of an icon, its largest picture."""
    if format == "bmp":
        return _bmp(data)
    if format == "heic":
        return _heic(data)
    if format == "ico":
        return look(max(icon_pictures(data).items())[1], "png")
    if data[4:12] == b"ftypavis":
        return _sequence(data)
    every = {"n": -1} if format in ("gif", "webp", "avif") else {}
    image = pyvips.Image.new_from_buffer(data, "", **every)
    fields = {name: image.get(name) for name in image.get_fields()}
    height = int(fields.get("page-height", image.height)) if every else image.height
    frames = image.height // height if every else int(fields.get("n-pages", 1))

    def at(x: int, y: int, frame: int = 0) -> Colour:
        return tuple(round(value) for value in image(x, y + frame * height))

    return Look(image.width, height, frames, at, fields)


def _sequence(data: bytes) -> Look:
    """An AVIF image sequence: libvips reads its still picture, once it is called one; the frames are counted."""
    still = look(data[:8] + b"avif" + data[12:], "avif")
    samples = data.index(b"stsz") + 12  # ISO/IEC 14496-12, 8.7.3.2
    return Look(still.width, still.height, int.from_bytes(data[samples : samples + 4], "big"), still.at, still.fields)


def _heic(data: bytes) -> Look:
    """The colours by another decoder than that of the library that wrote them, which has the tags and transparency."""
    with tempfile.NamedTemporaryFile(suffix=".heic") as file:
        file.write(data)
        file.flush()
        command = [str(PROGRAM), "-v", "error", "-i", file.name, "-frames:v", "1"]
        shown = subprocess.run([*command, "-f", "image2pipe", "-c:v", "png", "-"], capture_output=True, check=True)
    image = pyvips.Image.new_from_buffer(shown.stdout, "")
    still = heif.open_heif(data)
    clear = still.to_pillow().getchannel("A") if still.has_alpha else None
    names = {"exif": "exif-data", "xmp": "xmp-data", "icc_profile": "icc-profile-data"}
    fields = {names[name]: value for name, value in still.info.items() if value and name in names}

    def at(x: int, y: int, frame: int = 0) -> Colour:
        colours = tuple(round(value) for value in image(x, y))[:3]
        return colours if clear is None else (*colours, int(clear.getpixel((x, y))))

    return Look(image.width, image.height, len(heif.open_heif(data)), at, fields)


def icon_pictures(data: bytes) -> dict[int, bytes]:
    """Edge in pixels to the PNG of each picture in an icon."""
    _, kind, count = struct.unpack_from("<HHH", data)
    assert kind == 1
    found = {}
    for number in range(count):
        width, _, _, _, _, _, size, offset = struct.unpack_from("<BBBBHHII", data, 6 + 16 * number)
        found[width or 256] = data[offset : offset + size]
    return found


def _bmp(data: bytes) -> Look:
    mark, size, _, _, offset = struct.unpack_from("<2sIHHI", data)
    assert mark == b"BM"
    assert size == len(data)
    head, width, height, planes, bits, packed = struct.unpack_from("<IiiHHI", data, 14)
    assert (planes, packed) == (1, 0)
    stride = (width * bits + 31) // 32 * 4

    def at(x: int, y: int, frame: int = 0) -> Colour:
        row = data[offset + (height - 1 - y) * stride :]
        if bits == 24:
            return tuple(reversed(row[x * 3 : x * 3 + 3]))
        assert bits in (1, 8)
        index = row[x] if bits == 8 else row[x // 8] >> (7 - x % 8) & 1
        place = 14 + head + index * 4
        return tuple(reversed(data[place : place + 3]))

    return Look(width, height, 1, at, {})


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def pdf(data: bytes, password: str | None = None) -> pypdf.PdfReader:
    return pypdf.PdfReader(io.BytesIO(data), password=password)


def locked_texts(data: bytes, password: str) -> list[str]:
    """The first line of each page of an encrypted PDF, read by PDFium; an error where the password is wrong."""
    document = pypdfium2.PdfDocument(data, password=password)
    return [page.get_textpage().get_text_range().split("\r\n")[0] for page in document]


def near(found: Colour, wanted: Colour, tolerance: int) -> bool:
    """Whether all channels of `wanted` are there; a grey is a colour with three equal ones."""
    if len(found) < 3:
        found = (found[0],) * 3
    return all(abs(a - b) <= tolerance for a, b in zip(found, wanted, strict=False))
