"""The fields of a signed event, each read as its own type; anything else is refused before it is stored.

A field that is missing or null has the empty value of its type, as Stripe sends either.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

Object = dict[str, Any]

MOST_AMOUNT = 10**12
"""Stripe's amounts have at most twelve digits (https://docs.stripe.com/currencies#minor-units)."""

_MOST_SECONDS = 2**32
"""Unix time in 2106: a grace period can still be added."""
_ID = re.compile(r"[\x21-\x7e]{1,100}")
"""As long as the database stores."""
_CURRENCY = re.compile(r"[A-Za-z]{3}")


class WrongField(ValueError):
    """A field that is missing, or has another type or range than Stripe's."""

    def __init__(self, name: str, wanted: str) -> None:
        super().__init__(f"{name} is not {wanted}")


def event(body: bytes) -> Object:
    """The event in a request's body; raises ValueError."""
    try:
        found = json.loads(body)
    except RecursionError as error:
        raise ValueError("The event is nested too deep.") from error
    if not isinstance(found, dict):
        raise WrongField("event", "an object")
    return found


def part(one: Object, name: str) -> Object:
    return _typed(one, name, dict, "an object") or {}


def parts(one: Object, name: str) -> list[Object]:
    found = _typed(one, name, list, "a list") or []
    if not all(isinstance(each, dict) for each in found):
        raise WrongField(name, "a list of objects")
    return found


def text(one: Object, name: str) -> str:
    """For comparison; it may have any characters."""
    return _typed(one, name, str, "a text") or ""


def flag(one: Object, name: str) -> bool:
    return _typed(one, name, bool, "true or false") or False


def identifier(one: Object, name: str) -> str:
    """An ID of an object at Stripe; "" without one."""
    found = text(one, name)
    if found and not _ID.fullmatch(found):
        raise WrongField(name, "an ID")
    return found


def own_identifier(one: Object, name: str) -> str:
    """An ID that the object can't be without."""
    found = identifier(one, name)
    if not found:
        raise WrongField(name, "an ID")
    return found


def currency(one: Object) -> str:
    """In capital letters (ISO 4217); "" without one."""
    found = text(one, "currency")
    if found and not _CURRENCY.fullmatch(found):
        raise WrongField("currency", "a currency")
    return found.upper()


def number(one: Object, name: str, *, least: int = 0, most: int = MOST_AMOUNT) -> int:
    """A whole number; 0 without one. Amounts are in the smallest unit of their currency."""
    found = one.get(name)
    if found is None:
        return 0
    if type(found) is not int or not least <= found <= most:
        raise WrongField(name, f"a whole number from {least:,} to {most:,}")
    return found


def seconds(one: Object, name: str) -> int:
    """A Unix time; 0 without one."""
    return number(one, name, most=_MOST_SECONDS)


def moment(one: Object, name: str) -> datetime:
    """A time that the object can't be without."""
    found = seconds(one, name)
    if not found:
        raise WrongField(name, "a time")
    return datetime.fromtimestamp(found, UTC)


def _typed(one: Object, name: str, kind: type, wanted: str) -> Any:
    found = one.get(name)
    if found is not None and not isinstance(found, kind):
        raise WrongField(name, wanted)
    return found
