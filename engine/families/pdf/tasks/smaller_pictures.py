"""Downsample and re-encode the pictures of a PDF."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import pikepdf
from pikepdf import Name
from PIL import Image

from engine.families.pdf.read import DAMAGED
from engine.families.pdf.tasks import encodings, samples
from engine.families.pdf.tasks.best_encoding import QUICK, Level, Picture, best
from engine.families.pdf.tasks.drawn_sizes import Id, places
from engine.families.pdf.tasks.fax import Unfit
from engine.families.pdf.unchanged.replaced import Replaced
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_FEWEST_BYTES = 400
_MOST_PIXELS = 300_000_000
_MOST_PIXELS_KEPT = 40_000_000
"""The maximum pixels of all pictures, which are decoded one after the other; lossless levels take longer."""


_UNDECODABLE = (*DAMAGED, Unfit, NotImplementedError, OSError, SyntaxError, EOFError, zlib.error)


def make_smaller(pdf: pikepdf.Pdf, level: Level, replaced: Replaced, warn: Warn) -> None:
    """Re-encode each picture as small as `level` allows, and record the originals in `replaced`.

    Pictures of kinds that can't be decoded are unchanged.
    """
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
                _both(picture, picture.mask, level, before, replaced)
                continue
            encoded = best(picture, level, before)
        except _UNDECODABLE:
            continue
        if encoded is not None and len(encoded.data) < before:
            replaced.picture(picture.stream)
            encoded.into(picture.stream)
    if untouched:
        warn(
            "SIZE_MISSED",
            say(
                "{untouched} pictures were not compressed, because the file has too many pixels to process in time.",
                untouched=untouched,
            ),
        )


def _pictures(pdf: pikepdf.Pdf, level: Level) -> Iterator[Picture]:
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
            elif isinstance(mask, pikepdf.Array) and Name.SMask not in each:  # a colour key, which loss would change
                untouched.add(each.objgen)
    if not found:
        return
    for key, mask in matted.items():
        # A mask shared by several pictures would have to fit all of them.
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
        yield Picture(stream, place, masking=key in masks, mask=matted.get(key))


def _both(picture: Picture, mask: pikepdf.Object, level: Level, before: int, replaced: Replaced) -> None:
    """Redraw a picture and its mask at the same scale, so that averaged pixels still correspond."""
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
        encodings.as_flate(alpha, about_mask, QUICK),
    )
    if sum(len(each.data) for each in encoded) < before + len(mask.read_raw_bytes()):
        replaced.picture(picture.stream)
        replaced.picture(mask)
        encoded[0].into(picture.stream)
        encoded[1].into(mask)
