"""Draw EMF and WMF files as SVG (MS-EMF, MS-EMFPLUS, MS-WMF)."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from metafile_render.binary import BoundedReader
from metafile_render.emfplus.playback import EmfPlusPlayback
from metafile_render.gdi.bridge import GdiBridge
from metafile_render.gdi.playback import _commands_bounds
from metafile_render.headers import _HeaderInfo
from metafile_render.models import (
    MetafileError,
    MetafileMalformedError,
    MetafileResourceLimitError,
    MetafileUnsupportedError,
)
from metafile_render.parser import prepare_metafile
from metafile_render.primitives import Matrix, Rect
from metafile_render.records import iter_records

from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.metafiles import emf_records, wmf_records
from engine.toolkit.metafiles.numbers import number
from engine.toolkit.metafiles.playback import Context, Playback
from engine.toolkit.metafiles.writing import Writer
from engine.toolkit.warnings import Kind, Warn

LEFT_OUT = Kind("CONTENT_DROPPED", "Parts of metafiles (EMF, WMF) that can't be drawn were left out: {count}{places}.")
GLYPHS = Kind("TEXT_UNREADABLE", "Texts of metafiles (EMF, WMF) that only name glyphs of a font became boxes: {count}.")
SYMBOLS = Kind("GLYPH_MISSING", "Unknown symbol font characters in metafiles became bullets: {count}.")
APPROXIMATED = Kind("NOT_UNDERSTOOD", "Fills, clips and blend modes of metafiles (EMF, WMF) that SVG lacks: {count}.")
_DPI = 96
_LONGEST = 10_000.0
"""Pixels of a side: larger pictures are drawn smaller."""
_PLACEABLE = b"\xd7\xcd\xc6\x9a"
_PLUS, _PASSED_OVER = b"EMF+", b"EMF\0"
"""The identifier of comments that hold EMF+, and one that means nothing."""
_COMMENT = 70
_KINDS = {"glyph_index_text": GLYPHS, "symbol": SYMBOLS} | dict.fromkeys(
    ("unsupported_rop2", "unsupported_rop3", "clip", "pattern", "device_pattern", "gradient_triangle", "mask",
     "unsupported_clip_mode", "emfplus_rendering_approximation", "emfplus_text_approximation",
     "emfplus_image_approximation", "emfplus_effect_ignored", "zero_window_extent"),
    APPROXIMATED,
)  # fmt: skip
_HARMLESS = frozenset((
    "restore_dc_underflow", "restore_dc_zero", "restore_dc_out_of_range", "missing_object", "unknown_stock_object",
    "begin_path_while_active", "end_path_without_begin", "path_not_ready", "close_figure_without_path",
    "empty_clip_region", "zero_scale_denominator", "invalid_miter_limit", "ignored_state_record",
    "ignored_wmf_state_record",
))  # fmt: skip
"""What GDI ignores as well."""


@dataclass(frozen=True)
class Drawing:
    """An SVG with its size in CSS pixels, and how much of the metafile it lacks by kind of warning."""

    svg: bytes
    size: tuple[float, float]
    lost: Mapping[Kind, int]

    def report(self, warn: Warn) -> None:
        """Warn of what is not drawn."""
        for kind, count in self.lost.items():
            warn.tally(kind, count)


def is_metafile(data: bytes) -> bool:
    """Whether data begins as EMF or WMF do."""
    if data[:4] == b"\x01\0\0\0" and data[40:44] == b" EMF":
        return True
    return data[:4] == _PLACEABLE or data[:6] in (b"\x01\0\x09\0\0\x03", b"\x02\0\x09\0\0\x03", b"\x01\0\x09\0\0\x01")


def drawn(data: bytes) -> Drawing:
    """A metafile as SVG.

    Raises Unreadable for a file that is damaged or has nothing in it, OverLimit for one that is too large.
    """
    try:
        playback = _whole(_mended(data))
        context, header = playback.context, playback.header
        bounds, size = _canvas(data, header, playback)
        scale_x, scale_y = size[0] / bounds.width, size[1] / bounds.height
        matrix = Matrix(a=scale_x, d=scale_y, e=-bounds.left * scale_x, f=-bounds.top * scale_y)
        body = Writer(matrix, size, context.counted).written(context.commands)
    except MetafileResourceLimitError as error:
        raise OverLimit("limit", "The metafile has too many records, points or pixels to be drawn.") from error
    except MetafileUnsupportedError as error:
        raise Unreadable("The metafile has nothing that can be drawn.", reason="empty") from error
    except (MetafileError, struct.error, OverflowError) as error:
        raise Unreadable("The metafile is damaged or incomplete.", reason="damaged") from error
    wide, high = map(number, size)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{wide}" '
        f'height="{high}" viewBox="0 0 {wide} {high}">{body}</svg>'
    )
    return Drawing(svg.encode(), size, _lost(context))


def _lost(context: Context) -> Mapping[Kind, int]:
    found: Counter[Kind] = Counter()
    for code, count in context.counted.items():
        if code not in _HARMLESS and count:
            found[_KINDS.get(code, LEFT_OUT)] += count
    return found


def _mended(data: bytes) -> bytes:
    """A file whose header says what the rest of it is, where writers are known to get that wrong."""
    start = 22 if data[:4] == _PLACEABLE else 0
    if data[:4] == b"\x01\0\0\0" and data[40:44] == b" EMF":
        return data
    if len(data) < start + 18:
        return data
    mended = bytearray(data)
    if start:
        words = struct.unpack_from("<10H", data)
        checksum = 0
        for word in words:
            checksum ^= word
        struct.pack_into("<H", mended, 20, checksum)
    struct.pack_into("<I", mended, start + 6, (len(data) - start) // 2)
    return bytes(mended)


def _whole(data: bytes) -> Playback:
    """A file played by its records of GDI if it has them, else by those of EMF+.

    Those of EMF+ that are damaged are passed over where there are others.
    """
    try:
        header = prepare_metafile(data, dpi=_DPI, size_hint=None)
        playback = _played(data, header, Context())
    except MetafileMalformedError:
        if _PLUS not in data:
            raise
        data = data.replace(_PLUS, _PASSED_OVER)
        playback = _played(data, prepare_metafile(data, dpi=_DPI, size_hint=None), Context())
        if not playback.context.commands:
            raise
        return playback
    if header.emfplus_mode == "dual" and not playback.context.commands:
        return _played(data, replace(header, emfplus_mode="only"), Context())
    return playback


def _played(data: bytes, header: _HeaderInfo, context: Context) -> Playback:
    """All records of a file, drawn; a record that contradicts itself is counted and left out."""
    playback = Playback(header, context)
    if header.source_format == "wmf":
        state = playback.state
        state.window_origin, state.window_extent = wmf_records.window(data, header)
        state.viewport_extent = (abs(state.window_extent[0]), abs(state.window_extent[1]))
        for item in iter_records(data, header.record_start, header.record_end, "wmf"):
            playback.set_record_context(item.kind, item.index, item.offset)
            _play(wmf_records.play, item.kind, item.data.subreader(6, len(item.data) - 6), playback)
        return playback
    plus = None
    if header.emfplus_mode == "only":
        dpi = (header.device_pixels_per_mm[0] * 25.4, header.device_pixels_per_mm[1] * 25.4)
        plus = EmfPlusPlayback(context, header.bounds or Rect(0, 0, 1, 1), dpi, GdiBridge(playback))
    for item in iter_records(data, header.record_start, header.record_end, "emf"):
        playback.set_record_context(item.kind, item.index, item.offset)
        if plus is not None and item.kind == _COMMENT:
            _play(lambda _, comment, __: plus.comment(comment), item.kind, item.data, playback)
        elif plus is None or (plus.gdi_active and not plus.halted and item.kind not in (1, 14)):
            _play(emf_records.play, item.kind, item.data, playback)
    if plus is not None:
        plus.finish()
    return playback


def _play(play: Callable[[int, BoundedReader, Playback], None], kind: int, record: BoundedReader, at: Playback) -> None:
    try:
        play(kind, record, at)
    except (MetafileMalformedError, struct.error):
        at.context.counted["damaged_record"] += 1


def _canvas(data: bytes, header: _HeaderInfo, playback: Playback) -> tuple[Rect, tuple[float, float]]:
    """What the picture shows, in device units, and its size in pixels."""
    if header.source_format == "wmf":
        wide, high = map(abs, wmf_records.window(data, header)[1])
        bounds = Rect(0.0, 0.0, wide, high)
        if header.bounds is not None and header.bounds.width and header.bounds.height:
            inch = struct.unpack_from("<H", data, 14)[0]
            wide, high = header.bounds.width * _DPI / inch, header.bounds.height * _DPI / inch
        elif max(abs(wide), abs(high)) > 2000:  # twips, where nothing says what a unit is
            wide, high = wide * _DPI / 1440, high * _DPI / 1440
    else:
        left, top, right, bottom = struct.unpack_from("<4i", data, 24)
        across, down = header.device_pixels_per_mm
        bounds = Rect(left / 100 * across, top / 100 * down, right / 100 * across, bottom / 100 * down)
        wide, high = (right - left) * _DPI / 2540, (bottom - top) * _DPI / 2540
        if not (bounds.width and bounds.height):
            bounds = header.bounds or bounds
            wide, high = bounds.width, bounds.height
    if not (bounds.width and bounds.height):
        found = _commands_bounds(playback.commands)
        if found is None or not (found.width and found.height):
            raise MetafileUnsupportedError("nothing is drawn")
        bounds, wide, high = found, found.width, found.height
    if not playback.commands:
        raise MetafileUnsupportedError("nothing is drawn")
    bounds = bounds.normalized()
    shrunk = min(1.0, _LONGEST / max(abs(wide), abs(high)))
    # Sizes in EMF are exact to a 26th of a pixel.
    return bounds, (max(round(abs(wide) * shrunk, 1), 0.1), max(round(abs(high) * shrunk, 1), 0.1))
