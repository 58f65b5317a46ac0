"""Stripe Checkout, customer portal and events, through Stripe's library; card data never reaches this service."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import stripe
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from accounts import links
from accounts.models import User
from billing import events
from billing.events import Notice
from billing.facts import Facts
from billing.models import CreditPack, Customer, PlanPrice
from billing.providers.base import Provider, ProviderFailed
from billing.providers.stripe_invoices import period_end, prices_paid, subscription_of
from billing.providers.stripe_plans import asked, open_checkout
from remote_calls import remote_call

_PAID = ("active", "trialing")
_UNPAID = ("past_due", "unpaid")
_OVER = ("canceled", "incomplete_expired", "paused")


class _HTTPClient(stripe.RequestsClient):  # type: ignore[misc,unused-ignore]
    def request_with_retries(self, *arguments: Any, **named: Any) -> Any:
        with remote_call():
            return super().request_with_retries(*arguments, **named)


class Stripe(Provider):
    name = "stripe"
    renews = True

    def __init__(self) -> None:
        base = settings.STRIPE_API_BASE
        self._client = stripe.StripeClient(
            settings.STRIPE_SECRET_KEY,
            base_addresses={"api": base} if base else {},
            max_network_retries=1,
            # Timeouts: the library's default of 80 seconds would block a thread.
            http_client=_HTTPClient(timeout=(3, 10)),
        )
        own = urlsplit(base)
        local = (f"{own.scheme}://{own.netloc}",) if base else ()
        self.origins = ("https://checkout.stripe.com", "https://billing.stripe.com", *local)

    def checkout(self, request: HttpRequest, user: User, wanted: PlanPrice | CreditPack) -> str:
        if isinstance(wanted, PlanPrice) and events.has_subscription(user, self.name):
            # A second subscription would be charged in addition to the first.
            return self.portal(request, user)
        plans = links.absolute(reverse("plans"))
        known = Customer.objects.filter(provider=self.name, user=user).order_by("-pk").first()
        marks = {"account": str(user.pk)}
        # For an organisation it is the owner who buys.
        assert isinstance(request.user, User)
        person = request.user
        params: dict[str, Any] = {
            "client_reference_id": str(user.pk),
            "line_items": [{"price": wanted.provider_price, "quantity": 1}],
            "success_url": f"{plans}?paid=1",
            "cancel_url": plans,
            **({"customer": known.reference} if known else {"customer_email": person.email}),
        }
        if isinstance(wanted, PlanPrice):
            marks |= {"plan": wanted.plan.code}
            params |= {"mode": "subscription", "metadata": marks, "subscription_data": {"metadata": marks}}
        else:
            marks |= {"credits": str(wanted.credits)}
            params |= {"mode": "payment", "metadata": marks, "payment_intent_data": {"metadata": marks}}
            params |= {} if known else {"customer_creation": "always"}
        if isinstance(wanted, PlanPrice):
            return open_checkout(self._client, user, wanted.provider_price, params)
        session = asked(lambda: self._client.v1.checkout.sessions.create(params=params))
        return str(session.url)

    def portal(self, request: HttpRequest, user: User) -> str:
        known = Customer.objects.filter(provider=self.name, user=user).order_by("-pk").first()
        if known is None:
            raise ProviderFailed("You have bought nothing here yet.")
        back = links.absolute(reverse("plans"))
        session = asked(
            lambda: self._client.v1.billing_portal.sessions.create(
                params={"customer": known.reference, "return_url": back}
            )
        )
        return str(session.url)

    def read(self, body: bytes, signature: str) -> Notice:
        try:
            event = stripe.Webhook.construct_event(body, signature, settings.STRIPE_WEBHOOK_SECRET)
        except stripe.SignatureVerificationError as error:
            raise ValueError("The signature is not Stripe's, or too old.") from error
        payload = event.to_dict()
        one = payload["data"]["object"]
        if payload["type"] == "charge.dispute.closed":
            one = self._disputed(one)
        if payload["type"] == "invoice.paid" and (one.get("lines") or {}).get("has_more"):
            one = {**one, "lines": {"data": self._lines(one["id"])}}
        facts, amount = _READERS.get(payload["type"], _nothing)(one)
        if payload["type"] == "charge.refunded":
            # The charge has the sum of all refunds, the event is about the latest.
            amount += int((payload["data"].get("previous_attributes") or {}).get("amount_refunded") or 0)
        metadata = one.get("metadata") or {}
        return Notice(
            provider=self.name,
            reference=payload["id"],
            kind=payload["type"],
            occurred_at=datetime.fromtimestamp(payload["created"], UTC),
            facts=facts,
            customer=str(one.get("customer") or ""),
            # Anyone with a payment link can set `client_reference_id`; only we set metadata.
            user=_account(metadata.get("account") or ""),
            amount=amount,
            currency=str(one.get("currency") or "").upper(),
        )

    def _disputed(self, dispute: dict[str, Any]) -> dict[str, Any]:
        """The charge of a dispute, whose event names no customer, with the amount that the bank has taken back.

        Raises ProviderFailed: Stripe then sends the event again.
        """
        if dispute.get("status") != "lost":
            return {}
        charge: dict[str, Any] = asked(lambda: self._client.v1.charges.retrieve(dispute["charge"])).to_dict()
        return {**charge, "disputed_amount": int(dispute["amount"])}

    def _lines(self, invoice: str) -> list[dict[str, Any]]:
        """All lines of an invoice: its event has the first ten, and what pays for the next period is the last.

        Raises ProviderFailed: Stripe then sends the event again.
        """

        def listed() -> list[dict[str, Any]]:
            found = self._client.v1.invoices.line_items.list(invoice, params={"limit": 100})
            return [each.to_dict() for each in found.auto_paging_iter()]

        lines: list[dict[str, Any]] = asked(listed)
        return lines


def _account(text: str) -> str:
    """An account's id, or None if the text of a foreign checkout is not one."""
    try:
        return str(UUID(text))
    except ValueError:
        return ""


def _moment(seconds: int | None) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat() if seconds else ""


def _subscription(one: dict[str, Any]) -> tuple[Facts, int]:
    item: dict[str, Any] = next(iter((one.get("items") or {}).get("data") or ()), {})
    price = str((item.get("price") or {}).get("id") or "")
    offered = PlanPrice.objects.filter(provider_price=price or "-").first()
    # Since API version 2025 the period is on the item.
    until = _moment(item.get("current_period_end") or one.get("current_period_end"))
    status = one.get("status")
    if status in _OVER:
        return Facts("ended", subject=one["id"], period_end=until), 0
    if status not in _PAID + _UNPAID:
        return Facts("nothing"), 0
    return Facts(
        "subscribed" if status in _PAID else "past_due",
        subject=one["id"],
        plan=offered.plan.code if offered else "",
        period_end=until,
        ending=bool(one.get("cancel_at_period_end") or one.get("cancel_at")),
        prices=(price,) if price else (),
    ), 0


def _begun(one: dict[str, Any]) -> tuple[Facts, int]:
    """The price may have changed since the checkout was opened: the plan offered then applies."""
    facts, amount = _subscription(one)
    offered = str((one.get("metadata") or {}).get("plan") or "")
    return (replace(facts, plan=facts.plan or offered) if facts.kind == "subscribed" else facts), amount


def _deleted(one: dict[str, Any]) -> tuple[Facts, int]:
    return Facts("ended", subject=one["id"]), 0


def _paid(invoice: dict[str, Any]) -> tuple[Facts, int]:
    subject, amount = subscription_of(invoice), int(invoice.get("amount_paid") or 0)
    reason = invoice.get("billing_reason")
    if not subject or reason == "subscription_create":
        return Facts("nothing"), amount
    lines = (invoice.get("lines") or {}).get("data", [])
    prices, until = prices_paid(lines), _moment(period_end(lines))
    if not amount and reason != "subscription_cycle":
        # Of a change that a balance pays for, or that costs nothing, such as one to a smaller plan.
        returned = int(invoice.get("total") or 0) < 0
        return Facts("covered", subject=subject, period_end=until, prices=prices, returned=returned), amount
    return Facts("renewed", subject=subject, period_end=until, prices=prices), amount


def _unpaid(invoice: dict[str, Any]) -> tuple[Facts, int]:
    subject = subscription_of(invoice)
    return (Facts("past_due", subject=subject) if subject else Facts("nothing")), 0


def _checked_out(session: dict[str, Any]) -> tuple[Facts, int]:
    credits = int((session.get("metadata") or {}).get("credits") or 0)
    if session.get("mode") != "payment" or session.get("payment_status") != "paid" or not credits:
        return Facts("nothing"), 0
    amount = int(session.get("amount_total") or 0)
    return Facts("bought", subject=str(session.get("payment_intent")), credits=credits), amount


def _refunded(charge: dict[str, Any]) -> tuple[Facts, int]:
    back, whole = int(charge.get("amount_refunded") or 0), int(charge.get("amount") or 0)
    metadata = charge.get("metadata") or {}
    credits = int(metadata.get("credits") or 0)
    if credits and whole:
        return Facts("refunded", subject=str(charge.get("payment_intent")), credits=credits * back // whole), -back
    # A charge names its customer but no subscription; a partial refund is goodwill and ends nothing.
    return Facts("refunded" if back >= whole else "nothing"), -back


def _taken_back(charge: dict[str, Any]) -> tuple[Facts, int]:
    """A dispute that was lost is a refund by the bank; one that was won, or is an inquiry, changes nothing."""
    back = int(charge.get("disputed_amount") or 0)
    if not back:
        return Facts("nothing"), 0
    facts, _ = _refunded({**charge, "amount_refunded": int(charge.get("amount_refunded") or 0) + back})
    return facts, -back


def _nothing(one: dict[str, Any]) -> tuple[Facts, int]:
    return Facts("nothing"), 0


_READERS: dict[str, Callable[[dict[str, Any]], tuple[Facts, int]]] = {
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
