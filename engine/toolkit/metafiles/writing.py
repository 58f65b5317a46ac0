"""Write the drawing commands of a metafile as SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from html import escape

from metafile_render.commands import ClearCommand, DrawImageCommand, DrawPathCommand, DrawTextCommand
from metafile_render.limits import MAX_GENERATED_SVG_BYTES
from metafile_render.models import MetafileMalformedError, MetafileResourceLimitError
from metafile_render.primitives import BLACK, WHITE, Brush, ClipStack, GraphicsPath, Matrix, Pen, Point

from engine.toolkit.metafiles import bitmaps, texts
from engine.toolkit.metafiles.fills import Fills
from engine.toolkit.metafiles.numbers import number
from engine.toolkit.metafiles.playback import Gradient, Stencil
from engine.toolkit.metafiles.raster_operations import AND, OR, XOR

_HAIRLINE, _THINNEST = 0.75, 0.35
"""Pixels: the width of lines that have none of their own, and the least of those that have."""
_MITER_LIMIT = 4
"""That of SVG, if none is given."""
_NOTHING, _COPY = 11, 13
_MASK, _MERGE = 9, 15
_FIXED = {1: BLACK, 16: WHITE}
_LIKE_COPY = (_COPY, _MASK, _MERGE, 10)
"""Binary raster operations that show the colour itself on white, or leave the white."""


class Writer:
    """Writes commands in device units as SVG of a size in pixels."""

    def __init__(self, matrix: Matrix, size: tuple[float, float], counted: Counter[str]) -> None:
        self._matrix, self._size, self._counted = matrix, size, counted
        self._fills = Fills(number)
        self._clips: dict[tuple[int, ...], tuple[str, ...]] = {}
        self._clip_names: dict[tuple[str, str], str] = {}
        self._open: tuple[str, ...] = ()
        self._parts: list[str] = []
        self._length = 0
        self._line: tuple[str, list[str]] | None = None
        """The style of the lines before, and their paths: those of one style become one element."""

    def written(self, commands: Sequence[object]) -> str:
        """All commands, without the `svg` element. Raises MetafileResourceLimitError for one that is too large."""
        at = 0
        while at < len(commands):
            command = commands[at]
            if isinstance(command, DrawImageCommand):
                at += self._pictures(commands, at)
                continue
            clip: ClipStack = getattr(command, "clip", ())
            if isinstance(command, DrawPathCommand):
                self._path(command)
            elif isinstance(command, DrawTextCommand):
                self._add(texts.svg(command, self._matrix, number, self._counted), clip)
            elif isinstance(command, Gradient):
                self._gradient(command)
            elif isinstance(command, ClearCommand) and command.color.alpha:
                wide, high = map(number, self._size)
                self._add(f'<rect width="{wide}" height="{high}" fill="{command.color.svg()}"/>', clip)
            at += 1
        self._flush()
        self._switch(())
        names = "".join(
            f'<clipPath id="{name}"><path d="{d}" clip-rule="{rule}"/></clipPath>'
            for (d, rule), name in self._clip_names.items()
        )
        definitions = names + "".join(self._fills.definitions)
        return (f"<defs>{definitions}</defs>" if definitions else "") + "".join(self._parts)

    def _add(self, element: str, clip: ClipStack) -> None:
        self._flush()
        self._switch(self._clipping(clip))
        self._put(element)

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
        if self._length > MAX_GENERATED_SVG_BYTES:
            raise MetafileResourceLimitError("the SVG is too large")

    def _switch(self, names: tuple[str, ...]) -> None:
        """Open and close the groups that clip what follows."""
        if names != self._open:
            self._put("</g>" * len(self._open) + "".join(f'<g clip-path="url(#{name})">' for name in names))
            self._open = names

    def _flush(self) -> None:
        if self._line is not None:
            style, paths = self._line
            self._line = None
            self._put(f'<path d="{" ".join(paths)}" {style}/>')

    def _path(self, command: DrawPathCommand) -> None:
        operation = command.rop2
        if operation == _NOTHING:
            return
        if operation not in _LIKE_COPY and operation not in _FIXED:
            self._counted["unsupported_rop2"] += 1
        pen, brush = command.pen, command.brush
        if operation in _FIXED:
            pen = replace(pen, color=_FIXED[operation])
            brush = Brush(color=_FIXED[operation])
        hidden = {_MASK: WHITE, _MERGE: BLACK}.get(operation)
        stroked = command.stroke and not pen.null and pen.color != hidden
        filled = command.fill and brush.kind != "null" and not (brush.kind == "solid" and brush.color == hidden)
        if not stroked and not filled:
            return
        d = self._d(command.path)
        fill = self._fills.of(brush, self._counted) if filled else 'fill="none"'
        style = fill if not filled or command.fill_rule == "nonzero" else f'{fill} fill-rule="evenodd"'
        if stroked:
            style += self._stroke(command, pen)
        names = self._clipping(command.clip)
        if not filled and pen.color.alpha == 255:
            if self._line is not None and (self._line[0] != style or names != self._open):
                self._flush()
            if self._line is None:
                self._switch(names)
                self._line = (style, [])
            self._line[1].append(d)
            self._length += len(d)
            return
        self._add(f'<path d="{d}" {style}/>', command.clip)

    def _stroke(self, command: DrawPathCommand, pen: Pen) -> str:
        scale = (abs(self._matrix.a) + abs(self._matrix.d)) / 2
        wide = _HAIRLINE if pen.cosmetic else max(pen.width * scale, _THINNEST)
        style = f' stroke="{pen.color.svg()}" stroke-width="{number(wide)}"'
        style += f' stroke-linecap="{pen.cap}"' if pen.cap != "flat" else ""
        if pen.join != "miter":
            style += f' stroke-linejoin="{pen.join}"'
        elif command.miter_limit != _MITER_LIMIT:
            style += f' stroke-miterlimit="{number(max(command.miter_limit, 1.0))}"'
        if pen.color.alpha < 255:
            style += f' stroke-opacity="{pen.color.alpha / 255:.3g}"'
        if pen.dashes:
            unit = _HAIRLINE if pen.cosmetic else scale
            style += f' stroke-dasharray="{" ".join(number(max(each * unit, 0.1)) for each in pen.dashes)}"'
        return style

    def _d(self, path: GraphicsPath) -> str:
        parts = []
        a, b, c, d, e, f = (getattr(self._matrix, each) for each in "abcdef")
        for segment in path.segments:
            points = (f"{number(a * x + c * y + e)} {number(b * x + d * y + f)}" for x, y in segment.points)
            parts.append(segment.verb + " ".join(points))
        return "".join(parts)

    def _clipping(self, clip: ClipStack) -> tuple[str, ...]:
        """The names of the paths that clip together."""
        if not clip:
            return ()
        key = tuple(map(id, clip))
        if key not in self._clips:
            self._clips[key] = tuple(self._name(each) for each in self._folded(clip))
        return self._clips[key]

    def _folded(self, clip: ClipStack) -> list[tuple[str, str]]:
        """Paths and rules whose intersection is the region."""
        found: list[tuple[str, str]] = []
        for each in clip:
            if each.mode in ("and", "copy"):
                found = found if each.mode == "and" else []
                if not self._covers(each.path):
                    found.append((self._d(each.path), each.fill_rule))
            elif each.mode == "diff":
                wide, high = map(number, self._size)
                found.append((f"M0 0L{wide} 0L{wide} {high}L0 {high}Z{self._d(each.path)}", "evenodd"))
            elif len(found) == 1:
                rule = "nonzero" if each.mode == "or" else "evenodd"
                found = [(found[0][0] + self._d(each.path), rule)]
            elif found:
                self._counted["clip"] += 1
        return found

    def _covers(self, path: GraphicsPath) -> bool:
        """Whether a path is one rectangle around the whole picture."""
        points = [self._matrix.transform_point(each) for segment in path.segments for each in segment.points]
        if len(points) != 4 or len({x for x, _ in points}) != 2 or len({y for _, y in points}) != 2:
            return False
        (left, top), (right, bottom) = map(min, zip(*points, strict=True)), map(max, zip(*points, strict=True))
        return bool(left <= 0.5 and top <= 0.5 and right >= self._size[0] - 0.5 and bottom >= self._size[1] - 0.5)

    def _name(self, found: tuple[str, str]) -> str:
        if found not in self._clip_names:
            self._clip_names[found] = f"clip{len(self._clip_names) + 1}"
            self._length += len(found[0])
        return self._clip_names[found]

    def _gradient(self, command: Gradient) -> None:
        (left, top), (right, bottom) = map(self._matrix.transform_point, command.corners)
        fill = self._fills.gradient(command, (left, top), (right, bottom))
        x, y = number(min(left, right)), number(min(top, bottom))
        wide, high = number(abs(right - left)), number(abs(bottom - top))
        self._add(f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" {fill}/>', command.clip)

    def _pictures(self, commands: Sequence[object], at: int) -> int:
        """Draw the bitmap at this place, with those after it that make it transparent together; how many these were."""
        group = [
            each
            for each in commands[at : at + 3]
            if isinstance(each, DrawImageCommand) and each.destination == commands[at].destination  # type: ignore[attr-defined]
        ]
        operations = [each.rop for each in group]
        if operations == [XOR, AND, XOR]:
            self._picture(group[2], XOR, mask=group[1])
            return 3
        if operations[:2] in ([AND, OR], [AND, XOR]) and group[1] is commands[at + 1]:
            self._picture(group[1], OR, mask=group[0])
            return 2
        self._picture(group[0], group[0].rop)
        return 1

    def _picture(self, command: DrawImageCommand, operation: int, *, mask: DrawImageCommand | None = None) -> None:
        if operation not in bitmaps.EXACT and operation <= 0xFFFFFFFF:
            self._counted["unsupported_rop3"] += 1
        try:
            image = bitmaps.opened(command)
            cut = None if mask is None else bitmaps.opened(mask)
        except MetafileMalformedError:
            self._counted["bitmap"] += 1
            return
        image = bitmaps.shown(image, operation, command.colour if isinstance(command, Stencil) else "#000000", mask=cut)
        corners: list[Point] = [self._matrix.transform_point(each) for each in command.destination]
        (x, y), (right, right_y), _, (left, left_y) = corners
        a, b = (right - x) / image.width, (right_y - y) / image.width
        c, d = (left - x) / image.height, (left_y - y) / image.height
        place = f"matrix({a:.6g} {b:.6g} {c:.6g} {d:.6g} {number(x)} {number(y)})"
        alpha = f' opacity="{command.constant_alpha / 255:.3g}"' if command.constant_alpha < 255 else ""
        self._add(
            f'<image width="{image.width}" height="{image.height}" preserveAspectRatio="none" transform="{place}"'
            f'{alpha} xlink:href="{escape(bitmaps.uri(image))}"/>',
            command.clip,
        )
