"""Taking in events: each once, in whatever order, and moving plan and credits to what all of them say."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts import figures, ledger
from accounts.models import FREE, CreditEntry, Plan, User
from billing import facts
from billing.facts import Account, Facts, Told, account
from billing.models import Customer, Event, Standing

log = logging.getLogger("service.billing")


@dataclass(frozen=True)
class Notice:
    """An event as a provider's class has read it; `user` is an account's id where the event names it.

    `amount` is money that came in, or went back (negative), in the smallest unit of `currency`.
    """

    provider: str
    reference: str
    kind: str
    occurred_at: datetime
    facts: Facts
    customer: str = ""
    user: str = ""
    amount: int = 0
    currency: str = ""


def receive(notice: Notice, *, actor: User | None = None) -> Event:
    """Keep an event and do what it says, together; one that was received before does nothing again."""
    with transaction.atomic():
        customer, user, known = _whose(notice)
        event, new = Event.objects.get_or_create(
            provider=notice.provider,
            reference=notice.reference,
            defaults={
                "kind": notice.kind[:60],
                "user": user,
                "customer": customer,
                "occurred_at": notice.occurred_at,
                "facts": notice.facts.as_json(),
                "amount": notice.amount,
                "currency": notice.currency,
            },
        )
        if not new:
            return event
        if notice.amount:
            figures.enter_revenue(notice.amount, notice.currency, day=notice.occurred_at.astimezone(UTC).date())
        if user is None:
            event.outcome = "Kept: no account is known for it yet."
        elif notice.facts.kind == "nothing" and known:
            event.outcome = "Nothing to do."
        else:
            event.outcome = f"{_unknown(notice.facts)}{settle(user, actor=actor) or 'Nothing changed.'}"
        event.save(update_fields=["outcome"])
    log.info("billing event", extra={"provider": notice.provider, "event": notice.reference, "kind": notice.kind})
    return event


def _unknown(said: Facts) -> str:
    lost = said.kind == "subscribed" and not said.plan
    return "No plan here has the price that is paid. " if lost else ""


def _whose(notice: Notice) -> tuple[Customer | None, User | None, bool]:
    """The customer, locked, and the account of an event, and whether it was known before.

    Earlier events of a customer who was unknown become the account's.
    """
    user = User.objects.filter(pk=notice.user).first() if notice.user else None
    if not notice.customer:
        return None, user, True
    Customer.objects.get_or_create(provider=notice.provider, reference=notice.customer)
    customer = Customer.objects.select_for_update().get(provider=notice.provider, reference=notice.customer)
    known = customer.user_id is not None or user is None
    if customer.user_id is None and user is not None:
        customer.user = user
        customer.save(update_fields=["user"])
        customer.events.filter(user=None).update(user=user)
    if customer.user_id is not None:
        # Whoever paid first as this customer stays its account.
        user = User.objects.get(pk=customer.user_id)
    return customer, user, known


def has_subscription(user: User, provider: str) -> bool:
    """Whether a provider takes money for a subscription of this account, or waits for it."""
    return facts.has_subscription(_told(user, provider=provider))


def settle(user: User, *, actor: User | None = None, now: datetime | None = None) -> str:
    """Move plan and credits of an account to what its events say now; return what was done in words, or "".

    Credits that were refunded but are spent can't be taken back; they are when there are some again.
    """
    now = now or timezone.now()
    with transaction.atomic():
        Standing.objects.get_or_create(user=user)
        standing = Standing.objects.select_for_update().get(user=user)
        user = User.objects.select_related("plan", "override").get(pk=user.pk)
        plans = {each.code: each for each in Plan.objects.all()}
        found = account(_told(user), now=now, grace=grace(), rank={code: at for at, code in enumerate(plans)})
        done = [_move_plan(user, standing, found, plans, actor), _move_credits(user, standing, found, actor)]
        standing.status, standing.period_end, standing.ends_at = found.status, found.period_end, found.ends_at
        standing.save()
    return " ".join(each for each in done if each)


def settle_all(now: datetime | None = None) -> int:
    """End the plans whose grace or last period is over by `now`, and return how many; any number may run at once."""
    now = now or timezone.now()
    due = Standing.objects.filter(ends_at__lte=now).select_related("user")
    return sum(bool(settle(each.user, now=now)) for each in due)


def grace() -> timedelta:
    return timedelta(days=settings.BILLING_GRACE_DAYS)


def _told(user: User, **narrowed: str) -> list[Told]:
    rows = Event.objects.filter(user=user, **narrowed).values_list("occurred_at", "reference", "facts")
    return [Told(at, reference, Facts.of(stored)) for at, reference, stored in rows]


def _move_plan(user: User, standing: Standing, found: Account, plans: dict[str, Plan], actor: User | None) -> str:
    before = standing.plan.code if standing.plan else ""
    if found.plan == before:
        return ""
    # Whoever has bought nothing keeps what staff has given them.
    wanted = plans[found.plan or FREE]
    standing.plan = plans.get(found.plan)
    if user.plan_id == wanted.pk:
        return f"The plan stays {wanted}."
    was = user.plan
    ledger.change_plan(user, wanted, reason=f"Billing: {was} to {wanted}", actor=actor)
    return f"Plan {was} to {wanted}."


def _move_credits(user: User, standing: Standing, found: Account, actor: User | None) -> str:
    amount = found.credits - standing.credits
    if amount < 0:
        user.refresh_from_db(fields=["extra_credits"])
        left = amount + user.extra_credits
        amount = max(amount, -user.extra_credits)
        if not amount:
            return f"{-left:,} refunded credits are spent." if left < 0 else ""
    if not amount:
        return ""
    kind = CreditEntry.Kind.PURCHASE if amount > 0 else CreditEntry.Kind.REFUND
    ledger.grant(user, amount, reason="Billing", actor=actor, kind=kind)
    standing.credits += amount
    return f"{amount:+,} credits."
