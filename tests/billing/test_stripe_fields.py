"""Signed events of Stripe whose fields have other types than they should: refused, and nothing is stored."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from accounts.models import CreditEntry, User
from billing.models import Customer, Event
from tests.billing.test_orders import price_of
from tests.billing.test_stripe import PATH, _Stand, event, send, signed, stripe_like
from tests.conftest import Person

__all__ = ["stripe_like"]

NAMED = ("id", "customer", "subscription", "payment_intent", "charge", "price", "type")
NEEDED = {
    "customer.subscription.created": ("id",),
    "customer.subscription.updated": ("id",),
    "customer.subscription.deleted": ("id",),
    "checkout.session.completed": ("payment_intent",),
    "checkout.session.async_payment_succeeded": ("payment_intent",),
    "charge.refunded": ("payment_intent",),
    "charge.dispute.closed": ("charge",),
}
"""The IDs that are read of each kind, and that none of its objects can be without."""

Path = tuple[Any, ...]


def objects(account: str) -> dict[str, dict[str, Any]]:
    """One object of each kind that is read, with the fields that are read and no others."""
    marks = {"account": account}
    begun = {
        "id": "sub_1", "customer": "cus_1", "currency": "eur", "status": "active", "cancel_at_period_end": False,
        "cancel_at": 2_000_000_000, "metadata": marks,
        "items": {"data": [{"price": {"id": "price_pro"}, "current_period_end": 1_900_000_000}]},
    }  # fmt: skip
    paid = {
        "amount": 2900, "period": {"end": 1_900_000_000}, "pricing": {"price_details": {"price": "price_pro"}},
    }  # fmt: skip
    invoice = {
        "customer": "cus_1", "currency": "eur", "subscription": "sub_1", "amount_paid": 2900, "total": 2900,
        "billing_reason": "subscription_cycle", "metadata": marks,
        "lines": {"has_more": False, "data": [paid]},
    }  # fmt: skip
    bought = {
        "customer": "cus_1", "currency": "eur", "mode": "payment", "payment_status": "paid", "payment_intent": "pi_1",
        "amount_total": 1000, "metadata": {**marks, "credits": "500"},
    }  # fmt: skip
    charge = {
        "customer": "cus_1", "currency": "eur", "payment_intent": "pi_1", "amount": 1000, "amount_refunded": 1000,
        "metadata": {**marks, "credits": "500"},
    }  # fmt: skip
    unpaid = {name: invoice[name] for name in ("customer", "currency", "metadata")}
    return {
        "customer.subscription.created": begun,
        "customer.subscription.updated": begun,
        "customer.subscription.deleted": {name: begun[name] for name in ("id", "customer", "currency", "metadata")},
        "invoice.paid": invoice,
        "invoice.payment_failed": {**unpaid, "parent": {"subscription_details": {"subscription": "sub_1"}}},
        "checkout.session.completed": bought,
        "checkout.session.async_payment_succeeded": bought,
        "charge.refunded": charge,
        "charge.dispute.closed": {"charge": "ch_1", "status": "lost", "amount": 1000},
        "of.a.kind.that.matters.not": unpaid,
    }


def fields(one: Any, at: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Each field of an object with its path, those of its parts included."""
    for name, value in one.items() if isinstance(one, dict) else enumerate(one):
        yield (*at, name), value
        if isinstance(value, dict | list):
            yield from fields(value, (*at, name))


def wrong(path: Path, value: Any, needed: tuple[str, ...] = ()) -> list[Any]:
    """Values that the field can't have."""
    if isinstance(value, dict):
        return ["x", 7, [], [{}]]
    if isinstance(value, list):
        return ["x", 7, {}, [7], [None], [[]]]
    if isinstance(value, bool):
        return ["false", 1, [], {}]
    if isinstance(value, int):
        below_zero = [] if path[-1] == "total" or path[-2:] == (0, "amount") else [-1]
        return ["900", "", 1.5, True, [], {}, 10**30, -(10**30), *below_zero]
    others = [7, 0, True, 1.5, [], ["x"], *([] if path[-1] == "price" else [{}])]
    if path[-1] in NAMED:
        others += ["\0", "a b", "\ud800", "x" * 101]
    if path[-1] == "currency":
        others += ["euro", "e\0r", "\ud800\ud800\ud800"]
    if path[-1] == "credits":
        others += ["-5", "1e3", "9" * 11, "٣"]
    return others + [None, ""] * (path[-1] in needed)


def put(one: Any, path: Path, value: Any) -> Any:
    changed = copy.deepcopy(one)
    part = changed
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    return changed


def wrong_events(kind: str, one: dict[str, Any]) -> Iterator[bytes]:
    whole = json.loads(event(kind, one, id="evt_wrong", created=int(time.time())))
    del whole["object"]
    if kind == "charge.refunded":
        whole["data"]["previous_attributes"] = {"amount_refunded": 100}
    needed = ("type", *NEEDED.get(kind, ()))
    for path, value in fields(whole):
        for each in wrong(path, value, needed):
            yield json.dumps(put(whole, path, each)).encode()
    for missing in ("id", "type", "created"):
        yield json.dumps({name: value for name, value in whole.items() if name != missing}).encode()


@pytest.mark.parametrize("kind", objects(""))
def test_an_event_with_a_field_of_another_type_is_refused_and_changes_nothing(
    free: Person, stripe_like: str, kind: str
) -> None:
    price_of("pro", 2900, provider_price="price_pro")
    _Stand.charges["ch_1"] = {"id": "ch_1", "object": "charge", **objects("")["charge.refunded"]}
    one, before = objects(str(free.account.pk))[kind], CreditEntry.objects.count()
    taken = [body for body in wrong_events(kind, one) if send(Client(), body).status_code != 400]
    assert taken == []
    assert (Event.objects.count(), Customer.objects.count(), CreditEntry.objects.count()) == (0, 0, before)
    assert User.objects.get(pk=free.account.pk).plan.code == "free"
    assert send(Client(), event(kind, one, id="evt_right")).status_code == 200
    assert Event.objects.get().reference == "evt_right"


@pytest.mark.parametrize("body", [b"[]", b"1", b"null", b"\xff", b'{"id":' + b"9" * 5000 + b"}", b"[" * 200_000])
def test_a_signed_body_that_is_no_event_is_refused(free: Person, stripe_like: str, body: bytes) -> None:
    headers = signed(body)
    answer = Client().post(PATH, body, headers.pop("Content-Type"), headers=headers)
    assert (answer.status_code, Event.objects.count()) == (400, 0)


def test_a_charge_without_amounts_ends_no_plan(free: Person, stripe_like: str) -> None:
    price_of("pro", 2900, provider_price="price_pro")
    of = objects(str(free.account.pk))
    assert send(Client(), event("customer.subscription.created", of["customer.subscription.created"], id="evt_1"))
    charge = {**of["charge.refunded"], "amount": None, "amount_refunded": None}
    assert send(Client(), event("charge.refunded", charge, id="evt_2")).status_code == 200
    assert User.objects.get(pk=free.account.pk).plan.code == "pro"
