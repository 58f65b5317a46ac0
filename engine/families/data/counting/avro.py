"""Count the rows of Avro files from their block headers, and the values of short files."""

from __future__ import annotations

import json
import math
import struct
from base64 import b64encode
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from engine.families.data.counting import rows
from engine.toolkit.census import Census


def avro(path: Path) -> Census:
    """Return the rows, columns and values of an object container file."""
    import fastavro

    values, names = rows.Values(), []
    with path.open("rb") as file:
        schema: Any = fastavro.block_reader(file).writer_schema
        if isinstance(schema, dict) and schema.get("type") == "record":
            names = [each["name"] for each in schema["fields"]]
        file.seek(0)
        count = sum(block.num_records for block in fastavro.block_reader(file))
        if count <= rows.WHOLE:
            file.seek(0)
            narrow = '"float"' in json.dumps(schema)
            for row in fastavro.reader(file):
                values.row(plain(row, narrow=narrow))
    census = rows.counted(count)
    census.add("columns", len(names) or 1)
    values.header(names)
    values.into(census, rows.sample_of(count) and object())
    return census


def plain(value: Any, *, narrow: bool = False) -> Any:
    """Return a value with dates, times and bytes as text; `narrow` means that floats may be 32-bit."""
    if isinstance(value, dict):
        return {key: plain(each, narrow=narrow) for key, each in value.items()}
    if isinstance(value, list):
        return [plain(each, narrow=narrow) for each in value]
    if isinstance(value, tuple):  # an entry of a map: its key is a name, not a value
        return plain(value[-1], narrow=narrow)
    if isinstance(value, bytes):
        return b64encode(value).decode()
    if narrow and isinstance(value, float):
        return _shortest(value)
    if isinstance(value, timedelta):
        return None  # durations have many spellings
    return value.isoformat() if isinstance(value, date | datetime | time) else value


def _shortest(value: float) -> str:
    """Return the shortest digits of a 32-bit float that is stored as 64-bit."""
    if math.isfinite(value) and abs(value) < 3e38 and struct.unpack("f", struct.pack("f", value))[0] == value:
        for digits in range(6, 10):
            written = f"{value:.{digits}g}"
            if struct.unpack("f", struct.pack("f", float(written)))[0] == value:
                return written
    return repr(value)
