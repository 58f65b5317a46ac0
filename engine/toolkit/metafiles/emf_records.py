"""Play one record of EMF ([MS-EMF] 2.3), those included that the library has no drawing for."""

from __future__ import annotations

from dataclasses import replace

from metafile_render.binary import BoundedReader
from metafile_render.commands import DibPayload, DrawImageCommand
from metafile_render.gdi.emf import _handle_emf_record, _validate_emf_handle
from metafile_render.gdi.text import _emit_text
from metafile_render.geometry import PathBuilder, rectangle_path, transform_path
from metafile_render.models import MetafileMalformedError
from metafile_render.primitives import Brush, Color, GraphicsPath, Point, Rect

from engine.toolkit.metafiles import raster_operations
from engine.toolkit.metafiles.playback import TWO_COLOURS, Gradient, Playback

_WITHOUT_EFFECT = frozenset((16, 98, 115, 120, 121))
"""SetMapperFlags, SetICMMode, SetLayout, SetTextJustification and ColorMatchToTargetW."""
_OFFSETCLIP = 26
_POLYDRAW, _POLYDRAW16 = 56, 92
_FILLRGN, _FRAMERGN, _INVERTRGN, _PAINTRGN = 71, 72, 73, 74
_BITBLT, _STRETCHBLT, _MASKBLT, _PLGBLT = 76, 77, 78, 79
_STRETCHDIBITS = 81
_MONOBRUSH, _PATTERNBRUSH = 93, 94
_TEXTS = (83, 84)
_SMALLTEXT = 108
_TRANSPARENTBLT = 116
_GRADIENT = 118
_ETO_NO_RECT, _ETO_SMALL_CHARS = 0x100, 0x200
_ETO_GLYPHS = 0x10
_ETO_OPAQUE = 0x2
_COST_OF_MOVING = 5
"""A point of a clip that is moved takes as long as so many that are read."""
_MOST_FIGURES = 10_000
"""Triangles or rectangles of one gradient."""


def play(kind: int, record: BoundedReader, playback: Playback) -> None:
    """Draw a record, with its size at offset 4. Raises MetafileMalformedError for one that ends early."""
    if kind in _WITHOUT_EFFECT:
        return
    if kind == _OFFSETCLIP:
        playback.charge_points(_COST_OF_MOVING * sum(len(each.path.segments) for each in playback.state.clip))
    if kind in (_POLYDRAW, _POLYDRAW16):
        _poly_draw(record, playback, small=kind == _POLYDRAW16)
    elif kind in (_FILLRGN, _FRAMERGN, _INVERTRGN, _PAINTRGN):
        _region(kind, record, playback)
    elif kind in (_MONOBRUSH, _PATTERNBRUSH):
        _pattern_brush(record, playback, two_colours=kind == _MONOBRUSH)
    elif kind == _SMALLTEXT:
        _small_text(record, playback)
    elif kind == _GRADIENT:
        _gradient(record, playback)
    elif kind in (_MASKBLT, _PLGBLT, _TRANSPARENTBLT):
        _bitmap(kind, record, playback)
    elif kind in (_BITBLT, _STRETCHBLT) and not record.u32(88):
        area = _area(record.i32(24), record.i32(28), record.i32(32), record.i32(36))
        raster_operations.filled(record.u32(40), area, playback)
    elif kind in _TEXTS and len(record) >= 76 and not record.u32(44):
        if record.u32(52) & _ETO_OPAQUE:
            raster_operations.painted_ground(Rect(*(float(record.i32(each)) for each in (56, 60, 64, 68))), playback)
    else:
        _handle_emf_record(kind, record, playback)


def _area(left: int, top: int, width: int, height: int) -> Rect:
    return Rect(float(left), float(top), float(left + width), float(top + height))


def _poly_draw(record: BoundedReader, playback: Playback, *, small: bool) -> None:
    count = record.u32(24)
    size = 4 if small else 8
    if count > record.remaining(28) // size:
        raise MetafileMalformedError("points end early")
    playback.charge_points(count)
    read = record.i16 if small else record.i32
    points = [(float(read(28 + at * size)), float(read(28 + at * size + size // 2))) for at in range(count)]
    types = record.bytes(28 + count * size, count)
    builder = playback.path_builder if playback.path_active else PathBuilder()
    if playback.path_active:
        playback._ensure_active_path_current()
    else:
        builder.move_to(playback.map_point(playback.state.current_position))
    at = 0
    while at < count:
        verb = types[at] & 6
        if verb == 4 and at + 2 < count:
            builder.cubic_to(*(playback.map_point(each) for each in points[at : at + 3]))
            at += 3
        elif verb == 6:
            builder.move_to(playback.map_point(points[at]))
            at += 1
        else:
            builder.line_to(playback.map_point(points[at]))
            at += 1
        if types[at - 1] & 1:
            builder.close()
    if count:
        playback.state.current_position = points[-1]
    if not playback.path_active:
        playback.emit_path(builder.build(), stroke=True, fill=False)


def _region(kind: int, record: BoundedReader, playback: Playback) -> None:
    start = {_FILLRGN: 32, _FRAMERGN: 40}.get(kind, 28)
    size = record.u32(24)
    path = region_path(record.subreader(start, size), playback)
    brush = playback.state.brush
    if kind in (_FILLRGN, _FRAMERGN):
        chosen = playback.emf_objects.get(record.u32(28))
        brush = chosen if isinstance(chosen, Brush) else brush
    if kind == _INVERTRGN:
        raster_operations.inverted(path, playback)
    elif kind == _FRAMERGN:
        playback.context.counted["region_frame"] += 1
    else:
        raster_operations.painted(path, brush, playback)


def region_path(region: BoundedReader, playback: Playback) -> GraphicsPath:
    """The rectangles of a RegionData object (2.2.24) in device units."""
    start, count = region.u32(0), region.u32(8)
    if start < 32 or count > region.remaining(start) // 16:
        raise MetafileMalformedError("a region ends early")
    playback.charge_points(count * 4)
    builder, matrix = PathBuilder(), playback.logical_matrix()
    for at in range(start, start + count * 16, 16):
        area = Rect(*(float(region.i32(at + each)) for each in (0, 4, 8, 12)))
        builder.extend(transform_path(rectangle_path(area), matrix))
    return builder.build()


def _pattern_brush(record: BoundedReader, playback: Playback, *, two_colours: bool) -> None:
    handle = record.u32(8)
    _validate_emf_handle(handle)
    header, bits = record.bytes(record.u32(16), record.u32(20)), record.bytes(record.u32(24), record.u32(28))
    playback.context.budget.charge_object_bytes(len(header) + len(bits))
    if two_colours:  # those of the text and its ground when it is used (2.3.7.5)
        header = header[: int.from_bytes(header[:4], "little")] + bytes(8)
    playback.emf_objects[handle] = Brush(
        hatch=TWO_COLOURS if two_colours else 0,
        kind="pattern",
        color=Color(128, 128, 128),
        pattern=raster_operations.file(DibPayload(header, bits)),
    )


def _small_text(record: BoundedReader, playback: Playback) -> None:
    """A text in short form (2.3.5.37)."""
    point: Point = (float(record.i32(8)), float(record.i32(12)))
    count, options = record.u32(16), record.u32(20)
    start, area = 36, None
    if not options & _ETO_NO_RECT:
        area = Rect(*(float(record.i32(start + each)) for each in (0, 4, 8, 12)))
        start += 16
    wide = not options & _ETO_SMALL_CHARS
    raw = record.bytes(start, count * (2 if wide else 1))
    text = raw.decode("utf-16-le" if wide else "latin-1", "replace")
    playback.charge_points(count)
    _emit_text(playback, text=text, reference=point, options=options & (0x6 | _ETO_GLYPHS), bounds=area, advances=None)


def _gradient(record: BoundedReader, playback: Playback) -> None:
    """Rectangles and triangles between colours; triangles get the mean of their corners."""
    vertices, figures, mode = record.u32(24), record.u32(28), record.u32(32)
    if vertices > record.remaining(36) // 16 or figures > _MOST_FIGURES:
        raise MetafileMalformedError("a gradient ends early")
    playback.charge_points(vertices)
    found: list[tuple[Point, tuple[int, int, int]]] = []
    for at in range(36, 36 + vertices * 16, 16):
        point = playback.map_point((float(record.i32(at)), float(record.i32(at + 4))))
        found.append((point, (record.u16(at + 8) >> 8, record.u16(at + 10) >> 8, record.u16(at + 12) >> 8)))
    start, each = 36 + vertices * 16, 12 if mode == 2 else 8
    for at in range(start, start + figures * each, each):
        corners = [record.u32(at + step) for step in range(0, each, 4)]
        if any(corner >= vertices for corner in corners):
            raise MetafileMalformedError("a gradient names a corner that is not there")
        points, colours = [found[corner][0] for corner in corners], [found[corner][1] for corner in corners]
        if mode == 2:
            builder = PathBuilder()
            builder.move_to(points[0])
            builder.line_to(points[1])
            builder.line_to(points[2])
            builder.close()
            mean = Color(*(sum(colour[channel] for colour in colours) // 3 for channel in range(3)))
            raster_operations.painted(builder.build(), Brush(color=mean), playback)
            playback.context.counted["gradient_triangle"] += 1
            continue
        playback.append_command(
            Gradient(
                (points[0], points[1]),
                (Color(*colours[0]).svg(), Color(*colours[1]).svg()),
                across=mode == 0,
                clip=playback.state.clip,
            )
        )


def _bitmap(kind: int, record: BoundedReader, playback: Playback) -> None:
    """Bitmaps with a mask, in a parallelogram, or with one colour that is not shown."""
    if kind == _PLGBLT:
        first, second, fourth = (
            playback.map_point((float(record.i32(24 + at)), float(record.i32(28 + at)))) for at in (0, 8, 16)
        )
        third = (second[0] + fourth[0] - first[0], second[1] + fourth[1] - first[1])
        corners, rest, operation = (first, second, third, fourth), 48, raster_operations.COPY
        source = _area(record.i32(48), record.i32(52), record.i32(56), record.i32(60))
        offsets = [record.u32(at) for at in (92, 96, 100, 104)]
        masked = record.u32(124) if len(record) >= 128 else 0
    else:
        area = _area(record.i32(24), record.i32(28), record.i32(32), record.i32(36))
        corners, rest = raster_operations.corners(area, playback), 44
        offsets = [record.u32(at) for at in (84, 88, 92, 96)]
        wide = kind == _TRANSPARENTBLT
        size = (record.i32(100), record.i32(104)) if wide else (record.i32(32), record.i32(36))
        source = _area(record.i32(rest), record.i32(rest + 4), *size)
        operation = raster_operations.COPY
        masked = 0 if wide else record.u32(120)
    if not offsets[1] or not offsets[3]:
        playback.context.counted["empty_dib"] += 1
        return
    if masked:
        playback.context.counted["mask"] += 1
    payload = DibPayload(record.bytes(offsets[0], offsets[1]), record.bytes(offsets[2], offsets[3]))
    command = DrawImageCommand(image=payload, destination=corners, source=source, rop=operation)
    if kind == _TRANSPARENTBLT:
        command = replace(command, rop=raster_operations.WITHOUT_COLOUR | (record.u32(40) & 0xFFFFFF))
    playback.append_command(replace(command, clip=playback.state.clip))
