"""PNG to PDF: the data of the file as it is where a PDF shows the same of it, written anew where it does not."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageCms, PngImagePlugin

from engine.families.images import png_data
from tests.converters.test_frames import outcome
from tests.families.images import files as pictures

COLOURS = Image.effect_noise((61, 43), 80).convert("RGB")
GREY = COLOURS.convert("L")
PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def texts() -> PngImagePlugin.PngInfo:
    text = PngImagePlugin.PngInfo()
    text.add_text("Comment", "where the key lies")
    return text


def chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    found, at = [], 8
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        found.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    return found


def idat(data: bytes) -> bytes:
    return b"".join(content for name, content in chunks(data) if name == b"IDAT")


def with_idat(data: bytes, change: Callable[[bytes], bytes]) -> bytes:
    content = change(idat(data))
    out, written = data[:8], False
    for name, each in chunks(data):
        if name == b"IDAT":
            if written:
                continue
            each, written = content, True
        out += len(each).to_bytes(4, "big") + name + each + zlib.crc32(name + each).to_bytes(4, "big")
    return out


def laced() -> bytes:
    """Interlaced, which Pillow does not write: a picture of one pixel has the same data either way."""
    data = pictures.saved(Image.new("RGB", (1, 1), (1, 2, 3)), "png")
    header = chunks(data)[0][1][:12] + b"\x01"
    return data[:16] + header + zlib.crc32(b"IHDR" + header).to_bytes(4, "big") + data[33:]


KEPT = {
    "colours": pictures.saved(COLOURS, "png"),
    "grey": pictures.saved(GREY, "png"),
    "a palette of 4 bits": pictures.saved(COLOURS.quantize(16), "png", bits=4),
    "single bits": pictures.saved(GREY.convert("1"), "png"),
    "a profile": pictures.saved(COLOURS, "png", icc_profile=PROFILE),
    "a text beside it": pictures.saved(COLOURS, "png", pnginfo=texts()),
    "squeezed hard": pictures.saved(COLOURS, "png", optimize=True),
}
ANEW = {
    "hardly squeezed": pictures.saved(COLOURS, "png", compress_level=1),
    "a palette with a profile": pictures.saved(COLOURS.quantize(16), "png", icc_profile=PROFILE),
    "transparent": pictures.glass("png"),
    "a colour that is transparent": pictures.saved(COLOURS.quantize(16), "png", transparency=3),
    "16 bits": pictures.deep_grey(),
    "turned": pictures.sideways(format="png"),
    "frames": pictures.film("png"),
    "rows in seven passes": laced(),
    "bytes behind the pixels": with_idat(pictures.saved(COLOURS, "png"), lambda data: data + b"more"),
    "no sum at the end": with_idat(pictures.saved(COLOURS, "png"), lambda data: data[:-4]),
    "rows behind the last": with_idat(
        pictures.saved(COLOURS, "png"), lambda data: zlib.compress(zlib.decompress(data) + bytes(184))
    ),
}


@pytest.fixture
def both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], tuple[bytes, bool]]:
    """The PDF that is made of a picture, which looks as the one that is written anew, and whether it was kept."""

    def run(data: bytes) -> tuple[bytes, bool]:
        source, kept, found = tmp_path / "input.png", png_data.reusable, []

        def watched(path: Path, profile: bytes | None) -> bytes | None:
            found.append(kept(path, profile))
            return found[-1]

        monkeypatch.setattr(png_data, "reusable", watched)
        output, warnings = outcome(tmp_path, "png-to-pdf", data, ocr="off")
        monkeypatch.setattr(png_data, "reusable", lambda path, profile: None)
        other, others = outcome(tmp_path, "png-to-pdf", source.read_bytes(), ocr="off")
        monkeypatch.undo()
        assert isinstance(output, bytes)
        assert isinstance(other, bytes)
        assert shown(output) == shown(other)
        assert warnings == others
        return output, any(found)

    return run


def shown(data: bytes) -> list[object]:
    return list(pypdfium2.PdfDocument(data)[0].render(scale=1).to_pil().get_flattened_data())


@pytest.mark.parametrize("data", KEPT.values(), ids=KEPT)
def test_data_that_a_pdf_can_show_is_kept_as_it_is(data: bytes, both: Callable[[bytes], tuple[bytes, bool]]) -> None:
    output, kept = both(data)
    assert kept
    assert idat(data) in output
    assert b"where the key lies" not in output


@pytest.mark.parametrize("data", ANEW.values(), ids=ANEW)
def test_other_data_is_written_anew(data: bytes, both: Callable[[bytes], tuple[bytes, bool]]) -> None:
    assert not both(data)[1]
