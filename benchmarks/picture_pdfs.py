"""PDFs with every kind of picture that programs embed, the same every time."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_PAGES = 2


def write(folder: Path) -> list[Path]:
    """Write PDFs with pictures of each kind, at 250, 400 and 600 pixels per inch."""
    return [
        _put(folder / f"{kind.replace(' ', '-')}-{dpi}.pdf", kind, dpi) for kind in _KINDS for dpi in (250, 400, 600)
    ]


_KINDS = (
    "jpeg", "fine jpeg", "grey jpeg", "cmyk jpeg", "jpeg 2000", "photo", "grey photo", "drawing", "indexed", "masked",
    "bits", "fax", "stencil", "photo in letters",
)  # fmt: skip


def _photo(size: tuple[int, int], seed: int) -> Any:
    from PIL import Image, ImageFilter

    dice = random.Random(seed)  # the same every time
    small = Image.frombytes("RGB", (40, 30), dice.randbytes(3_600)).resize(size, Image.Resampling.BICUBIC)
    grain = Image.frombytes("L", (size[0] // 2, size[1] // 2), dice.randbytes(size[0] // 2 * (size[1] // 2)))
    grain = grain.filter(ImageFilter.GaussianBlur(1)).resize(size)
    return Image.blend(small, Image.merge("RGB", (grain,) * 3), 0.15)


def _drawing(size: tuple[int, int], seed: int) -> Any:
    from PIL import Image, ImageDraw

    dice = random.Random(seed)
    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    for _ in range(60):
        x, y = dice.randrange(size[0]), dice.randrange(size[1])
        colour = (dice.randrange(256), dice.randrange(256), dice.randrange(256))
        draw.rectangle((x, y, x + size[0] // 6, y + size[1] // 6), outline=colour, width=max(2, size[0] // 300))
    return image


def _put(path: Path, kind: str, dpi: int) -> Path:
    import pikepdf
    from pikepdf import Name

    across, down = 216, 162
    size = (across * dpi // 72, down * dpi // 72)
    with pikepdf.new() as pdf:
        for number in range(_PAGES):
            page = pdf.add_blank_page(page_size=(260, 200))
            picture = pdf.make_stream(b"", Type=Name.XObject, Subtype=Name.Image, Width=size[0], Height=size[1])
            for key, value in _encoded(pdf, kind, size, number):
                if key == "data":
                    picture.write(value[0], filter=value[1], decode_parms=value[2])
                else:
                    picture[key] = value
            page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(I=picture))
            page.Contents = pdf.make_stream(b"q %d 0 0 %d 20 20 cm /I Do Q" % (across, down))
        pdf.save(path, compress_streams=True)
    return path


def _encoded(pdf: Any, kind: str, size: tuple[int, int], seed: int) -> Iterator[tuple[str, Any]]:
    """The dictionary entries of a picture of this kind, and its data with its filter and parameters."""
    import base64
    import zlib

    import pikepdf
    from pikepdf import Name

    from engine.families.pdf.tasks import encodings

    bits = kind in ("bits", "fax", "stencil")
    image = _drawing(size, seed) if kind in ("drawing", "indexed") or bits else _photo(size, seed)
    if bits:
        image = image.convert("L").point([0] * 200 + [255] * 56, "1")
        yield "/BitsPerComponent", 1
    elif kind.startswith("grey"):
        image = image.convert("L")
    elif kind.startswith("cmyk"):
        image = image.convert("CMYK")
    if not bits:
        yield "/BitsPerComponent", 8
    if kind == "stencil":
        yield "/ImageMask", True
    elif kind != "jpeg 2000":
        spaces = {"1": Name.DeviceGray, "L": Name.DeviceGray, "RGB": Name.DeviceRGB, "CMYK": Name.DeviceCMYK}
        yield "/ColorSpace", spaces[image.mode]
    if kind == "masked":
        mask = _photo(size, seed).convert("L")
        alpha = pdf.make_stream(
            mask.tobytes(), Type=Name.XObject, Subtype=Name.Image, Width=size[0], Height=size[1], BitsPerComponent=8,
            ColorSpace=Name.DeviceGray,
        )  # fmt: skip
        yield "/SMask", alpha
    if kind == "fax":
        found = encodings.as_fax(image, None)
        yield "data", (found.data, found.filter, found.parameters)
    elif "jpeg" in kind or kind == "photo in letters":
        file = io.BytesIO()
        image.save(file, "JPEG2000" if kind == "jpeg 2000" else "JPEG", quality=95 if kind == "fine jpeg" else 85)
        if kind == "photo in letters":
            chain = pikepdf.Array([Name.ASCII85Decode, Name.DCTDecode])
            yield "data", (base64.a85encode(file.getvalue()) + b"~>", chain, None)
        else:
            yield "data", (file.getvalue(), Name.JPXDecode if kind == "jpeg 2000" else Name.DCTDecode, None)
        if kind == "cmyk jpeg":
            yield "/Decode", pikepdf.Array([1, 0] * 4)
    elif kind == "indexed":
        few = image.quantize(64)
        table = pikepdf.String(bytes(few.getpalette()[:192]).ljust(192, b"\0"))
        yield "/ColorSpace", pikepdf.Array([Name.Indexed, Name.DeviceRGB, 63, table])
        yield "data", (zlib.compress(few.tobytes()), Name.FlateDecode, None)
    else:
        yield "data", (zlib.compress(image.tobytes()), Name.FlateDecode, None)
