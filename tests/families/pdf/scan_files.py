"""PDFs with one picture of each kind, and such that lead from page to page."""

from __future__ import annotations

import base64
import io
import struct
import zipfile
import zlib
from functools import cache

import pikepdf
from pikepdf import Array, Dictionary, Name
from PIL import Image, ImageChops, ImageDraw, ImageFilter

SIZE = (640, 480)
PLACE = (96, 72)
"""Points that a picture of SIZE pixels is drawn at: 480 pixels an inch."""

KINDS = (
    "grey",
    "colour",
    "cmyk",
    "deep",
    "indexed",
    "indexed cmyk",
    "jpeg",
    "cmyk jpeg",
    "jpeg in letters",
    "jpeg 2000",
    "soft mask",
    "matted mask",
    "inks",
)
FAXES = ("stencil", "fax", "bits", "jbig2")


@cache
def photo() -> Image.Image:
    """Something smooth with a few edges."""
    image = Image.radial_gradient("L").resize(SIZE)
    colours = Image.merge(
        "RGB", (image, image.transpose(Image.Transpose.FLIP_LEFT_RIGHT), image.point(lambda v: 255 - v))
    )
    draw = ImageDraw.Draw(colours)
    draw.rectangle((60, 60, 260, 200), fill=(200, 40, 40))
    draw.ellipse((330, 200, 600, 440), fill=(20, 60, 180))
    return colours.filter(ImageFilter.GaussianBlur(1))


def _saved(image: Image.Image, format: str, **settings: object) -> bytes:
    file = io.BytesIO()
    image.save(file, format, **settings)
    return file.getvalue()


def _stream(
    pdf: pikepdf.Pdf, data: bytes, size: tuple[int, int], bits: int, space: object, **more: object
) -> pikepdf.Stream:
    stream = pikepdf.Stream(pdf, b"", Type=Name.XObject, Subtype=Name.Image, Width=size[0], Height=size[1])
    if space is not None:
        stream[Name.ColorSpace], stream[Name.BitsPerComponent] = space, bits
    filter = more.pop("filter", None)
    if filter is None:
        stream.write(zlib.compress(data, 1), filter=Name.FlateDecode)
    else:
        stream.write(data, filter=filter, decode_parms=more.pop("parms", None))
    for key, value in more.items():
        stream[f"/{key}"] = value
    return stream


def _fax_strip(image: Image.Image) -> bytes:
    data = _saved(image, "TIFF", compression="group4", tiffinfo={278: image.height})
    with Image.open(io.BytesIO(data)) as strip:
        start, length = strip.tag_v2[273][0], strip.tag_v2[279][0]  # type: ignore[attr-defined]
    return data[start : start + length]


def _segment(number: int, kind: int, data: bytes) -> bytes:
    """A segment of JBIG2 (ITU-T T.88, 7.2) on page 1."""
    return struct.pack(">IBBBI", number, kind, 0, 1, len(data)) + data


def _picture(pdf: pikepdf.Pdf, kind: str) -> pikepdf.Stream:
    image = photo()
    grey, cmyk = image.convert("L"), image.convert("CMYK")
    bits = grey.point(lambda value: 255 * (value > 120), "1").resize((1280, 960))
    match kind:
        case "grey":
            return _stream(pdf, grey.tobytes(), SIZE, 8, Name.DeviceGray)
        case "colour":
            return _stream(pdf, image.tobytes(), SIZE, 8, Name.DeviceRGB)
        case "cmyk":
            return _stream(pdf, cmyk.tobytes(), SIZE, 8, Name.DeviceCMYK)
        case "deep":
            return _stream(pdf, bytes(b for each in grey.tobytes() for b in (each, 77)), SIZE, 16, Name.DeviceGray)
        case "indexed":
            few = image.quantize(200)
            space = Array([Name.Indexed, Name.DeviceRGB, 199, pikepdf.String(bytes(few.getpalette()[:600]))])  # type: ignore[index]
            return _stream(pdf, few.tobytes(), SIZE, 8, space)
        case "indexed cmyk":
            few = image.quantize(200)
            table = Image.frombytes("RGB", (200, 1), bytes(few.getpalette()[:600])).convert("CMYK").tobytes()  # type: ignore[index]
            space = Array([Name.Indexed, Name.DeviceCMYK, 199, pikepdf.String(table)])
            return _stream(pdf, few.tobytes(), SIZE, 8, space)
        case "jpeg":
            return _stream(pdf, _saved(image, "JPEG", quality=95), SIZE, 8, Name.DeviceRGB, filter=Name.DCTDecode)
        case "cmyk jpeg":
            data = _saved(cmyk, "JPEG", quality=95)  # inverted, as Adobe has it
            return _stream(pdf, data, SIZE, 8, Name.DeviceCMYK, filter=Name.DCTDecode, Decode=Array([1, 0] * 4))
        case "jpeg in letters":
            data = base64.a85encode(_saved(image, "JPEG", quality=95)) + b"~>"
            chain = Array([Name.ASCII85Decode, Name.DCTDecode])
            return _stream(pdf, data, SIZE, 8, Name.DeviceRGB, filter=chain)
        case "jpeg 2000":
            return _stream(pdf, _saved(image, "JPEG2000"), SIZE, 8, None, filter=Name.JPXDecode)
        case "soft mask":
            mask = _stream(pdf, grey.tobytes(), SIZE, 8, Name.DeviceGray)
            return _stream(pdf, image.tobytes(), SIZE, 8, Name.DeviceRGB, SMask=mask)
        case "matted mask":
            mask = _stream(pdf, grey.tobytes(), SIZE, 8, Name.DeviceGray, Matte=Array([0, 0, 0]))
            seen = ImageChops.multiply(image, Image.merge("RGB", (grey,) * 3))
            return _stream(
                pdf, _saved(seen, "JPEG", quality=95), SIZE, 8, Name.DeviceRGB, filter=Name.DCTDecode, SMask=mask
            )
        case "inks":
            tint = pdf.make_stream(b"{}", FunctionType=4, Domain=[0, 1] * 3, Range=[0, 1] * 3)
            inks = Array([Name.DeviceN, Array([Name("/X"), Name("/Y"), Name("/Z")]), Name.DeviceRGB, tint])
            return _stream(pdf, image.tobytes(), SIZE, 8, inks)
        case "jbig2":
            about = struct.pack(">4I", *bits.size, 0, 0)
            coded = about + b"\0\1" + _fax_strip(bits)  # a region that is coded as T.6
            data = _segment(0, 48, about + bytes(3)) + _segment(1, 38, coded)
            return _stream(pdf, data, bits.size, 1, Name.DeviceGray, filter=Name.JBIG2Decode)
        case "stencil":
            return _stream(pdf, bits.tobytes(), bits.size, 1, None, ImageMask=True)
        case "fax":
            parms = Dictionary(K=-1, Columns=1280, Rows=960, BlackIs1=True)
            strip = _fax_strip(bits)
            return _stream(pdf, strip, bits.size, 1, Name.DeviceGray, filter=Name.CCITTFaxDecode, parms=parms)
    return _stream(pdf, bits.tobytes(), bits.size, 1, Name.DeviceGray)


@cache
def pictured(kind: str) -> bytes:
    """A page of a hundred points square with a picture of this kind in its corner."""
    file = io.BytesIO()
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(100, 100))
        page = pdf.pages[0]
        page.obj[Name.Resources] = Dictionary(XObject=Dictionary(I=_picture(pdf, kind)))
        page.obj[Name.Contents] = pdf.make_stream(b"0.2 0.4 0.1 rg q 96 0 0 72 2 2 cm /I Do Q")
        pdf.save(file, static_id=True)
    return file.getvalue()


@cache
def chapters() -> bytes:
    """Four pages, named on them, linked in a circle, with bookmarks to pages 1 and 3."""
    file = io.BytesIO()
    with pikepdf.new() as pdf:
        font = pdf.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica))
        for number in range(4):
            pdf.add_blank_page(page_size=(200, 300))
            page = pdf.pages[number].obj
            page[Name.Resources] = Dictionary(Font=Dictionary(F=font))
            page[Name.Contents] = pdf.make_stream(b"BT /F 20 Tf 20 250 Td (Page no. %d) Tj ET" % (number + 1))
        for number in range(4):
            place = Array([pdf.pages[(number + 1) % 4].obj, Name.Fit])
            link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=[0, 0, 50, 50], Dest=place)
            pdf.pages[number].obj[Name.Annots] = Array([pdf.make_indirect(link)])
        with pdf.open_outline() as outline:
            outline.root.append(pikepdf.OutlineItem("First: a/b", 0))
            outline.root.append(pikepdf.OutlineItem("Second", 2))
            outline.root[1].children.append(pikepdf.OutlineItem("Its end", 3))
        pdf.docinfo["/Author"] = "Ada"
        pdf.attachments["notes.txt"] = pikepdf.AttachedFileSpec(
            pdf,
            b"Take note.",
            description="",
            filename="notes.txt",
            mime_type="text/plain",
            creation_date="",
            mod_date="",
        )
        pdf.save(file, static_id=True)
    return file.getvalue()


def packed(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return file.getvalue()
