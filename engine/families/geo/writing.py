"""Write layers as a map file, and count what the format can't hold."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy
from pyogrio import raw

from engine.families.geo import gdal, gpx, wkb
from engine.families.geo.layers import Column, Layer, joined
from engine.families.geo.reading import BROKEN
from engine.toolkit.archive import pack
from engine.toolkit.failures import Unreadable
from engine.toolkit.formats import CSV, FGB, GEOJSON, GPKG, GPX, KML, SHP, Format
from engine.toolkit.messages import say
from engine.toolkit.numbered_names import NumberedNames
from engine.toolkit.warnings import Kind, Warn

_RENAMED = Kind("COLUMN_RENAMED", "Column names were cut to the ten characters that shapefiles allow: {count}{places}.")
_CUT = Kind("TEXT_TRUNCATED", "Text was cut to the 254 bytes that shapefiles allow: {count}{places}.")
_MOMENTS = Kind("VALUE_CONVERTED", "Time columns became text: {count}{places}.")
_COLLECTIONS = Kind(
    "CONTENT_DROPPED",
    "Geometry collections, which shapefiles can't store, were left out: {count}{places}.",
    counts="features",
)
_HEIGHTS = Kind("CONTENT_DROPPED", "Heights were left out, because the file mixes geometry types: {count}{places}.")
_SHORT = Kind("VALUE_CONVERTED", "Lines with a single position became points: {count}{places}.")
_EPOCH = "1980-01-01"
_OF_A_SHAPEFILE = {1: "points", 4: "multipoints", 2: "lines", 5: "lines", 3: "areas", 6: "areas"}
_TEXT_BYTES = 254


def holds_layers(format: Format) -> bool:
    return format in (GPKG, SHP)


def write(layers: list[Layer], target: Path, format: Format, warn: Warn) -> None:
    """Write all layers, joined if the format holds only one."""
    if format is SHP:
        _shapefiles(layers, target, warn)
    elif format is GPKG:
        taken = NumberedNames(str.lower)
        for number, layer in enumerate(layers):
            _put(replace(layer, name=_free(layer.name, taken, 60)), target, format, append=number > 0)
    else:
        layer = joined(layers, warn)
        if format is GPX:
            gpx.write(layer, target, warn)
        else:
            kinds = {wkb.kind(each) for each in layer.geometries if each is not None}
            if format is FGB and _kind(kinds) == "Unknown":
                warn.tally(_HEIGHTS, sum(wkb.kind(each)[1] for each in layer.geometries if each is not None))
            _put(_solid(layer, format, warn) if format in (KML, FGB) else layer, target, format)


def _solid(layer: Layer, format: Format, warn: Warn) -> Layer:
    """The features the format supports: no empty ones, and in KML no lines of one position, as a track's moment is."""
    solid = [None if each is None else wkb.without_empty_parts(each) for each in layer.geometries]
    if format is KML:
        warn.tally(_SHORT, sum(wkb.short_lines(each) for each in layer.geometries if each is not None))
    else:
        solid = [each if kept else None for each, kept in zip(layer.geometries, solid, strict=True)]
    found = numpy.empty(len(solid), dtype=object)
    found[:] = solid
    return replace(layer, geometries=found)


def _put(layer: Layer, target: Path, format: Format, *, append: bool = False, kind: str | None = None) -> None:
    layer = replace(layer, columns=tuple(_unlike(layer.columns)))
    kinds = {wkb.kind(each) for each in layer.geometries if each is not None}
    (code, high) = next(iter(kinds)) if len(kinds) == 1 else (0, False)
    given: dict[str, Any] = {}
    if format is GEOJSON:
        given = {"RFC7946": "YES", "COORDINATE_PRECISION": 10, "AUTODETECT_JSON_STRINGS": "NO", "WRITE_NAME": "NO"}
    elif format is CSV:
        flat = {(wkb.POINT, False): "AS_XY", (wkb.POINT, True): "AS_XYZ"}
        given = {"GEOMETRY": flat.get((code, high), "AS_WKT")}
        if any(each is None for each in layer.geometries):
            given["GEOMETRY"] = given["GEOMETRY"] if len(kinds) == 1 else "AS_WKT"
    elif format is FGB and any(each is None for each in layer.geometries):
        given = {"SPATIAL_INDEX": "NO"}
    elif format is SHP:
        given = {"DBF_DATE_LAST_UPDATE": _EPOCH, "ENCODING": "UTF-8"}
    kind = kind or _kind(kinds)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # in an unknown reference system
            raw.write(
                target,
                layer.geometries,
                [_narrow(each) for each in layer.columns],
                [each.name for each in layer.columns],
                field_mask=[each.missing for each in layer.columns],
                layer=layer.name,
                driver=gdal.DRIVERS[format],
                geometry_type=kind,
                crs=None if format in (CSV, KML) else layer.system,
                promote_to_multi=False,
                append=append,
                layer_options=given,
            )
    except BROKEN as error:
        raise Unreadable(
            say("The places can't be written as {name}: {error}", name=format.name, error=str(error)[:200]),
            reason="damaged",
        ) from error


def _kind(kinds: set[tuple[int, bool]]) -> str:
    """The common kind of all geometries, as the driver names it."""
    high = any(high for _, high in kinds)
    codes = {code for code, _ in kinds}
    name = wkb.NAMES[codes.pop()] if len(codes) == 1 else "Unknown"
    return f"{name} Z" if high and name != "Unknown" else name


def _narrow(column: Column) -> Any:
    """Integers in 32 bits if they fit: KML has no longer type."""
    if column.sort != "integer" or not len(column.values) or abs(column.values).max() >= 2**31:
        return column.values
    return column.values.astype("int32")


def _unlike(columns: tuple[Column, ...]) -> list[Column]:
    """Columns renamed to differ by more than letter case, as databases and drivers require."""
    taken = NumberedNames(str.lower)
    return [replace(each, name=_free(each.name, taken, 200)) for each in columns]


def _free(name: str, taken: NumberedNames, most: int) -> str:
    """A similar name that is not taken, in at most this many bytes; it is then added to `taken`."""
    name = name.strip().replace("\0", "") or "column"
    return taken.free(
        _within(name, most), lambda wanted, number: f"{_within(wanted, most - len(str(number)) - 1)}_{number}"
    )


def _within(text: str, most: int) -> str:
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")


def _shapefiles(layers: list[Layer], target: Path, warn: Warn) -> None:
    folder = target.with_name("shapefiles")
    folder.mkdir()
    taken = NumberedNames(str.lower)
    for layer in layers:
        groups: dict[str, list[int]] = {}
        nowhere, dropped = [], 0
        for number, geometry in enumerate(layer.geometries):
            if geometry is None:
                nowhere.append(number)
                continue
            code, high = wkb.kind(geometry)
            group = _OF_A_SHAPEFILE.get(code)
            if group is None:
                dropped += 1
            else:
                groups.setdefault(f"{group}{'-high' if high else ''}", []).append(number)
        warn.tally(_COLLECTIONS, dropped, part=layer.name)
        if nowhere or not groups:
            groups.setdefault(next(iter(groups), "points"), []).extend(nowhere)
        prepared = replace(layer, columns=tuple(_columns(layer, warn)))
        for group, numbers in groups.items():
            base = re.sub(r"[^\w-]+", "_", layer.name) or "places"
            name = _free(f"{base}-{group}" if len(groups) > 1 else base, taken, 60)
            part = prepared.at(numpy.array(sorted(numbers), dtype="int64"), name)
            plain = {"points": "Point", "multipoints": "MultiPoint", "lines": "LineString", "areas": "Polygon"}
            kind = plain[group.removesuffix("-high")]
            _put(part, folder / f"{name}.shp", SHP, kind=f"{kind} Z" if group.endswith("-high") else kind)
    pack(target, ((path.name, path) for path in sorted(folder.iterdir())))


def _columns(layer: Layer, warn: Warn) -> list[Column]:
    """The columns that a dBASE table can hold: short names, no times, no long texts."""
    taken = NumberedNames(str.lower)
    found, renamed, moments, cut = [], [], [], 0
    for each in layer.columns:
        name = _free(each.name, taken, 10)
        if name != each.name:
            renamed.append(f"{each.name}: {name}")
        if each.sort == "moment":
            moments.append(each.name)
            each = each.as_text()
        if each.sort == "boolean":
            each = replace(each, sort="integer", values=each.values.astype("int32"))
        if each.sort == "text":
            texts = each.values.copy()
            for at in numpy.flatnonzero(~each.missing):
                if len(texts[at]) * 4 > _TEXT_BYTES and len(texts[at].encode("utf-8", "replace")) > _TEXT_BYTES:
                    texts[at] = _within(texts[at], _TEXT_BYTES)
                    cut += 1
            each = replace(each, values=texts)
        found.append(replace(each, name=name))
    warn.tally(_RENAMED, len(renamed), renamed, part=layer.name)
    warn.tally(_MOMENTS, len(moments), moments, part=layer.name)
    warn.tally(_CUT, cut, part=layer.name)
    return found
