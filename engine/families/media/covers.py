"""Keep the cover of a recording if the output can hold one."""

from __future__ import annotations

import base64
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.families.media import program
from engine.families.media.containers import Container
from engine.families.media.probe import Media
from engine.families.media.streams import Stream

_TYPES = {"mjpeg": "image/jpeg", "png": "image/png"}
_PICTURE, _TAGS = "cover", "cover.txt"
_FRONT, _DEPTH = 3, 24


@dataclass(frozen=True)
class Kept:
    """ffmpeg arguments that keep a cover: those that open a second input, and those of the output."""

    inputs: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()


def keep(source: Path, media: Media, container: Container, options: Any) -> Kept:
    """Keep the cover as a track or in the tags; raises Unreadable for a picture that can't be extracted."""
    cover = media.cover
    if cover is None or container.cover is None or not options.keep_metadata:
        return Kept()
    codec = "copy" if cover.codec in _TYPES else "mjpeg"
    if container.cover == "track":
        return Kept(arguments=("-map", f"0:{cover.number}", "-c:v", codec, "-disposition:v", "attached_pic"))
    taken = ["-map", f"0:{cover.number}", "-c:v", codec, "-f", "image2", "-update", "1", f"file:{_PICTURE}"]
    program.run(source.parent, [*program.reading(media.demuxer, source.name), *taken])
    picture = source.with_name(_PICTURE)
    block = base64.b64encode(_block(picture.read_bytes(), cover)).decode().replace("=", "\\=")
    picture.unlink()
    source.with_name(_TAGS).write_text(f";FFMETADATA1\nMETADATA_BLOCK_PICTURE={block}\n", encoding="ascii")
    return Kept(tuple(program.reading("ffmetadata", _TAGS)), ("-map_metadata:s:a:0", "1:g"))


def _block(picture: bytes, cover: Stream) -> bytes:
    """The picture as a FLAC block (RFC 9639, 8.8), which Ogg tags contain."""
    kind = _TYPES.get(cover.codec, _TYPES["mjpeg"]).encode()
    sizes = struct.pack(">IIIIII", 0, cover.width, cover.height, _DEPTH, 0, len(picture))
    return struct.pack(">II", _FRONT, len(kind)) + kind + sizes + picture
