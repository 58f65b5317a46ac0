"""What an invoice of Stripe's pays for, by its lines."""

from __future__ import annotations

from collections import Counter

from billing.providers.stripe_fields import MOST_AMOUNT, Object, identifier, number, part, seconds

Line = Object


def subscription_of(invoice: Object) -> str:
    parent = part(part(invoice, "parent"), "subscription_details")
    return identifier(invoice, "subscription") or identifier(parent, "subscription")


def prices_paid(lines: list[Line]) -> tuple[str, ...]:
    """The prices of the last period that is charged, less those that are credited for it.

    A change of price leaves a credit for the old one, and a charge for the new one, to the end of the period. If they
    are invoiced with the next period, they are about a time that is over, and only the next period's charge counts.
    """
    charged = [each for each in lines if _price(each) and _amount(each) >= 0]
    last = max((_end(each) for each in charged), default=0)
    number_of = Counter(_price(each) for each in charged if _end(each) == last)
    number_of.subtract(_price(each) for each in lines if _amount(each) < 0 and _end(each) >= last)
    return tuple(sorted(price for price, left in number_of.items() if left > 0))


def period_end(lines: list[Line]) -> int | None:
    """The end of the last period that is charged; what is credited may be for longer, as after a change from a year."""
    charged = (each for each in lines if part(each, "period") and _amount(each) >= 0)
    return max(map(_end, charged), default=None)


def _price(line: Line) -> str:
    """Events have the form of the API version that the account has: since 2025 the price is in `pricing`."""
    since_2025 = part(part(line, "pricing"), "price_details")
    return _named(since_2025) or _named(line)


def _named(one: Object) -> str:
    """The ID of a price, which may be expanded."""
    return identifier(one["price"], "id") if isinstance(one.get("price"), dict) else identifier(one, "price")


def _amount(line: Line) -> int:
    return number(line, "amount", least=-MOST_AMOUNT)


def _end(line: Line) -> int:
    return seconds(part(line, "period"), "end")
