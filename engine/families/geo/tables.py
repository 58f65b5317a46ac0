"""Read CSV rows as a layer, by coordinate columns or a WKT column."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import numpy
from pyogrio import raw

from engine.families.geo import bounds
from engine.families.geo.layers import Column, Layer, Sort
from engine.toolkit import encodings
from engine.toolkit.failures import InvalidOption, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_EASTINGS = ("lon", "lng", "long", "longitude", "x", "easting")
_NORTHINGS = ("lat", "latitude", "y", "northing")
_GEOMETRIES = ("wkt", "geometry", "geom", "the_geom", "geojson")
_NOWHERE = Kind("GEOMETRY_MISSING", "Rows have no readable place: {count}{places}.")
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?")


def read(source: Path, options: Any, warn: Warn) -> Layer:
    """The rows as features without a reference system; raises InvalidOption if no column has the coordinates."""
    text = encodings.read(source.read_bytes(), warn)
    plain = source.with_name("table.csv")
    plain.write_text(text, encoding="utf-8", newline="")
    bounds.check(plain, plain.stem)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rows without coordinates are counted below
        meta, _, _, values = raw.read(plain)
    header = [str(each) for each in meta["fields"]]
    by_name = {each.lower(): each for each in reversed(header)}
    east = _chosen(options.longitude, "longitude", header, by_name, _EASTINGS)
    north = _chosen(options.latitude, "latitude", header, by_name, _NORTHINGS)
    shape = next((by_name[each] for each in _GEOMETRIES if each in by_name), None)
    if east and north and (shape is None or options.longitude or options.latitude):
        given = {"X_POSSIBLE_NAMES": east, "Y_POSSIBLE_NAMES": north}
        used = {east, north}
    elif shape:
        given, used = {"GEOM_POSSIBLE_NAMES": shape}, {shape}
    else:
        raise InvalidOption(
            "longitude",
            "No column name matches coordinates or geometries. Set longitude and latitude to the columns to use.",
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        geometries = raw.read(plain, columns=[], **given)[2]
    if geometries is None or not len(geometries):
        raise Unreadable("The file has no places.", reason="empty")
    nowhere = numpy.array([each is None for each in geometries], dtype=bool)
    lines = [str(at + 2) for at in numpy.flatnonzero(nowhere)[:5]]
    warn.tally(_NOWHERE, int(nowhere.sum()), [f"row {line}" for line in lines])
    columns = []
    for name, data in zip(meta["fields"], values, strict=True):
        if name not in used or any(value not in (None, "") for value in data[nowhere]):
            columns.append(_column(str(name), data))
    return Layer("places", None, geometries, tuple(columns))


def _chosen(
    given: str | None, option: str, header: list[str], by_name: dict[str, str], usual: tuple[str, ...]
) -> str | None:
    if given is None:
        return next((by_name[each] for each in usual if each in by_name), None)
    if given not in header:
        raise InvalidOption(option, say("There is no column {given}.", given=repr(given)))
    return given


def _column(name: str, data: Any) -> Column:
    """Numbers if all cells are numbers in canonical form: 007 is text."""
    missing = numpy.array([value in (None, "") for value in data], dtype=bool)
    texts = [str(value) for value in data[~missing]]
    sort: Sort = "text"
    if texts and all(map(_WHOLE.fullmatch, texts)):
        sort, empty, make = "integer", 0, int
    elif texts and all(map(_NUMBER.fullmatch, texts)):
        sort, empty, make = "real", float("nan"), float  # type: ignore[assignment]
    if sort == "text":
        return Column(name, sort, numpy.where(missing, None, data), missing)
    values = [empty if gone else make(value) for value, gone in zip(data, missing, strict=True)]
    return Column(name, sort, numpy.array(values, dtype="int64" if sort == "integer" else "float64"), missing)
