"""The state in which a metafile is played, and drawing commands that the library doesn't have."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, fields, replace

from metafile_render.commands import DrawCommand, DrawImageCommand, DrawPathCommand, DrawTextCommand
from metafile_render.context import ReplayContext
from metafile_render.gdi.playback import _Playback
from metafile_render.headers import _HeaderInfo
from metafile_render.location import RecordLocation
from metafile_render.models import DiagnosticLevel
from metafile_render.primitives import BLACK, WHITE, Brush, ClipStack, Font, GraphicsPath, Matrix, Pen, Point

_OPAQUE = 2
"""The background mode in which hatches and dashes have a ground (MS-EMF, 2.1.4)."""
_STENCILS = (0xB8074A, 0xE20746)
"""Raster operations that paint the brush where the bitmap is black, or white."""
_STOCK_PENS = {0x80000006: Pen(color=WHITE), 0x80000007: Pen(color=BLACK), 0x80000008: Pen(null=True)}
"""[MS-EMF] 2.1.31; the library counts them from 7."""
TWO_COLOURS = -1
"""In place of the hatch of a pattern: its bits are the colours of the text and its ground."""
_COPY_REGION = 5
_ISOTROPIC, _ANISOTROPIC = 7, 8


@dataclass(frozen=True)
class Gradient:
    """A rectangle filled with two colours, from left to right or from top to bottom (MS-EMF, 2.3.5.12)."""

    corners: tuple[Point, Point]
    colours: tuple[str, str]
    across: bool
    clip: ClipStack = ()
    location: RecordLocation | None = None


@dataclass(frozen=True, slots=True)
class Stencil(DrawImageCommand):
    """A bitmap that says where the colour of a brush is painted."""

    colour: str = "#000000"


@dataclass(frozen=True)
class Region:
    """An object of WMF that clips or is filled."""

    path: GraphicsPath


@dataclass(frozen=True)
class Palette:
    """An object of WMF that has a number and no effect on true colours."""


class Context(ReplayContext):
    """Counts what is not drawn by the codes of the library, without its limit on messages."""

    def __init__(self) -> None:
        super().__init__()
        self.counted: Counter[str] = Counter()

    def warn(self, code: str, message: str, *, partial: bool = True) -> None:
        if partial:
            self.counted[code] += 1

    def report(
        self, code: str, message: str, *, level: DiagnosticLevel = "info", location: RecordLocation | None = None
    ) -> None:
        """Nothing: these are fonts and sizes, which whoever draws the SVG reports."""


class Playback(_Playback):
    """The library's playback, with the coordinates of WMF, turned texts and objects that it doesn't know."""

    context: Context

    def __init__(self, header: _HeaderInfo, context: Context) -> None:
        super().__init__(header, context)
        if header.source_format == "wmf":
            self.state.map_mode = _ANISOTROPIC
            self.state.background_mode = _OPAQUE

    def _mapping_matrix(self) -> Matrix:
        matrix: Matrix = super()._mapping_matrix()
        if self.state.map_mode != _ISOTROPIC:
            return matrix
        least = min(abs(matrix.a), abs(matrix.d))
        across, down = math.copysign(least, matrix.a), math.copysign(least, matrix.d)
        (left, top), (x, y) = self.state.viewport_origin, self.state.window_origin
        return Matrix(a=across, d=down, e=left - x * across, f=top - y * down)

    def append_command(self, command: DrawCommand | Gradient) -> None:
        if isinstance(command, DrawTextCommand):
            world = self.state.world_transform
            logical = self.logical_matrix()
            mirrored = logical.a * logical.d - logical.b * logical.c < 0
            escapement = command.font.escapement / 10
            turn = math.degrees(math.atan2(world.b, world.a)) + (escapement if mirrored else -escapement)
            command = replace(command, rotation=turn)
        elif isinstance(command, DrawPathCommand) and command.brush.hatch == TWO_COLOURS and command.brush.pattern:
            command = replace(command, brush=self._coloured(command.brush, command.brush.pattern))
        elif (
            isinstance(command, DrawPathCommand)
            and command.brush.kind == "hatch"
            and self.state.background_mode == _OPAQUE
        ):
            ground = self.state.background_color
            command = replace(
                command, brush=replace(command.brush, pattern=bytes((ground.red, ground.green, ground.blue)))
            )
        elif isinstance(command, DrawImageCommand) and command.rop in _STENCILS:
            named = {each.name: getattr(command, each.name) for each in fields(command)}
            command = Stencil(**named, colour=self.state.brush.color.svg())
        super().append_command(command)  # type: ignore[arg-type]  # a gradient has all that is read of it

    def _coloured(self, brush: Brush, file: bytes) -> Brush:
        """A pattern of two colours in those of the text and its ground."""
        start = int.from_bytes(file[10:14], "little")
        palette = b"".join(
            bytes((each.blue, each.green, each.red, 0)) for each in (self.state.background_color, self.state.text_color)
        )
        return replace(brush, pattern=file[: start - len(palette)] + palette + file[start:])

    def select_emf_handle(self, handle: int) -> None:
        pen = _STOCK_PENS.get(handle)
        if pen is None:
            super().select_emf_handle(handle)
        else:
            self.state.pen = pen

    def create_object(self, value: Brush | Region | Palette) -> None:
        """Give an object the first free number of WMF."""
        self.create_wmf_object(value)  # type: ignore[arg-type]

    def object(self, handle: int) -> Pen | Brush | Font | Region | Palette | None:
        """The object of WMF with a number."""
        return self.wmf_objects[handle] if handle < len(self.wmf_objects) else None

    def select_object(self, value: Pen | Brush | Font | Region | Palette) -> None:
        if isinstance(value, Region):
            self.state.clip = ()
            self.add_clip(value.path, _COPY_REGION)
        elif not isinstance(value, Palette):
            super().select_object(value)
