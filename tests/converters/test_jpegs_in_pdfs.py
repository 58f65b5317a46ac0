"""JPEGs go into PDFs with all of their pixels and nothing else of their file."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from engine.conversion import convert
from engine.families.images import jpeg_data
from engine.toolkit.failures import Unreadable

SECRET = b"ZANZIBAR"
HOWS: tuple[dict[str, object], ...] = (
    {},
    {"progressive": True},
    {"restart_marker_blocks": 3},
    {"progressive": True, "restart_marker_rows": 1},
)


def picture(**how: object) -> bytes:
    """A JPEG with Exif of a place, XMP and a comment."""
    noise = Image.merge("RGB", [Image.effect_noise((120, 90), 80) for _ in range(3)])
    exif = Image.Exif()
    exif[0x010E] = SECRET.decode()
    exif.get_ifd(0x8825)[29] = SECRET.decode()
    return saved(noise, exif=exif.tobytes(), xmp=b"<x>" + SECRET + b"</x>", comment=SECRET, quality=90, **how)


def saved(image: Image.Image, **how: object) -> bytes:
    file = io.BytesIO()
    image.save(file, "JPEG", **how)
    return file.getvalue()


def segment(marker: int, content: bytes) -> bytes:
    return bytes((0xFF, marker)) + (len(content) + 2).to_bytes(2, "big") + content


def between_scans(data: bytes) -> bytes:
    """The same picture with metadata, and its height, behind each of its scans but the last."""
    first, *scans = data.split(b"\xff\xda")
    more = segment(0xE1, b"Exif\x00\x00" + SECRET) + segment(0xFE, SECRET) + segment(0xDC, (90).to_bytes(2, "big"))
    return first + b"\xff\xda" + (more + b"\xff\xda").join(scans)


def pixels(data: bytes) -> bytes:
    with Image.open(io.BytesIO(data)) as image:
        return image.tobytes()


def made(folder: Path, slug: str, data: bytes, name: str = "a.jpg") -> tuple[bytes, list[str], bytes]:
    """The PDF, the warnings, and the JPEG of its first page."""
    source = folder / "in.jpg"
    if slug == "zip-to-pdf":
        source = folder / "in.zip"
        with zipfile.ZipFile(source, "w") as archive:
            archive.writestr(name, data)
    else:
        source.write_bytes(data)
    result = convert(source, folder / "out.pdf", slug=slug, sandbox=False)
    with pikepdf.open(result.path) as pdf:
        (image,) = pdf.pages[0].get_images().values()
        stream = image.read_raw_bytes()
    return result.path.read_bytes(), [f"{each.code}: {each.message}" for each in result.warnings], stream


WARNED = "METADATA_DROPPED: Metadata was left out: EXIF, XMP, comment."


@pytest.mark.parametrize("slug", ["jpg-to-pdf", "zip-to-pdf"])
@pytest.mark.parametrize("how", HOWS)
def test_nothing_but_the_picture_goes_into_the_pdf(tmp_path: Path, slug: str, how: dict[str, object]) -> None:
    data = picture(**how)
    behind = picture() + b"\x00\x00\x00\x18ftypmp42" + SECRET
    pdf, warned, stream = made(tmp_path, slug, data + behind)
    assert SECRET not in pdf
    assert b"ftypmp42" not in pdf
    assert warned == [WARNED]
    assert stream.endswith(b"\xff\xd9")
    assert stream.count(b"\xff\xd8") == 1
    assert pixels(stream) == pixels(data)


@pytest.mark.parametrize("slug", ["jpg-to-pdf", "zip-to-pdf"])
def test_metadata_between_passes_is_left_out(tmp_path: Path, slug: str) -> None:
    whole = picture(progressive=True)
    data = between_scans(whole)
    assert data.count(SECRET) > 10
    pdf, _, stream = made(tmp_path, slug, data)
    assert SECRET not in pdf
    assert pixels(stream) == pixels(whole)
    assert stream.count(b"\xff\xdc\x00\x04") == whole.count(b"\xff\xda") - 1


@pytest.mark.parametrize("slug", ["jpg-to-pdf", "zip-to-pdf"])
def test_thumbnails_and_unknown_segments_are_left_out(tmp_path: Path, slug: str) -> None:
    plain = saved(Image.new("RGB", (40, 30), "teal"), dpi=(200, 100))
    with Image.open(io.BytesIO(plain)) as image:
        assert plain[2:6] == b"\xff\xe0\x00\x10"
        expected = image.tobytes()
    header = plain[6:18] + b"\x08\x01" + SECRET * 3  # eight pixels
    others = b"".join(segment(marker, b"JFXX\x00" + SECRET) for marker in range(0xE0, 0xF0))
    data = plain[:2] + segment(0xE0, header) + others + plain[20:]
    pdf, _, stream = made(tmp_path, slug, data)
    assert SECRET not in pdf
    assert stream == plain
    assert pixels(stream) == expected


@pytest.mark.parametrize("how", HOWS)
def test_what_is_there_of_a_picture_without_its_end_is_kept(tmp_path: Path, how: dict[str, object]) -> None:
    data = picture(**how)
    kept = jpeg_data.without_metadata(data)
    for cut in (2, 3, 500, 1_000):
        assert jpeg_data.without_metadata(data[:-cut]) == kept[:-cut]
    pdf, _, _ = made(tmp_path, "jpg-to-pdf", data[:-2])
    assert SECRET not in pdf
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        (image,) = opened.pages[0].get_images().values()
        assert pikepdf.PdfImage(image).as_pil_image().tobytes() == pixels(data)


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xd8", b"\xff\xd8\xff\xda\x00", b"\xff\xd8\xff\xd9", b"\xff\xd8\xff\xe0\x00\x04ab"]
)
def test_a_header_without_a_picture_is_damaged(data: bytes) -> None:
    with pytest.raises(Unreadable) as refused:
        jpeg_data.without_metadata(data)
    assert refused.value.reason == "damaged"


@pytest.mark.parametrize("format", ["PNG", "TIFF", "WEBP", "JPEG"])
def test_pictures_that_are_encoded_again_name_their_metadata_too(tmp_path: Path, format: str) -> None:
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = SECRET.decode(), 6
    file = io.BytesIO()
    Image.new("RGB", (40, 30), "teal").save(file, format, exif=exif.tobytes())
    extension = {"JPEG": "jpg", "TIFF": "tif"}.get(format, format.lower())
    pdf, warned, _ = made(tmp_path, "zip-to-pdf", file.getvalue(), f"a.{extension}")
    assert SECRET not in pdf
    assert warned == ["METADATA_DROPPED: Metadata was left out: EXIF."]
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        box = opened.pages[0].mediabox
        assert float(box[2]) < float(box[3]), "it stands upright"
