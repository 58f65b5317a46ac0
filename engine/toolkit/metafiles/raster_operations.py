"""What the ternary raster operations of GDI do to a picture, as fills and bitmaps ([MS-WMF] 2.1.1.31)."""

from __future__ import annotations

import struct

from metafile_render.commands import DibPayload, DrawPathCommand
from metafile_render.geometry import rectangle_path, transform_path
from metafile_render.primitives import BLACK, WHITE, Brush, GraphicsPath, Pen, Point, Rect

from engine.toolkit.metafiles.playback import Playback

COPY, AND, OR, XOR = 0xCC0020, 0x8800C6, 0xEE0086, 0x660046
WITHOUT_COLOUR = 0x0100_0000_0000
"""With a COLORREF below it, an operation of our own: all but the pixels of one colour are copied."""
_INVERT = 0x550009
_NOTHING = 0xAA0029
_FILLS = {0x000042: Brush(color=BLACK), 0xFF0062: Brush(color=WHITE)}
_PATTERN = 0xF00021
_COPY_PEN, _NOT = 13, 6
"""Binary raster operations: the colour, and the inverse of what is there (2.1.1.2)."""


def corners(area: Rect, playback: Playback) -> tuple[Point, Point, Point, Point]:
    """The corners of an area in device units, clockwise from the top left."""
    return (
        playback.map_point((area.left, area.top)), playback.map_point((area.right, area.top)),
        playback.map_point((area.right, area.bottom)), playback.map_point((area.left, area.bottom)),
    )  # fmt: skip


def filled(operation: int, area: Rect, playback: Playback) -> None:
    """Draw a transfer without a bitmap, which fills its area."""
    path = transform_path(rectangle_path(area), playback.logical_matrix())
    if operation == _NOTHING:
        return
    if operation == _INVERT:
        inverted(path, playback)
        return
    brush = _FILLS.get(operation, playback.state.brush)
    if operation not in _FILLS and operation != _PATTERN:
        playback.context.counted["unsupported_rop3"] += 1
    painted(path, brush, playback)


def painted_ground(area: Rect, playback: Playback) -> None:
    """Fill an area with the background colour, as a text without letters does."""
    path = transform_path(rectangle_path(area), playback.logical_matrix())
    painted(path, Brush(color=playback.state.background_color), playback)


def painted(path: GraphicsPath, brush: Brush, playback: Playback) -> None:
    """Fill a path in device units."""
    _append(path, brush, playback, _COPY_PEN)


def inverted(path: GraphicsPath, playback: Playback) -> None:
    """Invert the colours below a path in device units."""
    _append(path, Brush(color=BLACK), playback, _NOT)


def _append(path: GraphicsPath, brush: Brush, playback: Playback, operation: int) -> None:
    if path.segments and brush.kind != "null":
        playback.append_command(
            DrawPathCommand(
                path=path, pen=Pen(null=True), brush=brush, stroke=False, fill=True, fill_rule="nonzero",
                clip=playback.state.clip, rop2=operation,
            )
        )  # fmt: skip


def file(payload: DibPayload) -> bytes:
    """A bitmap as a file of its own, with the header of 14 bytes."""
    start = 14 + len(payload.header)
    return (
        b"BM" + struct.pack("<IHHI", (start + len(payload.bits)) & 0xFFFFFFFF, 0, 0, start)
        + payload.header + payload.bits
    )  # fmt: skip
