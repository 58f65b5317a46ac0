"""Play one record of WMF ([MS-WMF] 2.3), those included that the library has no drawing for."""

from __future__ import annotations

from metafile_render.binary import BoundedReader
from metafile_render.commands import DibPayload, DrawImageCommand
from metafile_render.gdi.bitmap import _dib_bits_offset
from metafile_render.gdi.wmf import _handle_wmf_record
from metafile_render.geometry import PathBuilder, rectangle_path, transform_path
from metafile_render.headers import _HeaderInfo
from metafile_render.models import MetafileMalformedError
from metafile_render.primitives import Brush, Color, Point, Rect
from metafile_render.records import iter_records

from engine.toolkit.metafiles import raster_operations
from engine.toolkit.metafiles.playback import Palette, Playback, Region

_WITHOUT_EFFECT = frozenset((
    0x0103, 0x020D, 0x020E, 0x0410, 0x0412, 0x0211,  # the map mode and the viewport are those of the picture
    0x0031, 0x0149, 0x0626, 0x0231, 0x0108, 0x020A, 0x0234, 0x0035, 0x0436, 0x0037, 0x0139, 0x0036,
))  # fmt: skip
_WINDOW_ORIGIN, _WINDOW_EXTENT = 0x020B, 0x020C
_PALETTE, _BITMAP_INFO, _BITMAP = 0x00F7, 0x02FD, 0x06FE
_REGION, _CLIP_REGION, _PAINT_REGION, _FILL_REGION = 0x06FF, 0x012C, 0x012B, 0x0228
_PATTERN, _DIB_PATTERN = 0x01F9, 0x0142
_TEXT, _ETO_OPAQUE = 0x0A32, 0x2
_PATBLT = 0x061D
_DIBBITBLT, _DIBSTRETCHBLT, _SETDIBTODEV = 0x0940, 0x0B41, 0x0D33
_BITBLT, _STRETCHBLT = 0x0922, 0x0B23


def window(data: bytes, header: _HeaderInfo) -> tuple[Point, Point]:
    """The origin and the extent that the file sets first, or its bounds, which the picture shows."""
    origin, extent = None, None
    for item in iter_records(data, header.record_start, header.record_end, "wmf"):
        if item.kind == _WINDOW_ORIGIN and origin is None and len(item.data) >= 10:
            origin = (float(item.data.i16(8)), float(item.data.i16(6)))
        elif item.kind == _WINDOW_EXTENT and extent is None and len(item.data) >= 10:
            extent = (float(item.data.i16(8)), float(item.data.i16(6)))
        if origin and extent and all(extent):
            return origin, extent
    bounds = header.bounds
    if extent and all(extent):
        return origin or (0.0, 0.0), extent
    if bounds is not None and bounds.width and bounds.height:
        return (bounds.left, bounds.top), (bounds.width, bounds.height)
    return origin or (0.0, 0.0), (0.0, 0.0)


def play(kind: int, record: BoundedReader, playback: Playback) -> None:
    """Draw a record, whose parameters begin at offset 0. Raises MetafileMalformedError for one that ends early."""
    if kind in _WITHOUT_EFFECT:
        return
    if kind in (_PALETTE, _BITMAP_INFO, _BITMAP):
        playback.create_object(Palette())
    elif kind in (_PATTERN, _DIB_PATTERN):
        _pattern_brush(kind, record, playback)
    elif kind == _REGION:
        playback.create_object(_region(record, playback))
    elif kind in (_CLIP_REGION, _PAINT_REGION, _FILL_REGION):
        _of_region(kind, record, playback)
    elif kind == _TEXT and not record.u16(4):
        if record.u16(6) & _ETO_OPAQUE:
            raster_operations.painted_ground(Rect(*(float(record.i16(each)) for each in (8, 10, 12, 14))), playback)
    elif kind == _PATBLT:
        area = _area(record.i16(10), record.i16(8), record.i16(6), record.i16(4))
        raster_operations.filled(record.u32(0), area, playback)
    elif kind in (_DIBBITBLT, _DIBSTRETCHBLT):
        _bitmap(kind, record, playback)
    elif kind == _SETDIBTODEV:
        area = _area(record.i16(16), record.i16(14), record.i16(12), record.i16(10))
        _append(record, 18, area, None, raster_operations.COPY, playback)
    elif kind in (_BITBLT, _STRETCHBLT) and len(record) < 26:
        at = 6 if kind == _BITBLT else 10
        area = _area(record.i16(at + 8), record.i16(at + 6), record.i16(at + 4), record.i16(at + 2))
        raster_operations.filled(record.u32(0), area, playback)
    else:
        _handle_wmf_record(kind, record, playback)


def _area(left: int, top: int, width: int, height: int) -> Rect:
    return Rect(float(left), float(top), float(left + width), float(top + height))


def _pattern_brush(kind: int, record: BoundedReader, playback: Playback) -> None:
    pattern = None
    style = record.u16(0)
    if kind == _DIB_PATTERN and style != 3:
        payload = _payload(record.bytes(4, record.remaining(4)))
        playback.context.budget.charge_object_bytes(len(payload.bits))
        pattern = raster_operations.file(payload)
    else:
        playback.context.counted["device_pattern"] += 1
    playback.create_object(Brush(kind="pattern", color=Color(128, 128, 128), pattern=pattern))


def _region(record: BoundedReader, playback: Playback) -> Region:
    """The rectangles between scan lines (2.2.2.10 Region Object)."""
    count, at = record.i16(10), 22
    builder, matrix = PathBuilder(), playback.logical_matrix()
    for _ in range(max(count, 0)):
        edges, top, bottom = record.u16(at), record.i16(at + 2), record.i16(at + 4)
        playback.charge_points(edges * 2)
        for edge in range(at + 6, at + 6 + edges * 2 - 2, 4):
            area = Rect(float(record.i16(edge)), float(top), float(record.i16(edge + 2)), float(bottom))
            builder.extend(transform_path(rectangle_path(area), matrix))
        at += 8 + edges * 2
    return Region(builder.build())


def _of_region(kind: int, record: BoundedReader, playback: Playback) -> None:
    handle = record.u16(0)
    found = playback.object(handle)
    if not isinstance(found, Region):
        if kind == _CLIP_REGION:
            playback.reset_clip()
        return
    if kind == _CLIP_REGION:
        playback.select_object(found)
        return
    brush = playback.state.brush
    if kind == _FILL_REGION:
        chosen = playback.object(record.u16(2))
        brush = chosen if isinstance(chosen, Brush) else brush
    raster_operations.painted(found.path, brush, playback)


def _payload(dib: bytes) -> DibPayload:
    if len(dib) < 16:
        raise MetafileMalformedError("a bitmap ends early")
    start = _dib_bits_offset(dib)
    if start > len(dib):
        raise MetafileMalformedError("a bitmap ends early")
    return DibPayload(dib[:start], dib[start:])


def _bitmap(kind: int, record: BoundedReader, playback: Playback) -> None:
    operation = record.u32(0)
    start = 16 if kind == _DIBBITBLT else 20
    if len(record) < start + 12:  # without a bitmap, a reserved word is in its place
        at = start - 8 + 2
        area = _area(record.i16(at + 6), record.i16(at + 4), record.i16(at + 2), record.i16(at))
        raster_operations.filled(operation, area, playback)
        return
    at = start - 8
    area = _area(record.i16(at + 6), record.i16(at + 4), record.i16(at + 2), record.i16(at))
    if kind == _DIBBITBLT:
        source = _area(record.i16(6), record.i16(4), record.i16(at + 2), record.i16(at))
    else:
        source = _area(record.i16(10), record.i16(8), record.i16(6), record.i16(4))
    _append(record, start, area, source, operation, playback)


def _append(
    record: BoundedReader, start: int, area: Rect, source: Rect | None, operation: int, playback: Playback
) -> None:
    playback.append_command(
        DrawImageCommand(
            image=_payload(record.bytes(start, record.remaining(start))),
            destination=raster_operations.corners(area, playback),
            source=source,
            rop=operation,
            clip=playback.state.clip,
        )
    )
