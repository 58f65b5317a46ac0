"""Count the entries and values of calendars, contacts, feeds, outlines, bibliographies, settings and map features.

Values are told once each, and only those that no output spells otherwise: no dates, names or short numbers.
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
_LEAST = 4
"""Characters of a value that is told: shorter ones may stand inside any other."""

_FOLD = re.compile(r"(?:\r\n|\n|\r)[ \t]")
_LINE = re.compile(r"(?:[\w-]+\.)?([\w-]+)((?:;[^:;=]*(?:=(?:\"[^\"]*\"|[^\":;])*)?)*):(.*)")
_PARAMETER = re.compile(r";([\w-]+)=((?:\"[^\"]*\"|[^\":;])*)")
_PIECE = re.compile(r"(?:\\.|[;,^])+")
_ENTRIES = frozenset({"VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VCARD"})
_SHOWN = frozenset({"SUMMARY", "LOCATION", "FN"})
_OF_NOTATION = frozenset({"VALUE", "ENCODING", "CHARSET"})
_UNTOLD = frozenset({"BEGIN", "END", "VERSION", "EXDATE", "RDATE", "X-ABLABEL"})


def content_lines(path: Path) -> Census:
    """Return the events or contacts, their texts and parameters (RFC 5545, RFC 6350)."""
    said = _Said(path)
    inside: list[str] = []
    for line in _FOLD.sub("", said.text).splitlines():
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
    said = _Said(path)
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
    said = _Said(path)
    for each in _elements(said, "outline"):
        said.tell(value for value in each.values() if "/" not in value or value.startswith("http"))
    census = said.census()
    census.items.pop("rows", None)
    return census


def _elements(said: _Said, *names: str) -> Iterator[Any]:
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


_REFERENCE = re.compile(r"([A-Z][A-Z0-9])  ?-(?: |$)(.*)")
_PEOPLE = frozenset({"AU", "A1", "A2", "A3", "A4", "ED"})
_NO_TEXT = frozenset({"TY", "ER", "PY", "Y1", "DA", "Y2", "SP", "EP"})


def ris(path: Path) -> Census:
    """Return the entries and the values of their tags; of people, the parts of their names."""
    said = _Said(path)
    tags: list[tuple[str, str]] = []
    for line in said.text.splitlines():
        if found := _REFERENCE.match(line.rstrip()):
            tags.append((found[1], found[2].strip()))
            said.entries += found[1] == "TY"
        elif tags and line.strip() and tags[-1][0] != "ER":
            if tags[-1][0] == "KW":
                tags.append(("KW", line.strip()))
            else:
                tags[-1] = (tags[-1][0], f"{tags[-1][1]} {line.strip()}")
    for tag, value in tags:
        if tag not in _NO_TEXT:
            said.tell(value.split(",")[0].split()[-1:] if tag in _PEOPLE else [value])
        if tag in ("TI", "T1"):
            said.show(value)
    return said.census()


_ENTRY = re.compile(r"^[ \t]*@[ \t]*(\w+)\s*[{(]\s*([^\s,{}()=\"#%\\]+)\s*,", re.MULTILINE)
_FIELD = re.compile(r"[,\n]\s*(\w+)\s*=\s*(?:\{([^{}\\$~#&^_%`'\"-]*)\}|\"([^{}\\$~#&^_%`'\"-]*)\")\s*(?=[,}\n])")
_SET_OTHERWISE = re.compile(
    r"author|editor|translator|date|year|month|pages|crossref|xdata|type|keywords|language|langid|edition|options|"
    r"number|volume|isbn|issn|urldate|howpublished|key"
)


def bibtex(path: Path) -> Census:
    """Return the entries, their keys, and the fields that are plain text."""
    said = _Said(path)
    starts = [each for each in _ENTRY.finditer(said.text) if each[1].lower() not in ("string", "preamble", "comment")]
    for place, each in enumerate(starts):
        said.entries += 1
        end = starts[place + 1].start() if place + 1 < len(starts) else len(said.text)
        met = set()
        for name, braced, quoted in _FIELD.findall(said.text, each.end() - 1, end):
            if name.lower() not in met and not _SET_OTHERWISE.fullmatch(name.lower()):
                said.tell([braced or quoted])
            met.add(name.lower())
    return said.census()


_SETTING = re.compile(r"(?:export\s+)?([^=:#;!\[\s][^=:]*?)\s*[=:]\s*(.*)")


def settings(path: Path) -> Census:
    """Return the values of keys, the last of each, that are written without escapes."""
    said = _Said(path)
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

    said = _Said(path)
    document: Any = msgspec.json.decode(said.text.removeprefix("\ufeff"))
    for each in document.get("features") or () if isinstance(document, dict) else ():
        if isinstance(each, dict):
            said.entries += 1
            said.tell(value for value in (each.get("properties") or {}).values() if isinstance(value, str))
    return said.census()


class _Said:
    """What a file tells: its number of entries, and values."""

    def __init__(self, path: Path) -> None:
        self.is_small = path.stat().st_size <= SMALL
        """Whether values are told."""
        self.data = path.read_bytes()
        self.text = encodings.read(self.data, Warn())
        self.entries = 0
        self._values: dict[str, None] = {}
        self._shown: list[str] = []

    def tell(self, values: Iterable[str]) -> None:
        """Add values that a result has as they are, or inside of others."""
        for each in values:
            value = spelled(re.sub("^mailto:", "", each.strip(), flags=re.IGNORECASE))
            if len(value) >= _LEAST and not value[0].isdigit():
                self._values[value] = None

    def show(self, text: str) -> None:
        """Add words that a page has, too."""
        self._shown += re.findall(rf"[^\W\d_]{{{_LEAST},}}", text)

    def census(self) -> Census:
        """Return the census; of a large file, without its values."""
        census = Census(words=self._shown)
        census.add("rows", self.entries)
        census.items["values"] = Counter(self._values.keys()) if self.is_small else Counter()
        if not self.is_small:
            census.samples["values"] = object()
        return census
