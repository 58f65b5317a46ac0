"""Read BibTeX: entries, strings and cross-references (btxdoc, with BibLaTeX fields)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from engine.families.data.bibliographies.bibtex_fields import (
    FIELDS,
    GENRES,
    MONTHS,
    NUMBERED,
    OTHER_TYPES,
    PEOPLE,
    TYPES,
    VERBATIM,
)
from engine.families.data.bibliographies.items import Item, date_of, keyed
from engine.families.data.bibliographies.latex import decoded
from engine.families.data.bibliographies.names import people
from engine.toolkit import encodings
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

MAX_ENTRIES = 100_000
"""Reading and writing that many takes 6 to 7 s."""
MAX_EXPANDED = 1_000_000
"""Characters to which the @string references in one value may expand."""
_SEARCHED = 10_000_000
"""Characters that may be searched without a match in a small file."""
_BEGIN = re.compile(r"@[ \t]*([A-Za-z]+)\s*([{(])")
_KEY = re.compile(r"\s*+([^\s,{}()=\"#%\\]*+)\s*+(,|(?=[)}]))")
_FIELD = re.compile(r"\s*+([^\s={}()\"#%,]++)\s*+=\s*+")
_BARE = re.compile(r"[^\s,#{}()\"]+")
_MARK = re.compile(r"\\.|[{}\"]|\n[ \t]*@[A-Za-z]+[ \t]*[{(]", re.DOTALL)
_BROKEN = Kind("CONTENT_DROPPED", "Entries that can't be read were left out: {count}{places}.", counts="rows")
_UNKNOWN = Kind("VALUE_CONVERTED", "Commands of LaTeX that are not known were kept as they are: {count}{places}.")
_NO_STRING = Kind("VALUE_CONVERTED", "Names that no @string explains were kept as they are: {count}{places}.")
_PREAMBLE = Kind("METADATA_DROPPED", "What @preamble says is not in the output: {count}{places}.")


class _Broken(Exception):
    """An entry that does not end, or is malformed."""


def read(source: Path, warn: Warn) -> list[Item]:
    """Return the entries of a file; malformed ones are reported with their line.

    Raises Unreadable only if there are no entries.
    """
    reader = _Reader(encodings.read(source.read_bytes(), warn))
    reader.run()
    if not reader.entries:
        line = reader.broken[0] if reader.broken else 1
        raise Unreadable("The file has no entries of BibTeX that can be read.", line=line)
    warn.tally(_BROKEN, len(reader.broken), (f"line {each}" for each in reader.broken))
    warn.tally(_NO_STRING, len(reader.nameless), reader.nameless)
    warn.tally(_PREAMBLE, reader.preambles)
    by_key = {entry["key"].lower(): entry for entry in reversed(reader.entries)}
    unknown: list[str] = []
    items = [_item(each, by_key, unknown) for each in reader.entries]
    warn.tally(_UNKNOWN, len(unknown), unknown)
    return keyed(items, warn)


class _Reader:
    """Scans a file once."""

    def __init__(self, content: str) -> None:
        self._text = content.replace("\r\n", "\n").replace("\r", "\n")
        self._strings = {month: month for month in MONTHS}
        self.entries: list[dict[str, Any]] = []
        self.broken: list[int] = []
        self.nameless: list[str] = []
        self.preambles = 0
        self._counted, self._lines = 0, 1
        self._searched = 0

    def run(self) -> None:
        at = 0
        while begin := _BEGIN.search(self._text, at):
            kind, at = begin[1].lower(), begin.end()
            if kind == "comment":
                continue
            self._lines += self._text.count("\n", self._counted, begin.start())
            self._counted = begin.start()
            try:
                at = self._entry(kind, at)
            except _Broken:
                self.broken.append(self._lines)
            if len(self.entries) > MAX_ENTRIES:
                raise OverLimit("memory", say("The file has more than {max_entries} entries.", max_entries=MAX_ENTRIES))

    def _entry(self, kind: str, at: int) -> int:
        if kind == "preamble":
            self.preambles += 1
            return self._value(at)[1]
        if kind == "string":
            fields, at = self._fields(at)
            self._strings |= {name: value for name, value, _ in fields}
            return at
        key = _KEY.match(self._text, at)
        if key is None:
            raise _Broken
        fields, at = self._fields(key.end())
        values: dict[str, tuple[str, bool]] = {}
        for name, value, braced in fields:
            values.setdefault(name, (value, braced))
        self.entries.append({"key": key[1], "type": kind, "fields": values, "line": self._lines})
        return at

    def _fields(self, at: int) -> tuple[list[tuple[str, str, bool]], int]:
        found = []
        while field := _FIELD.match(self._text, at):
            value, at = self._value(field.end())
            found.append((field[1].lower(), value, True))
            at = self._past_blanks(at)
            if self._text[at : at + 1] != ",":
                break
            at += 1
        at = self._past_blanks(at)
        if self._text[at : at + 1] not in ("}", ")") or at >= len(self._text):
            raise _Broken
        return found, at + 1

    def _past_blanks(self, at: int) -> int:
        while self._text[at : at + 1].isspace():
            at += 1
        return at

    def _value(self, at: int) -> tuple[str, int]:
        parts, size = [], 0
        while True:
            mark = self._text[at : at + 1]
            if mark in ("{", '"') and mark:
                end = self._end(at)
                part = self._text[at + 1 : end]
                at = end + 1
            elif bare := _BARE.match(self._text, at):
                part, at = bare[0], bare.end()
                if not part.isdigit():
                    known = self._strings.get(part.lower())
                    if known is None:
                        self.nameless.append(part)
                    part = part if known is None else known
            else:
                raise _Broken
            size += len(part)
            if size > MAX_EXPANDED:
                raise _Broken
            parts.append(part)
            at = self._past_blanks(at)
            if self._text[at : at + 1] != "#":
                return "".join(parts), at
            at = self._past_blanks(at + 1)

    def _end(self, at: int) -> int:
        """Return the end of a value in braces or quotes; None if it runs into the next entry."""
        quoted, depth = self._text[at] == '"', 0
        mark = None
        for mark in _MARK.finditer(self._text, at + 1):
            if mark[0] == "{":
                depth += 1
            elif mark[0] == "}":
                if not depth and not quoted:
                    return mark.start()
                depth -= 1
            elif mark[0] == '"':
                if quoted and depth <= 0:
                    return mark.start()
            elif mark[0][0] == "\n":
                break
        # Each unsuccessful search for an end may scan all the rest.
        self._searched += (mark.end() if mark else len(self._text)) - at
        if self._searched > 3 * len(self._text) + _SEARCHED:
            raise Unreadable("Too many entries of the file do not end.", line=self._lines)
        raise _Broken


def _item(entry: dict[str, Any], by_key: dict[str, dict[str, Any]], unknown: list[str]) -> Item:
    fields = {name: value for name, (value, _) in entry["fields"].items()}
    parent = by_key.get(fields.pop("crossref", "").strip().lower())
    if parent is not None and parent is not entry:
        inherited = {name: value for name, (value, _) in parent["fields"].items() if name != "crossref"}
        if "title" in inherited:
            inherited.setdefault("booktitle", inherited["title"])
        fields = {name: value for name, value in inherited.items() if name not in ("title", "author")} | fields
    kind = entry["type"]
    item: Item = {"id": entry["key"], "type": TYPES.get(kind) or OTHER_TYPES.get(kind) or "document"}
    custom: Item = {} if kind in TYPES or kind in GENRES else {"bibtexType": kind}
    date = [fields.pop(name, "") for name in ("date", "year", "month", "day")]
    issued = _date(*(decoded(each, unknown) for each in date))
    if issued:
        item["issued"] = issued
    for name, value in fields.items():
        if name in PEOPLE:
            item[PEOPLE[name]] = people(value, unknown)
            continue
        shown = " ".join(value.split()) if name in VERBATIM else decoded(value, unknown)
        if name in ("url", "howpublished") and (address := re.fullmatch(r"\\url\s*\{(.*)\}", value.strip())):
            name, shown = "url", address[1]
        variable = FIELDS.get(name)
        if variable == "issue" and item["type"] in NUMBERED:
            variable = "collection-number" if "series" in fields else "number"
        if name == "urldate":
            item["accessed"] = date_of(shown)
        elif variable is None or variable in item:
            custom[name] = shown
        elif shown:
            item[variable] = shown.replace("–", "-") if variable == "page" else shown
    if genre := GENRES.get(kind):
        item.setdefault("genre", genre)
    if "howpublished" in custom and "publisher" not in item:
        item["publisher"] = custom.pop("howpublished")
    return item | ({"custom": custom} if custom else {})


def _date(date: str, year: str, month: str, day: str) -> Item | None:
    if date:
        return date_of(date)
    if not year:
        return None
    name = month[:3].lower()
    number = MONTHS.index(name) + 1 if name in MONTHS else int(month) if re.fullmatch(r"\d{1,2}", month) else 0
    parts = [year, str(number), day] if number and day.isdigit() else [year, str(number)] if number else [year]
    return date_of("-".join(parts))
