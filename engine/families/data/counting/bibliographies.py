"""Count the entries and values of bibliographies: RIS, BibTeX and CSL JSON."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from engine.families.data.counting.file_values import FileValues
from engine.toolkit.census import Census

_REFERENCE = re.compile(r"([A-Z][A-Z0-9])  ?-(?: |$)(.*)")
_PEOPLE = frozenset({"AU", "A1", "A2", "A3", "A4", "ED"})
_NO_TEXT = frozenset({"TY", "ER", "PY", "Y1", "DA", "Y2", "SP", "EP"})


def ris(path: Path) -> Census:
    """Return the entries and the values of their tags; of people, the parts of their names."""
    content = FileValues(path)
    tags: list[tuple[str, str]] = []
    for line in content.text.splitlines():
        if found := _REFERENCE.match(line.rstrip()):
            tags.append((found[1], found[2].strip()))
            content.entries += found[1] == "TY"
        elif tags and line.strip() and tags[-1][0] != "ER":
            if tags[-1][0] == "KW":
                tags.append(("KW", line.strip()))
            else:
                tags[-1] = (tags[-1][0], f"{tags[-1][1]} {line.strip()}")
    for tag, value in tags:
        if tag not in _NO_TEXT:
            content.add(value.split(",")[0].split()[-1:] if tag in _PEOPLE else [value])
        if tag in ("TI", "T1"):
            content.add_optional_words(value)
    return content.census()


_ENTRY = re.compile(r"^[ \t]*@[ \t]*(\w+)\s*[{(]\s*([^\s,{}()=\"#%\\]+)\s*,", re.MULTILINE)
_FIELD = re.compile(
    r"[,\n][^\S\n]*+(\w++)\s*+=\s*+(?:\{([^{}\\$~#&^_%`'\"-]*+)\}|\"([^{}\\$~#&^_%`'\"-]*+)\")\s*(?=[,}\n])"
)
_SET_OTHERWISE = re.compile(
    r"author|editor|translator|date|year|month|pages|crossref|xdata|type|keywords|language|langid|edition|options|"
    r"number|volume|isbn|issn|urldate|howpublished|key"
)


def bibtex(path: Path) -> Census:
    """Return the entries, their keys, and the fields that are plain text."""
    content = FileValues(path)
    starts = [
        each for each in _ENTRY.finditer(content.text) if each[1].lower() not in ("string", "preamble", "comment")
    ]
    for place, each in enumerate(starts):
        content.entries += 1
        end = starts[place + 1].start() if place + 1 < len(starts) else len(content.text)
        met = set()
        for name, braced, quoted in _FIELD.findall(content.text, each.end() - 1, end):
            if name.lower() not in met and not _SET_OTHERWISE.fullmatch(name.lower()):
                content.add([braced or quoted])
            met.add(name.lower())
    return content.census()


def references(path: Path) -> Census:
    """Return the items of CSL JSON and the texts of their variables."""
    import msgspec

    content = FileValues(path)
    items: Any = msgspec.json.decode(content.text.removeprefix("\ufeff"))
    waiting = list(items if isinstance(items, list) else [items])
    content.entries = len(waiting)
    texts = []
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            texts.append(each)
        elif isinstance(each, dict | list):
            waiting += each.values() if isinstance(each, dict) else each
    content.add(texts)
    content.text = "\n".join(texts)
    return content.census()
