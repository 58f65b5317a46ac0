"""Draw the layers of a background as one SVG in the size of its box, which is unknown here.

Shares of the box are percentages of viewports, and pixels are translations.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from engine.families.html_pdf.css import gradients, pictures_in_ratio
from engine.families.html_pdf.css.backgrounds import Layer
from engine.families.html_pdf.css.pictures_in_ratio import Picture, image
from engine.families.html_pdf.css.room_lengths import Length, TextSizes
from engine.families.html_pdf.css.svg_patterns import pattern, viewport

_LONG = 10_000
"""CSS pixels of a viewport whose other side is that of the box."""
_WHOLE = Length(share=1.0)
_OF_LENGTHS = re.compile(r"\d(?:px|pt|pc|in|cm|mm|q|r?em|ex|ch)\b", re.IGNORECASE)


@dataclass(frozen=True)
class _Axis:
    """Where a tile lies in one direction: its size, its beginning, and whether it repeats."""

    size: Length
    start: Length
    repeats: bool

    @property
    def wide(self) -> str:
        return _measure(self.size)


Content = Callable[[str, str], str]
"""What is in a tile of a width and height, as elements."""


def drawn(
    layer: Layer, name: str, sizes: TextSizes, picture: Picture | None, report: Callable[[str], None]
) -> str | None:
    """A layer as elements of the drawing, with a name of its own; None for one that can't be drawn.

    A layer without `picture` is a gradient; one that is drawn only nearly is reported.
    """
    width = picture.width if picture is not None else None
    height = picture.height if picture is not None else None
    ratio = picture.ratio if picture is not None else None
    size = _with_own(layer.size, width, height, ratio)
    if isinstance(size, str) or (None in size and ratio is not None):
        if ratio is None:
            size = (_WHOLE, _WHOLE)
        elif picture is not None:
            return pictures_in_ratio.drawn(layer, size, ratio, picture, name)
    if isinstance(size, str):
        return None
    filled = [each or _WHOLE for each in size]
    if any(each.share and each.pixels for each in filled):
        return _of_one_colour(layer, filled) if picture is None else None
    if any(min(each.share, each.pixels) < 0 for each in filled):
        return None
    if Length() in filled:
        return ""
    axes = [_axis(at, length, repeat) for at, length, repeat in zip(layer.place, filled, layer.repeat, strict=True)]
    across, down = axes
    if across is None or down is None:
        return None
    content = _content(layer, name, sizes, picture, across, down, report)
    return None if content is None else _tiled(across, down, content, name)


def _of_one_colour(layer: Layer, size: list[Length]) -> str | None:
    """A tile of a colour that is some pixels smaller than a share of the box: what two shifted viewports share."""
    fill = gradients.only_colour(layer.image)
    axes = [_axis(at, each, "no-repeat") for at, each in zip(layer.place, size, strict=True)]
    across, down = axes
    is_smaller = all(each.pixels <= 0 or not each.share for each in size)
    if fill is None or across is None or down is None or not is_smaller or set(layer.repeat) != {"no-repeat"}:
        return None
    moved = [f"{each.pixels:g}" if each.share else "0" for each in size]
    sides = [f"{each.share * 100:g}%" if each.share else f"{each.pixels:g}" for each in size]
    area = f'<rect x="-100%" y="-100%" width="300%" height="300%" fill="{fill.colour}" fill-opacity="{fill.alpha:g}"/>'
    inside = f'<svg x="{moved[0]}" y="{moved[1]}" width="100%" height="100%" overflow="hidden">{area}</svg>'
    return viewport(across.start, down.start, f'width="{sides[0]}" height="{sides[1]}"', inside, overflow="hidden")


def _with_own(
    size: tuple[Length | None, Length | None] | str, width: float | None, height: float | None, ratio: float | None
) -> tuple[Length | None, Length | None] | str:
    """The size with what the picture's own size gives where it is `auto` (CSS Images 3, 4.3)."""
    if isinstance(size, str):
        return size
    across, down = size
    if across is None and down is None:
        if width is None and height is None:
            return "contain"
        across = Length(pixels=width) if width is not None else None
        down = Length(pixels=height) if height is not None else None
    if ratio is None:
        own = [Length(pixels=each) if each is not None else None for each in (width, height)]
        return across or own[0] or _WHOLE, down or own[1] or _WHOLE
    if across is None and down is not None and not down.share:
        across = Length(pixels=down.pixels * ratio)
    elif down is None and across is not None and not across.share:
        down = Length(pixels=across.pixels / ratio)
    return across, down


def _axis(at: Length, size: Length, repeat: str) -> _Axis | None:
    start = Length(at.share * (1 - size.share), at.pixels - at.share * size.pixels)
    fills = size == _WHOLE and not start.pixels
    if repeat in ("space", "round") and not fills:
        return None
    repeats = repeat != "no-repeat" and not fills
    if repeats and size.pixels:
        start = Length(start.share, start.pixels % size.pixels)
    return _Axis(size, start, repeats)


def _content(
    layer: Layer,
    name: str,
    sizes: TextSizes,
    picture: Picture | None,
    across: _Axis,
    down: _Axis,
    report: Callable[[str], None],
) -> Content | None:
    if picture is not None:
        return lambda width, height: image(picture, width, height)
    if any(each.repeats and each.size.share for each in (across, down)) and _OF_LENGTHS.search(layer.image):
        return None
    known = across.size.pixels and down.size.pixels
    room = (across.size.pixels, down.size.pixels) if known else None
    inside = gradients.drawn(layer.image, f"{name}g", sizes, room)
    if inside is None:
        inside = gradients.nearly(layer.image, f"{name}g")
        if inside is None:
            return None
        report(layer.image)
    return lambda width, height: f'<svg width="{width}" height="{height}">{inside}</svg>'


def _tiled(across: _Axis, down: _Axis, content: Content, name: str) -> str:
    """A tile at its place, or a pattern of it."""
    if not across.repeats and not down.repeats:
        box = f'width="{across.wide}" height="{down.wide}"'
        return viewport(across.start, down.start, box, content("100%", "100%"), overflow="hidden")
    if any(each.repeats and each.size.share for each in (across, down)):
        return _tiled_in_shares(across, down, content, name)
    tile = pattern(name, (_side(across), _side(down)), content(across.wide, down.wide))
    x, wide = ("-300%", "700%") if across.repeats else ("0", across.wide)
    y, high = ("-300%", "700%") if down.repeats else ("0", down.wide)
    inside = f'<defs>{tile}</defs><rect x="{x}" y="{y}" width="{wide}" height="{high}" fill="url(#{name})"/>'
    return viewport(across.start, down.start, 'width="100%" height="100%"', inside, overflow="visible")


def _tiled_in_shares(across: _Axis, down: _Axis, content: Content, name: str) -> str:
    """Tiles in shares of the box: in a view box of as many squares as there are tiles, or in one of known length."""
    lengths = [f"{_LONG}" if each.size.pixels else "100%" for each in (across, down)]
    views = [100 * _LONG / each.size.pixels if each.size.pixels else 100 / each.size.share for each in (across, down)]
    spans = [
        (-views_of, 3 * views_of) if each.repeats else (0, 100)
        for each, views_of in zip((across, down), views, strict=True)
    ]
    (x, wide), (y, high) = spans
    area = f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" fill="url(#{name})"/>'
    inside = f"<defs>{pattern(name, (100.0, 100.0), content('100', '100'))}</defs>{area}"
    box = (
        f'width="{lengths[0]}" height="{lengths[1]}" viewBox="0 0 {views[0]:g} {views[1]:g}" preserveAspectRatio="none"'
    )
    return viewport(across.start, down.start, box, inside, overflow="visible")


def _side(axis: _Axis) -> float | str:
    return axis.size.pixels or axis.wide


def _measure(size: Length) -> str:
    return f"{size.pixels:g}" if size.pixels else f"{size.share * 100:g}%"
