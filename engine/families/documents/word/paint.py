"""The fill and line of a shape of DrawingML as CSS and as a line (ECMA-376, part 1, 20.1.8 and 20.1.2.2.24)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import picture_sizes
from engine.families.documents.word.names import A, emu, integer, pt, share_of
from engine.families.documents.word.theme import Theme
from engine.toolkit.shapes import patterns
from engine.toolkit.shapes.custom import form_of
from engine.toolkit.shapes.fills import Fill, Gradient, Pattern, Picture, Solid
from engine.toolkit.shapes.geometry import Form, Outline, Step
from engine.toolkit.shapes.lines import Line, line_of
from engine.toolkit.shapes.svg import Shadow, svg
from engine.toolkit.xml_elements import number

_SLIM = 0.5
"""Points of the shorter side of a box below which it is a line."""
_LEAST_TILE, _MOST_TILE = 1.0, 10_000.0
_LEAST_SHOWN = 0.05
"""The share of a picture below which a crop is not believed."""
_MOST_BLUR = 100.0
_NO_BACKGROUND = 1_000
"""What a reference to no background says; those above it refer to backgrounds (20.1.4.2.10)."""
_BOXES = ("rect", "flowChartProcess")

_FILLS = tuple(A + each for each in ("solidFill", "gradFill", "pattFill", "blipFill"))


class Colours(Protocol):
    """The colour of an element such as `a:solidFill` as CSS; the `placeholder` is that of a style in a theme."""

    def __call__(self, parent: Element | None, *, placeholder: str | None = None) -> str | None: ...


Pictures = Callable[[Element, Colours], str | None]
"""The picture of an `a:blip` as a `data:` URI."""


@dataclass(frozen=True)
class Paint:
    """What fills a shape, its line, and its shadow."""

    fill: Fill | None = None
    line: Line | None = None
    shadow: Shadow | None = None

    def of_box(self) -> str | None:
        """The CSS of a box that is painted so; None where CSS can't draw it."""
        ground = "" if self.fill is None else self.fill.css()
        if ground is None or self.shadow is not None:
            return None
        if self.line is None:
            return ground
        if self.line.dashes or self.line.heads:
            return None
        return f"{ground}border:{pt(self.line.thick)} solid {self.line.colour};"


def declares_form(properties: Element | None) -> bool:
    """Whether a shape says what form it has."""
    return properties is not None and any(properties.find(A + each) is not None for each in ("prstGeom", "custGeom"))


def drawn_box(
    properties: Element | None, painted: Paint, form: Form | None, size: tuple[float, float], *, grows: bool = False
) -> tuple[str, str]:
    """The CSS of the box of a shape at its size in points, and an SVG inside it where CSS can't draw its form.

    A box that `grows` with its text may have no height.
    """
    geometry = None if properties is None else properties.find(A + "prstGeom")
    kind = "rect" if form is None else "" if geometry is None else geometry.get("prst") or ""
    css = painted.of_box() if kind in _BOXES and (grows or min(size) >= _SLIM) else None
    if css is not None:
        return css, ""
    if form is None:
        if kind not in _BOXES or declares_form(properties):
            return ("" if painted.fill is None else painted.fill.css() or ""), ""
        form = boxed(size)
    return "", svg(form, size, fill=painted.fill, line=painted.line, shadow=painted.shadow)


@dataclass(frozen=True)
class Framed:
    """A picture as a `data:` URI, and how much of it is cut off on the left, top, right and bottom, in shares."""

    uri: str
    crop: Sequence[float] = (0.0, 0.0, 0.0, 0.0)


def framed(
    properties: Element | None, style: Element | None, palette: Palette, picture: Framed, size: tuple[float, float]
) -> str:
    """A picture that has a form, a line or a shadow of its own as an SVG; empty for one without."""
    around = line_of(properties, style, palette.colours, palette.theme.lines)
    cast = shadow(properties, style, palette.colours, palette.theme.effects)
    geometry = None if properties is None else properties.find(A + "prstGeom")
    is_box = geometry is None or geometry.get("prst") in _BOXES
    form = form_of(properties, *size, flipped=(False, False)) if properties is not None else None
    is_box = form is None or (is_box and properties is not None and properties.find(A + "custGeom") is None)
    if min(size) < _SLIM or (is_box and around is None and cast is None):
        return ""
    left, top, right, bottom = picture.crop
    across, down = 1 - left - right, 1 - top - bottom
    if across < _LEAST_SHOWN or down < _LEAST_SHOWN:
        left = top = right = bottom = 0.0
        across = down = 1.0
    cut = -left / across, -top / down, -right / across, -bottom / down
    shown = boxed(size) if form is None or is_box else form
    return svg(shown, size, fill=Picture(picture.uri, cut=cut), line=around, shadow=cast)


def boxed(size: tuple[float, float]) -> Form:
    """A rectangle."""
    wide, high = size
    steps: tuple[Step, ...] = (
        ("M", (0.0, 0.0)),
        ("L", (wide, 0.0)),
        ("L", (wide, high)),
        ("L", (0.0, high)),
        ("Z", ()),
    )
    return Form((Outline(steps),), (0.0, 0.0, wide, high))


def fill(properties: Element, colours: Colours, pictures: Pictures) -> Fill | None:
    """What these properties declare to fill a shape."""
    for each in properties:
        if each.tag in _FILLS and (found := declared(each, colours, pictures)) is not None:
            return found
    return None


def declared(element: Element, colours: Colours, pictures: Pictures) -> Fill | None:
    """The fill that an element such as `a:gradFill` is."""
    kind = element.tag.removeprefix(A)
    if kind == "gradFill":
        return _gradient(element, colours)
    if kind == "blipFill":
        return _picture(element, colours, pictures)
    if kind == "pattFill":
        front, back = (colours(element.find(A + name)) for name in ("fgClr", "bgClr"))
        name = element.get("prst") or ""
        if name in patterns.NAMES:
            return Pattern(name, front or "#000000", back or "#ffffff")
        return Solid(front) if front else None
    colour = colours(element) if kind == "solidFill" else None
    return Solid(colour) if colour else None


def _gradient(gradient: Element, colours: Colours) -> Fill | None:
    stops = sorted(
        ((integer((each.get("pos") or "").rstrip("%")) or 0) / 1000, at)
        for each in gradient.iterfind(f"{A}gsLst/{A}gs")
        if (at := colours(each))
    )
    if len(stops) < 2:
        return Solid(stops[0][1]) if stops else None
    path, line = gradient.find(A + "path"), gradient.find(A + "lin")
    if path is not None:
        inner = path.find(A + "fillToRect")
        left, top, right, bottom = (share_of(None if inner is None else inner.get(side)) for side in "ltrb")
        return Gradient(tuple(stops), middle=((left + 1 - right) / 2, (top + 1 - bottom) / 2))
    angle = (integer(line.get("ang")) or 0) / 60_000 + 90 if line is not None else 180
    return Gradient(tuple(stops), angle)


def _picture(held: Element, colours: Colours, pictures: Pictures) -> Fill | None:
    blip = held.find(A + "blip")
    uri = None if blip is None else pictures(blip, colours)
    if blip is None or not uri:
        return None
    fixed = blip.find(A + "alphaModFix")
    opaque = 1.0 if fixed is None else min(max(share_of(fixed.get("amt"), 1.0), 0.0), 1.0)
    tile, inside = held.find(A + "tile"), held.find(f"{A}stretch/{A}fillRect")
    if tile is None:
        cut = tuple(share_of(None if inside is None else inside.get(side)) for side in "ltrb")
        cut = cut if cut[0] + cut[2] < 1 and cut[1] + cut[3] < 1 else (0.0, 0.0, 0.0, 0.0)
        return Picture(uri, opaque=opaque, cut=(cut[0], cut[1], cut[2], cut[3]))
    own = picture_sizes.of(uri)
    size = tuple(
        emu(tile.get(length)) or each * (share_of(tile.get(scale), 1.0) or 1.0)
        for each, scale, length in zip(own or (72.0, 72.0), ("sx", "sy"), ("cx", "cy"), strict=True)
    )
    size = tuple(max(_LEAST_TILE, min(abs(each), _MOST_TILE)) for each in size)
    return Picture(uri, (size[0], size[1]), (emu(tile.get("tx")), emu(tile.get("ty"))), opaque)


def shadow(
    properties: Element | None, style: Element | None, colours: Colours, effects: Sequence[Element]
) -> Shadow | None:
    """The outer shadow of a shape: its own, or that of its style."""
    held = None if properties is None else properties.find(A + "effectLst")
    reference = None if style is None else style.find(A + "effectRef")
    if held is None and reference is not None:
        index = integer(reference.get("idx")) or 0
        held = effects[index - 1].find(A + "effectLst") if 0 < index <= len(effects) else None
    cast = None if held is None else held.find(A + "outerShdw")
    if cast is None:
        return None
    colour = colours(cast) or (colours(reference) if reference is not None else None) or "#00000066"
    far, turn = emu(cast.get("dist")), math.radians(number(cast.get("dir")) / 60_000)
    return Shadow(
        colour, far * math.cos(turn), far * math.sin(turn), min(max(emu(cast.get("blurRad")), 0.0), _MOST_BLUR)
    )


@dataclass(frozen=True)
class Palette:
    """What the part of a shape gives it: its colours and pictures, and the theme with its pictures."""

    colours: Colours
    pictures: Pictures
    theme: Theme
    theme_pictures: Pictures

    def fill(self, reference: Element | None) -> Fill | None:
        """The fill of the theme that a `fillRef` or `bgRef` refers to, in the colour that it gives (20.1.4.2.10)."""
        index = 0 if reference is None else integer(reference.get("idx")) or 0
        if index <= 0 or index == _NO_BACKGROUND:
            return None
        colour, backs = self.colours(reference), index > _NO_BACKGROUND
        at = index - 1 - (_NO_BACKGROUND if backs else 0)
        known = self.theme.backgrounds if backs else self.theme.fills
        own = known[at] if at < len(known) else None
        found = None if own is None else declared(own, partial(self.colours, placeholder=colour), self.theme_pictures)
        return found or (Solid(colour) if colour else None)


def paint(owners: Sequence[Element | None], style: Element | None, palette: Palette) -> Paint:
    """How a shape is painted: by its own properties, the first of `owners`, its style, and its placeholders."""
    own = owners[0]
    around = line_of(own, style, palette.colours, palette.theme.lines)
    cast = shadow(own, style, palette.colours, palette.theme.effects)
    return Paint(_filled(owners, style, palette), around, cast)


def _filled(owners: Sequence[Element | None], style: Element | None, palette: Palette) -> Fill | None:
    for at, each in enumerate((*owners, None)):
        if at == 1 and (found := palette.fill(None if style is None else style.find(A + "fillRef"))) is not None:
            return found
        if each is None:
            continue
        if each.find(A + "noFill") is not None:
            return None
        if found := fill(each, palette.colours, palette.pictures):
            return found
    return None
