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
_ELEVATION = numpy.radians(25)
_LIGHT = numpy.array([-0.35, -0.75, 0.55])
_BACKGROUND = (255, 255, 255)
_GREY = (150, 165, 185)
_MARGIN = 0.06


def draw(model: Model, target: Path, options: Any, warn: Warn, *, upright: bool) -> None:
    """Write a PNG of the views; `upright` models have their height along y, others along z."""
    pictured = [each.name for each in model.parts if each.textured]
    warn.tally(TEXTURES, len(pictured), pictured)
    part = model.joined()
    if len(part.triangles) * options.views > MAX_DRAWN:
        raise OverLimit(
            "too_long",
            say(
                "The model has {count} triangles; at most {max_drawn} are drawn in all views.",
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
    for number in range(options.views):
        turn = numpy.radians(options.angle + 360 * number / options.views)
        picture.paste(_view(triangles, colours, turn, size), (size * number, 0))
        warn.progress(number + 1, options.views, "pages")
    picture.save(target, "PNG")


def _view(triangles: Any, colours: Any, turn: float, size: int) -> Image.Image:
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
    shades = numpy.clip(colours * bright[:, None], 0, 255).astype(int).tolist()
    factor = 2 if size <= 2048 else 1
    scale = size * factor * (0.5 - _MARGIN)
    points = numpy.stack([seen[:, :, 0] * scale, -seen[:, :, 2] * scale], axis=2) + size * factor / 2
    flat = points.reshape(-1, 6).tolist()
    picture = Image.new("RGB", (size * factor, size * factor), _BACKGROUND)
    pen = ImageDraw.Draw(picture)
    for at in numpy.argsort(-seen[:, :, 1].mean(1), kind="stable").tolist():
        shade = tuple(shades[at])
        pen.polygon(flat[at], fill=shade, outline=shade)
    return picture.resize((size, size), Image.Resampling.BOX) if factor > 1 else picture
