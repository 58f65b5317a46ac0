"""Convert INI, properties and .env files to and from objects and key-value rows."""

from __future__ import annotations

from engine.families.data.adapters import Adapter
from engine.families.data.converters import declare_all
from engine.toolkit.formats import CSV, ENV, INI, JSON, PROPERTIES, TOML, YAML
from engine.toolkit.options import NoOptions

_WORDS = {
    INI: ("an INI file", "to an INI file"),
    PROPERTIES: ("a properties file", "to Java properties"),
    ENV: ("an .env file", "to an .env file"),
}

OBJECTS = (JSON, YAML, TOML)
"""The formats that settings are converted to and from."""

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
