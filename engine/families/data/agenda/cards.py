"""Read vCard contacts (2.1, RFC 2426, RFC 6350) as objects or rows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from engine.families.data.agenda.content_lines import Component, Property, split
from engine.families.data.agenda.parameters import Parameters, cell, within
from engine.families.data.agenda.records import Binaries, Format
from engine.families.data.agenda.rows import Record, numbered
from engine.families.data.table import Documents, Table
from engine.families.data.values import Value
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

SINGLE = {
    "FN": "name", "NICKNAME": "nickname", "BDAY": "birthday", "ANNIVERSARY": "anniversary", "GENDER": "gender",
    "TITLE": "title", "ROLE": "role", "NOTE": "note", "CATEGORIES": "categories", "UID": "uid", "REV": "revised",
}  # fmt: skip
NAME = ("familyName", "givenName", "additionalNames", "prefixes", "suffixes")
ADDRESS = ("poBox", "extendedAddress", "street", "city", "region", "postalCode", "country")
LISTS = {
    "EMAIL": ("emails", "email"),
    "TEL": ("phones", "phone"),
    "URL": ("urls", "url"),
    "IMPP": ("messengers", "messenger"),
}
"""The key of a list of each, and the name of its columns."""
ORDER = (
    "name", *NAME, "nickname", "organization", "department", "title", "role", "email", "emailType", "phone",
    "phoneType", "street", "extendedAddress", "poBox", "city", "region", "postalCode", "country", "address",
    "addressType", "url", "urlType", "messenger", "messengerType", "birthday", "anniversary", "gender", "categories",
    "note", "uid", "revised",
)  # fmt: skip
_BINARY = Kind(
    "CONTENT_DROPPED",
    "Pictures, audio and keys were left out: {count}{places}. Use binaries to keep them as Base64 text.",
)
_AGENTS = Kind("CONTENT_DROPPED", "Contacts inside contacts were left out: {count}{places}.")
_LABEL = re.compile(r"_\$!<(.*)>!\$_")


def read_objects(source: Path, options: Any, warn: Warn) -> Documents:
    """Each contact as an object, with lists of addresses, emails and the like. Raises Unreadable without any vCard."""
    return _FORMAT.objects(source, warn, binaries=options.binaries)


def read_rows(source: Path, options: Any, warn: Warn) -> list[Table]:
    """Each contact as a row; the second email is in `email2`, and so on. Raises Unreadable without any vCard."""
    return [_FORMAT.table(source, warn, binaries=options.binaries)]


def _cards(found: list[Component], warn: Warn, binaries: Binaries) -> list[Record]:
    warn.tally(_AGENTS, sum(len(each.children) for each in found))
    parameters = Parameters()
    records = [_card(each, binaries, parameters) for each in found]
    parameters.tell(warn)
    return records


def _card(component: Component, binaries: Binaries, parameters: Parameters) -> Record:
    card: Record = {}
    others: list[Record] = []
    labels = {each.group: each.text for each in component.properties if each.name == "X-ABLABEL" and each.group}
    used: set[str] = set()
    for each in component.properties:
        if each.name == "VERSION" or (each.name == "X-ABLABEL" and each.group):
            continue
        if each.is_binary and binaries.drops(each.name):
            used.add(each.group)
            continue
        if each.name == "N" and not card.keys() & set(NAME):
            card |= _parts(each, NAME)
            parameters.put(card, "N", each)
        elif each.name == "ORG" and "organization" not in card:
            organization, *units = split(each.value, ";")
            card["organization"] = organization
            if any(units):
                card["department"] = "; ".join(filter(None, units))
            parameters.put(card, "organization", each)
        elif each.name in SINGLE and SINGLE[each.name] not in card:
            card[SINGLE[each.name]] = each.text
            parameters.put(card, SINGLE[each.name], each)
        else:
            used.add(each.group)
            kept = _type(each, labels) | parameters.of(each, ("TYPE", "PREF"))
            if each.name in LISTS:
                card.setdefault(LISTS[each.name][0], []).append({"value": each.text, **kept})
            elif each.name == "ADR":
                card.setdefault("addresses", []).append(_parts(each, ADDRESS) | kept)
            else:
                # A structured value keeps its escapes, or its parts could not be separated.
                value = each.value if ";" in each.value else each.text
                others.append({"name": each.name, "value": value} | kept)
    others += [{"name": "X-ABLABEL", "value": label} for group, label in labels.items() if group not in used]
    return card | ({"others": others} if others else {})


def _parts(each: Property, names: tuple[str, ...]) -> Record:
    values = [*split(each.value, ";"), *[""] * len(names)]
    return {name: value for name, value in zip(names, values, strict=False) if value}


def _type(each: Property, labels: dict[str, str]) -> Record:
    """The purpose of an email, phone or address, such as `home,fax`: its types, and Apple's label."""
    types = [part.strip() for value in each.parameters.get("TYPE", ()) for part in value.split(",")]
    if order := each.parameter("PREF"):
        types.append("pref" if order == "1" else f"pref={order}")
    kept = dict.fromkeys(kind.lower() for kind in types if kind and kind.lower() != "internet")
    if label := labels.get(each.group):
        usual = _LABEL.fullmatch(label)
        kept[usual[1].lower() if usual else label] = None
    return {"type": ",".join(kept)} if kept else {}


def flat(card: Record) -> dict[str, Value]:
    """A contact as one row of texts."""
    row = {name: value for name, value in card.items() if not isinstance(value, list)}
    row |= {name: cell(value) for name, value in card.items() if isinstance(value, list) and "." in name}
    for key, name in LISTS.values():
        for number, each in enumerate(card.get(key, ()), 1):
            row[numbered(name, number)] = each["value"]
            if "type" in each:
                row[numbered(f"{name}Type", number)] = each["type"]
            row |= _beside(numbered(name, number), each)
    for number, each in enumerate(card.get("addresses", ()), 1):
        parts = {key: value for key, value in each.items() if key == "type" or key in ADDRESS}
        row |= {numbered("addressType" if key == "type" else key, number): value for key, value in parts.items()}
        row |= _beside(numbered("address", number), each)
    counts: dict[str, int] = {}
    for each in card.get("others", ()):
        counts[each["name"]] = number = counts.get(each["name"], 0) + 1
        column = each["name"] if number == 1 else f"{each['name']} {number}"
        row[column] = each["value"]
        if "type" in each:
            row[f"{column} type"] = each["type"]
        row |= _beside(column, each)
    return row


def _beside(column: str, item: Record) -> Record:
    return {f"{column}.{parameter}": cell(value) for parameter, value in within(item).items()}


_FORMAT = Format("VCARD", _cards, say("The file has no contacts."), flat, ORDER, _BINARY)
