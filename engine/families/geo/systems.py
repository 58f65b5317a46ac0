"""Transform coordinates between reference systems with PROJ."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy

from engine.families.geo import wkb
from engine.families.geo.layers import Layer
from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

WGS_84 = "EPSG:4326"
_SAME = {WGS_84, "EPSG:4979", "OGC:CRS84"}
_BEYOND = Kind("GEOMETRY_MISSING", "Places outside the area of the reference system were left out: {count}{places}.")


def _system(text: str, option: str) -> Any:
    import pyproj
    from pyproj.exceptions import CRSError

    pyproj.network.set_network_enabled(False)
    try:
        return pyproj.CRS.from_user_input(int(text) if text.isascii() and text.isdigit() else text)
    except CRSError as error:
        raise InvalidOption(
            option, say("There is no reference system {text}. Enter a code such as EPSG:4326.", text=repr(text[:40]))
        ) from error


def converted(layer: Layer, given: str | None, wanted: str | None, format: str, warn: Warn) -> Layer:
    """The layer transformed to the `wanted` system, which is reported if the file's was another.

    `given` is its system if it does not declare one. Raises InvalidOption if neither does, and for unknown systems.
    """
    if given and not layer.system:
        _system(given, "sourceCrs")
    known = layer.system or given
    layer = replace(layer, system=known)
    if wanted is None:
        return layer
    if known is None:
        raise InvalidOption(
            "sourceCrs", "The file doesn't say which reference system its coordinates use. Set sourceCrs."
        )
    if known == wanted or {known, wanted} <= _SAME:
        return replace(layer, system=wanted)
    source, target = _system(known, "sourceCrs"), _system(wanted, "crs")
    if source.equals(target, ignore_axis_order=True):
        return replace(layer, system=target.to_wkt())
    warn(
        "VALUE_CONVERTED",
        say(
            "Coordinates were converted from {name} to {name2}{format}.",
            name=source.name,
            name2=target.name,
            format=format,
        ),
    )
    return replace(layer, system=target.to_wkt(), geometries=_moved(layer, source, target, warn))


def _moved(layer: Layer, source: Any, target: Any, warn: Warn) -> Any:
    import pyproj

    buffers = [None if each is None else bytearray(each) for each in layer.geometries]
    views = []
    for number, buffer in enumerate(buffers):
        if buffer is not None:
            for _, start, count, size in wkb.simple_parts(bytes(buffer)):
                if count:
                    views.append((number, numpy.frombuffer(buffer, "<f8", count * size, start).reshape(count, size)))
    if not views:
        return layer.geometries
    flat = numpy.concatenate([view[:, :2] for _, view in views])
    move = pyproj.Transformer.from_crs(source, target, always_xy=True)
    x, y = move.transform(flat[:, 0], flat[:, 1])
    at, beyond = 0, set()
    for number, view in views:
        end = at + len(view)
        nothing = bool(numpy.isnan(view[:, :2]).all())
        if not nothing and not (numpy.isfinite(x[at:end]).all() and numpy.isfinite(y[at:end]).all()):
            beyond.add(number)
        elif not nothing:
            view[:, 0], view[:, 1] = x[at:end], y[at:end]
        at = end
    warn.tally(_BEYOND, len(beyond), (str(number + 1) for number in sorted(beyond)), part=layer.name)
    result = numpy.empty(len(buffers), dtype=object)
    for number, buffer in enumerate(buffers):
        result[number] = None if buffer is None or number in beyond else bytes(buffer)
    return result
