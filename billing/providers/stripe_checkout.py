"""Stripe Checkout, customer portal and events, through Stripe's library; card data never reaches this service."""

from __future__ import annotations

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
from billing.models import CreditPack, Customer, PlanPrice
from billing.providers import stripe_events, stripe_fields
from billing.providers.base import Provider, ProviderFailed
from billing.providers.stripe_fields import (
    Object,
    currency,
    flag,
    identifier,
    moment,
    number,
    own_identifier,
    part,
    text,
)
from billing.providers.stripe_plans import asked, open_checkout
from remote_calls import remote_call


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
        if not signature.isascii():
            raise ValueError("The signature is not Stripe's.")  # the library can't compare it
        try:
            stripe.WebhookSignature.verify_header(
                body.decode(), signature, settings.STRIPE_WEBHOOK_SECRET, stripe.Webhook.DEFAULT_TOLERANCE
            )
        except stripe.SignatureVerificationError as error:
            raise ValueError("The signature is not Stripe's, or too old.") from error
        payload = stripe_fields.event(body)
        reference, kind = own_identifier(payload, "id"), own_identifier(payload, "type")
        data = part(payload, "data")
        one = part(data, "object")
        if kind == "charge.dispute.closed":
            one = self._disputed(one)
        if kind == "invoice.paid" and flag(part(one, "lines"), "has_more"):
            one = {**one, "lines": {"data": self._lines(own_identifier(one, "id"))}}
        facts, amount = stripe_events.read(kind, one)
        if kind == "charge.refunded":
            # The charge has the sum of all refunds, the event is about the latest.
            amount += number(part(data, "previous_attributes"), "amount_refunded")
        return Notice(
            provider=self.name,
            reference=reference,
            kind=kind,
            occurred_at=moment(payload, "created"),
            facts=facts,
            customer=identifier(one, "customer"),
            # Anyone with a payment link can set `client_reference_id`; only we set metadata.
            user=_account(text(part(one, "metadata"), "account")),
            amount=amount,
            currency=currency(one),
        )

    def _disputed(self, dispute: Object) -> Object:
        """The charge of a dispute, whose event names no customer, with the amount that the bank has taken back.

        Raises ProviderFailed: Stripe then sends the event again.
        """
        if text(dispute, "status") != "lost":
            return {}
        disputed, amount = own_identifier(dispute, "charge"), number(dispute, "amount")
        charge: Object = asked(lambda: self._client.v1.charges.retrieve(disputed)).to_dict()
        return {**charge, "disputed_amount": amount}

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
    """An account's id, or "" if the text of a foreign checkout is not one."""
    try:
        return str(UUID(text))
    except ValueError:
        return ""
