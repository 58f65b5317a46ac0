"""Draw shaded triangles back to front, without a graphics card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
from PIL import Image, ImageDraw

from engine.families.models.parts import Model
from engine.families.models.writing import TEXTURES
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

MAX_DRAWN = 1_000_000
"""A surface of 980,000 triangles takes 10 s and 1 GB, one of 300,000 takes 3.7 s."""
MAX_ROWS = 15_000_000
"""Rows of pixels of all triangles, which may hide one another: 1 million take 0.6 to 1.1 s, more if they are long.
300,000 large triangles took half a minute; a surface of a million has 3 million rows."""
_ELEVATION = numpy.radians(25)
_LIGHT = numpy.array([-0.35, -0.75, 0.55])
_BACKGROUND = (255, 255, 255)
_GREY = (150, 165, 185)
_MARGIN = 0.06
_HIDING = say("The model's triangles overlap too much. Make the picture or the model smaller.")


def draw(model: Model, target: Path, options: Any, warn: Warn, *, upright: bool) -> None:
    """Write a PNG of the views; `upright` models have their height along y, others along z."""
    pictured = [each.name for each in model.parts if each.textured]
    warn.tally(TEXTURES, len(pictured), pictured)
    part = model.joined()
    if len(part.triangles) * options.views > MAX_DRAWN:
        raise OverLimit(
            "too_long",
            say(
                "The model has {count} triangles, and the limit for all views is {max_drawn}.",
                count=len(part.triangles),
                max_drawn=MAX_DRAWN,
            ),
            ["views=1"] if options.views > 1 else (),
        )
    corners = part.vertices[:, [0, 2, 1]] * (1, -1, 1) if upright else part.vertices
    low, high = corners.min(0), corners.max(0)
    corners = corners - (low + high) / 2
    radius = float(numpy.linalg.norm(corners, axis=1).max()) or 1.0
    triangles = (corners / radius)[part.triangles]
    if part.colours is None:
        colours = numpy.broadcast_to(numpy.array(_GREY, dtype="float64"), (len(triangles), 3))
    else:
        colours = part.colours[part.triangles][:, :, :3].astype("float64").mean(1)
    size = max(options.width // options.views, 16)
    picture = Image.new("RGB", (size * options.views, size), _BACKGROUND)
    factor, rows = (2 if size <= 2048 else 1), 0.0
    for number in range(options.views):
        turn = numpy.radians(options.angle + 360 * number / options.views)
        points, shades = _view(triangles, colours, turn, size * factor)
        rows += numpy.ptp(points[:, 1::2], axis=1).sum()
        if rows > MAX_ROWS:
            raise OverLimit("too_long", _HIDING)
        painted = _painted(points, shades, size * factor)
        picture.paste(painted.resize((size, size), Image.Resampling.BOX) if factor > 1 else painted, (size * number, 0))
        warn.progress(number + 1, options.views, "pages")
    picture.save(target, "PNG")


def _view(triangles: Any, colours: Any, turn: float, size: int) -> tuple[Any, Any]:
    """The corners of the triangles in a picture, x and y by turns, and their shades, from back to front."""
    cos, sin = numpy.cos(turn), numpy.sin(turn)
    around = numpy.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    cos, sin = numpy.cos(_ELEVATION), numpy.sin(_ELEVATION)
    down = numpy.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]])
    turned = triangles @ around.T
    normals = numpy.cross(turned[:, 1] - turned[:, 0], turned[:, 2] - turned[:, 0])
    lengths = numpy.linalg.norm(normals, axis=1)
    normals = normals / numpy.where(lengths == 0, 1, lengths)[:, None]
    seen = turned @ down.T
    # Open meshes are visible from behind, too.
    facing = numpy.where((normals @ down.T)[:, 1] > 0, -1, 1)
    light = _LIGHT / numpy.linalg.norm(_LIGHT)
    bright = 0.45 + 0.55 * numpy.clip((normals @ light) * facing, 0, 1)
    shades = numpy.clip(colours * bright[:, None], 0, 255).astype(int)
    scale = size * (0.5 - _MARGIN)
    points = numpy.stack([seen[:, :, 0] * scale, -seen[:, :, 2] * scale], axis=2) + size / 2
    order = numpy.argsort(-seen[:, :, 1].mean(1), kind="stable")
    return points.reshape(-1, 6)[order], shades[order]


def _painted(points: Any, shades: Any, size: int) -> Image.Image:
    picture = Image.new("RGB", (size, size), _BACKGROUND)
    pen = ImageDraw.Draw(picture)
    for corners, shade in zip(points.tolist(), map(tuple, shades.tolist()), strict=True):
        pen.polygon(corners, fill=shade, outline=shade)
    return picture
