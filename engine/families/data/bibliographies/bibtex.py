"""Read BibTeX: entries, strings and cross-references (btxdoc, with BibLaTeX fields)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from engine.families.data.bibliographies import bibtex_dates
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
"""The number of entries that take 6 to 7 s to read and write."""
MAX_EXPANDED = 1_000_000
"""The maximum characters to which the @string references in one value may expand."""
_SEARCHED = 10_000_000
"""The maximum characters that are searched in vain in a small file."""
_BEGIN = re.compile(r"@[ \t]*([A-Za-z][\w-]*+)\s*([{(])")
_KEY = re.compile(r"([^\s,{}=]*+)\s*+(?:,|(?=\}))|([^\s,{}()=]*+)\s*+(?=\))")
_BLANKS = re.compile(r"(?:\s++|%[^\n]*+)*+")
"""White space and, as in BibLaTeX, comments."""
_FIELD = re.compile(r"([^\s={}()\"#%,]++)\s*+=\s*+")
_BARE = re.compile(r"[^\s,#{}()\"]+")
_MARK = re.compile(r"[{}\"]|\n[ \t]*@[A-Za-z]+[ \t]*[{(]")
_ESCAPED_MARK = re.compile(rf"\\.|{_MARK.pattern}", re.DOTALL)
_BROKEN = Kind("CONTENT_DROPPED", "Entries that can't be read were left out: {count}{places}.", counts="rows")
_FURTHER = Kind("CONTENT_DROPPED", "Only the first of repeated fields was kept; others were left out: {count}{places}.")
_UNKNOWN = Kind("VALUE_CONVERTED", "Unknown LaTeX commands were kept as they are: {count}{places}.")
_NO_STRING = Kind("VALUE_CONVERTED", "Names that no @string defines were kept as they are: {count}{places}.")
_PREAMBLE = Kind("METADATA_DROPPED", "@preamble text is not in the output: {count}{places}.")


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
        raise Unreadable("The file has no readable BibTeX entries.", line=line, reason="empty")
    warn.tally(_BROKEN, len(reader.broken), (f"line {each}" for each in reader.broken))
    warn.account("entries", len(reader.broken))
    warn.tally(_NO_STRING, len(reader.nameless), reader.nameless)
    warn.tally(_FURTHER, len(reader.further), reader.further)
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
        self.further: list[str] = []
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
            self._strings |= dict(fields)
            return at
        key = _KEY.match(self._text, self._past_blanks(at))
        if key is None:
            raise _Broken
        fields, at = self._fields(key.end())
        values: dict[str, str] = {}
        for name, value in fields:
            if values.setdefault(name, value) != value:
                self.further.append(f"{name} of {key[1] or key[2]}")
        self.entries.append({"key": key[1] or key[2] or "", "type": kind, "fields": values, "line": self._lines})
        return at

    def _fields(self, at: int) -> tuple[list[tuple[str, str]], int]:
        found = []
        while field := _FIELD.match(self._text, self._past_blanks(at)):
            value, at = self._value(field.end())
            found.append((field[1].lower(), value))
            at = self._past_blanks(at)
            if self._text[at : at + 1] != ",":
                break
            at += 1
        at = self._past_blanks(at)
        if self._text[at : at + 1] not in ("}", ")") or at >= len(self._text):
            raise _Broken
        return found, at + 1

    def _past_blanks(self, at: int) -> int:
        blanks = _BLANKS.match(self._text, at)
        return blanks.end() if blanks else at

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
                    size += len(part)
            else:
                raise _Broken
            if size > MAX_EXPANDED:
                raise _Broken
            parts.append(part)
            at = self._past_blanks(at)
            if self._text[at : at + 1] != "#":
                return "".join(parts), at
            at = self._past_blanks(at + 1)

    def _end(self, at: int) -> int:
        """Return the end of a value in braces or quotes.

        BibTeX counts braces whether or not a backslash precedes them. Where no value would end so, those after a
        backslash are taken for text. Raises _Broken if the value runs into the next entry.
        """
        end = self._closed(at, _MARK)
        after = len(self._text) if end is None else self._past_blanks(end + 1)
        if not self._text.startswith((",", "#", "}", ")"), after):
            end = self._closed(at, _ESCAPED_MARK)
        if end is None:
            raise _Broken
        return end

    def _closed(self, at: int, marks: re.Pattern[str]) -> int | None:
        quoted, depth = self._text[at] == '"', 0
        end, last = None, len(self._text)
        for mark in marks.finditer(self._text, at + 1):
            if mark[0][0] == "\n":
                last = mark.end()
                break
            if (mark[0] == "}" and not depth and not quoted) or (mark[0] == '"' and quoted and depth <= 0):
                end = last = mark.start()
                break
            depth += (mark[0] == "{") - (mark[0] == "}")
        # A value that is part of no entry is searched again for each that begins inside it.
        self._searched += last - at
        if self._searched > 3 * len(self._text) + _SEARCHED:
            raise Unreadable("Too many entries in the file are never closed.", line=self._lines, reason="limit")
        return end


def _item(entry: dict[str, Any], by_key: dict[str, dict[str, Any]], unknown: list[str]) -> Item:
    fields = dict(entry["fields"])
    referred = fields.get("crossref", "").strip().lower()
    parent = by_key.get(referred) if referred else None
    if parent is not None and parent is not entry:
        fields.pop("crossref")
        inherited = {name: value for name, value in parent["fields"].items() if name != "crossref"}
        if "title" in inherited:
            inherited.setdefault("booktitle", inherited["title"])
        fields = {name: value for name, value in inherited.items() if name not in ("title", "author")} | fields
    kind = entry["type"]
    item: Item = {"id": entry["key"], "type": TYPES.get(kind) or OTHER_TYPES.get(kind) or "document"}
    custom: Item = {} if kind in TYPES or kind in GENRES else {"bibtexType": kind}
    if issued := bibtex_dates.take(fields, unknown):
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
