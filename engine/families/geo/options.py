"""Options of map conversions: reference systems in and out."""

from __future__ import annotations

from dataclasses import dataclass

from engine.toolkit.options import option

_SYSTEM = r"([A-Za-z]{2,8}:)?[A-Za-z0-9]{1,12}"


@dataclass(frozen=True)
class InputSystem:
    """The reference system of a file that does not declare one."""

    source_crs: str | None = option(
        None,
        "Coordinate reference system, such as EPSG:25832, for files that don't name one.",
        max_length=21,
        pattern=_SYSTEM,
    )


@dataclass(frozen=True)
class Columns:
    """The coordinate columns of a table."""

    longitude: str | None = option(
        None,
        "Column with longitudes or eastings, or WKT geometries; detected by name if not given.",
        min_length=1,
        max_length=100,
    )
    latitude: str | None = option(
        None, "Column with latitudes or northings; detected by name if not given.", min_length=1, max_length=100
    )


@dataclass(frozen=True)
class OutputSystem:
    """The reference system of the output."""

    crs: str | None = option(
        None,
        "Coordinate reference system to convert to, such as EPSG:4326 or EPSG:3857; unchanged if not given.",
        max_length=21,
        pattern=_SYSTEM,
    )
