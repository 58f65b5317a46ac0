"""Compose the layers of a background, with the pictures embedded in the page, to one drawing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote

from engine.families.html_pdf.css import background_drawing, gradients
from engine.families.html_pdf.css.background_frames import Frame
from engine.families.html_pdf.css.backgrounds import Background
from engine.families.html_pdf.css.pictures_in_ratio import Picture
from engine.families.html_pdf.css.room_lengths import TextSizes
from engine.families.html_pdf.plutoprint.picture_sizes import OwnSize, measured
from engine.families.html_pdf.source import embedded
from engine.families.html_pdf.source.references import blocked, data_of, is_inline
from engine.families.html_pdf.source.set_aside import SetAside
from engine.families.html_pdf.source.style_addresses import URL, plain
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

MOST_COPIED = 20_000_000
"""Characters of pictures in all drawings, each of which has its own copy: 20 million take 1.5 s and 300 MB."""
MOST_PIXELS = 50_000_000
"""Pixels of the pictures that are drawn in more than one background: each copy is decoded anew."""
_BOXES = ("border-box", "padding-box", "content-box")
_BORDER_BOX = "background-repeat:no-repeat;background-origin:border-box;background-clip:border-box"
_HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="100%">'
_IMAGE = re.compile(r'<image href="fc:(\d+)"[^>]*/>')
_ADDRESS = re.compile(r'(?<=<image href=")fc:(\d+)(?=")')
_KEPT = "/:=,+"
"""Characters that are left in the address of a drawing, besides letters and digits."""


@dataclass(frozen=True)
class Composed:
    """The declarations that draw a background, and the same with what the page counts of pictures in their place."""

    declarations: str
    counted: str


@dataclass(frozen=True)
class _Known:
    address: str
    own: OwnSize


class Pictures:
    """The pictures of the backgrounds of a page."""

    def __init__(self, aside: SetAside, warn: Warn) -> None:
        self._aside = aside
        self._warn = warn
        self._known: list[_Known] = []
        self._numbers: dict[str, int | None] = {}
        self._drawn: set[int] = set()
        self._copied = self._pixels = 0

    def composed(self, background: Background, sizes: TextSizes, frame: Frame | None) -> Composed | None:
        """One drawing of all layers, within a border; None if one of them can't be drawn."""
        drawn: list[str] = []
        box = _boxes(background)
        framed = frame if box is None and _may_be_framed(background) else None
        if box is None and framed is None:
            return None
        for at, layer in enumerate(background.layers):
            picture = None
            if layer.image.lower() == "none":
                continue
            if address := URL.fullmatch(layer.image):
                number = self._number(plain(address[1]), layer.image)
                if number is None:
                    continue
                own = self._known[number].own
                width, height = (each * sizes.zoom if each is not None else None for each in (own.width, own.height))
                picture = Picture(f"fc:{number}", width, height, own.ratio)
            placed = layer if framed is None else framed.inside(layer)
            found = background_drawing.drawn(placed, f"l{at}", sizes, picture, self._report)
            if found is None:
                return None
            is_clipped = framed is not None and layer.clip == "padding-box"
            drawn.append(framed.clipped(found, f"l{at}") if framed is not None and is_clipped else found)
        svg = f"{_HEAD}{''.join(reversed(drawn))}</svg>"
        if not self._is_within_bounds({int(each) for each in _ADDRESS.findall(svg)}):
            return None
        colour = f"background-color:{background.colour};" if background.colour else ""
        rest = f"{colour}background-position:0 0;background-size:100% 100%;{box or _BORDER_BOX}"
        whole = _ADDRESS.sub(lambda match: self._known[int(match[1])].address, svg)
        counted = _IMAGE.sub(lambda match: self._counted(int(match[1])), svg)
        return Composed(*(f"{_image(each)};{rest}" for each in (whole, counted)))

    def _report(self, gradient: str) -> None:
        inexact = gradients.inexact(gradient)
        if inexact is not None:
            self._warn("CSS_UNSUPPORTED", say("{name}: {inexact}", name="background", inexact=inexact))

    def _number(self, address: str, written: str) -> int | None:
        """The number of a picture; None for one that is not there or can't be read, which is reported."""
        if address not in self._numbers:
            self._numbers[address] = self._read(address, written)
        return self._numbers[address]

    def _read(self, address: str, written: str) -> int | None:
        whole = URL.fullmatch(self._aside.whole(written))
        address = plain(whole[1]) if whole is not None else address
        if not is_inline(address):
            blocked(address, self._warn)
            return None
        readable = embedded.picture(address, self._warn)
        own = measured(readable) if readable is not None else None
        if readable is None or own is None:
            return None
        self._known.append(_Known(readable if '"' not in readable else address, own))
        return len(self._known) - 1

    def _is_within_bounds(self, numbers: set[int]) -> bool:
        """Count the pictures of a drawing among those that are copied."""
        known = [self._known[each] for each in numbers]
        self._copied += sum(len(each.address) for each in known)
        again = [self._known[each].own for each in numbers & self._drawn]
        self._pixels += sum(round((each.width or 0) * (each.height or 0)) for each in again if not each.is_drawing)
        self._drawn |= numbers
        return self._copied <= MOST_COPIED and self._pixels <= MOST_PIXELS

    def _counted(self, number: int) -> str:
        """A drawing as elements of the drawing that it is in; other pictures are one element."""
        known = self._known[number]
        return data_of(known.address).decode() if known.own.is_drawing else "<image/>"


def _may_be_framed(background: Background) -> bool:
    """Whether layers differ only in whether they go under the border."""
    boxes = {each for layer in background.layers for each in (layer.origin, layer.clip)}
    return boxes == {"border-box", "padding-box"} and background.layers[-1].clip == "border-box"


def _image(svg: str) -> str:
    return f'background-image:url("data:image/svg+xml,{quote(svg, safe=_KEPT)}")'


def _boxes(background: Background) -> str | None:
    """The box that the layers share; None if they differ."""
    origins = {each.origin for each in background.layers}
    clips = {each.clip for each in background.layers}
    if len(origins) > 1 or len(clips) > 1 or not origins | clips <= {*_BOXES}:
        return None
    # A layer that repeats goes on under the border.
    tiled = all(each.repeat == ("repeat", "repeat") for each in background.layers)
    repeat = "repeat" if tiled and origins != clips else "no-repeat"
    return f"background-repeat:{repeat};background-origin:{origins.pop()};background-clip:{clips.pop()}"
