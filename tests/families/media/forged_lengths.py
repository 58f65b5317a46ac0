"""Recordings whose heads lie about their length: the sound is ffmpeg's, the length is written over."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable

from tests.families.media import files

HERTZ = 8_000


def _tone(extension: str, seconds: float, *how: str) -> bytes:
    rate = 48_000 if extension == "ogg" else HERTZ
    return files.made(extension, "-f", "lavfi", "-i", f"sine=d={seconds}:sample_rate={rate}", *how)


def _mkv(seconds: float, claimed: float) -> bytes:
    data = bytearray(_tone("mkv", seconds, "-c:a", "libopus", "-b:a", "8k"))
    at = data.index(b"\x44\x89\x88") + 3  # Duration, as eight bytes
    data[at : at + 8] = struct.pack(">d", claimed * 1000)
    said = f"{claimed // 3600:02.0f}:{claimed // 60 % 60:02.0f}:{claimed % 60:02.0f}".encode()
    return re.sub(rb"\d\d:\d\d:\d\d(?=\.\d{9})", said, bytes(data))


def _m4a(seconds: float, claimed: float) -> bytes:
    """Each sample takes another time: all that a player is told of the length follows from it."""
    data = bytearray(_tone("m4a", seconds, "-c:a", "aac", "-b:a", "12k", "-f", "ipod"))
    at = data.index(b"stts")
    for each in range(struct.unpack_from(">I", data, at + 8)[0]):
        place = at + 16 + 8 * each
        length = struct.unpack_from(">I", data, place)[0]
        struct.pack_into(">I", data, place, max(1, round(length * claimed / seconds)))
    return bytes(data)


def _m4a_head(seconds: float, claimed: float) -> bytes:
    """What the movie, its track and the track's medium say; the list of samples stays."""
    data = bytearray(_tone("m4a", seconds, "-c:a", "aac", "-b:a", "12k", "-f", "ipod"))
    data[data.index(b"elst") : data.index(b"elst") + 4] = b"free"
    scale = struct.unpack_from(">I", data, data.index(b"mvhd") + 16)[0]
    for name, place, ticks in ((b"mvhd", 20, scale), (b"tkhd", 24, scale), (b"mdhd", 20, HERTZ)):
        struct.pack_into(">I", data, data.index(name) + place, round(claimed * ticks))
    return bytes(data)


def _flac(seconds: float, claimed: float) -> bytes:
    data = bytearray(_tone("flac", seconds))
    at = 4 + 4 + 13  # STREAMINFO: the last 36 bits before the digest
    samples = round(claimed * HERTZ)
    data[at] = data[at] & 0xF0 | samples >> 32
    struct.pack_into(">I", data, at + 1, samples & 0xFFFFFFFF)
    return bytes(data)


def _mp3(seconds: float, claimed: float) -> bytes:
    data = bytearray(_tone("mp3", seconds, "-b:a", "16k"))
    at = next(found for each in (b"Xing", b"Info") if (found := data.find(each)) > 0)
    struct.pack_into(">I", data, at + 8, round(claimed * HERTZ / 576))
    return bytes(data)


def _wav(seconds: float, claimed: float) -> bytes:
    data = bytearray(_tone("wav", seconds))
    struct.pack_into("<I", data, data.index(b"data") + 4, round(claimed * HERTZ * 2))
    return bytes(data)


def _ogg(seconds: float, claimed: float) -> bytes:
    """The position of the last page, with the sum that a page is checked by (RFC 3533)."""
    data = bytearray(_tone("ogg", seconds, "-c:a", "libopus", "-b:a", "8k"))
    at = data.rindex(b"OggS")
    struct.pack_into("<q", data, at + 6, round(claimed * 48_000))
    struct.pack_into("<I", data, at + 22, 0)
    struct.pack_into("<I", data, at + 22, _checksum(bytes(data[at:])))
    return bytes(data)


def _checksum(page: bytes) -> int:
    total = 0
    for each in page:
        total ^= each << 24
        for _ in range(8):
            total = (total << 1 ^ (0x04C11DB7 if total & 1 << 31 else 0)) & 0xFFFFFFFF
    return total


def forged_rate(rate: int, *, claimed: int) -> bytes:
    """Ten seconds of film whose head says another number of pictures a second."""
    data = bytearray(files.made("mkv", "-f", "lavfi", "-i", f"testsrc2=s=64x48:r={rate}:d=10", "-c:v", "mpeg4"))
    at = data.index(b"\x23\xe3\x83") + 3  # DefaultDuration, in nanoseconds
    size = data[at] & 0x7F
    data[at + 1 : at + 1 + size] = round(1e9 / claimed).to_bytes(size, "big")
    return bytes(data)


FORGED: dict[str, tuple[str, Callable[[float, float], bytes]]] = {
    "mkv": ("mkv", _mkv),
    "m4a, packets": ("m4a", _m4a),
    "m4a, head": ("m4a", _m4a_head),
    "flac": ("flac", _flac),
    "mp3": ("mp3", _mp3),
    "wav": ("wav", _wav),
    "ogg": ("ogg", _ogg),
}
"""By what is forged: the extension, and what makes so many seconds that claim to be others."""
