"""Extras: families whose libraries need not be installed are listed where they are, and do what their vectors say."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from engine.families.registry import CONVERTERS, MISSING
from tests.conftest import Person
from tests.converters.test_vectors import _by_function, _field
from tests.converters.vector import Vector
from tests.families.geo import vectors as maps
from tests.families.images import extras as extra_pictures
from tests.families.images import vectors as images
from tests.families.models import vectors as models
from tests.families.pdf import vectors as pdfs

LIBRARIES = {
    "geo": ("pyogrio", "pyproj"),
    "models": ("trimesh",),
    "camera raw": ("rawpy",),
    "written HEIC": ("pillow_heif",),
}
RAW = tuple(each for each in extra_pictures.VECTORS if each.slug in ("raw-to-jpg", "raw-to-tiff"))
HEIC = tuple(each for each in (*images.VECTORS, *pdfs.VECTORS) if each.slug.endswith("-to-heic"))
FAMILIES = (("geo", maps.VECTORS), ("models", models.VECTORS), ("camera raw", RAW), ("written HEIC", HEIC))
INSTALLED = {family: all(map(find_spec, roots)) for family, roots in LIBRARIES.items()}
ALL = [
    pytest.param(each, id=each.id, marks=pytest.mark.skipif(not INSTALLED[family], reason=f"{family} is an extra"))
    for family, vectors in FAMILIES
    for each in vectors
]


def _some() -> list[Vector]:
    """Ordinary vectors, in which each format is read, and each is written, at least once."""
    seen: set[str] = set()
    chosen = []
    for each in (each for _, vectors in FAMILIES for each in vectors):
        source, _, output = each.slug.partition("-to-")
        sides = {f"{source} in", f"{output} out"}
        if each.kind == "ordinary" and each.slug in CONVERTERS and not sides & seen:
            seen |= sides
            chosen.append(each)
    return chosen


def test_extras_are_not_left_out_where_they_have_to_be_tested() -> None:
    assert all(INSTALLED.values()) or not os.environ.get("REQUIRE_EXTRAS")


@pytest.mark.parametrize(("family", "vectors"), FAMILIES)
def test_a_family_is_listed_where_its_libraries_are(family: str, vectors: tuple[Vector, ...]) -> None:
    slugs = {each.slug for each in vectors}
    assert slugs <= (CONVERTERS.keys() if INSTALLED[family] else set(MISSING))


def test_to_list_extras_loads_none_of_their_libraries() -> None:
    heavy = sorted({root for roots in LIBRARIES.values() for root in roots} | {"numpy"})
    code = f"import sys, engine.families.registry; print([name for name in {heavy!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize("vector", ALL)
def test_a_conversion_does_what_its_vector_says(vector: Vector, tmp_path: Path) -> None:
    _by_function(vector, tmp_path)


@pytest.mark.parametrize("vector", [pytest.param(each, id=each.slug) for each in _some()])
def test_each_format_is_read_and_written_in_the_sandbox(vector: Vector, paying: Person) -> None:
    converter = CONVERTERS[vector.slug]
    fields = {name: _field(value) for name, value in vector.options.items()}
    answer = paying.convert(vector.slug, vector.source(), f"input.{converter.input.extension}", headers=None, **fields)
    assert answer.status_code == 201, answer.json()
    assert vector.check is not None
    vector.check(paying.download(answer.json()["data"]["downloadUrl"]))


@pytest.mark.skipif(not INSTALLED["geo"], reason="geo is an extra")
def test_gdal_has_the_drivers_of_the_two_formats_alone() -> None:
    code = (
        "import pyogrio; from engine.families.geo import gdal; from engine.toolkit.formats import KML, SHP;"
        "gdal.restrict_drivers(KML, SHP); print(sorted(pyogrio.list_drivers()))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "['ESRI Shapefile', 'LIBKML']"
