"""Metadata inside the pictures of a PDF: what is removed with it, and the pictures that stay as they are."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name
from PIL import Image

from engine.families.images import jpeg2000_data
from engine.families.pdf.tasks import picture_metadata
from engine.toolkit.warnings import Warn
from tests.converters.test_pdfs import convert

SECRET = b"Rosebud"
PICTURE = Image.linear_gradient("L").resize((40, 30)).convert("RGB")


def _box(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I4s", len(content) + 8, kind) + content


def _jpeg() -> bytes:
    exif, file = Image.Exif(), io.BytesIO()
    exif[0x010E] = SECRET.decode()
    PICTURE.save(file, "JPEG", exif=exif, comment=SECRET)
    return file.getvalue() + SECRET


def _jpeg_2000(*, bare: bool = False) -> bytes:
    file = io.BytesIO()
    PICTURE.save(file, "JPEG2000", no_jp2=bare, comment=SECRET.decode())
    data = file.getvalue()
    return data if bare else _box(b"xml ", SECRET).join((data[:32], data[32:])) + _box(b"uuid", bytes(16) + SECRET)


FORMS: dict[str, tuple[bytes, list[Name]]] = {
    "JPEG": (_jpeg(), [Name.DCTDecode]),
    "JPEG in Flate": (zlib.compress(_jpeg()), [Name.FlateDecode, Name.DCTDecode]),
    "JPEG 2000": (_jpeg_2000(), [Name.JPXDecode]),
    "JPEG 2000 without boxes": (_jpeg_2000(bare=True), [Name.JPXDecode]),
}


def _document(data: bytes, filters: list[Name], **entries: Any) -> bytes:
    with pikepdf.new() as pdf:
        page, file = pdf.add_blank_page(page_size=(300, 200)), io.BytesIO()
        picture = pdf.make_stream(data, Type=Name.XObject, Subtype=Name.Image, Width=40, Height=30, BitsPerComponent=8)
        picture.ColorSpace = Name.DeviceRGB
        picture.Filter = Array(filters)
        for name, value in entries.items():
            picture[f"/{name}"] = value
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
        page.Resources = Dictionary(Font=Dictionary(F=font), XObject=Dictionary(I=picture))
        page.Contents = pdf.make_stream(b"q 40 0 0 30 200 100 cm /I Do Q BT /F 12 Tf 50 20 Td (Hello Rosebud) Tj ET")
        pdf.save(file)
    return file.getvalue()


def _picture(data: bytes) -> tuple[bytes, Image.Image]:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        (picture,) = pdf.pages[0].get_images().values()
        raw = picture.read_raw_bytes()
        if isinstance(picture.Filter, pikepdf.Array) and len(picture.Filter) > 1:
            raw = zlib.decompress(raw)
        return raw, Image.open(io.BytesIO(raw)).convert("RGB")


@pytest.mark.parametrize("form", FORMS)
def test_metadata_of_pictures_goes_with_redacted_words(form: str, tmp_path: Path) -> None:
    source = _document(*FORMS[form])
    before, pixels = _picture(source)
    assert SECRET in before
    result, codes = convert(tmp_path, "pdf-to-pdf", source, operation="redact", redactText="Rosebud")
    after, same = _picture(result)
    assert SECRET not in after
    assert same.tobytes() == pixels.tobytes()
    assert "METADATA_DROPPED" in codes


def test_a_picture_without_metadata_stays_as_it_is(tmp_path: Path) -> None:
    file = io.BytesIO()
    PICTURE.save(file, "JPEG")
    result, codes = convert(
        tmp_path, "pdf-to-pdf", _document(file.getvalue() + b"\n", [Name.DCTDecode]), operation="redact",
        redactText="Rosebud",
    )  # fmt: skip
    assert _picture(result)[0] == file.getvalue() + b"\n"
    assert "METADATA_DROPPED" not in codes


def test_a_picture_that_cant_be_read_is_named() -> None:
    warn = Warn()
    with pikepdf.open(io.BytesIO(_document(SECRET, [Name.DCTDecode]))) as pdf:
        picture_metadata.remove(pdf, warn)
    assert [each.message for each in warn.warnings] == [
        "Pictures that can't be read and may still contain metadata: 1."
    ]


@pytest.mark.parametrize("size", [0, 1, 7, 2**32 - 1])
def test_boxes_of_impossible_sizes_end_the_picture(size: int) -> None:
    data = _jpeg_2000()[:12] + struct.pack(">I4s", size, b"xml ") + SECRET
    assert SECRET not in jpeg2000_data.without_metadata(data)
    assert len(jpeg2000_data.without_metadata(data)) == len(data)
