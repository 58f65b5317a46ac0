"""Orders approved by staff, if no other provider is configured."""

from __future__ import annotations

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.credits import throttling
from accounts.models import User
from billing import events, order_mails
from billing.events import Notice
from billing.facts import STAFF, Facts
from billing.models import CreditPack, Event, Order, PlanPrice
from billing.providers.base import Provider


class Manual(Provider):
    name = "manual"
    orders = True

    def checkout(self, request: HttpRequest, user: User, wanted: PlanPrice | CreditPack) -> str:
        if isinstance(wanted, PlanPrice):
            _ask(request, user, {"amount": wanted.amount, "currency": wanted.currency}, price=wanted)
        else:
            offered = {"amount": wanted.amount, "currency": wanted.currency, "credits": wanted.credits}
            _ask(request, user, offered, pack=wanted)
        messages.success(request, _("We've received your order. It is shown on this page until we have processed it."))
        return reverse("plans")

    def portal(self, request: HttpRequest, user: User) -> str:
        _ask(request, user, {}, cancels=True)
        messages.success(
            request, _("We've received your request to end the plan. The plan continues until we have processed it.")
        )
        return reverse("plans")

    def read(self, body: bytes, signature: str) -> Notice:
        raise ValueError("Nobody sends events for orders.")


def _ask(request: HttpRequest, user: User, offered: dict[str, object], **wanted: object) -> None:
    """Create an order with the current offer, one of a kind at a time: the price may change before it is decided.

    Raises TooManyRequests: an order can be withdrawn and placed again, and each one mails buyer and staff.
    """
    open_one = Order.objects.filter(user=user, state=Order.State.OPEN, **wanted)
    if open_one.exists():
        return
    throttling.check_mail(request, user.email, "order")
    try:
        with transaction.atomic():
            order = Order.objects.create(user=user, language=get_language() or "", **wanted, **offered)
    except IntegrityError:
        if not open_one.exists():
            raise
    else:
        order_mails.placed(order)


def approve(order: Order, *, actor: User) -> Event | None:
    """Fulfil an order once; None if it is already decided."""
    now = timezone.now()
    with transaction.atomic():
        if not _decide(order, Order.State.APPROVED, actor):
            return None
        if order.pack is not None:
            facts = Facts("bought", subject=str(order.pk), credits=order.credits)
        elif order.price is not None:
            facts = Facts("subscribed", subject=STAFF, plan=order.price.plan.code, paid=True)
        else:
            facts = Facts("ended", subject=STAFF)
        notice = Notice(
            provider=Manual.name,
            reference=str(order.pk),
            kind=f"order.{facts.kind}",
            occurred_at=now,
            facts=facts,
            user=str(order.user_id),
            amount=order.amount,
            currency=order.currency,
        )
        event = events.receive(notice, actor=actor)
    order_mails.decided(order, approved=True)
    return event


def decline(order: Order, *, actor: User) -> bool:
    """Decline an order; False if it is already decided."""
    declined = _decide(order, Order.State.DECLINED, actor)
    if declined:
        order_mails.decided(order, approved=False)
    return declined


def _decide(order: Order, state: str, actor: User) -> bool:
    open_one = Order.objects.filter(pk=order.pk, state=Order.State.OPEN)
    return open_one.update(state=state, decided_at=timezone.now(), decided_by=actor) > 0
