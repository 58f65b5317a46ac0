"""Write vCard contacts (RFC 2426, RFC 6350) from rows or objects, using the column names of address books."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.families.data.agenda import parameters
from engine.families.data.agenda.cards import ADDRESS, LISTS, NAME, SINGLE
from engine.families.data.agenda.content_lines import escaped, kept, property_name, written
from engine.families.data.agenda.rows import Record
from engine.families.data.table import Documents
from engine.families.data.values import Value, text
from engine.toolkit.failures import Unreadable
from engine.toolkit.warnings import Kind, Warn

_EXTENDED = Kind(
    "VALUE_CONVERTED", "Columns without a matching vCard property became custom properties: {count}{places}."
)
_RANKED = Kind(
    "VALUE_CONVERTED", "The order of preferred values has no place in vCard 3.0; use version=4.0: {count}{places}."
)
_NAMELESS = Kind(
    "VALUE_CONVERTED",
    "Contacts without a name are named after their company, email or phone number, or stay unnamed: {count}{places}.",
)

_ALIASES = {
    "fullname": "name", "displayname": "name", "fn": "name", "fileas": "name", "lastname": "familyName",
    "surname": "familyName", "firstname": "givenName", "middlename": "additionalNames",
    "additionalname": "additionalNames",
    "nameprefix": "prefixes", "nameprefixes": "prefixes", "namesuffix": "suffixes", "suffix": "suffixes",
    "company": "organization", "org": "organization", "organizationname": "organization",
    "organization1name": "organization", "organizationtitle": "title", "organization1title": "title",
    "organizationdepartment": "department", "organization1department": "department", "jobtitle": "title",
    "notes": "note", "labels": "categories", "groupmembership": "categories", "dateofbirth": "birthday",
}  # fmt: skip
"""Column names of common address books, in lower case without punctuation, mapped to the names used here."""
_KNOWN = {name.lower(): name for name in (*SINGLE.values(), *NAME, "organization", "department")} | _ALIASES
_LISTED = {
    "email": "emails", "emailaddress": "emails", "mail": "emails", "phone": "phones", "tel": "phones",
    "telephone": "phones", "phonenumber": "phones", "fax": "phones", "url": "urls", "website": "urls",
    "webpage": "urls", "messenger": "messengers", "im": "messengers",
}  # fmt: skip
_PLACES = {name.lower(): name for name in ADDRESS} | {
    "state": "region", "province": "region", "zip": "postalCode", "zipcode": "postalCode", "postcode": "postalCode",
    "countryregion": "country", "type": "type", "label": "type",
}  # fmt: skip
_RANK = re.compile(r"\bpref=\d+")
"""The rank of a preferred value, which vCard 3.0 has no place for."""
_PREFERRED = re.compile(r"pref(?:=\d+)?")
_NAME_ORDER = ("prefixes", "givenName", "additionalNames", "familyName", "suffixes")
_OF_OBJECTS = {key for key, _ in LISTS.values()} | {"addresses", "others"}
_USES = {"home": "home", "business": "work", "work": "work", "mobile": "cell", "cell": "cell", "other": "other"}
_ITEM = re.compile(
    rf"({'|'.join(_USES)})?+({'|'.join(sorted(_LISTED, key=len, reverse=True))})(\d*+)(address|value|type|label)?"
)
_ADDRESS = re.compile(
    rf"({'|'.join(_USES)})?+(?:address(\d*+))?+({'|'.join(sorted(_PLACES, key=len, reverse=True))})(\d*+)"
)


_LISTS_OF_TEXTS = ("categories", "nickname")
_PARTS_WITH_LISTS = ("additionalNames", "prefixes", "suffixes")
"""The parts of a name that may be several, separated by commas (RFC 6350, 6.2.2)."""
_DELIVERY_LABEL = "label"
"""A column that is the property LABEL (RFC 2426, 3.2.2), and not the type of an address."""
_TYPE = " type"
"""The end of the name of a column with the types of the property before it."""
_ADDRESS_COLUMN = re.compile(r"address(\d*+)")


def write(documents: Documents, target: Path, options: Any, warn: Warn) -> None:
    """Write each object as a contact; unknown names become `X-...` properties.

    Raises Unreadable for values that aren't objects.
    """
    own: dict[str, int] = {}
    nameless = ranked = 0
    with target.open("wb") as file:
        for batch in documents.batches():
            for value in batch:
                if not isinstance(value, dict):
                    raise Unreadable("Each contact must be an object, and the file has other values.", reason="format")
                card = _card(value)
                for each in card["own"]:
                    own[each] = own.get(each, 0) + 1
                nameless += not _has_name(card)
                ranked += _ranks(card) if options.version == "3.0" else 0
                file.write(b"".join(_lines(card, options.version)))
    warn.tally(_EXTENDED, len(own), (f"“{name}”" for name in own))
    warn.tally(_NAMELESS, nameless)
    warn.tally(_RANKED, ranked)


def _card(given: dict[str, Value]) -> Record:
    """The contact for a row or an object, in the form in which contacts are read as objects."""
    card: Record = {"others": [], "own": []}
    items: dict[str, dict[tuple[str, str], Record]] = {}
    values, beside = parameters.apart(given, ("N", "address"))
    card["parameters"] = {"N": beside.get("N", {})}
    for column, value in values.items():
        if value in (None, "", []) or (column.endswith(_TYPE) and values.get(column.removesuffix(_TYPE))):
            continue
        name = re.sub(r"[^a-z0-9]", "", column.lower())
        if column in _OF_OBJECTS and isinstance(value, list) and all(isinstance(each, dict) for each in value):
            card[column] = [*card.get(column, ()), *value]
        elif (known := _KNOWN.get(name)) and known not in card:
            card[known] = text(value)
            card["parameters"][known] = beside.get(column, {})
        elif match := _ITEM.fullmatch(name):
            use, kind, number, part = match.groups()
            item = items.setdefault(_LISTED[kind], {}).setdefault(
                (use or ("fax" if kind == "fax" else ""), number or "1"), {}
            )
            item["type" if part in ("type", "label") else "value"] = text(value)
            item |= beside.get(column, {})
        elif name != _DELIVERY_LABEL and (match := _ADDRESS.fullmatch(name)):
            use, number, part, last = match.groups()
            item = items.setdefault("addresses", {}).setdefault((use or "", number or last or "1"), {})
            item[_PLACES[part]] = text(value)
        else:
            kind = {"type": text(values[column + _TYPE])} if values.get(column + _TYPE) else {}
            card["others"].append({"name": column, "value": text(value), **kind, **beside.get(column, {})})
            if property_name(column).startswith("X-") and not column.startswith("X-"):
                card["own"].append(column)
    for column, of_address in beside.items():
        if match := _ADDRESS_COLUMN.fullmatch(column):
            item = items.setdefault("addresses", {}).setdefault(("", match[1] or "1"), {})
            item |= of_address
    for key, found in items.items():
        listed = [({"type": _USES.get(use, use)} if use else {}) | item for (use, _), item in found.items()]
        card[key] = [*card.get(key, ()), *listed]
    return card


def _has_name(card: Record) -> bool:
    return "name" in card or any(part in card for part in NAME)


def _lines(card: Record, version: str) -> Iterator[bytes]:
    yield b"BEGIN:VCARD\r\n"
    yield written("VERSION", version)
    name = card.get("name") or " ".join(card[part] for part in _NAME_ORDER if part in card)
    first = next((text(each.get("value")) for key in ("emails", "phones") for each in card.get(key, ())), "")
    of = {key: parameters.for_line(given) for key, given in card["parameters"].items()}
    yield written("FN", escaped(name or card.get("organization") or first), **of.get("name", {}))
    yield written("N", ";".join(_part(part, card.get(part, "")) for part in NAME), **of["N"])
    for property, key in SINGLE.items():
        if key in card and key != "name":
            value = card[key]
            # The values of a list are separated by commas, those in a text are escaped.
            if key == "gender":  # the sex, and what the person says of it (RFC 6350, 6.2.7)
                value = ";".join(map(escaped, value.split(";", 1)))
            else:
                value = ",".join(map(escaped, value.split(","))) if key in _LISTS_OF_TEXTS else escaped(value)
            yield written(property, value, **of.get(key, {}))
    if "organization" in card or "department" in card:
        units = [card.get("organization", ""), *card.get("department", "").split("; ")]
        value = ";".join(map(escaped, units)).rstrip(";")
        yield written("ORG", value, **of.get("organization", {}))
    for property, (key, _) in LISTS.items():
        for each in card.get(key, ()):
            if each.get("value"):
                value = text(each["value"])
                is_address = property in ("URL", "IMPP") or text(each.get("VALUE")).lower() == "uri"
                yield written(property, value if is_address else escaped(value), **_parameters(each, version))
    for each in card.get("addresses", ()):
        yield written("ADR", ";".join(escaped(text(each.get(part))) for part in ADDRESS), **_parameters(each, version))
    for each in card["others"]:
        name, value = property_name(text(each.get("name"))), text(each.get("value"))
        value = ",".join(map(escaped, value.split(","))) if SINGLE.get(name) in _LISTS_OF_TEXTS else kept(value)
        yield written(name, value, **_parameters(each, version))
    yield b"END:VCARD\r\n"


def _part(name: str, value: str) -> str:
    return ",".join(map(escaped, value.split(","))) if name in _PARTS_WITH_LISTS else escaped(value)


def _parameters(each: Record, version: str) -> dict[str, str | list[str]]:
    """The types of a value, its rank (RFC 6350, 5.3), which is no type in vCard 4.0, and its other parameters."""
    types = text(each.get("type"))
    others = parameters.for_line(each, without=("TYPE", "PREF"))
    if version == "3.0":
        return {"TYPE": _RANK.sub("pref", types).split(","), **others}
    ranks = [part.strip() for part in types.split(",") if _PREFERRED.fullmatch(part.strip())]
    kinds = [part for part in types.split(",") if part.strip() not in ranks]
    return {"TYPE": kinds, "PREF": (ranks[0].partition("=")[2] or "1") if ranks else "", **others}


def _ranks(card: Record) -> int:
    """The number of values with a rank other than the first."""
    values = (each for key, _ in LISTS.values() for each in card.get(key, ()))
    return sum(bool(_RANK.search(text(each.get("type")))) for each in (*values, *card.get("addresses", ())))
