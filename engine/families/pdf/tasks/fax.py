"""Bilevel pictures in fax encodings: ITU-T T.4 and T.6, and JBIG2 (T.88)."""

from __future__ import annotations

import io
import struct

import pikepdf
from pikepdf import Name
from PIL import Image


class Unfit(Exception):
    """A picture of an unsupported kind, which is left unchanged."""


def t4(data: bytes, parameters: pikepdf.Object, width: int, height: int) -> Image.Image:
    """CCITT data, read as a TIFF of one strip; a white pixel is a 1 bit, unless the parameters say otherwise."""
    k = int(parameters.get("/K", 0))
    if bool(parameters.get("/EncodedByteAlign", False)) or int(parameters.get("/Columns", 1728)) != width:
        raise Unfit("a fax of another width")
    tags = (
        (256, 4, width), (257, 4, height), (258, 3, 1), (259, 3, 4 if k < 0 else 3),
        (262, 3, int(bool(parameters.get("/BlackIs1", False)))), (273, 4, 8 + 2 + 10 * 12 + 4), (277, 3, 1),
        (278, 4, height), (279, 4, len(data)), (293 if k < 0 else 292, 4, 0 if k <= 0 else 1),
    )  # fmt: skip
    head = struct.pack("<4sI", b"II*\0", 8) + struct.pack("<H", len(tags))
    head += b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in tags) + bytes(4)
    image = Image.open(io.BytesIO(head + data), formats=("TIFF",))
    image.load()
    return image


def jbig2(data: bytes, parameters: pikepdf.Object, width: int, height: int) -> Image.Image:
    """The samples of JBIG2 data, decoded by PDFium from a page with nothing else on it."""
    import pypdfium2  # needed only for JBIG2

    with pikepdf.new() as pdf:
        picture = pdf.make_stream(
            b"", Type=Name.XObject, Subtype=Name.Image, Width=width, Height=height, BitsPerComponent=1,
            ColorSpace=Name.DeviceGray,
        )  # fmt: skip
        chosen = pikepdf.Dictionary()
        if isinstance(parameters.get("/JBIG2Globals"), pikepdf.Stream):
            chosen["/JBIG2Globals"] = pdf.make_stream(parameters["/JBIG2Globals"].read_bytes())
        picture.write(data, filter=Name.JBIG2Decode, decode_parms=chosen)
        page = pdf.add_blank_page(page_size=(100, 100))
        page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(I=picture))
        page.Contents = pdf.make_stream(b"100 0 0 100 0 0 cm /I Do")
        file = io.BytesIO()
        pdf.save(file)
    document = pypdfium2.PdfDocument(file.getvalue())
    try:
        (shown,) = document[0].get_objects()
        grey: Image.Image = shown.get_bitmap().to_pil().convert("L")
    finally:
        document.close()
    if grey.size != (width, height):
        raise Unfit("data that can't be decoded")
    return grey.convert("1", dither=Image.Dither.NONE)
