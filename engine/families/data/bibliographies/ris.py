"""Read and write RIS, the tagged format of libraries and publishers (RIS format specification)."""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import Path
from typing import Any

from engine.families.data.bibliographies.items import (
    DATES,
    PEOPLE,
    Item,
    date_of,
    date_text,
    keyed,
    name_of,
    name_text,
    texts,
)
from engine.families.data.values import text
from engine.toolkit import encodings
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

MAX_ENTRIES = 100_000
"""The number of entries that take 2 to 4 s to read and write."""
TYPES = {
    "JOUR": "article-journal", "BOOK": "book", "CHAP": "chapter", "CPAPER": "paper-conference", "CONF":
    "paper-conference", "RPRT": "report", "THES": "thesis", "ELEC": "webpage", "NEWS": "article-newspaper", "MGZN":
    "article-magazine", "PAT": "patent", "DATA": "dataset", "COMP": "software", "UNPB": "manuscript", "PAMP":
    "pamphlet", "ENCYC": "entry-encyclopedia", "EBOOK": "book", "ECHAP": "chapter", "BLOG": "post-weblog", "MAP": "map",
    "VIDEO": "motion_picture", "SOUND": "song", "GEN": "document",
}  # fmt: skip
_PEOPLE = {"AU": "author", "A1": "author", "A2": "editor", "ED": "editor", "A3": "collection-editor",
           "A4": "translator"}  # fmt: skip
_FIELDS = {
    "TI": "title", "T1": "title", "ST": "title-short", "T2": "container-title", "JO": "container-title",
    "JF": "container-title", "BT": "container-title", "J2": "container-title-short", "JA": "container-title-short",
    "T3": "collection-title", "VL": "volume", "IS": "issue", "ET": "edition", "PB": "publisher", "CY":
    "publisher-place", "DO": "DOI", "UR": "URL", "LK": "URL", "AB": "abstract", "N2": "abstract", "N1": "note", "LA":
    "language", "M3": "genre", "DB": "source", "CN": "call-number", "ID": "id",
}  # fmt: skip
_DATES = {"PY": "issued", "Y1": "issued", "DA": "issued", "Y2": "accessed"}
_LINE = re.compile(r"([A-Z][A-Z0-9])  ?-(?: |\Z)(.*)")
_BROKEN = Kind("CONTENT_DROPPED", "Lines that belong to no entry were left out: {count}{places}.")
_ENDLESS = Kind("VALUE_CONVERTED", "Unfinished entries were closed: {count}{places}.")


_Tag = tuple[str, list[str]]
"""A tag and the lines of its value."""


def read(source: Path, warn: Warn) -> list[Item]:
    """The entries of a file. Lines outside of entries are reported. Raises Unreadable for a file without any."""
    items: list[Item] = []
    tags: list[_Tag] | None = None
    lost: list[str] = []
    open_ones: list[str] = []
    first = 0
    content = encodings.read(source.read_bytes(), warn)
    for number, raw in enumerate(re.split("\r\n|\n|\r", content), 1):
        line = raw.rstrip()
        found = _LINE.match(line)
        tag, value = (found[1], found[2].strip()) if found else ("", line.strip())
        if tag == "TY":
            if tags is not None:
                open_ones.append(f"line {number}")
                items.append(_item(tags))
            tags = [("TY", [value])]
        elif tags is None:
            if line.strip("\ufeff\x1a "):
                first = first or number
                lost.append(f"line {number}")
        elif tag == "ER":
            items.append(_item(tags))
            tags = None
        elif tag:
            tags.append((tag, [value]))
        else:  # continues the previous line
            tags[-1][1].append(value)
        if len(items) > MAX_ENTRIES:
            raise OverLimit("memory", say("The file has more than {max_entries} entries.", max_entries=MAX_ENTRIES))
    if tags is not None:
        open_ones.append("the last one")
        items.append(_item(tags))
    if not items:
        raise Unreadable("The file has no RIS entries, which start with “TY  - ”.", line=first or 1, reason="empty")
    warn.tally(_BROKEN, len(lost), lost)
    warn.tally(_ENDLESS, len(open_ones), open_ones)
    return keyed(items, warn)


def _item(tags: list[_Tag]) -> Item:
    kind = _joined(tags[0][1]).upper()
    item: Item = {"type": TYPES.get(kind, "document")}
    custom: dict[str, list[str]] = {} if kind in TYPES else {"risType": [kind]}
    numbers: dict[str, list[str]] = {}
    pages = {"SP": "", "EP": ""}
    words: list[str] = []
    dated: dict[str, str] = {}
    for tag, lines in tags[1:]:
        value = _joined(lines)
        if not value:
            continue
        left = ""
        if tag in _PEOPLE:
            item.setdefault(_PEOPLE[tag], []).append(name_of(value))
        elif tag in _DATES:
            tag, left = _put_date(item, dated, tag, value)
        elif tag in pages and pages[tag] in ("", value):
            pages[tag] = value
        elif tag == "KW":  # programs write one in each line
            words += lines
        elif tag == "SN":
            is_serial = re.fullmatch(r"\d{4}-?\d{3}[\dXx].*", value)
            numbers.setdefault("ISSN" if is_serial else "ISBN", []).append(value)
        elif tag in _FIELDS and _FIELDS[tag] not in item:
            item[_FIELDS[tag]] = value
        elif item.get(_FIELDS.get(tag, "")) != value:
            left = value
        if left:
            custom.setdefault(tag, []).append(left)
    first, last = pages.values()
    if first or last:
        item["page"] = last if last.startswith(first) and "-" in last else "-".join(filter(None, (first, last)))
    if words:
        item["keyword"] = ", ".join(texts(words))
    item |= {name: ", ".join(each) for name, each in numbers.items()}
    return item | ({"custom": {tag: "; ".join(each) for tag, each in custom.items()}} if custom else {})


def _joined(lines: list[str]) -> str:
    return " ".join(filter(None, lines))


def _put_date(item: Item, dated: dict[str, str], tag: str, value: str) -> tuple[str, str]:
    """Put a date, `YYYY/MM/DD/other`, into an item unless it has a longer one.

    Returns the tag and the text of the one that is left over: of two that differ, or that with other words. `dated` has
    the texts of those that were put.
    """
    name = _DATES[tag]
    parts = [each.strip() for each in value.split("/", 3)]
    numbers = list(takewhile(lambda each: each.strip("0"), parts[:3]))
    rest = "".join(parts[len(numbers) : 3]).strip("0")
    date = date_of("-".join(numbers)) if numbers and not rest else {"literal": value}
    more = value if "literal" not in date and any(each.strip("/ ") for each in parts[3:]) else ""
    known = item.get(name)
    if known is None:
        item[name], dated[name] = date, f"{tag} {value}"
        return tag, more
    old, new = _numbers(known), _numbers(date)
    if date == known or (new and new == old[: len(new)]):
        return tag, more
    if len(new) <= len(old):
        return tag, value
    before, _, text_before = dated[name].partition(" ")
    item[name], dated[name] = date, f"{tag} {value}"
    return (tag, more) if old and old == new[: len(old)] else (before, text_before)


def _numbers(date: Item) -> list[int]:
    found: list[int] = date.get("date-parts", [[]])[0]
    return found


_BACK = {kind: tag for tag, kind in reversed(TYPES.items())} | {
    "paper-conference": "CPAPER", "book": "BOOK", "chapter": "CHAP", "article": "JOUR", "post": "BLOG",
}  # fmt: skip
_TAGS = {"collection-editor": "A3", "translator": "A4", "editor": "ED", "author": "AU"}


def write(items: list[Item], target: Path, options: Any, warn: Warn) -> None:
    """Write each item as an entry; values without a tag become a note with their name."""
    lines: list[str] = []
    beyond: dict[str, int] = {}
    for item in items:
        lines += [f"{tag}  - {' '.join(value.split())}" for tag, value in _tagged(item, beyond)]
        lines += ["ER  - ", ""]
    warn.tally(
        Kind("VALUE_CONVERTED", "Fields without a matching RIS tag became notes: {count}{places}."),
        sum(beyond.values()),
        sorted(beyond),
    )
    target.write_text("\r\n".join(lines), "utf-8", newline="")


def _tagged(item: Item, beyond: dict[str, int]) -> list[tuple[str, str]]:
    by_variable: dict[str, str] = {}
    for tag, variable in _FIELDS.items():
        by_variable.setdefault(variable, tag)
    custom = dict(item.get("custom", {}))
    kind = custom.pop("risType", None) or _BACK.get(item["type"], "GEN")
    found = [("TY", kind if re.fullmatch("[A-Z]{2,8}", kind) else "GEN"), ("ID", item["id"])]
    for name, value in item.items():
        if name in ("type", "id", "custom"):
            continue
        if name in PEOPLE:
            found += [(_TAGS.get(name, "A2"), name_text(each)) for each in value]
        elif name in ("issued", "accessed"):
            shown = date_text(value)
            if name == "issued":
                found.append(("PY", shown[:4] if re.match(r"\d{4}", shown) else shown))
            if len(shown) > 4 or name == "accessed":
                found.append(
                    ("DA" if name == "issued" else "Y2", shown.replace("-", "/") if "/" not in shown else shown)
                )
        elif name == "page":
            first, dash, last = text(value).partition("-")
            found += [("SP", first), *([("EP", last)] if dash else [])]
        elif name == "keyword":
            found += [("KW", each) for each in texts(text(value).split(","))]
        elif name in ("ISBN", "ISSN"):
            found.append(("SN", text(value)))
        elif name in by_variable:
            found.append((by_variable[name], text(value)))
        else:
            custom[name] = date_text(value) if name in DATES else text(value)
    custom.pop("bibtexType", None)
    for name, value in custom.items():
        if re.fullmatch("[A-Z][A-Z0-9]", name) and name not in ("TY", "ER"):
            found.append((name, text(value)))
        else:
            beyond[name] = beyond.get(name, 0) + 1
            found.append(("N1", f"{name}: {text(value)}"))
    return [(tag, value) for tag, value in found if value]
