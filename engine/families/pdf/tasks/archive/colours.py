"""Make inks device-independent: a CMYK profile for what is displayed here."""

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

from engine.families.html_pdf.tagged.output_intent import profile
from engine.families.pdf import read

_STEPS = 9
"""The number of grid points for each ink in the profile's table."""


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
    return profile(b"spacCMYKLab ", b"Inks as they are shown on screens", tables)


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
