"""Applies billing events, each once and in any order; plan and credits are derived from all of them."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.credits import figures, ledger
from accounts.models import FREE, MAX_BALANCE, MAX_ENTRY, CreditEntry, Plan, User
from billing import facts
from billing.facts import Account, DatedFacts, Facts, account
from billing.models import Customer, Event, Standing

log = logging.getLogger("service.billing")


@dataclass(frozen=True)
class Notice:
    """An event as read by a provider's class; `user` is an account's id if the event has one.

    `amount` is money received, negative for refunds, in the smallest unit of `currency`.
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
    """Store an event and apply it, in one transaction; does nothing for a known event."""
    with transaction.atomic():
        customer, user, known = _customer_of(notice)
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
            figures.add_revenue(notice.amount, notice.currency, day=notice.occurred_at.astimezone(UTC).date())
        if user is None:
            event.outcome = "Kept: no account is known for it yet."
        elif notice.facts.kind == "nothing" and known:
            event.outcome = "Nothing to do."
        else:
            event.outcome = f"{_unknown(notice.facts)}{settle(user, actor=actor) or 'Nothing changed.'}"
        event.save(update_fields=["outcome"])
    log.info("billing event", extra={"provider": notice.provider, "event": notice.reference, "kind": notice.kind})
    return event


def _unknown(stated: Facts) -> str:
    lost = stated.kind == "subscribed" and not stated.plan
    return "No plan here has the price that is paid. " if lost else ""


def _customer_of(notice: Notice) -> tuple[Customer | None, User | None, bool]:
    """The event's customer, locked, its account, and whether the account was known.

    Earlier events of an unknown customer become the account's.
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
        # The first account that paid as this customer keeps it.
        user = User.objects.get(pk=customer.user_id)
    return customer, user, known


def has_subscription(user: User, provider: str) -> bool:
    """Whether the account has a subscription at a provider, also one with a payment due."""
    return facts.has_subscription(_dated_facts(user, provider=provider))


def has_event_about(user: User, subject: str) -> bool:
    """Whether an event refers to this subscription or payment of the account."""
    return any(each.facts.subject == subject for each in _dated_facts(user))


def will_renew(user: User, provider: str) -> bool:
    """Whether the account has a subscription at a provider that will be charged again."""
    return facts.charged(_dated_facts(user, provider=provider)) > 0


def settle(user: User, *, actor: User | None = None, now: datetime | None = None) -> str:
    """Set the account's plan and credits to what its events say; returns a description of the change, or "".

    Refunded credits that are already spent are taken back later, from credits the account gets then.
    """
    now = now or timezone.now()
    with transaction.atomic():
        Standing.objects.get_or_create(user=user)
        standing = Standing.objects.select_for_update().get(user=user)
        # Locked, so that no credits are spent between reading how many can be taken back and taking them.
        user = User.objects.lock(pk=user.pk)
        plans = {each.code: each for each in Plan.objects.all()}
        events = _dated_facts(user)
        found = account(events, now=now, grace=grace(), rank={code: at for at, code in enumerate(plans)})
        done = [_move_plan(user, standing, found, plans, actor), _move_credits(user, standing, found, actor)]
        charged = facts.charged(events)
        if charged > max(1, standing.charged):
            log.error("an account pays for several subscriptions", extra={"account": str(user.pk), "number": charged})
        standing.charged = charged
        standing.status, standing.period_end, standing.ends_at = found.status, found.period_end, found.ends_at
        standing.paid_until = found.paid_until
        standing.save()
    return " ".join(each for each in done if each)


def settle_all(now: datetime | None = None) -> int:
    """End plans whose grace period or last period is over by `now`; returns how many. May run concurrently."""
    now = now or timezone.now()
    due = Standing.objects.filter(ends_at__lte=now).select_related("user")
    return sum(_is_settled(each.user, now) for each in due)


def _is_settled(user: User, now: datetime) -> bool:
    try:
        return bool(settle(user, now=now))
    except Exception:
        # Whatever failed, the plans of others must still end; the next run tries this one again.
        log.exception("an account could not be settled", extra={"account": str(user.pk)})
        return False


def grace() -> timedelta:
    return timedelta(days=settings.BILLING_GRACE_DAYS)


def _dated_facts(user: User, **narrowed: str) -> list[DatedFacts]:
    rows = Event.objects.filter(user=user, **narrowed).values_list("occurred_at", "reference", "facts")
    return [DatedFacts(at, reference, Facts.from_stored(stored)) for at, reference, stored in rows]


def _move_plan(user: User, standing: Standing, found: Account, plans: dict[str, Plan], actor: User | None) -> str:
    before = standing.plan.code if standing.plan else ""
    paid, last = found.paid_at, standing.month_paid_at
    used = paid is not None and last is not None and paid <= last
    # The earlier plan has ended, and was paid for: what was spent of it is not owed.
    anew = not before and last is not None and (found.returned_at is None or found.returned_at < last)
    if found.plan != before or user.period < user.current_period:
        # A renewal leaves the plan, and the month that waits for it begins by itself: a later change of plan must not
        # begin another one. What is paid for within a month, before the plan is known, begins one with that plan.
        standing.month_paid_at = paid or last
    if found.plan == before:
        return ""
    # An account without purchases keeps the plan that staff gave it.
    wanted = plans[found.plan or FREE]
    standing.plan = plans.get(found.plan)
    if user.plan_id == wanted.pk:
        return f"The plan stays {wanted}."
    was = user.plan
    paid_on = paid.astimezone(UTC).date() if paid and not used else None
    ledger.change_plan(user, wanted, reason=f"Billing: {was} to {wanted}", actor=actor, paid_on=paid_on, anew=anew)
    return f"Plan {was} to {wanted}."


def _move_credits(user: User, standing: Standing, found: Account, actor: User | None) -> str:
    owed = found.credits - standing.credits
    if not owed:
        return ""
    ledger.top_up(user)
    user.refresh_from_db(fields=["monthly_credits", "extra_credits"])
    # What the balance can't give or take now stays owed until a later event.
    amount = max(owed, -user.extra_credits) if owed < 0 else min(owed, max(0, MAX_BALANCE - user.credits))
    kind = CreditEntry.Kind.PURCHASE if amount > 0 else CreditEntry.Kind.REFUND
    sign = 1 if amount > 0 else -1
    for start in range(0, abs(amount), MAX_ENTRY):
        step = sign * min(MAX_ENTRY, abs(amount) - start)
        ledger.grant(user, step, reason="Billing", actor=actor, kind=kind)
    standing.credits += amount
    if owed > amount:
        log.error("credits were bought beyond the highest balance", extra={"account": str(user.pk), "number": owed})
        return f"{amount:+,} of {owed:,} credits: no balance may be higher."
    if not amount:
        return f"{-owed:,} refunded credits are spent."
    return f"{amount:+,} credits."
