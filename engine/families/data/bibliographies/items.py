"""Bibliography items in CSL terms (CSL 1.0.2), to and from objects and rows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from engine.families.data.table import Documents
from engine.families.data.values import text
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

Item = dict[str, Any]

PEOPLE = ("author", "editor", "translator", "collection-editor", "container-author")
DATES = ("issued", "accessed", "submitted", "original-date", "event-date")
TEXTS = (
    "title", "title-short", "container-title", "collection-title", "volume", "issue", "number", "page",
    "number-of-pages", "chapter-number", "edition", "version", "publisher", "publisher-place", "genre", "medium",
    "event-title", "event-place", "DOI", "ISBN", "ISSN", "URL", "PMID", "PMCID", "abstract", "keyword", "language",
    "note", "annote", "archive", "call-number", "source", "section", "status", "container-title-short",
    "collection-number", "number-of-volumes", "authority",
)  # fmt: skip
ORDER = (
    "id", "type", "author", "title", "issued", "container-title", "volume", "issue", "page", "editor", "publisher",
    "publisher-place",
)  # fmt: skip
_KNOWN = {re.sub("[^a-z]", "", name.lower()): name for name in (*PEOPLE, *DATES, *TEXTS, "id", "type")} | {
    "authors": "author", "editors": "editor", "journal": "container-title", "booktitle": "container-title",
    "year": "issued", "date": "issued", "pages": "page", "publicationtitle": "container-title", "place":
    "publisher-place", "address": "publisher-place", "keywords": "keyword", "tags": "keyword", "citationkey": "id",
    "key": "id", "itemtype": "type", "series": "collection-title", "abstractnote": "abstract", "link": "URL",
}  # fmt: skip
_DATE = re.compile(r"(-?\d{1,4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_TAKEN = Kind("VALUE_CONVERTED", "Entries with duplicate keys were numbered: {count}{places}.")
_NOT_ITEMS = say("Each bibliography entry must be an object, and the file has other values.")


def date_of(given: str) -> Item:
    """Parse a date, or two separated by a slash, to CSL's form; anything else is kept as text."""
    parts = []
    for each in given.strip().split("/", 1):
        match = _DATE.fullmatch(each.strip())
        if match is None:
            return {"literal": given.strip()}
        parts.append([int(number) for number in match.groups() if number is not None])
    return {"date-parts": parts}


def date_text(date: Any) -> str:
    """A date as text in a cell: 2024-05-01, or the original text."""
    if not isinstance(date, dict):
        return text(date)
    parts = date.get("date-parts")
    if isinstance(parts, list) and parts and all(isinstance(each, list) and each for each in parts):
        return "/".join("-".join(f"{text(n):0>2}" if at else text(n) for at, n in enumerate(each)) for each in parts)
    return text(date.get("literal") or date.get("raw") or "")


def name_of(given: str) -> Item:
    """A name given as `Family, Given`, as `Family, Suffix, Given`, or as a whole."""
    parts = [each.strip() for each in given.split(",")]
    if len(parts) == 1:
        return {"literal": parts[0]}
    found: Item = {"family": parts[0], "given": parts[-1]} | ({"suffix": parts[1]} if len(parts) > 2 else {})
    particle = re.match(r"((?:[a-zß-ÿ'’]+[ ]+)+)(?=\S)", parts[0])
    if particle and particle.end() < len(parts[0]):
        found |= {"non-dropping-particle": particle[1].strip(), "family": parts[0][particle.end() :]}
    return {key: value for key, value in found.items() if value}


def name_text(name: Any) -> str:
    """A name as `Family, Given`."""
    if not isinstance(name, dict):
        return text(name)
    if "family" not in name:
        return text(name.get("literal") or name.get("given") or "")
    particles = (name.get("dropping-particle"), name.get("non-dropping-particle"), name["family"])
    family = " ".join(text(each) for each in particles if each)
    return ", ".join(text(each) for each in (family, name.get("suffix"), name.get("given")) if each)


def read(documents: Documents, warn: Warn) -> list[Item]:
    """The items in objects or rows; values that aren't CSL variables are kept in `custom`."""
    found = []
    for batch in documents.batches():
        for value in batch:
            if not isinstance(value, dict):
                raise Unreadable(_NOT_ITEMS, reason="format")
            inside = value.get("items")
            for each in inside if isinstance(inside, list) else [value]:
                if not isinstance(each, dict):
                    raise Unreadable(_NOT_ITEMS, reason="format")
                found.append(_item(each))
    if not found:
        raise Unreadable("The file has no entries.", reason="empty")
    return keyed(found, warn)


def _item(given: dict[str, Any]) -> Item:
    item: Item = {}
    custom: Item = {}
    for column, value in given.items():
        name = _KNOWN.get(re.sub("[^a-z]", "", column.lower()))
        if value in (None, "", []):
            continue
        if column == "custom" and isinstance(value, dict):
            custom |= {key: text(each) for key, each in value.items()}
        elif name is None or name in item:
            custom[column] = text(value)
        elif name in PEOPLE:
            people: list[Any] = (
                value if isinstance(value, list) else [each for each in text(value).split(";") if each.strip()]
            )
            item[name] = [_person(each) for each in people]
        elif name in DATES:
            item[name] = _date(value)
        else:
            item[name] = text(value)
    return item | ({"custom": custom} if custom else {})


def _person(given: Any) -> Item:
    if isinstance(given, dict):
        return {key: text(each) for key, each in given.items()} or {"literal": ""}
    return name_of(text(given))


def _date(given: Any) -> Item:
    parts = given.get("date-parts") if isinstance(given, dict) else None
    if isinstance(parts, list) and parts and all(isinstance(each, list) and each for each in parts):
        return date_of(date_text(given))
    return date_of(date_text(given))


def keyed(items: list[Item], warn: Warn) -> list[Item]:
    """The items, each with a unique key and a type; changed keys are reported."""
    taken: dict[str, int] = {}
    changed = []
    for item in items:
        item["id"] = wanted = item.get("id") or _key(item)
        while item["id"] in taken:
            taken[wanted] += 1
            item["id"] = f"{wanted}_{taken[wanted]}"
        if item["id"] != wanted:
            changed.append(wanted)
        taken[item["id"]] = 1
        item.setdefault("type", "document")
    warn.tally(_TAKEN, len(changed), changed)
    return items


def _key(item: Item) -> str:
    people = item.get("author") or item.get("editor") or [{}]
    name = people[0].get("family") or people[0].get("literal") or item.get("title", "item")
    year = re.match(r"\d{4}", date_text(item.get("issued", "")))
    return (re.sub(r"\W+", "", name.lower())[:40] or "item") + (year[0] if year else "")


def flat(item: Item) -> dict[str, str]:
    """An item as one row of texts."""
    row = {}
    for name, value in item.items():
        if name in PEOPLE:
            row[name] = "; ".join(map(name_text, value))
        elif name in DATES:
            row[name] = date_text(value)
        elif name != "custom":
            row[name] = text(value)
    return row | {key: text(value) for key, value in item.get("custom", {}).items() if key not in row}


def texts(values: Iterable[str]) -> list[str]:
    """Return the non-empty texts without duplicates."""
    return list(dict.fromkeys(each.strip() for each in values if each.strip()))
