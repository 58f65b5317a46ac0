"""Recolour bitmaps as their `a:blip` declares: duotone, grey, two colours, brightness (ECMA-376, part 1, 20.1.8)."""

from __future__ import annotations

import base64
import binascii
import io
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import A, share_of
from engine.toolkit.data_uris import data_uri
from engine.toolkit.warnings import Kind

if TYPE_CHECKING:
    from PIL import Image

MOST_PIXELS = 50_000_000
"""The pixels of a file that are recoloured: each million takes 25 ms."""
KEPT = Kind(
    "VALUE_CONVERTED",
    "Pictures beyond the recolouring limit of {most} megapixels keep their own colours: {count}{places}.",
    (("most", MOST_PIXELS // 1_000_000),),
)
DRAWING = Kind("VALUE_CONVERTED", "Drawings that are to be recoloured keep their own colours: {count}{places}.")
_FORMATS = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP")
_QUALITY = 90
Effect = tuple[Any, ...]


class Recolouring:
    """Recolours the pictures of a file, each once; those that keep their colours are counted in `found`."""

    def __init__(self, found: Counter[Kind]) -> None:
        self._found = found
        self._left = MOST_PIXELS
        self._made: dict[tuple[str, tuple[Effect, ...]], str] = {}

    def of(self, blip: Element, uri: str, colours: Callable[[Element | None], str | None]) -> str:
        """A picture as a `data:` URI in the colours that its `a:blip` declares; damaged ones and drawings stay."""
        effects = tuple(_effects(blip, colours))
        if not effects:
            return uri
        if uri.startswith("data:image/svg"):
            self._found[DRAWING] += 1
            return uri
        if (uri, effects) not in self._made:
            self._made[uri, effects] = self._recoloured(uri, effects)
        return self._made[uri, effects]

    def _recoloured(self, uri: str, effects: tuple[Effect, ...]) -> str:
        from PIL import Image, UnidentifiedImageError

        try:
            data = base64.b64decode(uri.partition(",")[2])
            with Image.open(io.BytesIO(data), formats=_FORMATS) as picture:
                pixels = picture.width * picture.height
                if pixels > self._left:
                    self._found[KEPT] += 1
                    return uri
                self._left -= pixels
                opaque = not picture.has_transparency_data
                made = picture.convert("RGB" if opaque else "RGBA")
        # Whoever draws it says that it is damaged.
        except (UnidentifiedImageError, Image.DecompressionBombError, OSError, ValueError, binascii.Error, SyntaxError):
            return uri
        for each in effects:
            made = _changed(made, each)
        out = io.BytesIO()
        if opaque:
            made.save(out, "JPEG", quality=_QUALITY)
        else:
            made.save(out, "PNG", compress_level=1)
        return data_uri("image/jpeg" if opaque else "image/png", out.getvalue())


def _effects(blip: Element, colours: Callable[[Element | None], str | None]) -> list[Effect]:
    found: list[Effect] = []
    for each in blip:
        kind = each.tag.removeprefix(A) if isinstance(each.tag, str) else ""
        if kind == "grayscl":
            found.append((kind,))
        elif kind == "biLevel":
            found.append((kind, share_of(each.get("thresh"), 0.5)))
        elif kind == "lum":
            bright, contrast = (min(max(share_of(each.get(name)), -1.0), 1.0) for name in ("bright", "contrast"))
            if bright or contrast:
                found.append((kind, bright, contrast))
        elif kind == "duotone":
            ends = [colours([one]) for one in each]
            if len(ends) == 2 and all(ends):
                found.append((kind, *(str(one)[:7] for one in ends)))
    return found


def _changed(picture: Image.Image, effect: Effect) -> Image.Image:
    from PIL import ImageOps

    kind, *values = effect
    alpha = picture.getchannel("A") if picture.mode == "RGBA" else None
    made = picture.convert("RGB")
    if kind == "duotone":
        made = ImageOps.colorize(made.convert("L"), *values)
    elif kind == "grayscl":
        made = made.convert("L").convert("RGB")
    elif kind == "biLevel":
        edge = values[0] * 255
        made = made.convert("L").point([255 if at >= edge else 0 for at in range(256)]).convert("RGB")
    else:
        bright, contrast = values
        slope = 1 + contrast if contrast <= 0 else 1 / max(1 - contrast, 0.01)
        line = [(at - 127.5) * slope + 127.5 + bright * 255 for at in range(256)]
        made = made.point([round(min(max(each, 0), 255)) for each in line] * 3)
    if alpha is None:
        return made
    made.putalpha(alpha)
    return made
