"""What an invoice of Stripe's pays for, by its lines."""

from __future__ import annotations

from collections import Counter
from typing import Any

Line = dict[str, Any]


def subscription_of(invoice: dict[str, Any]) -> str:
    parent = (invoice.get("parent") or {}).get("subscription_details") or {}
    return str(invoice.get("subscription") or parent.get("subscription") or "")


def prices_paid(lines: list[Line]) -> tuple[str, ...]:
    """The prices of the last period that is charged, less those that are credited for it.

    A change of price leaves a credit for the old one, and a charge for the new one, to the end of the period. If they
    are invoiced with the next period, they are about a time that is over, and only the next period's charge counts.
    """
    charged = [each for each in lines if _price(each) and int(each.get("amount") or 0) >= 0]
    last = max((_end(each) for each in charged), default=0)
    number = Counter(_price(each) for each in charged if _end(each) == last)
    number.subtract(_price(each) for each in lines if int(each.get("amount") or 0) < 0 and _end(each) >= last)
    return tuple(sorted(price for price, left in number.items() if left > 0))


def period_end(lines: list[Line]) -> int | None:
    """The end of the last period that is charged; what is credited may be for longer, as after a change from a year."""
    charged = (each for each in lines if each.get("period") and int(each.get("amount") or 0) >= 0)
    return max(map(_end, charged), default=None)


def _price(line: Line) -> str:
    """Events have the form of the API version that the account has: since 2025 the price is in `pricing`."""
    since_2025 = (line.get("pricing") or {}).get("price_details") or {}
    price = since_2025.get("price") or line.get("price") or ""
    return str(price["id"] if isinstance(price, dict) else price)


def _end(line: Line) -> int:
    return int((line.get("period") or {}).get("end") or 0)
