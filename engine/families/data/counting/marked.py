"""Count the values of XML, YAML and TOML documents: texts, attributes and scalars."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from defusedxml import DefusedXmlException, ElementTree

from engine.families.data.counting import old_excel_xml, rows
from engine.toolkit.census import Census

_SPECIAL = re.compile(rb"(?m)^[ -]*<<[ ]*:|(?:^|[\s\[{,])!\S")
_RESOLVED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+|~|[+-]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
"""Plain scalars that YAML 1.2 resolves to another value."""
SMALL = 1_000_000
"""Bytes up to which a document is counted; for larger ones it would take longer than the conversion may."""
_ABOUT_THE_FILE = ("{http://www.w3.org/2001/XMLSchema-instance}",)


def xml(path: Path) -> Census:
    """Return the texts and attributes of an XML document; of a workbook in XML, the cells of its sheets."""
    if path.stat().st_size > SMALL:
        return _not_read()
    values = rows.Values()
    try:
        if old_excel_xml.may_be(path) and (book := old_excel_xml.workbook(path)) is not None:
            return book
        for _, element in ElementTree.iterparse(path):
            values.texts(value for name, value in element.items() if not name.startswith(_ABOUT_THE_FILE))
            pieces = [element.text or "", *(each.tail or "" for each in element)]
            if text := "".join(pieces).strip():
                values.text(text)
    except DefusedXmlException:  # it declares entities, which may be bombs
        return _not_read()
    return _counted(values)


def yaml(path: Path) -> Census:
    """Return the scalars of a YAML document; those of an alias count each time it is used."""
    import yaml as library

    if path.stat().st_size > SMALL // 5:
        return _not_read()
    data = path.read_bytes()
    if _SPECIAL.search(data):  # merge keys and tags
        return _not_read()
    loader = getattr(library, "CBaseLoader", library.BaseLoader)
    values = rows.Values()
    for document in library.load_all(data, Loader=loader):
        _scalars(document, values)
    return _counted(values)


def toml(path: Path) -> Census:
    """Return the values of a TOML document."""
    import tomllib

    if path.stat().st_size > SMALL:
        return _not_read()
    values = rows.Values()
    try:
        values.leaf(_plain(tomllib.loads(path.read_text("utf-8-sig"), parse_float=str)))
    except tomllib.TOMLDecodeError:  # syntax of TOML 1.1
        return _not_read()
    return _counted(values)


def _scalars(value: Any, values: rows.Values) -> None:
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            _scalars(each, values)
    elif not _RESOLVED.fullmatch(value):
        values.text(value)
    else:  # it is text if quoted, which the loader does not report
        values.header([value, str(int(value, 0)) if value[0] == "0" else ""])


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value.isoformat() if hasattr(value, "isoformat") else value


def _counted(values: rows.Values) -> Census:
    census = Census()
    values.into(census)
    return census


def _not_read() -> Census:
    census = Census()
    rows.Values().into(census, object())
    return census
