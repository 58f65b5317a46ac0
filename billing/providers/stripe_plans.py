"""Keeps at most one open Stripe checkout of a plan per account: if two were open, both could be paid."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import stripe
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from billing import events
from billing.models import OpenCheckout
from billing.providers.base import ProviderFailed

log = logging.getLogger("service.billing")

_TRIES = 3


def asked(call: Callable[[], Any]) -> Any:
    """Return Stripe's response. Raises ProviderFailed."""
    try:
        return call()
    except stripe.StripeError as error:
        raise ProviderFailed("Paying is not possible at the moment. Nothing was charged. Try again later.") from error


def open_checkout(client: stripe.StripeClient, user: User, price: str, params: Any) -> str:
    """The URL of the account's only open plan checkout. Raises ProviderFailed.

    An open checkout for the same price is reused, one for another price is expired first. The URL is returned only
    after the checkout is recorded, so that a replaced checkout is never paid.
    """
    sessions = client.v1.checkout.sessions
    for _try in range(_TRIES):
        known = OpenCheckout.objects.filter(user=user).first()
        if known is not None and (url := _left_open(client, user, known, price)):
            return url
        token = _token(user, price, instead_of=known.reference if known else "")
        if token is None:
            continue
        # Stripe returns the same session for two requests with the same token.
        options: Any = {"idempotency_key": str(token)}
        recorded = OpenCheckout.objects.filter(user=user, token=token, reference="")
        try:
            session = asked(partial(sessions.create, params=params, options=options))
        except ProviderFailed as failed:
            # Stripe repeats its first response to a token for a day, even a failure. Nobody has the URL it opened.
            recorded.update(token=uuid4())
            if isinstance(failed.__cause__, stripe.IdempotencyError):  # other parameters than the first request's
                continue
            raise
        # A repeated response has the session's old state: the next attempt looks at its current one.
        if recorded.update(reference=session.id) and not _is_repeated(session):
            return str(session.url)
    raise ProviderFailed(_("You are buying a plan in another window. Continue there, or try again in a moment."))


def _left_open(client: stripe.StripeClient, user: User, known: OpenCheckout, price: str) -> str:
    """Return the URL of a checkout that can continue; "" if a new one can be opened, expiring one for another price.

    Raises ProviderFailed if it was paid and the events for that have not arrived.
    """
    session = _session(client, known.reference) if known.reference else None
    if session is not None and session.status == "open":
        if known.price == price:
            return str(session.url)
        try:
            client.v1.checkout.sessions.expire(known.reference)
            return ""
        except stripe.InvalidRequestError:
            session = _session(client, known.reference)  # it was paid, or has expired, meanwhile
        except stripe.StripeError as error:
            raise ProviderFailed(_("Payment isn't available at the moment. Try again later.")) from error
    if (
        session is not None
        and session.status == "complete"
        and not events.has_event_about(user, str(session.subscription))
    ):
        raise ProviderFailed(_("Your payment is being confirmed. Check this page in a minute before you pay again."))
    return ""


def _is_repeated(session: Any) -> bool:
    """Whether this is the stored answer to an earlier request (https://docs.stripe.com/api/idempotent_requests)."""
    return bool(session.last_response.headers.get("Idempotent-Replayed") == "true")


def _session(client: stripe.StripeClient, reference: str) -> Any:
    """The checkout as Stripe has it, None if it has none."""

    def retrieve() -> Any:
        try:
            return client.v1.checkout.sessions.retrieve(reference)
        except stripe.InvalidRequestError as error:
            if error.http_status == 404:
                return None
            raise

    return asked(retrieve)


def _token(user: User, price: str, *, instead_of: str) -> UUID | None:
    """Return the token for creating a checkout; None if another request has recorded one in the meantime.

    Concurrent requests for the same price get the same token.
    """
    with transaction.atomic():
        OpenCheckout.objects.get_or_create(user=user, defaults={"price": price, "token": uuid4()})
        row = OpenCheckout.objects.select_for_update().get(user=user)
        if row.reference != instead_of:
            return None
        if row.reference or row.price != price:
            row.reference, row.price, row.token = "", price, uuid4()
            row.save(update_fields=["reference", "price", "token"])
        return row.token
