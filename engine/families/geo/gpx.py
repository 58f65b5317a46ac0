"""Write GPX 1.1 with points as waypoints and lines as tracks, of which GDAL writes only one kind per file."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Any

from lxml import etree

from engine.families.geo import wkb
from engine.families.geo.layers import Layer
from engine.toolkit.warnings import Kind, Warn

_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_GPX = "http://www.topografix.com/GPX/1/1"
_MORE = "http://osgeo.org/gdal"
_POINT_WORDS = ("time", "name", "cmt", "desc", "src", "sym", "type")
_TRACK_WORDS = ("name", "cmt", "desc", "src", "type")
_AREAS = Kind(
    "CONTENT_DROPPED", "GPX only has points and lines, so areas were left out: {count}{places}.", counts="features"
)
_NOWHERE = Kind("CONTENT_DROPPED", "Rows without a place were left out: {count}{places}.", counts="features")


def write(layer: Layer, target: Path, warn: Warn) -> None:
    """Write all features; properties without a GPX element become extensions, named as GDAL names them."""
    columns = [(each, each.as_text().values) for each in layer.columns]
    areas, nowhere = 0, 0
    root = etree.Element(f"{{{_GPX}}}gpx", nsmap={None: _GPX, "ogr": _MORE}, version="1.1", creator="GDAL")
    tracks = []
    for number, geometry in enumerate(layer.geometries):
        if geometry is None:
            nowhere += 1
            continue
        leaves = list(wkb.simple_parts(geometry))
        areas += any(sort == "ring" for sort, *_ in leaves)
        for sort, start, count, size in leaves:
            if sort == "point" and count:
                _point(root, "wpt", struct.unpack_from(f"<{size}d", geometry, start), columns, number)
        if lines := [leaf for leaf in leaves if leaf[0] == "line"]:
            tracks.append((number, geometry, lines))
    for number, geometry, lines in tracks:
        track = etree.SubElement(root, f"{{{_GPX}}}trk")
        _add_properties(track, columns, number, _TRACK_WORDS)
        for _, start, count, size in lines:
            segment = etree.SubElement(track, f"{{{_GPX}}}trkseg")
            for at in range(start, start + 8 * size * count, 8 * size):
                _point(segment, "trkpt", struct.unpack_from(f"<{size}d", geometry, at), [], 0)
    etree.indent(root, " ")
    etree.ElementTree(root).write(str(target), encoding="UTF-8", xml_declaration=True)
    warn.tally(_AREAS, areas)
    warn.tally(_NOWHERE, nowhere)


def _point(parent: Any, name: str, place: tuple[float, ...], columns: list[Any], number: int) -> None:
    if place[0] != place[0]:  # an empty point
        return
    point = etree.SubElement(parent, f"{{{_GPX}}}{name}", lat=repr(place[1]), lon=repr(place[0]))
    if len(place) > 2:
        etree.SubElement(point, f"{{{_GPX}}}ele").text = repr(place[2])
    _add_properties(point, columns, number, _POINT_WORDS)


def _add_properties(parent: Any, columns: list[Any], number: int, words: tuple[str, ...]) -> None:
    """Add the properties of one feature, in schema order."""
    found: dict[str, str] = {}
    more: list[tuple[str, str]] = []
    for column, texts in columns:
        text = texts[number]
        if column.missing[number] or text is None:
            continue
        word = {"description": "desc"}.get(column.name.lower(), column.name.lower())
        if word in words and word not in found and (word != "time" or column.sort == "moment"):
            found[word] = f"{text}Z" if word == "time" else text
        elif word != "ele" or parent.tag.endswith("trk"):
            more.append((column.name, text))
    for word in words:
        if word in found:
            etree.SubElement(parent, f"{{{_GPX}}}{word}").text = _clean(found[word])
    if more:
        extensions = etree.SubElement(parent, f"{{{_GPX}}}extensions")
        for name, text in more:
            etree.SubElement(extensions, f"{{{_MORE}}}{_xml_name(name)}").text = _clean(text)


def _clean(text: str) -> str:
    """The text without characters that XML 1.0 can't contain."""
    return _NO_XML.sub("\ufffd", text)


def _xml_name(name: str) -> str:
    cleaned = re.sub(r"[^\w.-]|[^\x00-\x7f]", "_", name)
    return cleaned if re.match("[A-Za-z_]", cleaned) else f"_{cleaned}"
