"""Settings: INI, properties and .env files from and to objects, and to rows of keys and values."""

from __future__ import annotations

from conversions.families.data.adapters import Adapter
from conversions.families.data.converters import declare_all
from conversions.toolkit.formats import CSV, ENV, INI, JSON, PROPERTIES, TOML, YAML
from conversions.toolkit.options import NoOptions

_WORDS = {
    INI: ("the settings of an INI file", "as an INI file"),
    PROPERTIES: ("the settings of a properties file", "as Java properties"),
    ENV: ("the variables of an .env file", "as an .env file"),
}

OBJECTS = (JSON, YAML, TOML)
"""What settings become and are made of."""

for _format, (_read, _written) in _WORDS.items():
    declare_all(
        __name__,
        readers=[Adapter(_format, "settings.reading:read_objects", "documents", NoOptions, _read)],
        outputs=OBJECTS,
        writers=[Adapter(_format, "settings.writing:write", "documents", NoOptions, _written)],
        inputs=OBJECTS,
    )
    declare_all(
        __name__,
        readers=[Adapter(_format, "settings.reading:read_rows", "tables", NoOptions, _read)],
        outputs=(CSV,),
    )
