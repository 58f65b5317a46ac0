"""Declare which device colours without a profile are meant for: sRGB (ISO 19005-2, 6.2.3)."""

from __future__ import annotations

import functools
import struct
import zlib

import pikepdf
from pikepdf import Array, Dictionary, Name


def declare_srgb(pdf: pikepdf.Pdf) -> None:
    """Make sRGB the output intent of a document, in place of any other."""
    stream = pdf.make_stream(b"", N=3)
    stream.write(zlib.compress(_srgb(), 9), filter=Name.FlateDecode)
    pdf.Root[Name.OutputIntents] = Array([
        Dictionary(Type=Name.OutputIntent, S=Name.GTS_PDFA1, OutputConditionIdentifier="sRGB",
                   RegistryName="http://www.color.org", Info="sRGB IEC61966-2.1", DestOutputProfile=stream)
    ])  # fmt: skip


@functools.cache
def _srgb() -> bytes:
    """The profile of IEC 61966-2.1: three primaries adapted to D50, with one curve for all of them."""
    steps = [at / 1023 for at in range(1024)]
    linear = (step / 12.92 if step <= 0.04045 else ((step + 0.055) / 1.055) ** 2.4 for step in steps)
    curve = b"curv" + bytes(4) + struct.pack(">I1024H", 1024, *(round(each * 65535) for each in linear))
    colours = {b"rXYZ": (0.4360, 0.2225, 0.0139), b"gXYZ": (0.3851, 0.7169, 0.0971), b"bXYZ": (0.1431, 0.0606, 0.7141)}
    parts = {
        name: b"XYZ " + bytes(4) + struct.pack(">3i", *(round(each * 65536) for each in place))
        for name, place in colours.items()
    }
    curves = dict.fromkeys((b"rTRC", b"gTRC", b"bTRC"), curve)
    return profile(b"mntrRGB XYZ ", b"sRGB IEC61966-2.1", parts | curves)


def profile(kind: bytes, name: bytes, tags: dict[bytes, bytes]) -> bytes:
    """A version 2 profile (ICC.1:2001-04): `kind` is its class, its colour space and its connection space."""
    white = struct.pack(">3i", 0xF6D6, 0x10000, 0xD32D)
    text = name + b"\0"
    parts = {
        b"desc": b"desc" + bytes(4) + struct.pack(">I", len(text)) + text + bytes(4 + 4 + 2 + 1 + 67),
        b"cprt": b"text" + bytes(4) + b"No copyright, use freely\0",
        b"wtpt": b"XYZ " + bytes(4) + white,
        **tags,
    }
    at, index, body = 128 + 4 + 12 * len(parts), b"", b""
    places: dict[bytes, int] = {}
    for tag, part in parts.items():
        if part not in places:
            places[part] = at + len(body)
            body += part + bytes(-len(part) % 4)
        index += tag + struct.pack(">II", places[part], len(part))
    head = struct.pack(">I4sI", at + len(body), bytes(4), 0x02400000) + kind
    head += struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acsp" + bytes(28) + white + bytes(48)
    return head + struct.pack(">I", len(parts)) + index + body
