"""Count the entries and values of calendars, contacts, feeds, outlines, bibliographies, settings and map features.

Each distinct value counts once, and only values that every output writes alike: no dates, names or short numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from engine.families.data.counting.spellings import spelled
from engine.toolkit import encodings
from engine.toolkit.census import Census
from engine.toolkit.warnings import Warn

SMALL = 500_000
"""Bytes up to which values are counted."""
_SHORTEST = 4
"""The minimum characters of a value to count: a shorter one may occur inside any other."""

_FOLD = re.compile(r"(?:\r\n|\n|\r)[ \t]")
_LINE = re.compile(r"(?:[\w-]+\.)?([\w-]+)((?:;[^:;=]*(?:=(?:\"[^\"]*\"|[^\":;])*)?)*):(.*)")
_PARAMETER = re.compile(r";([\w-]+)=((?:\"[^\"]*\"|[^\":;])*)")
_PIECE = re.compile(r"(?:\\.|[;,^])+")
_ENTRIES = frozenset({"VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VCARD"})
_SHOWN = frozenset({"SUMMARY", "LOCATION", "FN"})
_OF_NOTATION = frozenset({"VALUE", "ENCODING", "CHARSET"})
_LEFT_OUT = frozenset({"BEGIN", "END", "VERSION", "EXDATE", "RDATE", "X-ABLABEL"})


def content_lines(path: Path) -> Census:
    """Return the events or contacts, their texts and parameters (RFC 5545, RFC 6350)."""
    content = _Values(path)
    inside: list[str] = []
    for line in _FOLD.sub("", content.text).splitlines():
        found = _LINE.fullmatch(line)
        if found is None:
            continue
        name, parameters, value = found[1].upper(), found[2], found[3]
        if name == "BEGIN":
            inside.append(value.strip().upper())
            content.entries += inside[-1] in _ENTRIES
        elif name == "END":
            inside = inside[:-1]
        elif inside and inside[-1] in _ENTRIES and name not in _LEFT_OUT:
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
    content = _Values(path)
    for entry in _elements(content, "item", "entry"):
        content.entries += 1
        for each in entry.iter():
            name = _local(each.tag)
            if each is not entry and not len(each) and not _DATED.search(name):
                content.add([each.text or ""])
                if name == "title" and each in entry:
                    content.add_optional_words(re.sub(r"<[^>]*>|&\w+;", " ", each.text or ""))
            content.add(value for name, value in each.items() if _local(name) not in _NOT_CONTENT)
    census = content.census()
    census.items.pop("rows", None)  # an object holds them all
    return census


def outline(path: Path) -> Census:
    """Return the attributes of outlines (OPML 2.0); folders are parts of paths in rows."""
    content = _Values(path)
    for each in _elements(content, "outline"):
        content.add(value for value in each.values() if "/" not in value or value.startswith("http"))
    census = content.census()
    census.items.pop("rows", None)
    return census


def _elements(content: _Values, *names: str) -> Iterator[Any]:
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


_REFERENCE = re.compile(r"([A-Z][A-Z0-9])  ?-(?: |$)(.*)")
_PEOPLE = frozenset({"AU", "A1", "A2", "A3", "A4", "ED"})
_NO_TEXT = frozenset({"TY", "ER", "PY", "Y1", "DA", "Y2", "SP", "EP"})


def ris(path: Path) -> Census:
    """Return the entries and the values of their tags; names of people count by their parts."""
    content = _Values(path)
    tags: list[tuple[str, str]] = []
    for line in content.text.splitlines():
        if found := _REFERENCE.match(line.rstrip()):
            tags.append((found[1], found[2].strip()))
            content.entries += found[1] == "TY"
        elif tags and line.strip() and tags[-1][0] != "ER":
            tags[-1] = (tags[-1][0], f"{tags[-1][1]} {line.strip()}")
    for tag, value in tags:
        if tag not in _NO_TEXT:
            content.add(value.split(",")[0].split()[-1:] if tag in _PEOPLE else [value])
        if tag in ("TI", "T1"):
            content.add_optional_words(value)
    return content.census()


_ENTRY = re.compile(r"^[ \t]*@[ \t]*(\w+)\s*[{(]\s*([^\s,{}()=\"#%\\]+)\s*,", re.MULTILINE)
_FIELD = re.compile(r"[,\n]\s*(\w+)\s*=\s*(?:\{([^{}\\$~#&^_%`'\"-]*)\}|\"([^{}\\$~#&^_%`'\"-]*)\")\s*(?=[,}\n])")
_WRITTEN_DIFFERENTLY = re.compile(
    r"author|editor|translator|date|year|month|pages|crossref|xdata|type|keywords|language|langid|edition|options|"
    r"number|volume|isbn|issn|urldate|howpublished|key"
)


def bibtex(path: Path) -> Census:
    """Return the entries, their keys, and the fields that are plain text."""
    content = _Values(path)
    starts = [
        each for each in _ENTRY.finditer(content.text) if each[1].lower() not in ("string", "preamble", "comment")
    ]
    for place, each in enumerate(starts):
        content.entries += 1
        end = starts[place + 1].start() if place + 1 < len(starts) else len(content.text)
        met = set()
        for name, braced, quoted in _FIELD.findall(content.text, each.end() - 1, end):
            if name.lower() not in met and not _WRITTEN_DIFFERENTLY.fullmatch(name.lower()):
                content.add([braced or quoted])
            met.add(name.lower())
    return content.census()


_SETTING = re.compile(r"(?:export\s+)?([^=:#;!\[\s][^=:]*?)\s*[=:]\s*(.*)")


def settings(path: Path) -> Census:
    """Return the last value of each key, if it is written without escapes."""
    content = _Values(path)
    section, values = "", {}
    quoted = ""
    for line in content.text.splitlines():
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
    return census


def features(path: Path) -> Census:
    """Return the features of GeoJSON (RFC 7946) and the texts of their properties."""
    import msgspec

    content = _Values(path)
    document: Any = msgspec.json.decode(content.text.removeprefix("\ufeff"))
    for each in document.get("features") or () if isinstance(document, dict) else ():
        if isinstance(each, dict):
            content.entries += 1
            content.add(value for value in (each.get("properties") or {}).values() if isinstance(value, str))
    return content.census()


class _Values:
    """Collects the number of entries in a file, and their values."""

    def __init__(self, path: Path) -> None:
        self.is_small = path.stat().st_size <= SMALL
        """Whether values are told."""
        self.data = path.read_bytes()
        self.text = encodings.read(self.data, Warn())
        self.entries = 0
        self._values: dict[str, None] = {}
        self._shown: list[str] = []

    def add(self, values: Iterable[str]) -> None:
        """Add values that a result contains unchanged, on their own or inside other values."""
        for each in values:
            value = spelled(re.sub("^mailto:", "", each.strip(), flags=re.IGNORECASE))
            if len(value) >= _SHORTEST and not value[0].isdigit():
                self._values[value] = None

    def add_optional_words(self, text: str) -> None:
        """Add words that a page must contain as well."""
        self._shown += re.findall(rf"[^\W\d_]{{{_SHORTEST},}}", text)

    def census(self) -> Census:
        """Return the census; for a large file, without its values."""
        census = Census(words=self._shown)
        census.add("rows", self.entries)
        census.items["values"] = Counter(self._values.keys()) if self.is_small else Counter()
        if not self.is_small:
            census.samples["values"] = object()
        return census
