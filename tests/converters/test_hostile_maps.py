"""Maps as an attacker sends them: nothing but the file is read, and nothing of it is run."""

from __future__ import annotations

import io
import os
import tempfile
import zipfile
from typing import Any

import pytest

from conversions.work import runner
from engine.families.registry import CONVERTERS
from engine.toolkit.failures import ConversionError, OverLimit
from engine.toolkit.options import build
from tests.families.geo.hostile_maps import ENDLESS, REFERENCES, geopackage
from tests.hostile import record_shapes

if os.environ.get("REQUIRE_EXTRAS") != "1":
    pytest.importorskip("pyogrio", reason="GDAL is not installed: make extras runs these tests")


def converted(slug: str, content: bytes, **options: Any) -> tuple[bytes, set[str]]:
    converter = CONVERTERS[slug]
    with tempfile.TemporaryFile() as source:
        source.write(content)
        outcome = runner.convert(converter, source, build(converter.options, options))
    with outcome.output:
        return outcome.output.read(), {each.code for each in outcome.warnings}


LARGE = {
    "kml-to-csv": record_shapes.SHAPES["kml"]["own data"](400_000),
    "geojson-to-fgb": record_shapes.SHAPES["geojson"]["properties"](150_000),
    "csv-to-kml": record_shapes.SHAPES["csv"]["short rows"](60_000),
}


@pytest.mark.parametrize("slug", LARGE)
def test_a_small_map_that_makes_a_large_table_is_refused(slug: str) -> None:
    with pytest.raises(OverLimit) as error:
        converted(slug, LARGE[slug])
    assert error.value.reason in ("limit", "memory")


@pytest.mark.parametrize("name", REFERENCES)
def test_a_map_brings_nothing_of_elsewhere(name: str) -> None:
    slug, content = REFERENCES[name]
    try:
        result, _ = converted(slug, content)
    except ConversionError:
        return
    assert b"root:" not in result
    assert b"lollollol" not in result


def test_a_view_is_left_out_and_not_run() -> None:
    result, codes = converted("gpkg-to-csv", geopackage(ENDLESS))
    assert (result, "CONTENT_DROPPED" in codes) == (b"X,Y,a\n1,2,here\n", True)


def test_a_layer_s_name_is_no_path_and_no_query() -> None:
    result, _ = converted("gpkg-to-shp", geopackage(name="../../x'; DROP TABLE y; --\""))
    with zipfile.ZipFile(io.BytesIO(result)) as archive:
        names = archive.namelist()
    assert {each.rpartition(".")[2] for each in names} >= {"shp", "dbf"}
    assert not any("/" in each or ".." in each for each in names)


def test_a_long_kml_of_many_folders_is_refused_before_it_is_read_for_each() -> None:
    place = b"<Placemark><name>here</name><Point><coordinates>1,2</coordinates></Point></Placemark>"
    folders = b"".join(b"<Folder><name>%d</name>%b</Folder>" % (at, place * 80) for at in range(150))
    kml = b'<kml xmlns="http://www.opengis.net/kml/2.2"><Document>%b</Document></kml>' % folders
    with pytest.raises(OverLimit, match="150 folders"):
        converted("kml-to-geojson", kml)
