"""Make colours device-independent: an sRGB profile, and a CMYK profile for what is displayed here."""

from __future__ import annotations

import functools
import io
import itertools
import struct
import zlib
from collections.abc import Iterator
from typing import Any

import pikepdf
import pypdfium2
from pikepdf import Name
from PIL import Image, ImageCms

from engine.families.pdf import read

_STEPS = 9
"""The number of grid points for each ink in the profile's table."""


def add_screen(pdf: pikepdf.Pdf) -> None:
    """Declare sRGB as the output intent of colours without a profile (ISO 19005-2, 6.2.3)."""
    profile = pdf.make_stream(b"", N=3)
    profile.write(zlib.compress(_srgb(), 9), filter=Name.FlateDecode)
    pdf.Root[Name.OutputIntents] = pikepdf.Array(
        [
            pikepdf.Dictionary(
                Type=Name.OutputIntent, S=Name.GTS_PDFA1, OutputConditionIdentifier="sRGB",
                RegistryName="http://www.color.org", Info="sRGB IEC61966-2.1", DestOutputProfile=profile,
            )
        ]
    )  # fmt: skip


def profile_cmyk(pdf: pikepdf.Pdf, resources: list[pikepdf.Object]) -> bool:
    """Give device-dependent CMYK colours a profile, in `resources` and in the objects written out.

    Returns whether there were any.
    """
    if not any(_has_inks(each) for each in pdf.objects):
        return False
    stream = pdf.make_stream(b"", N=4)
    stream.write(zlib.compress(_inks(), 9), filter=Name.FlateDecode)
    space = pdf.make_indirect(pikepdf.Array([Name.ICCBased, stream]))
    for each in pdf.objects:
        for holder, key in list(_places(each)):
            holder[key] = space
        if isinstance(each, pikepdf.Dictionary) and Name.OPM in each:
            del each[Name.OPM]  # not allowed together with a profile (6.2.4.2)
    for each in resources:
        spaces = each.get(Name.ColorSpace)
        if not isinstance(spaces, pikepdf.Dictionary):
            spaces = each[Name.ColorSpace] = pikepdf.Dictionary()
        if Name.DefaultCMYK not in spaces:
            spaces[Name.DefaultCMYK] = space
    return True


def _has_inks(each: pikepdf.Object) -> bool:
    if next(_places(each), None) is not None:
        return True
    if not isinstance(each, pikepdf.Stream) or each.get(Name.Subtype) == Name.Image or Name.Length1 in each:
        return False
    read.check_unfolding(each)
    try:
        data = each.read_bytes()
    except pikepdf.PikepdfError:
        return False
    return any(word in (b"k", b"K") for word in data.split()) or b"/CMYK" in data or b"/DeviceCMYK" in data


def _places(holder: Any) -> Iterator[tuple[Any, Any]]:
    """The places of DeviceCMYK in one object and its direct children."""
    waiting = [holder]
    while waiting:
        now = waiting.pop()
        keys: list[Any] = []
        if isinstance(now, pikepdf.Array):
            keys = list(range(len(now)))
        elif isinstance(now, pikepdf.Dictionary | pikepdf.Stream):
            keys = list(now.keys())
        for key in keys:
            value = now[key]
            if isinstance(value, pikepdf.Name):
                if value == Name.DeviceCMYK and (not isinstance(now, pikepdf.Array) or key > 0) and key != "/N":
                    yield now, key
            elif isinstance(value, pikepdf.Array | pikepdf.Dictionary) and not value.is_indirect:
                waiting.append(value)


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
    return _profile(b"mntrRGB XYZ ", b"sRGB IEC61966-2.1", parts | curves)


@functools.cache
def _inks() -> bytes:
    """A profile with the colours that PDFium displays for CMYK."""
    values = [round(at * 255 / (_STEPS - 1)) for at in range(_STEPS)]
    shown = _shown(bytes(itertools.chain.from_iterable(itertools.product(values, repeat=4))), _STEPS**2)
    lab = ImageCms.createProfile("LAB")
    forth = ImageCms.buildTransform(ImageCms.createProfile("sRGB"), lab, "RGB", "LAB")
    seen = ImageCms.applyTransform(shown, forth)
    assert seen is not None
    back = ImageCms.buildTransform(lab, ImageCms.createProfile("sRGB"), "LAB", "RGB")
    every = bytes(itertools.chain.from_iterable(itertools.product(values, repeat=3)))
    places = Image.merge("LAB", [Image.frombytes("L", (_STEPS, _STEPS**2), every[at::3]) for at in range(3)])
    colours = ImageCms.applyTransform(places, back)
    assert colours is not None
    inks = bytearray()
    for red, green, blue in zip(*(band.tobytes() for band in colours.split()), strict=True):
        black = 255 - max(red, green, blue)
        inks += bytes(255 - each - black for each in (red, green, blue)) + bytes([black])
    labs = b"".join(bytes(each) for each in zip(*(band.tobytes() for band in seen.split()), strict=True))
    tables = {b"A2B0": _table(labs, 4, 3), b"B2A0": _table(bytes(inks), 3, 4)}
    return _profile(b"spacCMYKLab ", b"Inks as they are shown on screens", tables)


def _shown(samples: bytes, side: int) -> Image.Image:
    """A square picture of CMYK samples, in PDFium's RGB."""
    with pikepdf.new() as pdf:
        picture = pdf.make_stream(
            samples, Type=Name.XObject, Subtype=Name.Image, Width=side, Height=side, BitsPerComponent=8,
            ColorSpace=Name.DeviceCMYK,
        )  # fmt: skip
        page = pdf.add_blank_page(page_size=(side, side))
        page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(I=picture))
        page.Contents = pdf.make_stream(b"%d 0 0 %d 0 0 cm /I Do" % (side, side))
        file = io.BytesIO()
        pdf.save(file)
    document = pypdfium2.PdfDocument(file.getvalue())
    try:
        (image,) = document[0].get_objects()
        shown: Image.Image = image.get_bitmap().to_pil().convert("RGB")
        return shown
    finally:
        document.close()


def _table(values: bytes, inputs: int, outputs: int) -> bytes:
    """An 8-bit table (ICC.1:2001-04, 6.5.8) with identity curves."""
    matrix = struct.pack(">9i", *(65536 * (at % 4 == 0) for at in range(9)))
    curve = bytes(range(256))
    return b"mft1" + bytes(4) + bytes([inputs, outputs, _STEPS, 0]) + matrix + curve * inputs + values + curve * outputs


def _profile(kind: bytes, name: bytes, tags: dict[bytes, bytes]) -> bytes:
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
