"""Times in a zone that polars does not know, such as the offset +05:30, are written in UTC."""

from __future__ import annotations

import re
import zoneinfo
from typing import Any

import pyarrow

from engine.families.data.schema import OFFSETS
from engine.toolkit.warnings import Warn

_WHOLE_HOURS = re.compile(r"[+-](?:0\d|1[0-4]):00")


def is_unknown(kind: Any) -> bool:
    """Return whether a type of Arrow is a time in such a zone, which stores its times in UTC anyhow."""
    zone = kind.tz if pyarrow.types.is_timestamp(kind) else None
    if not zone or _WHOLE_HOURS.fullmatch(zone):
        return False
    try:
        zoneinfo.ZoneInfo(zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return True
    return False


def tell(schema: Any, warn: Warn) -> None:
    """Warn of the columns of a schema that are or have such times."""
    found = [f"“{each.name}”: {zone}" for each in schema if (zone := _zone(each.type)) not in ("", "Z")]
    warn.tally(OFFSETS, len(found), found, part="columns")


def _zone(kind: Any) -> str:
    if is_unknown(kind):
        return str(kind.tz)
    return next(filter(None, (_zone(kind.field(at).type) for at in range(kind.num_fields))), "")
