"""Keep the parameters of properties (RFC 5545, 3.2; RFC 6350, 5) in records, under the names of the standards.

A value that is an object has them as keys in capitals, as in `{"email": "a@example.org", "RSVP": "TRUE"}`; any other
has them beside it, as in `"summary.LANGUAGE": "de"`. Columns of rows are called like that, too. Several values of one
parameter are a list, as in jCal and jCard (RFC 7265, 3.5.1.1).
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from engine.families.data.agenda.content_lines import Property
from engine.families.data.agenda.rows import Record
from engine.families.data.values import text
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

ADDRESS = re.compile("^mailto:", re.IGNORECASE)
"""What marks a value as the address of a person."""
_LOST = Kind("METADATA_DROPPED", "Parameters of properties are not in the output: {count}{places}.")
_NAME = re.compile(r"[A-Z][A-Z0-9-]*+")
_BESIDE = re.compile(r"(.+)\.([A-Z][A-Z0-9-]*+)")
_NOTHING: tuple[Any, ...] = (None, "", [])
_MOST_VALUES = 5_000_000
"""Guests with parameters of their own make as many values as their number squared."""
_OF_ADDRESSES = frozenset({"MEMBER", "DELEGATED-TO", "DELEGATED-FROM"})
_NEXT_ADDRESS = re.compile(r",\s*+(?=mailto:)", re.IGNORECASE)
_WRITTEN_ANYHOW = frozenset({"DATE", "DATE-TIME", "PERIOD", "DURATION", "RECUR", "INTEGER", "CAL-ADDRESS"})
"""Types of values that the value itself shows."""
_USUAL_TYPES = {"URL": "URI", "ATTACH": "URI", "IMPP": "URI", "TZURL": "URI", "SOURCE": "URI"}
"""The usual types of values that are not TEXT (RFC 5545, 3.8; RFC 6350, 6)."""
_OF_DAYS = frozenset({"BDAY", "ANNIVERSARY", "DEATHDATE", "REV"})
"""Properties whose value may be a text, and is usually none."""


class Parameters:
    """Puts parameters into records, and collects those that have no place there."""

    def __init__(self) -> None:
        self._lost: list[str] = []
        self._values: list[str] = []

    def of(self, each: Property, without: Collection[str] = ()) -> Record:
        """Return the parameters of a property as keys of its record, except those of notation and those named."""
        found: Record = {}
        for name, values in each.parameters.items():
            if name in without or values == [""] or _is_notation(each, name, values):
                continue
            if not _NAME.fullmatch(name):
                self.lose(each, name)
            else:
                found[name] = values[0] if len(values) == 1 else ",".join(values) if name == "CN" else [*values]
        return found

    def put(self, record: Record, key: str, each: Property, without: Collection[str] = ()) -> None:
        """Put the parameters of a property beside its value in a record; one that is there with another value stays."""
        for name, value in self.of(each, without).items():
            if record.setdefault(f"{key}.{name}", value) != value:
                self.lose(each, name)

    def lose(self, each: Property, name: str) -> None:
        """Count a parameter that is in no record."""
        self._lost.append(f"{each.name};{name}={','.join(each.parameters[name])}")
        self._values += (value for given in each.parameters[name] for value in (given, ADDRESS.sub("", given)))

    def tell(self, warn: Warn) -> None:
        """Warn of the lost ones."""
        warn.tally(_LOST, len(self._lost), sorted(self._lost))
        warn.leave_out(self._values)


def _is_notation(each: Property, name: str, values: list[str]) -> bool:
    """Return whether a parameter only says how the value is written; that of a binary is needed to read it."""
    if name == "CHARSET" or (name == "ENCODING" and not each.is_binary):
        return True
    if name != "VALUE":
        return False
    kind = ",".join(values).upper()
    usual = kind == "TEXT" and each.name not in _OF_DAYS
    return usual or kind in _WRITTEN_ANYHOW or kind == _USUAL_TYPES.get(each.name)


def within(item: Mapping[str, Any]) -> Record:
    """Return the parameters among the keys of an object."""
    return {name: value for name, value in item.items() if _NAME.fullmatch(name)}


def apart(given: Mapping[str, Any], virtual: Collection[str] = ()) -> tuple[Record, dict[str, Record]]:
    """Return the columns of a row or the keys of an object without parameters, and the parameters of each of them.

    A name is one of a parameter only if the column that it is beside has a value, or is one of these `virtual` ones.
    """
    values: Record = {}
    found: dict[str, Record] = {}
    for column, value in given.items():
        match = _BESIDE.fullmatch(column)
        if match and (given.get(match[1]) not in _NOTHING or match[1].rstrip("0123456789") in virtual):
            if value not in _NOTHING:
                found.setdefault(match[1], {})[match[2]] = value
        else:
            values[column] = value
    return values, found


def of_each(given: Record, count: int) -> list[Record]:
    """Return the parameters of each of `count` values that share a cell."""
    items: list[Record] = [{} for _ in range(count)]
    for name, value in given.items():
        for item, each in zip(items, separated(value), strict=False):
            if each:
                item[name] = each
    return items


def cell(value: Any) -> str:
    """Return the value of a parameter as a text; several are a list in JSON."""
    return json.dumps(list(map(text, value)), ensure_ascii=False) if isinstance(value, list) else text(value)


def joined(values: Iterable[Any]) -> str:
    """Return values that may be empty in one cell, separated like the values that they belong to."""
    texts = list(map(cell, values))
    if any(";" in each or each.startswith("[") or each != each.strip() for each in texts):
        return json.dumps(texts, ensure_ascii=False)
    return "; ".join(texts)


def in_columns(name: str, items: list[Record]) -> Record:
    """Return the values of several items in columns, such as `alarms.action`, with those of all items in each cell.

    Raises OverLimit where most of these would be empty.
    """
    names = [*dict.fromkeys(key for each in items for key in each)]
    if len(names) * len(items) > _MOST_VALUES:
        raise OverLimit(
            "limit",
            say(
                "{rows} rows with {columns} columns would be almost all empty. Convert the file to JSON instead.",
                rows=len(items),
                columns=len(names),
            ),
        )
    return {f"{name}.{key}": joined(each.get(key) for each in items) for key in names}


def separated(given: Any) -> list[str]:
    """Return the values that `joined` put into a cell."""
    whole = from_json(given)
    return list(map(text, whole)) if isinstance(whole, list) else [each.strip() for each in text(given).split(";")]


def from_json(given: Any) -> Any:
    """Return the list that a text is in JSON; anything else is unchanged."""
    if not (isinstance(given, str) and given.startswith('["') and given.endswith('"]')):
        return given
    try:
        return json.loads(given)
    except ValueError:
        return given


def for_line(given: Mapping[str, Any], without: Collection[str] = ()) -> dict[str, list[str]]:
    """Return parameters as they are written on a line: a list of values for each."""
    found: dict[str, list[str]] = {}
    for name, value in given.items():
        if _NAME.fullmatch(name) and name not in without and value not in _NOTHING:
            whole = from_json(value)
            if name in _OF_ADDRESSES and isinstance(whole, str):
                whole = _NEXT_ADDRESS.split(whole)
            found[name] = list(map(text, whole)) if isinstance(whole, list) else [text(whole)]
    return found
