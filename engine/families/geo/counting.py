"""Count the features, attributes and layers of map files from their bytes, without GDAL."""

from __future__ import annotations

import contextlib
import csv
import io
import re
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.families.data.counting import delimited
from engine.toolkit.census import Census
from engine.toolkit.formats import CSV, FGB, GEOJSON, GPKG, GPX, KML, SHP, Format

_PLACEMARK = re.compile(rb"<(?:\w+:)?Placemark[\s>/]")
_WAYS = re.compile(rb"<(?:\w+:)?(?:wpt|rte|trk)[\s>/]")
_COMMENTS = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_STEPS = 100_000
"""Instructions of SQLite's virtual machine, which take some milliseconds."""


def count(path: Path, format: Format) -> Census:
    """Return the census of a map file."""
    features, attributes, layers = _COUNTERS[format](path)
    census = Census()
    for kind, number in (("features", features), ("attributes", attributes), ("layers", layers)):
        if number:
            census.add(kind, number)
    return census


Counts = tuple[int, int, int]
"""Features, the most attributes of a layer, and layers."""


def _geojson(path: Path) -> Counts:
    import msgspec

    document: Any = msgspec.json.decode(path.read_bytes().removeprefix(b"\xef\xbb\xbf"))
    features = document.get("features") if isinstance(document, dict) else None
    rows = [each for each in features or () if isinstance(each, dict)]
    names = {name for each in rows for name in each.get("properties") or ()}
    return len(rows) or int(isinstance(document, dict)), len(names), 1


def _kml(path: Path) -> Counts:
    return len(_PLACEMARK.findall(_COMMENTS.sub(b"", path.read_bytes()))), 0, 1


def _gpx(path: Path) -> Counts:
    return len(_WAYS.findall(_COMMENTS.sub(b"", path.read_bytes()))), 0, 1


def _csv(path: Path) -> Counts:
    data, delimiter, lead = delimited.content(path)
    rows = csv.reader(io.StringIO(data.decode("utf-8", "replace"), newline=""), delimiter=delimiter)
    filled = sum(any(row) for row in rows)
    return max(0, filled - lead - 1), 0, 1


def _shp(path: Path) -> Counts:
    """Count all shapefiles of an archive by their attribute tables, or else by their indexes."""
    features = attributes = layers = 0
    with zipfile.ZipFile(path) as archive:
        names = {name.lower(): name for name in archive.namelist() if not name.startswith("__MACOSX")}
        for shape in (each for each in names if each.endswith(".shp")):
            layers += 1
            table, index = names.get(shape[:-3] + "dbf"), names.get(shape[:-3] + "shx")
            if table:
                with archive.open(table) as file:
                    rows, head = struct.unpack("<4xIH", file.read(10))
                features += rows
                attributes = max(attributes, (head - 33) // 32)
            elif index:
                features += (archive.getinfo(index).file_size - 100) // 8
    return features, attributes, layers


def _gpkg(path: Path) -> Counts:
    """Count the tables listed as contents of a GeoPackage; views are skipped."""
    features = attributes = layers = 0
    import sqlite3  # most maps are no databases

    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as database:
        # A table may be a view that never ends, and only a Python callback can interrupt SQLite (see cpu_limit).
        database.set_progress_handler(lambda: 0, _STEPS)
        database.execute("PRAGMA trusted_schema=OFF")
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        places = dict(database.execute("SELECT lower(table_name), column_name FROM gpkg_geometry_columns"))
        named = database.execute("SELECT table_name, data_type FROM gpkg_contents").fetchall()
        for name, kind in named:
            if name not in tables or kind not in ("features", "attributes"):
                continue
            quoted = '"' + name.replace('"', '""') + '"'
            (rows,) = database.execute(f"SELECT count(*) FROM {quoted}").fetchone()  # noqa: S608 - quoted just above
            columns = database.execute(f"PRAGMA table_info({quoted})").fetchall()
            own = [each for _, each, _, _, _, key in columns if not key and each != places.get(name.lower())]
            features += rows
            attributes = max(attributes, len(own))
            layers += bool(rows)
    return features, attributes, layers


def _fgb(path: Path) -> Counts:
    """Parse the header of a FlatGeobuf: field 7 has the columns, field 8 the number of features."""
    with path.open("rb") as file:
        file.seek(8)
        (size,) = struct.unpack("<I", file.read(4))
        head = file.read(size)
    (table,) = struct.unpack_from("<I", head)
    fields = table - struct.unpack_from("<i", head, table)[0]
    (length,) = struct.unpack_from("<H", head, fields)

    def place(number: int) -> int:
        entry = 4 + 2 * number
        return int(struct.unpack_from("<H", head, fields + entry)[0]) if entry < length else 0

    features = struct.unpack_from("<Q", head, table + place(8))[0] if place(8) else 0
    columns = 0
    if at := place(7):
        vector = table + at + struct.unpack_from("<I", head, table + at)[0]
        (columns,) = struct.unpack_from("<I", head, vector)
    return features, columns, 1


_COUNTERS: dict[Format, Callable[[Path], Counts]] = {
    GEOJSON: _geojson,
    KML: _kml,
    GPX: _gpx,
    CSV: _csv,
    SHP: _shp,
    GPKG: _gpkg,
    FGB: _fgb,
}
