"""Settings: INI, properties and .env files from and to objects, and to rows of keys and values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conversions.families.data import converters as data
from conversions.families.data.converters import READERS, WRITERS, Adapter, declare
from conversions.toolkit.formats import CSV, ENV, INI, JSON, PROPERTIES, TOML, YAML, Format
from conversions.toolkit.options import NoOptions
from conversions.toolkit.warnings import Warn

_WORDS = {
    INI: ("the settings of an INI file", "as an INI file"),
    PROPERTIES: ("the settings of a properties file", "as Java properties"),
    ENV: ("the variables of an .env file", "as an .env file"),
}

OBJECTS = (JSON, YAML, TOML)
"""What settings become and are made of."""


def _convert(reader: Adapter, writer: Adapter, source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    return data.convert(reader, writer, source, target, options, warn)


for _format, (_read, _written) in _WORDS.items():
    for _writer in WRITERS:
        if _writer.format in OBJECTS:
            declare(Adapter(_format, "settings.reading:read_objects", "documents", NoOptions, _read), _writer, _convert)
        elif _writer.format is CSV:
            declare(Adapter(_format, "settings.reading:read_rows", "tables", NoOptions, _read), _writer, _convert)
    for _reader in READERS:
        if _reader.format in OBJECTS:
            declare(_reader, Adapter(_format, "settings.writing:write", "documents", NoOptions, _written), _convert)
