"""Draw the layers of a background as one SVG in the size of its box, which is unknown here.

Shares of the box are percentages of viewports, and pixels are translations. A picture that keeps its ratio is in a
viewport whose view box is wide or high enough to let the other side decide its scale.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from engine.families.html_pdf.css import gradients
from engine.families.html_pdf.css.backgrounds import Layer
from engine.families.html_pdf.css.room_lengths import Length, TextSizes
from engine.families.html_pdf.css.svg_patterns import pattern

_FAR = 4_000
"""Times the size of a picture that a box may have at most, and half the number of pictures in a row."""
_LONG = 10_000
"""CSS pixels of a viewport whose other side is that of the box."""
_WHOLE = Length(share=1.0)
_OF_LENGTHS = re.compile(r"\d(?:px|pt|pc|in|cm|mm|q|r?em|ex|ch)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Picture:
    """A picture of a layer by its address, and its own size: a drawing may have only a ratio, or nothing."""

    address: str
    width: float | None = None
    height: float | None = None
    ratio: float | None = None


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
            return _in_ratio(layer, size, ratio, picture, name)
    if isinstance(size, str):
        return None
    filled = [each or _WHOLE for each in size]
    if any(each.share and each.pixels for each in filled) or any(min(each.share, each.pixels) < 0 for each in filled):
        return None
    if Length() in filled:
        return ""
    axes = [_axis(at, length, repeat) for at, length, repeat in zip(layer.place, filled, layer.repeat, strict=True)]
    across, down = axes
    if across is None or down is None:
        return None
    content = _content(layer, name, sizes, picture, across, down, report)
    return None if content is None else _tiled(across, down, content, name)


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
        return lambda width, height: _image(picture, width, height)
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


def _image(picture: Picture, width: str, height: str) -> str:
    return f'<image href="{escape(picture.address)}" width="{width}" height="{height}" preserveAspectRatio="none"/>'


def _tiled(across: _Axis, down: _Axis, content: Content, name: str) -> str:
    """A tile at its place, or a pattern of it."""
    if not across.repeats and not down.repeats:
        box = f'width="{across.wide}" height="{down.wide}"'
        return _moved(across.start, down.start, box, content("100%", "100%"), overflow="hidden")
    if any(each.repeats and each.size.share for each in (across, down)):
        return _tiled_in_shares(across, down, content, name)
    tile = pattern(name, (_side(across), _side(down)), content(across.wide, down.wide))
    x, wide = ("-300%", "700%") if across.repeats else ("0", across.wide)
    y, high = ("-300%", "700%") if down.repeats else ("0", down.wide)
    inside = f'<defs>{tile}</defs><rect x="{x}" y="{y}" width="{wide}" height="{high}" fill="url(#{name})"/>'
    return _moved(across.start, down.start, 'width="100%" height="100%"', inside, overflow="visible")


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
    return _moved(across.start, down.start, box, inside, overflow="visible")


def _side(axis: _Axis) -> float | str:
    return axis.size.pixels or axis.wide


def _in_ratio(
    layer: Layer, size: tuple[Length | None, Length | None] | str, ratio: float, picture: Picture, name: str
) -> str | None:
    """A picture that keeps its ratio while a share of the box decides its size."""
    width, height = (100.0 * ratio, 100.0) if picture.width is None else (picture.width, picture.width / ratio)
    own = (width, height)
    given = next((at for at in (0, 1) if not isinstance(size, str) and size[at] is not None), None)
    share = 1.0
    if given is not None:
        length = size[given]
        if not isinstance(length, Length) or length.pixels or length.share <= 0:
            return None
        share = length.share
    wide, starts, views = [], [], []
    for axis, (at, whole) in enumerate(zip(layer.place, own, strict=True)):
        if axis == given:
            wide.append(share)
            starts.append(Length(at.share * (1 - share), at.pixels))
            views.append((0.0, whole))
            continue
        # The middle of the viewport is that of the view box, which is as far into the picture as the place says.
        viewed = whole if given is None else whole * _FAR
        wide.append(1.0)
        starts.append(Length(at.share - 0.5, at.pixels))
        views.append((at.share * whole - viewed / 2, viewed))
    if any(each in ("space", "round") for each in layer.repeat):
        return None
    inside = _repeated(layer, own, picture, name)
    box = (
        f'width="{wide[0] * 100:g}%" height="{wide[1] * 100:g}%" '
        f'viewBox="{views[0][0]:g} {views[1][0]:g} {views[0][1]:g} {views[1][1]:g}" '
        f'preserveAspectRatio="xMidYMid {"meet" if size == "contain" else "slice"}"'
    )
    return _moved(starts[0], starts[1], box, inside, overflow="visible")


def _repeated(layer: Layer, own: tuple[float, float], picture: Picture, name: str) -> str:
    width, height = own
    image = _image(picture, f"{width:g}", f"{height:g}")
    if layer.repeat == ("no-repeat", "no-repeat"):
        return image
    spans = [
        (-_FAR * each, 2 * _FAR * each) if repeat == "repeat" else (0.0, each)
        for each, repeat in zip(own, layer.repeat, strict=True)
    ]
    (x, wide), (y, high) = spans
    return (
        f"<defs>{pattern(name, own, image)}</defs>"
        f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" fill="url(#{name})"/>'
    )


def _moved(across: Length, down: Length, box: str, inside: str, *, overflow: str) -> str:
    """A viewport that begins at a place."""
    view = f'<svg x="{across.share * 100:g}%" y="{down.share * 100:g}%" {box} overflow="{overflow}">{inside}</svg>'
    if not across.pixels and not down.pixels:
        return view
    return f'<g transform="translate({across.pixels:g} {down.pixels:g})">{view}</g>'


def _measure(size: Length) -> str:
    return f"{size.pixels:g}" if size.pixels else f"{size.share * 100:g}%"
