"""Count the entries and values of calendars, contacts, feeds, outlines, settings and map features.

Each distinct value counts once, and only values that every output writes alike: no dates, names or short numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.families.data.counting.file_values import FOLD, FileValues
from engine.families.data.counting.spellings import spelled, without_controls
from engine.toolkit.census import Census

_LINE = re.compile(r"(?:[\w-]+\.)?([\w-]+)((?:;[^:;=]*(?:=(?:\"[^\"]*\"|[^\":;])*)?)*):(.*)")
_PARAMETER = re.compile(r";([\w-]+)=((?:\"[^\"]*\"|[^\":;])*)")
_PIECE = re.compile(r"(?:\\.|[;,^])+")
_ENTRIES = frozenset({"VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VCARD"})
_SHOWN = frozenset({"SUMMARY", "LOCATION", "FN"})
_OF_NOTATION = frozenset({"VALUE", "ENCODING", "CHARSET"})
_LEFT_OUT = frozenset({"BEGIN", "END", "VERSION", "EXDATE", "RDATE"})
_USUAL_LABEL = re.compile(r"_\$!<.*>!\$_")
"""A label that Apple's programs translate (X-ABLabel)."""


def content_lines(path: Path) -> Census:
    """Return the events or contacts, their texts and parameters (RFC 5545, RFC 6350)."""
    content = FileValues(path)
    inside: list[str] = []
    for line in FOLD.sub("", content.text).splitlines():
        found = _LINE.fullmatch(line)
        if found is None:
            continue
        name, parameters, value = found[1].upper(), found[2], found[3]
        if name == "BEGIN":
            inside.append(value.strip().upper())
            content.entries += inside[-1] in _ENTRIES
        elif name == "END":
            inside = inside[:-1]
        elif inside and inside[-1] in _ENTRIES and name not in _LEFT_OUT and not _USUAL_LABEL.fullmatch(value):
            if "BASE64" in parameters.upper() or "ENCODING=" in parameters.upper() or value[:5].lower() == "data:":
                continue
            content.add(_PIECE.split(value) if _PIECE.search(value) else [value])
            content.add(_parameters(parameters))
            if name in _SHOWN:
                content.add_optional_words(_PIECE.sub(" ", value))
    return content.census()


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
    content = FileValues(path)
    for entry in _elements(content, "item", "entry"):
        content.entries += 1
        for each in entry.iter():
            name = _local(each.tag)
            if each is not entry and not len(each) and not _DATED.search(name):
                content.add([each.text or ""])
                if name == "title" and each in entry:
                    content.add_optional_words(re.sub(r"<[^<>]*>|&\w+;", " ", each.text or ""))
            content.add(value for name, value in each.items() if _local(name) not in _NOT_CONTENT)
    census = content.census()
    census.items.pop("rows", None)  # an object holds them all
    return census


def outline(path: Path) -> Census:
    """Return the attributes of outlines (OPML 2.0); folders are parts of paths in rows."""
    content = FileValues(path)
    for each in _elements(content, "outline"):
        content.add(value for value in each.values() if "/" not in value or value.startswith("http"))
    census = content.census()
    census.items.pop("rows", None)
    return census


def _elements(content: FileValues, *names: str) -> Iterator[Any]:
    """Return the elements of a file; none if it is not well-formed, as repairing it changes values."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(content.data.lstrip(), parser)
    except etree.XMLSyntaxError:
        content.is_small = False
        return iter(())
    found: Iterator[Any] = root.iter(*(f"{{*}}{name}" for name in names))
    return found


def _local(tag: object) -> str:
    return str(tag).rpartition("}")[2]


_SHORTEST = 2
"""Characters of a value that is looked for: shorter ones, such as 1 for true, are in any text."""
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:[\d:.]*(?:Z|[+-]\d\d:\d\d)?)?", re.ASCII)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_ESCAPED = {"n": " ", "r": " ", "t": " ", "f": ""}
"""What letters stand for behind a backslash, as values are compared: without control characters."""
_SETTING = re.compile(r"(?:export\s++)?([^=:#;!\[\s](?:[^=:\s]++|\s++(?![=:]))*+)\s*+[=:]\s*+(.*)")


def settings(path: Path) -> Census:
    """Return the last value of each key, if it is written without escapes; others are looked for in the whole text."""
    content = FileValues(path)
    section, values = "", {}
    quoted = ""
    text = without_controls(content.text)
    for line in text.splitlines():
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
    content.add(values.values())
    census = content.census()
    census.items.pop("rows", None)
    plain = " ".join(f"{text} {without_controls(_unescaped(text))}".split())
    moments = {spelled(each) for each in _MOMENT.findall(plain)}
    census.contains = lambda value: len(value) < _SHORTEST or value in plain or value in moments
    return census


def _unescaped(text: str) -> str:
    """The text of settings with the characters that its escapes stand for."""
    plain = _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else _ESCAPED.get(found[2], found[2]), text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
