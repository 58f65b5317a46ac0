"""Draw pictures of backgrounds that keep their ratio while a share of the box decides their size.

Each is in a viewport whose view box is wide or high enough to let the other side decide its scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from engine.families.html_pdf.css.backgrounds import Layer
from engine.families.html_pdf.css.room_lengths import Length
from engine.families.html_pdf.css.svg_patterns import pattern, viewport

_FAR = 4_000
"""Times the size of a picture that a box may have at most, and half the number of pictures in a row."""
_WHOLE = Length(share=1.0)


@dataclass(frozen=True)
class Picture:
    """A picture of a layer by its address, and its own size: a drawing may have only a ratio, or nothing."""

    address: str
    width: float | None = None
    height: float | None = None
    ratio: float | None = None


def drawn(
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
    return viewport(starts[0], starts[1], box, inside, overflow="visible")


def _repeated(layer: Layer, own: tuple[float, float], picture: Picture, name: str) -> str:
    width, height = own
    one = image(picture, f"{width:g}", f"{height:g}")
    if layer.repeat == ("no-repeat", "no-repeat"):
        return one
    spans = [
        (-_FAR * each, 2 * _FAR * each) if repeat == "repeat" else (0.0, each)
        for each, repeat in zip(own, layer.repeat, strict=True)
    ]
    (x, wide), (y, high) = spans
    return (
        f"<defs>{pattern(name, own, one)}</defs>"
        f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" fill="url(#{name})"/>'
    )


def image(picture: Picture, width: str, height: str) -> str:
    """A picture that fills a width and height."""
    return f'<image href="{escape(picture.address)}" width="{width}" height="{height}" preserveAspectRatio="none"/>'
