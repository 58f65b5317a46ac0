"""The fill and line of a shape of DrawingML as CSS and as a line (ECMA-376, part 1, 20.1.8 and 20.1.2.2.24)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import A, R, emu, integer, pt
from engine.toolkit.shapes.geometry import Form
from engine.toolkit.shapes.lines import Line, dashes_of, heads_of, is_connector
from engine.toolkit.shapes.svg import svg

_THINNEST = 0.25
_USUAL = 0.75
"""Points of a line without a width (20.1.2.2.24)."""
_SLIM = 0.5
"""Points of the shorter side of a box below which it is a line."""
_BOXES = ("rect", "flowChartProcess")

Colours = Callable[[Element | None], str | None]
"""The colour of an element such as `a:solidFill` as CSS."""
Pictures = Callable[[str | None], str | None]
"""The picture with a relationship as a `data:` URI."""


@dataclass(frozen=True)
class Paint:
    """The background of a shape as a CSS declaration, empty if it has none, and its line."""

    ground: str
    line: Line | None

    def of_box(self) -> str | None:
        """The CSS of a box that is painted so; None where a border can't draw its line."""
        if self.line is None:
            return self.ground
        if self.line.dashes or self.line.first or self.line.last:
            return None
        return f"{self.ground}border:{pt(self.line.thick)} solid {self.line.colour};"


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
    if form is None or css is not None:
        return (painted.ground if css is None else css), ""
    return "", svg(form, size, ground=painted.ground, line=painted.line)


def ground(properties: Element, colours: Colours, pictures: Pictures) -> str:
    """The fill that these properties declare as a CSS declaration."""
    if colour := colours(properties.find(A + "solidFill")):
        return f"background-color:{colour};"
    gradient = properties.find(A + "gradFill")
    if gradient is not None:
        stops = [
            ((integer(each.get("pos")) or 0) / 1000, at)
            for each in gradient.iterfind(f"{A}gsLst/{A}gs")
            if (at := colours(each))
        ]
        line = gradient.find(A + "lin")
        if len(stops) > 1:
            angle = (integer(line.get("ang")) or 0) / 60_000 + 90 if line is not None else 180
            colours_at = ",".join(f"{at} {place:g}%" for place, at in sorted(stops))
            return f"background:linear-gradient({angle:g}deg,{colours_at});"
    blip = properties.find(f"{A}blipFill/{A}blip")
    if blip is not None and (uri := pictures(blip.get(R + "embed"))):
        tiled = properties.find(f"{A}blipFill/{A}tile") is not None
        return f"background-image:url({uri});{'' if tiled else 'background-size:100% 100%;'}"
    return ""


def styled(style: Element | None, name: str, colours: Colours) -> str | None:
    """The colour that the style of a shape gives it (`fillRef`, `lnRef`)."""
    reference = None if style is None else style.find(A + name)
    return None if reference is None or reference.get("idx") in (None, "0") else colours(reference)


def paint(
    owners: Sequence[Element | None],
    style: Element | None,
    colours: Colours,
    pictures: Pictures,
    widths: Sequence[float],
) -> Paint:
    """How a shape is painted: by its own properties, the first of `owners`, its style, and those of its placeholders.

    `widths` are those of the theme's lines in points.
    """
    own = owners[0]
    colour = styled(style, "fillRef", colours)
    for at, each in enumerate((*owners, None)):
        if at == 1 and colour:
            return Paint(f"background-color:{colour};", line(own, style, colours, widths))
        if each is None:
            continue
        if each.find(A + "noFill") is not None:
            return Paint("", line(own, style, colours, widths))
        if found := ground(each, colours, pictures):
            return Paint(found, line(own, style, colours, widths))
    return Paint("", line(own, style, colours, widths))


def line(properties: Element | None, style: Element | None, colours: Colours, widths: Sequence[float]) -> Line | None:
    """The line of a shape; a connector is black by default."""
    own = None if properties is None else properties.find(A + "ln")
    if own is not None and own.find(A + "noFill") is not None:
        return None
    colour = (
        None if own is None else colours(own.find(A + "solidFill")) or colours(own.find(f"{A}gradFill/{A}gsLst/{A}gs"))
    )
    colour = colour or styled(style, "lnRef", colours)
    if colour is None:
        if not is_connector(properties):
            return None
        colour = "#000000"
    reference = None if style is None else style.find(A + "lnRef")
    index = 0 if reference is None else integer(reference.get("idx")) or 0
    thick = widths[index - 1] if 0 < index <= len(widths) else _USUAL
    if own is not None and own.get("w"):
        thick = emu(own.get("w"))
    return Line(colour, max(thick, _THINNEST), dashes_of(own), *heads_of(own))
