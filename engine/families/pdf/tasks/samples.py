"""Decode the samples of PDF pictures."""

from __future__ import annotations

import io
import zlib
from dataclasses import dataclass

import pikepdf
from pikepdf import Name
from PIL import Image, ImageChops

from engine.families.pdf.tasks import fax
from engine.families.pdf.tasks.fax import Unfit
from engine.toolkit.picture_limits import MAX_PIXELS

_MOST_BYTES = 4 * MAX_PIXELS
_MOST_FILTERS = 3
_FLATE_RATIO = 1032
"""The maximum expansion ratio of Flate."""

MODES = {1: "L", 3: "RGB", 4: "CMYK"}
_RAW = {
    (1, 1): ("1", "1"), (1, 2): ("L", "L;2"), (1, 4): ("L", "L;4"), (1, 8): ("L", "L"), (1, 16): ("L", "L;16B"),
    (3, 8): ("RGB", "RGB"), (3, 16): ("RGB", "RGB;16B"), (4, 8): ("CMYK", "CMYK"), (4, 16): ("CMYK", "CMYK;16B"),
}  # fmt: skip
"""Components and bits per component, to picture mode and raw mode."""

PALETTES = {1: "P;1", 2: "P;2", 4: "P;4", 8: "P"}


@dataclass(frozen=True)
class Colours:
    """The meaning of a picture's samples: the components of each pixel, or of each palette entry.

    `space` is the colour space of the components, or of the palette entries; `exact` if they are inks, whose mixtures a
    JPEG would alter.
    """

    components: int
    space: pikepdf.Object
    palette: bytes | None = None
    exact: bool = False

    def spread(self, indices: Image.Image) -> Image.Image:
        """An indexed picture with its palette applied."""
        assert self.palette is not None
        plain = Image.frombytes("L", indices.size, indices.tobytes())
        bands = [plain.point(list(self.palette[at :: self.components])) for at in range(self.components)]
        return bands[0] if len(bands) == 1 else Image.merge(MODES[self.components], bands)


def filters(picture: pikepdf.Object) -> list[str]:
    """The filter names of a stream, the first to be decoded first."""
    value = picture.get(Name.Filter)
    if value is None:
        return []
    return [str(each) for each in value] if isinstance(value, pikepdf.Array) else [str(value)]


def is_stencil(picture: pikepdf.Object) -> bool:
    """Whether it is a stencil mask, painted in the current colour."""
    return bool(picture.get(Name.ImageMask, False))


def _parameters(picture: pikepdf.Object) -> pikepdf.Object:
    """The parameters of the last filter."""
    value = picture.get(Name.DecodeParms)
    if isinstance(value, pikepdf.Array):
        value = value[-1] if len(value) else None
    return value if isinstance(value, pikepdf.Dictionary) else pikepdf.Dictionary()


def colours(picture: pikepdf.Object) -> Colours:
    """Raises Unfit for colour spaces that aren't grey, RGB or CMYK."""
    if is_stencil(picture) or (Name.ColorSpace not in picture and filters(picture)[-1:] != ["/JPXDecode"]):
        return Colours(1, Name.DeviceGray)
    space = picture.get(Name.ColorSpace)
    if space is None:
        return Colours(0, Name.DeviceRGB)  # the JPEG 2000 data defines it
    if isinstance(space, pikepdf.Array) and len(space) == 4 and space[0] in (Name.Indexed, Name.I):
        base = space[1]
        count = _components(base)
        table = space[3].read_bytes() if isinstance(space[3], pikepdf.Stream) else bytes(space[3])
        return Colours(count, base, table[: count * 256].ljust(count * 256, b"\0"), _is_of_inks(base))
    return Colours(_components(space), space, exact=_is_of_inks(space))


def _components(space: pikepdf.Object) -> int:
    name = str(space[0] if isinstance(space, pikepdf.Array) else space)
    if name in ("/DeviceGray", "/CalGray", "/G", "/Separation"):
        return 1
    if name in ("/DeviceRGB", "/CalRGB", "/RGB"):
        return 3
    if name in ("/DeviceCMYK", "/CMYK"):
        return 4
    if name == "/ICCBased":
        count = int(space[1][Name.N])
        # JPEG must not mix Lab components.
        unusual = Name.Range in space[1] and {float(each) for each in space[1][Name.Range]} != {0.0, 1.0}
        if count in MODES and not unusual:
            return count
    if name == "/DeviceN" and len(space[1]) in (1, 3):
        return len(space[1])
    raise Unfit(f"the colour space {name}")


def _is_of_inks(space: pikepdf.Object) -> bool:
    return isinstance(space, pikepdf.Array) and space[0] == Name.DeviceN and len(space[1]) > 1


def decoded(picture: pikepdf.Object, about: Colours, wanted: tuple[int, int]) -> Image.Image:
    """The samples as a picture of mode 1, L, P, RGB or CMYK, with the PDF's own values.

    A picture that can be decoded at a smaller size is, but never below `wanted`. Raises Unfit.
    """
    width, height = int(picture[Name.Width]), int(picture[Name.Height])
    if not 0 < width * height <= MAX_PIXELS:
        raise Unfit("its size")
    chain = filters(picture)
    last = chain[-1] if chain else ""
    if last in ("/DCTDecode", "/JPXDecode", "/CCITTFaxDecode", "/JBIG2Decode"):
        data = unwrapped(bytes(picture.read_raw_bytes()), chain[:-1])
        if last == "/CCITTFaxDecode":
            image = fax.t4(data, _parameters(picture), width, height)
        elif last == "/JBIG2Decode":
            image = fax.jbig2(data, _parameters(picture), width, height)
        else:
            image = _coded(data, last, picture, about, (width, height), wanted)
    else:
        image = _plain(picture, chain, about, width, height)
    return image


def unwrapped(data: bytes, chain: list[str]) -> bytes:
    """The data after decoding all but the picture's own filter. Raises Unfit, also for more than a picture can have."""
    if len(chain) > _MOST_FILTERS:
        raise Unfit("several filters")
    for name in chain:
        if name == "/FlateDecode":
            inflater = zlib.decompressobj()
            data = inflater.decompress(data, _MOST_BYTES)
            if inflater.unconsumed_tail:
                raise Unfit("its size")
        elif name in ("/ASCII85Decode", "/ASCIIHexDecode"):
            with pikepdf.new() as borrowed:
                stream = borrowed.make_stream(b"")
                stream.write(data, filter=Name(name))
                data = stream.read_bytes()
        else:
            raise Unfit(f"the filter {name}")
    return data


def _coded(
    data: bytes,
    filter: str,
    picture: pikepdf.Object,
    about: Colours,
    size: tuple[int, int],
    wanted: tuple[int, int],
) -> Image.Image:
    """JPEG and JPEG 2000."""
    jpeg = filter == "/DCTDecode"
    if jpeg and "/ColorTransform" in _parameters(picture):
        raise Unfit("a colour transform that is not in the JPEG")
    image: Image.Image = Image.open(io.BytesIO(data), formats=("JPEG",) if jpeg else ("JPEG2000",))
    if image.size != size or about.palette is not None:
        raise Unfit("a size that is not the JPEG's")
    if not jpeg and not _is_8_bit(data):
        raise Unfit("JPEG 2000 of other than 8 bits")
    if jpeg:
        inverted = image.mode == "CMYK" and "adobe" in image.info
        image.draft(image.mode, wanted)
        image.load()
        if inverted:  # the decoder has undone an inversion that a PDF keeps
            image = ImageChops.invert(image)
    else:
        if int(picture.get("/SMaskInData", 0)):
            raise Unfit("transparency inside JPEG 2000")
        reduction = 0
        while size[0] >> (reduction + 1) >= wanted[0] and size[1] >> (reduction + 1) >= wanted[1] and reduction < 5:
            reduction += 1
        image.reduce = reduction  # type: ignore[method-assign, assignment]  # so this decoder calls its setting
        try:
            image.load()
        except OSError:
            if not reduction:
                raise
            image = Image.open(io.BytesIO(data), formats=("JPEG2000",))
            image.load()
    if image.mode not in ("L", "RGB", "CMYK") or (about.components and MODES[about.components] != image.mode):
        raise Unfit(f"the mode {image.mode}")
    return image


def _is_8_bit(data: bytes) -> bool:
    """Whether all components of JPEG 2000 data are unsigned 8-bit (ISO/IEC 15444-1, A.5.1)."""
    at = data.find(b"\xff\x4f\xff\x51")
    count = int.from_bytes(data[at + 40 : at + 42], "big")
    return at >= 0 and data[at + 42 : at + 42 + 3 * count : 3] == b"\x07" * count


def _plain(picture: pikepdf.Object, chain: list[str], about: Colours, width: int, height: int) -> Image.Image:
    bits = 1 if is_stencil(picture) else int(picture.get(Name.BitsPerComponent, 8))
    if about.palette is not None:
        if bits not in PALETTES:
            raise Unfit("bits of a palette")
        mode, raw, count = "P", PALETTES[bits], 1
    else:
        if (about.components, bits) not in _RAW:
            raise Unfit("bits a component")
        (mode, raw), count = _RAW[about.components, bits], about.components
    if set(chain) - {"/FlateDecode", "/LZWDecode", "/ASCII85Decode", "/ASCIIHexDecode", "/RunLengthDecode"}:
        raise Unfit("a filter")
    needed = (width * count * bits + 7) // 8 * height
    _check_unfolding(picture, chain, needed)
    data = picture.read_bytes(pikepdf.StreamDecodeLevel.specialized)
    if len(data) < needed:
        raise Unfit("data that ends early")
    image = Image.frombytes(mode, (width, height), data, "raw", raw)
    if about.palette is not None:
        image.putpalette(bytes(768))  # the colour space is that of `about`
    return image


def _check_unfolding(picture: pikepdf.Object, chain: list[str], needed: int) -> None:
    """Raise Unfit if Flate expands to far more than the picture needs."""
    most = 2 * needed + 1_000_000
    data = picture.read_raw_bytes()
    if not chain or (len(chain) == 1 and len(data) * _FLATE_RATIO <= most):
        return
    if chain != ["/FlateDecode"]:
        if len(chain) > 2 or len(data) * _FLATE_RATIO > _MOST_BYTES * 4:
            raise Unfit("several filters")
        return
    inflater, total = zlib.decompressobj(), 0
    while data and total <= most:
        total += len(inflater.decompress(data, 1 << 20))
        data = inflater.unconsumed_tail
    if total > most:
        raise Unfit("data that goes on")
