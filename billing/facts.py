"""Billing events in terms common to all providers, and the state of an account derived from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta
from typing import Any, Literal

Kind = Literal["subscribed", "renewed", "covered", "past_due", "ended", "bought", "refunded", "nothing"]

STAFF = "manual"
"""The subject of plans that staff have approved."""

_ORDER = ("bought", "subscribed", "covered", "renewed", "past_due", "refunded", "ended")
_RANK = {kind: rank for rank, kind in enumerate(_ORDER)}
"""The order of events with the same time."""


@dataclass(frozen=True)
class Facts:
    """One event. `subject` is the id of its subscription or payment.

    `subscribed` has the whole state of a subscription: started, changed, or ending with its period. If its price has no
    plan (any more), `plan` is empty and the previous plan applies. `paid` means that money was received.

    `prices` are the provider's ids of what a subscription has, or of what an invoice pays for now. With them, a change
    to a larger plan counts once an invoice for its price is paid; None, of a provider that tells none, counts at once.
    `covered` is an invoice without money: its prices are paid for, and no payment that is due is. `returned` says that
    it put money on the customer's balance, such as for the unused days of a cancelled subscription.

    A refund has the total of `credits` returned so far. Without credits it cancels the running subscription until its
    next payment, or nothing if several are running: the provider's events then end the right one. Times are ISO 8601.
    """

    kind: Kind
    subject: str = ""
    plan: str = ""
    period_end: str = ""
    ending: bool = False
    credits: int = 0
    paid: bool = False
    prices: tuple[str, ...] | None = None
    returned: bool = False

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_stored(cls, stored: dict[str, Any]) -> Facts:
        names = {each.name for each in fields(cls)}
        known = {name: value for name, value in stored.items() if name in names}
        if known.get("prices") is not None:
            known["prices"] = tuple(known["prices"])
        return cls(**known)


@dataclass(frozen=True)
class DatedFacts:
    """Facts with their time and id, by which events are ordered."""

    at: datetime
    id: str
    facts: Facts


@dataclass(frozen=True)
class Account:
    """The standing of an account: a plan's code or "", its status, and credits bought and not refunded.

    `ends_at` is when the plan ends unless another event comes. `paid_at` is when a period of the plan was last paid
    for, and `paid_until` the end of what is paid; None if the provider tells no periods. `returned_at` is when money
    for a plan, this or an earlier one, was last given back.
    """

    plan: str = ""
    status: str = "none"
    period_end: datetime | None = None
    ends_at: datetime | None = None
    credits: int = 0
    paid_at: datetime | None = None
    paid_until: datetime | None = None
    returned_at: datetime | None = None


@dataclass
class _Subscription:
    """`plan` is what it was last changed to, at `prices`; `paid_plan` what was paid last, `paid_prices` what for.

    The last are kept as they are told: an invoice can be paid before the change that it is for.
    """

    plan: str = ""
    prices: tuple[str, ...] | None = None
    paid_plan: str = ""
    paid_prices: tuple[str, ...] = ()
    ending: bool = False
    period_end: datetime | None = None
    paid_at: datetime | None = None
    paid_until: datetime | None = None
    unpaid_since: datetime | None = None
    over: bool = False
    refunded: bool = False


def account(events: Collection[DatedFacts], *, now: datetime, grace: timedelta, rank: dict[str, int]) -> Account:
    """Derive the standing from all events, in any order: they are applied by time.

    `rank` orders the plans: of several subscriptions the highest counts.
    """
    subscriptions, bought, refunded = _taken(events)
    credits = sum(max(0, number - refunded.get(subject, 0)) for subject, number in bought.items())
    best = max(
        (each for each in subscriptions.values() if not _is_over(each, now, grace) and _plan_of(each, rank)),
        key=lambda each: rank[_plan_of(each, rank)],
        default=None,
    )
    if best is None:
        owed = any(
            each.unpaid_since and each.plan and not each.over and not each.refunded for each in subscriptions.values()
        )
        return Account(status="unpaid" if owed else "none", credits=credits)
    status, ends_at = "active", None
    if best.unpaid_since is not None:
        status, ends_at = "past_due", best.unpaid_since + grace
    elif best.ending:
        status, ends_at = "ending", best.period_end
    plan = _plan_of(best, rank)
    returned_at = max((each.at for each in events if _is_returned(each.facts)), default=None)
    return Account(plan, status, best.period_end, ends_at, credits, best.paid_at, best.paid_until, returned_at)


def _is_returned(facts: Facts) -> bool:
    return facts.returned or (facts.kind == "refunded" and not facts.credits)


def _plan_of(subscription: _Subscription, rank: dict[str, int]) -> str:
    """The plan in force: nobody gets a larger one by changing to it without paying. Empty if no such plan exists."""
    known = [each for each in (subscription.plan, subscription.paid_plan) if each in rank]
    return min(known, key=lambda each: rank[each], default="")


def has_subscription(events: Iterable[DatedFacts]) -> bool:
    """Whether a subscription has not ended, paid or not: a second one would be charged in addition."""
    return any(each.plan and not each.over for each in _taken(events)[0].values())


def charged(events: Iterable[DatedFacts]) -> int:
    """The number of subscriptions that will be charged again: neither ended nor ending with their period.

    Plans that staff granted don't count: no provider charges for them.
    """
    running = _taken(events)[0].items()
    return sum(bool(each.plan) and not each.over and not each.ending for subject, each in running if subject != STAFF)


def _taken(events: Iterable[DatedFacts]) -> tuple[dict[str, _Subscription], dict[str, int], dict[str, int]]:
    """Subscriptions, credits bought and credits refunded, by subject."""
    subscriptions: dict[str, _Subscription] = {}
    bought: dict[str, int] = {}
    refunded: dict[str, int] = {}
    for each in sorted(events, key=lambda one: (one.at, _RANK.get(one.facts.kind, 9), one.id)):
        facts = each.facts
        if facts.kind == "bought":
            bought[facts.subject] = facts.credits
        elif facts.kind == "refunded" and facts.credits:
            refunded[facts.subject] = max(refunded.get(facts.subject, 0), facts.credits)
        elif facts.kind == "refunded":
            running = [one for one in subscriptions.values() if one.plan and not one.over and not one.refunded]
            if len(running) == 1:
                running[0].refunded = True
        elif facts.kind != "nothing":
            _follow(subscriptions.setdefault(facts.subject, _Subscription()), each)
    return subscriptions, bought, refunded


def _follow(subscription: _Subscription, event: DatedFacts) -> None:
    facts = event.facts
    if facts.period_end:
        subscription.period_end = datetime.fromisoformat(facts.period_end)
    if facts.kind == "ended":
        subscription.over = True
    elif facts.kind == "past_due":
        subscription.unpaid_since = subscription.unpaid_since or event.at
        if facts.plan:
            # An unpaid invoice has no plan, and only reports the missing payment.
            subscription.ending = facts.ending
            _change(subscription, facts)
    elif facts.kind == "covered":
        _pay(subscription, facts.prices)
        if facts.period_end and _is_new_period(subscription, event.at):
            # Paid for from a balance: the period counts, and no month of credits begins with it.
            subscription.paid_until = subscription.period_end
    elif facts.kind == "renewed":
        subscription.unpaid_since, subscription.refunded = None, False
        _pay(subscription, facts.prices)
        _pay_period(subscription, event.at)
    else:
        if facts.paid or not subscription.plan or subscription.over:
            _pay_period(subscription, event.at)
        _change(subscription, facts)
        subscription.ending = facts.ending
        subscription.unpaid_since = None
        subscription.over = False
        # A refunded period stays refunded when the subscription changes or ends.
        subscription.refunded = subscription.refunded and not facts.paid


def _change(subscription: _Subscription, facts: Facts) -> None:
    """Take over the plan. The first counts as paid: a provider reports a new subscription once it is paid."""
    is_first = not subscription.plan and subscription.prices is None
    subscription.plan = facts.plan or subscription.plan
    if is_first or facts.plan:
        # Of a price without a plan the previous plan applies, with the price that has to be paid for it.
        subscription.prices = facts.prices
    if is_first:
        subscription.paid_prices = facts.prices or ()
    if is_first or _is_paid(subscription) or (facts.prices is None and facts.kind == "subscribed"):
        subscription.paid_plan = subscription.plan


def _pay(subscription: _Subscription, prices: tuple[str, ...] | None) -> None:
    """Take over what was paid for: whatever the subscription has if no prices are told."""
    subscription.paid_prices = prices or ()
    if prices is None or _is_paid(subscription):
        subscription.paid_plan = subscription.plan


def _pay_period(subscription: _Subscription, at: datetime) -> None:
    """Note a payment for a new period; a provider that tells no periods has one begin with each payment."""
    if subscription.period_end is None or _is_new_period(subscription, at):
        subscription.paid_at, subscription.paid_until = at, subscription.period_end


def _is_new_period(subscription: _Subscription, at: datetime) -> bool:
    """Whether what was invoiced is another period than the one paid for: a month after a year ends earlier.

    What is paid for the rest of a period, as a larger plan, ends when the period does; something else has ended.
    """
    until, before = subscription.period_end, subscription.paid_until
    return until is not None and until != before and (before is None or until > at)


def _is_paid(subscription: _Subscription) -> bool:
    return not set(subscription.prices or ()).isdisjoint(subscription.paid_prices)


def _is_over(subscription: _Subscription, now: datetime, grace: timedelta) -> bool:
    if subscription.over or subscription.refunded or not subscription.plan:
        return True
    if subscription.unpaid_since is not None:
        return now >= subscription.unpaid_since + grace
    return subscription.ending and subscription.period_end is not None and now >= subscription.period_end
