"""Pictures of a PDF made smaller: fewer pixels than can be seen, and the encoding that takes the fewest bytes."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import pikepdf
from pikepdf import Name
from PIL import Image

from conversions.families.pdf.read import DAMAGED
from conversions.families.pdf.tasks import encodings, few_colours, samples
from conversions.families.pdf.tasks.encodings import Encoded
from conversions.families.pdf.tasks.fax import Unfit
from conversions.families.pdf.tasks.placing import Id, places
from conversions.families.pdf.tasks.samples import Colours
from conversions.toolkit.warnings import Warn

_POINTS = 72
_SLACK = 1.25
"""How many times finer than its level a picture must be to be drawn anew: less is not worth the loss."""

_FEWEST_BYTES = 400
_MOST_PIXELS = 300_000_000
_MOST_PIXELS_KEPT = 40_000_000
"""Of all pictures together, as they are decoded one after the other; keeping all that can be seen takes longer."""

_SMALL_FAX = 5_000
_PACKED = 40
"""Pixels that a byte of JBIG2 stands for at least where nothing else takes fewer."""

_WORTH = 0.9
"""A picture that has loss already is encoded again only if that makes it this much smaller."""

_QUICK = 7
"""Effort of Flate beside a level with loss: the last hundredth takes thrice the time."""

_FEW_BITS = 4
_CHANNELS = {"L": 1, "RGB": 3, "CMYK": 4}
_UNDECODABLE = (*DAMAGED, Unfit, NotImplementedError, OSError, SyntaxError, EOFError, zlib.error)


@dataclass(frozen=True)
class Level:
    """What may be lost: pixels an inch of pictures, of those in black and white, quality of JPEG; None keeps all."""

    dpi: int | None
    fax_dpi: int | None
    quality: int | None

    @property
    def lossless(self) -> bool:
        return self.quality is None


@dataclass(frozen=True)
class _Picture:
    """One picture: where it is drawn at most, in points, and whether it is the soft mask of another.

    `mask` is its own one where the picture is stored as it looks through it: the pixels of both belong together then.
    """

    stream: pikepdf.Object
    place: tuple[float, float] | None
    masking: bool = False
    mask: pikepdf.Object | None = None

    @property
    def size(self) -> tuple[int, int]:
        return int(self.stream[Name.Width]), int(self.stream[Name.Height])

    def wanted(self, dpi: int | None) -> tuple[int, int]:
        """The size in pixels that shows as much at this resolution as the picture has."""
        width, height = self.size
        if dpi is None or self.place is None or width * height <= 1024:
            return width, height
        across, down = (max(1, round(side * dpi / _POINTS)) for side in self.place)
        if width < across * _SLACK and height < down * _SLACK:
            return width, height
        return min(width, across), min(height, down)


def make_smaller(pdf: pikepdf.Pdf, level: Level, warn: Warn) -> None:
    """Encode each picture as small as `level` allows; those of kinds that can't be taken apart stay as they are."""
    left, untouched = _MOST_PIXELS_KEPT if level.lossless else _MOST_PIXELS, 0
    for done, picture in enumerate(_pictures(pdf, level)):
        warn.progress(done, None, "pictures")
        try:
            before = len(picture.stream.read_raw_bytes())
            if before < _FEWEST_BYTES:
                continue
            pixels = picture.size[0] * picture.size[1]
            if pixels > left:
                untouched += 1
                continue
            left -= pixels
            if picture.mask is not None:
                _both(picture, picture.mask, level, before)
                continue
            encoded = _best(picture, level, before)
        except _UNDECODABLE:
            continue
        if encoded is not None and len(encoded.data) < before:
            encoded.into(picture.stream)
    if untouched:
        warn(
            "SIZE_MISSED",
            f"{untouched} pictures were left as they are: the file has more pixels than there is time for.",
        )


def _pictures(pdf: pikepdf.Pdf, level: Level) -> Iterator[_Picture]:
    found: dict[Id, pikepdf.Object] = {}
    masks: dict[Id, tuple[pikepdf.Object, list[Id]]] = {}
    untouched: set[Id] = set()
    matted: dict[Id, pikepdf.Object] = {}
    for each in pdf.objects:
        if not isinstance(each, pikepdf.Stream) or each.get(Name.Subtype) != Name.Image:
            continue
        found[each.objgen] = each
        for name in (Name.SMask, Name.Mask):
            mask = each.get(name)
            if isinstance(mask, pikepdf.Stream):
                masks.setdefault(mask.objgen, (mask, []))[1].append(each.objgen)
                if Name.Matte in mask:
                    matted[each.objgen] = mask
            elif isinstance(mask, pikepdf.Array) and Name.SMask not in each:  # of colours that loss would change
                untouched.add(each.objgen)
    if not found:
        return
    for key, mask in matted.items():
        # A mask of several pictures would have to fit all of them.
        untouched |= {mask.objgen} | ({key} if len(masks[mask.objgen][1]) > 1 else set())
    known = places(pdf) if level.dpi else None
    sizes = known.sizes if known and known.complete else {}
    for key, stream in found.items():
        if key in untouched:
            continue
        place = sizes.get(key)
        if key in masks:
            owners = [sizes[owner] for owner in masks[key][1] if owner in sizes]
            if len(owners) < len(masks[key][1]) or not owners:
                place = None
            else:
                owners += [place] if place else []
                place = (max(width for width, _ in owners), max(height for _, height in owners))
        yield _Picture(stream, place, masking=key in masks, mask=matted.get(key))


def _both(picture: _Picture, mask: pikepdf.Object, level: Level, before: int) -> None:
    """Draw a picture and its mask anew alike: as both are means of the same pixels, they still belong together."""
    wanted = picture.wanted(level.dpi)
    about, about_mask = samples.colours(picture.stream), samples.colours(mask)
    if wanted == picture.size or level.quality is None or about.exact or about.palette or about_mask.palette:
        return
    if (int(mask[Name.Width]), int(mask[Name.Height])) != picture.size:
        return
    image, alpha = (
        samples.decoded(stream, its, picture.size).convert(mode).resize(wanted, Image.Resampling.BOX)
        for stream, its, mode in ((picture.stream, about, samples.MODES[about.components]), (mask, about_mask, "L"))
    )
    encoded = (
        encodings.as_jpeg(image, about.space, level.quality),
        encodings.as_flate(alpha, about_mask, _QUICK),
    )
    if sum(len(each.data) for each in encoded) < before + len(mask.read_raw_bytes()):
        encoded[0].into(picture.stream)
        encoded[1].into(mask)


def _best(picture: _Picture, level: Level, before: int) -> Encoded | None:
    stream = picture.stream
    about = samples.colours(stream)
    last = (samples.filters(stream) or [""])[-1]
    lossy = last in ("/DCTDecode", "/JPXDecode")
    if lossy and level.lossless:
        return None
    bitonal = about.palette is None and (samples.is_stencil(stream) or stream.get(Name.BitsPerComponent) == 1)
    wanted = picture.wanted(level.fax_dpi if bitonal else level.dpi)
    if wanted == picture.size and last == "/CCITTFaxDecode" and before < _SMALL_FAX:
        return None
    if wanted == picture.size and last == "/JBIG2Decode" and before * _PACKED < picture.size[0] * picture.size[1]:
        return None
    if about.palette is not None and Name.Decode in stream:
        return None
    image = samples.decoded(stream, about, wanted)
    if bitonal:
        return _bitonal(image, stream, wanted)
    about = Colours(
        about.components or _CHANNELS[image.mode],
        about.space if Name.ColorSpace in stream else _device(image),
        about.palette,
        about.exact,
    )
    deep = int(stream.get(Name.BitsPerComponent, 8)) == 16
    if not (lossy or about.exact or deep or Name.Decode in stream):
        found = _of_few_colours(image, about, level, picture)
        if found is not None:
            return found
    if level.lossless or level.quality is None:
        return None if deep or image.mode == "CMYK" else encodings.as_flate(image, about, _effort(image))
    if about.exact:
        image = about.spread(image) if image.mode == "P" and wanted != picture.size else image
        if image.size != wanted:
            image = image.resize(wanted, Image.Resampling.BOX)
        return encodings.as_flate(image, about, _QUICK)
    if wanted == picture.size:
        return _same_size(image, about, level.quality, before, lossy=lossy, masking=picture.masking)
    if image.mode == "P":
        image = about.spread(image)
    if image.size != wanted:
        image = image.resize(wanted, Image.Resampling.BICUBIC, reducing_gap=2.0)
    return _continuous(image, about, level.quality, masking=picture.masking, graphic=not lossy)


def _of_few_colours(image: Image.Image, about: Colours, level: Level, picture: _Picture) -> Encoded | None:
    """A picture of few colours in the way that takes fewest bytes of those that don't blur it; None for others."""
    wanted = picture.wanted(level.dpi)
    if image.mode == "P":
        if about.components not in (1, 3) or (wanted == image.size and len(image.getcolors(256) or ()) > 2):
            return None
        image = about.spread(image)
        about = Colours(about.components, about.space)
    if image.mode not in ("L", "RGB"):
        return None
    few = few_colours.colours_of(image)
    if 0 < len(few) <= 2:
        size = picture.wanted(level.fax_dpi)
        two = few_colours.as_two(image, few, about, size, masking=picture.masking)
        if two is not None:
            return two
    if not few or picture.masking:
        return None
    if wanted != image.size:
        image = image.resize(wanted, Image.Resampling.BOX, reducing_gap=2.0)
    effort = _effort(image) if level.lossless else _QUICK
    palette = few_colours.as_palette(image, about, effort)
    if palette is not None and palette.bits <= _FEW_BITS:
        return palette  # nothing else takes less
    found = [encodings.as_flate(image, about, effort)] if palette is None or level.lossless else []
    if level.quality is not None:
        found.append(encodings.as_jpeg(image, about.space, level.quality))
    return min((*found, *([palette] if palette else [])), key=lambda each: len(each.data))


def _effort(image: Image.Image) -> int:
    return 9 if image.width * image.height < 2_000_000 else _QUICK


def _device(image: Image.Image) -> pikepdf.Object:
    return {"L": Name.DeviceGray, "RGB": Name.DeviceRGB, "CMYK": Name.DeviceCMYK}[image.mode]


def _bitonal(image: Image.Image, stream: pikepdf.Object, wanted: tuple[int, int]) -> Encoded:
    if image.mode != "1":
        raise Unfit("no picture in black and white")
    if image.size != wanted:
        grey = image.convert("L").resize(wanted, Image.Resampling.BOX)
        image = grey.point([0] * 128 + [255] * 128, "1")
    return encodings.as_fax(image, None)


def _same_size(
    image: Image.Image, about: Colours, quality: int, before: int, *, lossy: bool, masking: bool
) -> Encoded | None:
    if lossy:
        encoded = encodings.as_jpeg(image, about.space, quality)
        return encoded if len(encoded.data) < before * _WORTH else None
    if image.mode == "P":
        indexed = encodings.as_flate(image, about, _QUICK)
        if len(image.getcolors(256) or ()) <= 64:
            return indexed
        other = encodings.as_jpeg(about.spread(image), about.space, quality)
        return min(indexed, other, key=lambda each: len(each.data))
    return _continuous(image, about, quality, masking=masking, graphic=True)


def _continuous(image: Image.Image, about: Colours, quality: int, *, masking: bool, graphic: bool) -> Encoded:
    """JPEG, or without loss where that takes fewer bytes, as it does for drawings."""
    about = Colours(about.components, about.space)
    jpeg = encodings.as_jpeg(image, about.space, quality)
    if image.mode == "CMYK" or not graphic:
        return jpeg
    # A quick try tells whether the slow one can win.
    quick = encodings.as_flate(image, about, 1)
    if len(quick.data) > 1.6 * len(jpeg.data):
        return jpeg
    return min(encodings.as_flate(image, about, _QUICK), jpeg, key=lambda each: len(each.data))
