"""Count the entries and values of calendars, contacts, feeds, outlines, settings and map features.

Values are told once each, and only those that no output spells otherwise: no dates, names or short numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.families.data.counting.told import FOLD, Said
from engine.toolkit.census import Census

_LINE = re.compile(r"(?:[\w-]+\.)?([\w-]+)((?:;[^:;=]*(?:=(?:\"[^\"]*\"|[^\":;])*)?)*):(.*)")
_PARAMETER = re.compile(r";([\w-]+)=((?:\"[^\"]*\"|[^\":;])*)")
_PIECE = re.compile(r"(?:\\.|[;,^])+")
_ENTRIES = frozenset({"VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VCARD"})
_SHOWN = frozenset({"SUMMARY", "LOCATION", "FN"})
_OF_NOTATION = frozenset({"VALUE", "ENCODING", "CHARSET"})
_UNTOLD = frozenset({"BEGIN", "END", "VERSION", "EXDATE", "RDATE", "X-ABLABEL"})


def content_lines(path: Path) -> Census:
    """Return the events or contacts, their texts and parameters (RFC 5545, RFC 6350)."""
    said = Said(path)
    inside: list[str] = []
    for line in FOLD.sub("", said.text).splitlines():
        found = _LINE.fullmatch(line)
        if found is None:
            continue
        name, parameters, value = found[1].upper(), found[2], found[3]
        if name == "BEGIN":
            inside.append(value.strip().upper())
            said.entries += inside[-1] in _ENTRIES
        elif name == "END":
            inside = inside[:-1]
        elif inside and inside[-1] in _ENTRIES and name not in _UNTOLD:
            if "BASE64" in parameters.upper() or "ENCODING=" in parameters.upper() or value[:5].lower() == "data:":
                continue
            said.tell(_PIECE.split(value) if _PIECE.search(value) else [value])
            said.tell(_parameters(parameters))
            if name in _SHOWN:
                said.show(_PIECE.sub(" ", value))
    return said.census()


def _parameters(text: str) -> Iterator[str]:
    for name, value in _PARAMETER.findall(text):
        if name.upper() not in _OF_NOTATION:
            for each in _PIECE.split(value.replace('"', "")):
                if name.upper() != "TYPE":
                    yield each
                elif each.lower() != "internet":
                    yield each.lower()


_DATED = re.compile(r"date|published|updated|issued|modified", re.IGNORECASE)
_NOT_CONTENT = frozenset({"isPermaLink", "rel", "type", "lang", "base", "space", "about", "parseType", "length"})


def feed(path: Path) -> Census:
    """Return the entries of a feed, the texts of their elements and their attributes."""
    said = Said(path)
    for entry in _elements(said, "item", "entry"):
        said.entries += 1
        for each in entry.iter():
            name = _local(each.tag)
            if each is not entry and not len(each) and not _DATED.search(name):
                said.tell([each.text or ""])
                if name == "title" and each in entry:
                    said.show(re.sub(r"<[^>]*>|&\w+;", " ", each.text or ""))
            said.tell(value for name, value in each.items() if _local(name) not in _NOT_CONTENT)
    census = said.census()
    census.items.pop("rows", None)  # an object holds them all
    return census


def outline(path: Path) -> Census:
    """Return the attributes of outlines (OPML 2.0); folders are parts of paths in rows."""
    said = Said(path)
    for each in _elements(said, "outline"):
        said.tell(value for value in each.values() if "/" not in value or value.startswith("http"))
    census = said.census()
    census.items.pop("rows", None)
    return census


def _elements(said: Said, *names: str) -> Iterator[Any]:
    """Return the elements of a file; of one that is not well-formed, whose repair changes values, none."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(said.data.lstrip(), parser)
    except etree.XMLSyntaxError:
        said.is_small = False
        return iter(())
    found: Iterator[Any] = root.iter(*(f"{{*}}{name}" for name in names))
    return found


def _local(tag: object) -> str:
    return str(tag).rpartition("}")[2]


_SETTING = re.compile(r"(?:export\s+)?([^=:#;!\[\s][^=:]*?)\s*[=:]\s*(.*)")


def settings(path: Path) -> Census:
    """Return the values of keys, the last of each, that are written without escapes."""
    said = Said(path)
    section, values = "", {}
    quoted = ""
    for line in said.text.splitlines():
        if quoted:
            quoted = "" if quoted in line else quoted
        elif line.strip().startswith("["):
            section = line.strip()
        elif not line[:1].isspace() and (found := _SETTING.fullmatch(line.rstrip())):
            value = re.split(r"[ \t]#", found[2])[0].strip()
            if value[:1] in ("'", '"', "`"):
                quoted = value[0] if value.count(value[0]) == 1 else ""
                value = ""
            values[section, found[1]] = "" if "\\" in value else value
    said.tell(values.values())
    census = said.census()
    census.items.pop("rows", None)
    return census


def features(path: Path) -> Census:
    """Return the features of GeoJSON (RFC 7946) and the texts of their properties."""
    import msgspec

    said = Said(path)
    document: Any = msgspec.json.decode(said.text.removeprefix("\ufeff"))
    for each in document.get("features") or () if isinstance(document, dict) else ():
        if isinstance(each, dict):
            said.entries += 1
            said.tell(value for value in (each.get("properties") or {}).values() if isinstance(value, str))
    return said.census()
