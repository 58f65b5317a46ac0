"""Paint what is below the texts of cells: fills, gradients and lines."""

from __future__ import annotations

from typing import Any

from engine.families.data.printed import edges
from engine.families.data.printed.xlsx_colours import between, parts


def fill(canvas: Any, box: tuple[float, float, float, float], colour: str, dx: float, dy: float) -> None:
    """Fill a box of a sheet that is moved by `dx` and whose y axis begins at `dy` and points down."""
    canvas.setFillColorRGB(*parts(colour))
    # A hair larger, so that no light shines between neighbours.
    canvas.rect(dx + box[0], dy - box[3] - 0.05, box[2] - box[0] + 0.05, box[3] - box[1] + 0.05, stroke=0, fill=1)


def gradient(
    canvas: Any, box: tuple[float, float, float, float], shades: tuple[str, str, float], dx: float, dy: float
) -> None:
    """Fill a box with the colours from one to another, across or down."""
    first, last, angle = shades
    steps = 16
    x0, y0, x1, y1 = box
    for step in range(steps):
        colour = between(first, last, step / (steps - 1))
        if round(angle) % 180 == 90:
            part = x0, y0 + (y1 - y0) * step / steps, x1, y0 + (y1 - y0) * (step + 1) / steps
        else:
            part = x0 + (x1 - x0) * step / steps, y0, x0 + (x1 - x0) * (step + 1) / steps, y1
        fill(canvas, part, colour, dx, dy)


def stroke(canvas: Any, segment: edges.Segment, dx: float, dy: float, *, grey: bool) -> None:
    """Draw a line of a border."""
    edge = segment.edge
    thick = edges.WIDTHS.get(edge.style, 0.75)
    canvas.setStrokeColorRGB(*parts("000000" if grey else edge.colour))
    canvas.setLineWidth(thick)
    canvas.setDash(*((list(edges.DASHES[edge.style]), 0) if edge.style in edges.DASHES else ([], 0)))
    x0, y0, x1, y1 = dx + segment.x0, dy - segment.y0, dx + segment.x1, dy - segment.y1
    if edge.style == "double":
        ox, oy = (0.9, 0.0) if segment.x0 == segment.x1 else (0.0, 0.9)
        canvas.line(x0 - ox, y0 - oy, x1 - ox, y1 - oy)
        canvas.line(x0 + ox, y0 + oy, x1 + ox, y1 + oy)
        return
    canvas.setLineCap(2 if edge.style not in edges.DASHES else 0)
    canvas.line(x0, y0, x1, y1)
