"""Maps that want more than to be read: that name other files and addresses, and are computed without end."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from pathlib import Path

_ELSEWHERE = "http://127.0.0.1:9/elsewhere"
_BOMB = "<!DOCTYPE a [" + "".join(
    f'<!ENTITY l{each} "{f"&l{each - 1};" * 10 if each else "lol"}">' for each in range(10)
)  # fmt: skip
_FILE = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
_KML = '{}<kml xmlns="http://www.opengis.net/kml/2.2"><Document>{}<Placemark><name>{}</name><Point><coordinates>1,2</coordinates></Point></Placemark></Document></kml>'
_GPX = '{}<gpx version="1.1" creator="a" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="2" lon="1"><name>{}</name></wpt></gpx>'  # noqa: E501
_POINT = "x'47500001E61000000101000000000000000000F03F0000000000000040'"
_TABLES = """
PRAGMA application_id = 1196444487; PRAGMA user_version = 10300;
CREATE TABLE gpkg_spatial_ref_sys (
  srs_name text, srs_id integer PRIMARY KEY, organization text, organization_coordsys_id integer, definition text,
  description text);
INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84', 4326, 'EPSG', 4326, 'GEOGCS["WGS 84",DATUM["WGS_1984",
  SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]', ''),
  ('none', -1, 'NONE', -1, 'undefined', ''), ('none', 0, 'NONE', 0, 'undefined', '');
CREATE TABLE gpkg_contents (
  table_name text PRIMARY KEY, data_type text, identifier text UNIQUE, description text, last_change datetime,
  min_x double, min_y double, max_x double, max_y double, srs_id integer);
CREATE TABLE gpkg_geometry_columns (
  table_name text, column_name text, geometry_type_name text, srs_id integer, z tinyint, m tinyint);
"""


def _table(name: str, *, as_view: str = "") -> str:
    quoted, text = '"' + name.replace('"', '""') + '"', name.replace("'", "''")
    made = (
        f"CREATE VIEW {quoted} AS {as_view};"
        if as_view
        else f"CREATE TABLE {quoted} (fid integer PRIMARY KEY, geom blob, a text);"
        f"INSERT INTO {quoted} VALUES (1, {_POINT}, 'here');"
    )
    return (
        f"{made} INSERT INTO gpkg_contents VALUES ('{text}', 'features', '{text}', '', null, 0, 0, 1, 1, 4326);"
        f"INSERT INTO gpkg_geometry_columns VALUES ('{text}', 'geom', 'POINT', 4326, 0, 0);"
    )


def geopackage(*views: str, name: str = "places") -> bytes:
    """A table of one place, and views of it by the SQL that they are of."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.gpkg")
        database = sqlite3.connect(path)
        database.executescript(_TABLES + _table(name))
        for number, each in enumerate(views):
            database.executescript(_table(f"view{number}", as_view=each))
        database.close()
        return path.read_bytes()


ENDLESS = (
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
    f"SELECT x AS fid, {_POINT} AS geom, 'a' AS a FROM c WHERE x < 0"
)
_CALLS = (
    f"gdal_get_pixel_value('/vsicurl/{_ELSEWHERE}', 1, 'georef', 1, 1)",
    "readfile('/etc/passwd')",
    "load_extension('libc.so.6')",
)


def _collection(system: dict[str, object]) -> bytes:
    place = {"type": "Feature", "properties": {"a": 1}, "geometry": {"type": "Point", "coordinates": [1, 2]}}
    return json.dumps({"type": "FeatureCollection", "crs": system, "features": [place]}).encode()


REFERENCES: dict[str, tuple[str, bytes]] = {
    "an entity of a file in KML": ("kml-to-csv", _KML.format(_FILE, "", "&x;").encode()),
    "entities of entities in KML": ("kml-to-csv", _KML.format(_BOMB + "]>", "", "&l9;").encode()),
    "a link to another map": (
        "kml-to-csv",
        _KML.format("", f"<NetworkLink><Link><href>{_ELSEWHERE}</href></Link></NetworkLink>", "here").encode(),
    ),
    "an entity of a file in GPX": ("gpx-to-csv", _GPX.format(_FILE, "&x;").encode()),
    "entities of entities in GPX": ("gpx-to-csv", _GPX.format(_BOMB + "]>", "&l9;").encode()),
    "a reference system by its address": (
        "geojson-to-kml",
        _collection({"type": "link", "properties": {"href": _ELSEWHERE, "type": "proj4"}}),
    ),
    "a reference system of a file": (
        "geojson-to-kml",
        _collection({"type": "name", "properties": {"name": "/etc/passwd"}}),
    ),
    "a list of other sources as FlatGeobuf": (
        "fgb-to-csv",
        b"fgb\x03fgb\x00<OGRVRTDataSource><OGRVRTLayer name='x'><SrcDataSource>/etc/passwd</SrcDataSource>"
        b"</OGRVRTLayer></OGRVRTDataSource>",
    ),
    **{
        f"a view that calls {each.partition('(')[0]}": (
            "gpkg-to-csv",
            geopackage(f"SELECT fid, geom, {each} AS a FROM places"),
        )
        for each in _CALLS
    },
}
"""By what it tries: the slug, and the file."""
