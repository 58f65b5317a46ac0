"""What Stripe's events say: which fact each kind is, and the money that it moves."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from accounts.models import MAX_ENTRY, Plan
from billing.facts import Facts
from billing.models import PlanPrice
from billing.providers.stripe_fields import (
    MOST_AMOUNT,
    Object,
    WrongField,
    flag,
    identifier,
    number,
    own_identifier,
    part,
    parts,
    seconds,
    text,
)
from billing.providers.stripe_invoices import period_end, prices_paid, subscription_of

_PAID = ("active", "trialing")
_UNPAID = ("past_due", "unpaid")
_OVER = ("canceled", "incomplete_expired", "paused")


def read(kind: str, one: Object) -> tuple[Facts, int]:
    """The facts of an event about this object, and the amount received, negative for refunds; raises WrongField."""
    return KINDS.get(kind, _nothing)(one)


def _moment(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat() if at else ""


def _subscription(one: Object) -> tuple[Facts, int]:
    subject = own_identifier(one, "id")
    item: Object = next(iter(parts(part(one, "items"), "data")), {})
    priced = part(item, "price")
    price = own_identifier(priced, "id") if priced else ""
    offered = PlanPrice.objects.filter(provider_price=price or "-").first()
    # Since API version 2025 the period is on the item.
    until = _moment(seconds(item, "current_period_end") or seconds(one, "current_period_end"))
    ending = flag(one, "cancel_at_period_end") or bool(seconds(one, "cancel_at"))
    status = text(one, "status")
    if status in _OVER:
        return Facts("ended", subject=subject, period_end=until), 0
    if status not in _PAID + _UNPAID:
        return Facts("nothing"), 0
    return Facts(
        "subscribed" if status in _PAID else "past_due",
        subject=subject,
        plan=offered.plan.code if offered else "",
        period_end=until,
        ending=ending,
        prices=(price,) if price else (),
    ), 0


def _begun(one: Object) -> tuple[Facts, int]:
    """The price may have changed since the checkout was opened: the plan offered then applies."""
    facts, amount = _subscription(one)
    if facts.kind != "subscribed" or facts.plan:
        return facts, amount
    offered = Plan.objects.filter(code=identifier(part(one, "metadata"), "plan") or "-").first()
    return (replace(facts, plan=offered.code) if offered else facts), amount


def _deleted(one: Object) -> tuple[Facts, int]:
    return Facts("ended", subject=own_identifier(one, "id")), 0


def _paid(invoice: Object) -> tuple[Facts, int]:
    subject, amount = subscription_of(invoice), number(invoice, "amount_paid")
    total = number(invoice, "total", least=-MOST_AMOUNT)
    reason, lines = text(invoice, "billing_reason"), parts(part(invoice, "lines"), "data")
    if not subject or reason == "subscription_create":
        return Facts("nothing"), amount
    prices, until = prices_paid(lines), _moment(period_end(lines) or 0)
    if not amount and reason != "subscription_cycle":
        # Of a change that a balance pays for, or that costs nothing, such as one to a smaller plan.
        return Facts("covered", subject=subject, period_end=until, prices=prices, returned=total < 0), amount
    return Facts("renewed", subject=subject, period_end=until, prices=prices), amount


def _unpaid(invoice: Object) -> tuple[Facts, int]:
    subject = subscription_of(invoice)
    return (Facts("past_due", subject=subject) if subject else Facts("nothing")), 0


def _credits(one: Object) -> int:
    """The credits of a pack, as its checkout was marked with them; metadata has texts only."""
    stated = text(part(one, "metadata"), "credits")
    if stated and (not re.fullmatch(r"[0-9]{1,10}", stated) or int(stated) > MAX_ENTRY):
        raise WrongField("metadata.credits", "a number of credits")
    return int(stated or 0)


def _checked_out(session: Object) -> tuple[Facts, int]:
    credits, amount = _credits(session), number(session, "amount_total")
    if text(session, "mode") != "payment" or text(session, "payment_status") != "paid" or not credits:
        return Facts("nothing"), 0
    return Facts("bought", subject=own_identifier(session, "payment_intent"), credits=credits), amount


def _refunded(charge: Object) -> tuple[Facts, int]:
    back, whole, credits = number(charge, "amount_refunded"), number(charge, "amount"), _credits(charge)
    if credits and whole:
        subject = own_identifier(charge, "payment_intent")
        return Facts("refunded", subject=subject, credits=credits * back // whole), -back
    # A charge names its customer but no subscription; a partial refund is goodwill and ends nothing.
    return Facts("refunded" if 0 < whole <= back else "nothing"), -back


def _taken_back(charge: Object) -> tuple[Facts, int]:
    """A dispute that was lost is a refund by the bank; one that was won, or is an inquiry, changes nothing."""
    back = number(charge, "disputed_amount")
    if not back:
        return Facts("nothing"), 0
    facts, _ = _refunded({**charge, "amount_refunded": number(charge, "amount_refunded") + back})
    return facts, -back


def _nothing(one: Object) -> tuple[Facts, int]:
    return Facts("nothing"), 0


KINDS: dict[str, Callable[[Object], tuple[Facts, int]]] = {
    "customer.subscription.created": _begun,
    "customer.subscription.updated": _subscription,
    "customer.subscription.deleted": _deleted,
    "invoice.paid": _paid,
    "invoice.payment_failed": _unpaid,
    "checkout.session.completed": _checked_out,
    "checkout.session.async_payment_succeeded": _checked_out,
    "charge.refunded": _refunded,
    "charge.dispute.closed": _taken_back,
}
"""How the events that matter here are read, by kind."""
