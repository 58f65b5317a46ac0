"""Write the form of a shape as SVG, with its fill, line and shadow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.toolkit.shapes.fills import Fill, Solid, opacity
from engine.toolkit.shapes.geometry import SHADES, Form, Outline
from engine.toolkit.shapes.lines import Line, heads

_LAYERS = 6
"""How often a blurred shadow is drawn, each time wider and fainter."""
_FADED = 0.7
_MOST_BLURRED = 400
"""Steps of a shape whose shadow is blurred: that of others has a sharp edge."""


@dataclass(frozen=True)
class Shadow:
    """A shadow: its colour as CSS, how far it is moved in points, and how far its edge is blurred."""

    colour: str
    across: float
    down: float
    blur: float = 0.0


def svg(
    form: Form, size: tuple[float, float], *, fill: Fill | None, line: Line | None, shadow: Shadow | None = None
) -> str:
    """A form at its size in points, placed over its box, with its fill and line."""
    filled, definition = ('fill="none"', "") if fill is None else fill.svg(size)
    parts = []
    if shadow is not None:
        strength = opacity(shadow.colour) * (opacity(fill.colour) if isinstance(fill, Solid) else 1.0)
        parts += [_shaded(each, shadow, line, strength if fill is not None else None) for each in form.outlines]
    for each in form.outlines:
        path = data(each)
        inside = 'fill="none"' if each.fill == "none" else f'{filled} fill-rule="evenodd"'
        around = line.attributes() if line is not None and each.stroked else ""
        if around or inside != 'fill="none"':
            parts.append(f'<path d="{path}" {inside}{around}/>')
        if inside != 'fill="none"' and (shade := SHADES.get(each.fill)):
            grey = "#ffffff" if shade[0] else "#000000"
            parts.append(f'<path d="{path}" fill="{grey}" fill-rule="evenodd" fill-opacity="{shade[1]}"/>')
        if around and line is not None:
            parts += [_head(line, head) for head in heads(line, each)]
    left, top, wide, high = _extent(form.outlines, size, line, shadow)
    definitions = f"<defs>{definition}</defs>" if definition else ""
    return (
        f'<svg class="at" style="left:{left:.2f}pt;top:{top:.2f}pt" width="{wide:.2f}pt" height="{high:.2f}pt" '
        f'viewBox="{left:.2f} {top:.2f} {wide:.2f} {high:.2f}">{definitions}{"".join(parts)}</svg>'
    )


def _shaded(outline: Outline, shadow: Shadow, line: Line | None, strength: float | None) -> str:
    """The shadow of a path, without its inside if it has no strength; a blurred one fades to nothing outside."""
    inside = strength is not None and outline.fill != "none"
    thick = line.thick if line is not None and outline.stroked else 0.0
    if not inside and not thick:
        return ""
    blurred = shadow.blur > 0.5 and len(outline.steps) <= _MOST_BLURRED
    layers = _LAYERS if blurred else 1
    strength = opacity(shadow.colour) if strength is None else strength
    # So that all layers together are as strong as the colour, of which a blur takes a part.
    each = 1 - (1 - min(strength * (_FADED if blurred else 1.0), 0.99)) ** (1 / layers)
    path, colour, found = data(outline), shadow.colour[:7], []
    for layer in range(layers):
        width = thick + (shadow.blur * (layer + 0.5) / layers if blurred else 0.0)
        painted = f'fill="{colour}" fill-rule="evenodd"' if inside else 'fill="none"'
        stroke = f' stroke="{colour}" stroke-width="{width:.2f}" stroke-linejoin="round"' if width else ""
        found.append(f'<path d="{path}" {painted}{stroke} opacity="{each:.3f}"/>')
    return f'<g transform="translate({shadow.across:.2f} {shadow.down:.2f})">{"".join(found)}</g>'


def _head(line: Line, head: Outline) -> str:
    solid = replace(line, dashes=())
    painted = f'fill="none"{solid.attributes()}' if head.stroked else f'fill="{line.colour[:7]}"'
    return f'<path d="{data(head)}" {painted}/>'


def data(outline: Outline) -> str:
    """The path data of an outline (SVG 2, 9.3)."""
    return "".join(kind + " ".join(f"{each:.2f}" for each in points) for kind, points in outline.steps)


def _extent(
    outlines: Iterable[Outline], size: tuple[float, float], line: Line | None, shadow: Shadow | None
) -> tuple[float, float, float, float]:
    """The left, top, width and height of what is drawn, with the room that heads and joins of a line may take."""
    points = [points for each in outlines for _, points in each.steps]
    across, down = ([at for each in points for at in each[axis::2]] for axis in (0, 1))
    room = 0.0 if line is None else line.thick + max((each.far(line.thick) for each in line.heads), default=0.0)
    if shadow is not None:
        room += max(abs(shadow.across), abs(shadow.down)) + shadow.blur
    left, top = min([0.0, *across]) - room, min([0.0, *down]) - room
    return left, top, max([size[0], *across]) + room - left, max([size[1], *down]) + room - top
