"""BibTeX: entries read with their strings, cross-references and names, and written (btxdoc, BibLaTeX's fields too)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from conversions.families.data.bibliographies.items import DATES, PEOPLE, Item, date_of, date_text, keyed
from conversions.families.data.bibliographies.latex import decoded, encoded
from conversions.families.data.values import text
from conversions.toolkit import encodings
from conversions.toolkit.failures import OverLimit, Unreadable
from conversions.toolkit.warnings import Kind, Warn

MAX_ENTRIES = 100_000
MAX_EXPANDED = 1_000_000
"""Characters that strings may become where they are put in, in one value."""
_SEARCHED = 10_000_000
"""Characters that are gone through in vain in a small file."""
TYPES = {
    "article": "article-journal", "book": "book", "booklet": "pamphlet", "inbook": "chapter", "incollection":
    "chapter", "inproceedings": "paper-conference", "phdthesis": "thesis", "techreport": "report", "unpublished":
    "manuscript", "online": "webpage", "patent": "patent", "dataset": "dataset", "software": "software",
    "misc": "document",
}  # fmt: skip
_OTHER_TYPES = {
    "conference": "paper-conference", "mastersthesis": "thesis", "thesis": "thesis", "proceedings": "book",
    "manual": "book", "collection": "book", "report": "report", "electronic": "webpage", "www": "webpage",
    "inreference": "entry-encyclopedia", "periodical": "periodical", "mvbook": "book",
}  # fmt: skip
FIELDS = {
    "title": "title", "shorttitle": "title-short", "journal": "container-title", "journaltitle": "container-title",
    "booktitle": "container-title", "volume": "volume", "number": "issue", "pages": "page", "pagetotal":
    "number-of-pages", "chapter": "chapter-number", "edition": "edition", "publisher": "publisher", "school":
    "publisher", "institution": "publisher", "organization": "publisher", "address": "publisher-place", "location":
    "publisher-place", "series": "collection-title", "doi": "DOI", "isbn": "ISBN", "issn": "ISSN", "url": "URL",
    "note": "note", "annote": "annote", "abstract": "abstract", "keywords": "keyword", "language": "language",
    "type": "genre", "version": "version", "pmid": "PMID", "eventtitle": "event-title",
}  # fmt: skip
_NUMBERED = {"report", "patent", "standard", "book"}
"""Whose number is their own, not that of an issue."""
_GENRES = {"phdthesis": "PhD thesis", "mastersthesis": "Master’s thesis"}
_PEOPLE = {"author": "author", "editor": "editor", "translator": "translator"}
_VERBATIM = {"url", "doi", "eprint", "file"}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_BEGIN = re.compile(r"@[ \t]*([A-Za-z]+)\s*([{(])")
_KEY = re.compile(r"\s*([^\s,{}()=\"#%\\]*)\s*(,|(?=[)}]))")
_FIELD = re.compile(r"\s*([^\s={}()\"#%,]+)\s*=\s*")
_BARE = re.compile(r"[^\s,#{}()\"]+")
_MARK = re.compile(r"\\.|[{}\"]|\n[ \t]*@[A-Za-z]+[ \t]*[{(]", re.DOTALL)
_AND = re.compile(r"\sand(?=\s)", re.IGNORECASE)
_BROKEN = Kind("CONTENT_DROPPED", "Entries that can't be read were left out")
_UNKNOWN = Kind("VALUE_CONVERTED", "Commands of LaTeX that are not known were kept as they are")
_NO_STRING = Kind("VALUE_CONVERTED", "Names that no @string explains were kept as they are")
_PREAMBLE = Kind("METADATA_DROPPED", "What @preamble says is not in the output")


class _Broken(Exception):
    """An entry that does not end, or is none."""


def read(source: Path, warn: Warn) -> list[Item]:
    """The entries of a file; what can't be read is a warning with its line. Raises Unreadable for nothing else."""
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
    """Goes through a file once."""

    def __init__(self, content: str) -> None:
        self._text = content.replace("\r\n", "\n").replace("\r", "\n")
        self._strings = {month: month for month in _MONTHS}
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
                raise OverLimit("memory", f"The file has more than {MAX_ENTRIES:,} entries.")

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
        """Where a value in braces or quotes ends; one that runs into the next entry does not."""
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
        # Each search that finds no end may go through all the rest.
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
    item: Item = {"id": entry["key"], "type": TYPES.get(kind) or _OTHER_TYPES.get(kind) or "document"}
    custom: Item = {} if kind in TYPES or kind in _GENRES else {"bibtexType": kind}
    date = [fields.pop(name, "") for name in ("date", "year", "month", "day")]
    issued = _date(*(decoded(each, unknown) for each in date))
    if issued:
        item["issued"] = issued
    for name, value in fields.items():
        if name in _PEOPLE:
            item[_PEOPLE[name]] = [_name(each, unknown) for each in _names(value)]
            continue
        shown = " ".join(value.split()) if name in _VERBATIM else decoded(value, unknown)
        if name in ("url", "howpublished") and (address := re.fullmatch(r"\\url\s*\{(.*)\}", value.strip())):
            name, shown = "url", address[1]
        variable = FIELDS.get(name)
        if variable == "issue" and item["type"] in _NUMBERED:
            variable = "collection-number" if "series" in fields else "number"
        if name == "urldate":
            item["accessed"] = date_of(shown)
        elif variable is None or variable in item:
            custom[name] = shown
        elif shown:
            item[variable] = shown.replace("–", "-") if variable == "page" else shown
    if genre := _GENRES.get(kind):
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
    number = _MONTHS.index(name) + 1 if name in _MONTHS else int(month) if re.fullmatch(r"\d{1,2}", month) else 0
    parts = [year, str(number), day] if number and day.isdigit() else [year, str(number)] if number else [year]
    return date_of("-".join(parts))


def _names(value: str) -> list[str]:
    """The names between `and`, outside of braces."""
    parts, begin, depth, last = [], 0, 0, 0
    for match in _AND.finditer(value):
        depth += value.count("{", last, match.start()) - value.count("}", last, match.start())
        last = match.start()
        if depth <= 0:
            parts.append(value[begin : match.start()])
            begin = match.end()
    parts.append(value[begin:])
    return [each.strip() for each in parts if each.strip()]


def _outside(value: str, marks: str) -> list[str]:
    """The parts between these marks, outside of braces."""
    parts, depth = [""], 0
    for each in value:
        depth += (each == "{") - (each == "}")
        if depth <= 0 and each in marks:
            parts.append("")
        else:
            parts[-1] += each
    return parts


def _name(value: str, unknown: list[str]) -> Item:
    if value.startswith("{") and value.endswith("}") and value.find("}") == len(value) - 1:
        return {"literal": decoded(value, unknown)}
    parts = [each.strip() for each in _outside(value, ",")]
    words = [each for each in _outside(parts[0], " \t\n~") if each]
    if len(parts) == 1:
        small = [at for at, word in enumerate(words[:-1]) if word[:1].islower()]
        first = small[0] if small else len(words) - 1
        given, words = " ".join(words[:first]), words[first:]
        suffix = ""
    else:
        given, suffix = parts[-1], parts[1] if len(parts) > 2 else ""
    small = [at for at, word in enumerate(words[:-1]) if word[:1].islower()]
    cut = small[-1] + 1 if small else 0
    found = {"family": " ".join(words[cut:]), "given": given, "non-dropping-particle": " ".join(words[:cut]),
             "suffix": suffix}  # fmt: skip
    shown = {key: decoded(each, unknown) for key, each in found.items() if each}
    return shown if "given" in shown or "suffix" in shown else {"literal": " ".join(shown.values())}


_BACK = {kind: name for name, kind in TYPES.items()} | {
    "article": "article", "article-magazine": "article", "article-newspaper": "article", "post-weblog": "online",
    "entry-encyclopedia": "inreference", "speech": "misc",
}  # fmt: skip
_CONTAINERS = {"article": "journal", "inproceedings": "booktitle", "incollection": "booktitle", "inbook": "booktitle"}
_PUBLISHERS = {"phdthesis": "school", "mastersthesis": "school", "techreport": "institution"}
_SHOUTED = re.compile(r"\b\w+[A-Z]\w*\b")


def write(items: list[Item], target: Path, options: Any, warn: Warn) -> None:
    """Write each item as an entry; what has no field of its own gets one by its name."""
    target.write_text("\n".join(map(_entry, items)), "utf-8", newline="")


def _entry(item: Item) -> str:
    custom = {name: value for name, value in item.get("custom", {}).items() if name != "risType"}
    kind = re.sub("[^a-z]", "", custom.pop("bibtexType", "").lower()) or _BACK.get(item["type"], "misc")
    if kind == "phdthesis" and item.get("genre", "").startswith("Master"):
        kind = "mastersthesis"
    if kind == "inbook" and "container-title" in item:
        kind = "incollection"
    by_variable: dict[str, str] = {}
    for name, variable in FIELDS.items():
        by_variable.setdefault(variable, name)
    by_variable |= {
        "container-title": _CONTAINERS.get(kind, "booktitle"),
        "publisher": _PUBLISHERS.get(kind, "howpublished" if kind == "misc" else "publisher"),
        "number": "number",
        "collection-number": "number",
    }
    fields: list[tuple[str, str]] = []
    for name, value in item.items():
        if name in ("id", "type", "custom") or (name == "genre" and value == _GENRES.get(kind)):
            continue
        if name in PEOPLE:
            fields.append((name.replace("-", ""), " and ".join(map(_written, value))))
        elif name == "issued":
            fields += _dated(date_text(value))
        elif name in DATES:
            fields.append(("urldate" if name == "accessed" else name.replace("-", ""), encoded(date_text(value))))
        else:
            shown = text(value)
            field = by_variable.get(name, re.sub("[^a-z]", "", name.lower()))
            if name == "page":
                shown = re.sub(r"(?<=\d)-(?=\d)", "--", shown)
            shown = " ".join(shown.split()) if field in _VERBATIM else encoded(shown)
            fields.append((field, _SHOUTED.sub(r"{\g<0>}", shown) if name == "title" and "$" not in shown else shown))
    fields += [
        (re.sub(r"[^A-Za-z0-9_:-]", "", name) or "field", encoded(text(value))) for name, value in custom.items()
    ]
    key = re.sub(r"[\s,{}()=\"#%\\~]+", "", item["id"]) or "item"
    taken: dict[str, str] = {}
    for name, value in fields:
        taken.setdefault(name, _balanced(value))
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in taken.items() if value)
    return f"@{kind}{{{key},\n{lines}}}\n"


def _balanced(value: str) -> str:
    """A value whose braces match, so that it ends where it should."""
    depth = 0
    for mark in re.finditer(r"\\.|[{}]", value, re.DOTALL):
        depth += (mark[0] == "{") - (mark[0] == "}")
        if depth < 0:
            break
    return value if not depth else value.replace("{", "").replace("}", "")


def _dated(date: str) -> list[tuple[str, str]]:
    parts = re.fullmatch(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", date)
    if parts is None:
        return [("date" if re.match(r"\d{4}", date) else "year", encoded(date))]
    found = [("year", parts[1])]
    if parts[2] and 1 <= int(parts[2]) <= 12:
        found.append(("month", _MONTHS[int(parts[2]) - 1]))
    return found + ([("day", str(int(parts[3])))] if parts[3] else [])


def _written(name: Any) -> str:
    if not isinstance(name, dict) or "family" not in name:
        shown = text(name.get("literal") or name.get("given") or "") if isinstance(name, dict) else text(name)
        return shown if shown == "others" else f"{{{encoded(shown)}}}"
    particles = (name.get("dropping-particle"), name.get("non-dropping-particle"), name["family"])
    family = " ".join(encoded(text(each)) for each in particles if each)
    rest = [encoded(text(each)) for each in (name.get("suffix"), name.get("given")) if each]
    return ", ".join(filter(None, [family, *rest]))
