"""Read the layers of a map file with the one driver of its format."""

from __future__ import annotations

import contextlib
import re
import sqlite3
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import numpy
import pyogrio
from pyogrio import errors, raw

from engine.families.geo import bounds, tables, wkb
from engine.families.geo.layers import Column, Layer, Sort
from engine.families.geo.systems import WGS_84
from engine.toolkit.archive import preflight
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.formats import CSV, GEOJSON, GPKG, GPX, KML, SHP, Format
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

MAX_LAYERS = 200
"""199 take 4 to 6 s, as folders of a KML or in a GeoPackage."""
MAX_REREAD = 100_000_000
"""Bytes of a KML times its folders: GDAL reads it up to three times for each, 20,000 places (1.6 MB) in 0.14 s."""
BROKEN = (
    errors.DataSourceError, errors.DataLayerError, errors.FieldError, errors.FeatureError, errors.GeometryError,
    errors.CRSError, UnicodeDecodeError,
)  # fmt: skip
_PARTS = (".shp", ".dbf", ".shx", ".prj", ".cpg")
_STYLES = Kind("STYLE_DROPPED", "Place styles were left out: {count}{places}.")
_LINKS = Kind("REMOTE_RESOURCE_BLOCKED", "Links to other maps were not followed: {count}{places}.")
_PICTURES = Kind("CONTENT_DROPPED", "Picture overlays on the map were left out: {count}{places}.")
_TIMES = Kind("CONTENT_DROPPED", "Times of track points were left out: {count}{places}.")
_MEASURES = Kind("CONTENT_DROPPED", "Layers lost the measures or curves of their coordinates: {count}{places}.")
_DAMAGE = Kind("CONTENT_DROPPED", "Damaged parts of the file were left out: {count}{places}.")
_VIEWS = Kind("CONTENT_DROPPED", "Views were left out: {count}{places}.")
_NESTED = Kind("VALUE_CONVERTED", "Lists became text: {count}{places}.")
_SORTS: dict[str, Sort] = {"b": "boolean", "i": "integer", "u": "integer", "f": "real", "M": "moment"}
_KML_OWN = re.compile("timestamp|begin|end|altitudeMode|tessellate|extrude|visibility|drawOrder|icon")


def read(source: Path, format: Format, options: Any, warn: Warn) -> list[Layer]:
    """All layers with a feature or a column; raises Unreadable for damaged files, OverLimit for too many features."""
    try:
        found = list(_layers(source, format, options, warn))
    except BROKEN as error:
        raise Unreadable(
            say("The file can't be read as {name}: it is damaged, or has another format.", name=format.name),
            reason="damaged",
        ) from error
    if not found:
        raise Unreadable("The file has no places.", reason="empty")
    return found


def _layers(source: Path, format: Format, options: Any, warn: Warn) -> Iterator[Layer]:
    if format is SHP:
        for path in _unpacked(source):
            yield _layer(path, path.stem, path.stem, SHP, warn, encoding=_encoding(path))
        return
    if format is CSV:
        yield tables.read(source, options, warn)
        return
    if format is KML:
        _left_out(source.read_bytes(), warn)
    given = {"ELE_AS_25D": "YES"} if format is GPX else {}
    if format is GPKG:
        _drop_views(source, warn)
    names = [str(name) for name, _ in pyogrio.list_layers(source)]
    if len(names) > MAX_LAYERS:
        raise OverLimit(
            "memory",
            say(
                "The file has {count} layers; at most {max_layers} are converted.",
                count=len(names),
                max_layers=MAX_LAYERS,
            ),
        )
    if format is KML and len(names) * source.stat().st_size > MAX_REREAD:
        raise OverLimit(
            "timeout",
            say(
                "The file is too large to read its {count} folders one by one. Split it.",
                count=len(names),
            ),
        )
    for name in names:
        if format is GPX and name.endswith("_points"):
            _count_times(source, name, warn)
            continue
        layer = _layer(source, name, "places" if name == "input" else name, format, warn, **given)
        if len(layer.geometries) or (format not in (GPX, KML) and layer.columns):
            yield layer


def _layer(source: Path, name: str, called: str, format: Format, warn: Warn, **given: Any) -> Layer:
    if format is not SHP:  # a table of shapes has bytes for each cell
        bounds.check(source, name)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        meta, _, geometries, values = raw.read(source, layer=name, **given)
    warn.tally(_MEASURES, sum("Measured" in str(each.message) for each in caught), [called], part=called)
    damage = [str(each.message)[:80] for each in caught if "Measured" not in str(each.message)]
    warn.tally(_DAMAGE, len(damage), damage, part=called)
    if geometries is None:
        geometries = numpy.full(len(values[0]) if len(values) else 0, None, dtype=object)
    if format is KML and any(map(_solid, geometries)) and not any(map(_high, geometries)):
        geometries = raw.read(source, layer=name, columns=[], force_2d=True)[2]
    columns = [
        _column(str(field).removeprefix("ogr_" if format is GPX else ""), data, kind, subkind, warn)
        for field, data, kind, subkind in zip(
            meta["fields"], values, meta["ogr_types"], meta["ogr_subtypes"], strict=True
        )
    ]
    if format in (KML, GPX):
        columns = [each for each in columns if _has_values(each, format)]
    system = WGS_84 if format in (KML, GPX) else meta["crs"]
    return Layer(called, system or (WGS_84 if format is GEOJSON else None), geometries, tuple(columns))


def _column(name: str, data: Any, kind: str, subkind: str, warn: Warn) -> Column:
    if "List" in kind or data.dtype.kind not in _SORTS:
        missing = numpy.array([each is None for each in data], dtype=bool)
        listed = "List" in kind
        texts = numpy.array([None] * len(data), dtype=object)
        for at in numpy.flatnonzero(~missing):
            texts[at] = _listed(data[at]) if listed else _text(data[at])
        if listed:
            warn.tally(_NESTED, int((~missing).sum()), [name], part=name)
        return Column(name, "text", texts, missing)
    if data.dtype.kind == "M":
        return Column(name, "moment", data, numpy.isnat(data))
    missing = numpy.isnan(data) if data.dtype.kind == "f" else numpy.zeros(len(data), dtype=bool)
    if data.dtype.kind == "f" and kind.startswith("OFTInteger"):
        whole = numpy.where(missing, 0, data).astype("int64")
        boolean = subkind == "OFSTBoolean"
        return Column(name, "boolean" if boolean else "integer", whole.astype(bool) if boolean else whole, missing)
    return Column(name, _SORTS[data.dtype.kind], data, missing)


def _text(value: Any) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)


def _listed(value: Any) -> str:
    import json

    return json.dumps(value.tolist() if hasattr(value, "tolist") else list(value), ensure_ascii=False, default=str)


def _has_values(column: Column, format: Format) -> bool:
    """Whether a column of a fixed schema ever has a value other than the driver's default."""
    if column.missing.all():
        return False
    if format is KML and _KML_OWN.fullmatch(column.name) and column.sort == "integer":
        return not numpy.isin(column.values[~column.missing], (-1, 0)).all()
    return True


def _solid(geometry: bytes | None) -> bool:
    return geometry is not None and bool(wkb.kind(geometry)[1])


def _high(geometry: bytes | None) -> bool:
    """Whether any height is other than 0, which is KML's default."""
    if geometry is None or not _solid(geometry):
        return False
    return any(
        size == 3 and numpy.frombuffer(geometry, "<f8", count * 3, start)[2::3].any()
        for _, start, count, size in wkb.simple_parts(geometry)
    )


def _count_times(source: Path, name: str, warn: Warn) -> None:
    if name == "track_points":
        times = raw.read(source, layer=name, columns=["time"], read_geometry=False)[3]
        warn.tally(_TIMES, int((~numpy.isnat(times[0])).sum()) if len(times) else 0)


def _drop_views(source: Path, warn: Warn) -> None:
    """Delete views from the job's own copy: GDAL executes them to list them, which may never end."""
    try:
        with contextlib.closing(sqlite3.connect(source)) as database:
            views = [str(name) for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'view'")]
            if views:
                # By the rows of the schema table: nothing is executed, whatever the names. Triggers may belong to
                # views.
                database.execute("PRAGMA writable_schema = ON")
                database.execute("DELETE FROM sqlite_schema WHERE type IN ('view', 'trigger')")
                database.commit()
    except sqlite3.DatabaseError as error:
        raise Unreadable(
            "The file can't be read as GeoPackage: it is damaged, or not a GeoPackage.", reason="damaged"
        ) from error
    warn.tally(_VIEWS, len(views), views)


def _left_out(data: bytes, warn: Warn) -> None:
    warn.tally(_STYLES, len(re.findall(rb"<Style[ >]", data)))
    warn.tally(_LINKS, data.count(b"<NetworkLink>") + data.count(b"<NetworkLink "))
    warn.tally(_PICTURES, data.count(b"<GroundOverlay") + data.count(b"<ScreenOverlay"))


def _unpacked(source: Path) -> list[Path]:
    """The shapefiles of an archive, extracted beside it, each with its sidecar files under one name."""
    preflight(source, visited=(), max_ratio=None)
    sets: dict[str, dict[str, str]] = {}
    with zipfile.ZipFile(source) as archive:
        for name in archive.namelist():
            path = PurePosixPath(name.replace("\\", "/"))
            if path.suffix.lower() in _PARTS and path.parts[0] != "__MACOSX":
                sets.setdefault(str(path.with_suffix("")).lower(), {})[path.suffix.lower()] = name
        chosen = [each for each in sets.values() if ".shp" in each or ".dbf" in each]
        if not any(".shp" in each for each in chosen):
            raise Unreadable("The archive has no shapefile (.shp).", reason="empty")
        if len(chosen) > MAX_LAYERS:
            raise OverLimit(
                "memory",
                say(
                    "The file has {count} layers; at most {max_layers} are converted.",
                    count=len(chosen),
                    max_layers=MAX_LAYERS,
                ),
            )
        found = []
        for number, parts in enumerate(chosen):
            if ".shp" not in parts:
                continue
            folder = source.with_name(f"shapefile-{number}")
            folder.mkdir()
            stem = re.sub(r"[^\w-]+", "_", PurePosixPath(parts[".shp"].replace("\\", "/")).stem)[:60] or "places"
            for suffix, name in parts.items():
                with contextlib.suppress(KeyError):
                    (folder / f"{stem}{suffix}").write_bytes(archive.read(name))
            found.append(folder / f"{stem}.shp")
    return found


def _encoding(shape: Path) -> str | None:
    """None if there is a .cpg; else UTF-8 if the texts are valid, as readers differ in their default."""
    table = shape.with_suffix(".dbf")
    if shape.with_suffix(".cpg").exists() or not table.exists():
        return None
    try:
        table.read_bytes()[32:].decode()
    except UnicodeDecodeError:
        return None
    return "UTF-8"
