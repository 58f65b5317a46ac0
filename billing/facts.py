"""What events say, in one vocabulary for all providers; and what an account has by all of them together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta
from typing import Any, Literal

Kind = Literal["subscribed", "renewed", "past_due", "ended", "bought", "refunded", "nothing"]

_RANK = {kind: rank for rank, kind in enumerate(("bought", "subscribed", "renewed", "past_due", "refunded", "ended"))}
"""In what order events of one second happened."""


@dataclass(frozen=True)
class Facts:
    """One event. `subject` is the subscription or the payment that it is about.

    `subscribed` says all of a subscription: that it began, changed or will end with its period; where no plan has its
    price (any longer), it says no plan and goes on with the one it had. `paid` tells one that money has come in for. A
    refund says how much of `credits` has gone back so far; one without credits is of the subscription that runs, until
    that is paid for again, and of none where several do: the provider's events say the end of the one that is meant.
    Moments are ISO 8601.
    """

    kind: Kind
    subject: str = ""
    plan: str = ""
    period_end: str = ""
    ending: bool = False
    credits: int = 0
    paid: bool = False

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of(cls, stored: dict[str, Any]) -> Facts:
        names = {each.name for each in fields(cls)}
        return cls(**{name: value for name, value in stored.items() if name in names})


@dataclass(frozen=True)
class Told:
    """Facts with the moment that they are of and their id, by which events of one moment are ordered."""

    at: datetime
    id: str
    facts: Facts


@dataclass(frozen=True)
class Account:
    """What an account has: a plan's code or "", its status, and the credits that are bought and not refunded.

    `ends_at` is when the plan ends if nobody says more.
    """

    plan: str = ""
    status: str = "none"
    period_end: datetime | None = None
    ends_at: datetime | None = None
    credits: int = 0


@dataclass
class _Subscription:
    plan: str = ""
    ending: bool = False
    period_end: datetime | None = None
    unpaid_since: datetime | None = None
    over: bool = False
    refunded: bool = False


def account(told: Iterable[Told], *, now: datetime, grace: timedelta, rank: dict[str, int]) -> Account:
    """What all events together say, in whatever order they came: they are taken in that in which they happened.

    `rank` orders the plans: of several subscriptions the one of the highest counts.
    """
    subscriptions, bought, refunded = _taken(told)
    credits = sum(max(0, number - refunded.get(subject, 0)) for subject, number in bought.items())
    best = max(
        (each for each in subscriptions.values() if not _is_over(each, now, grace) and each.plan in rank),
        key=lambda each: rank[each.plan],
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
    return Account(best.plan, status, best.period_end, ends_at, credits)


def has_subscription(told: Iterable[Told]) -> bool:
    """Whether there is one that the provider has not ended, paid or not: another beside it would be paid for twice."""
    return any(each.plan and not each.over for each in _taken(told)[0].values())


def _taken(told: Iterable[Told]) -> tuple[dict[str, _Subscription], dict[str, int], dict[str, int]]:
    """Subscriptions, and the credits that were bought and refunded, by their subjects."""
    subscriptions: dict[str, _Subscription] = {}
    bought: dict[str, int] = {}
    refunded: dict[str, int] = {}
    for each in sorted(told, key=lambda one: (one.at, _RANK.get(one.facts.kind, 9), one.id)):
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


def _follow(subscription: _Subscription, told: Told) -> None:
    facts = told.facts
    if facts.period_end:
        subscription.period_end = datetime.fromisoformat(facts.period_end)
    if facts.kind == "ended":
        subscription.over = True
    elif facts.kind == "past_due":
        subscription.unpaid_since = subscription.unpaid_since or told.at
        subscription.plan = facts.plan or subscription.plan
    elif facts.kind == "renewed":
        subscription.unpaid_since, subscription.refunded = None, False
    else:
        subscription.plan, subscription.ending = facts.plan or subscription.plan, facts.ending
        subscription.unpaid_since = None
        subscription.over = False
        # What was paid back is not had again by changing or ending it.
        subscription.refunded = subscription.refunded and not facts.paid


def _is_over(subscription: _Subscription, now: datetime, grace: timedelta) -> bool:
    if subscription.over or subscription.refunded or not subscription.plan:
        return True
    if subscription.unpaid_since is not None:
        return now >= subscription.unpaid_since + grace
    return subscription.ending and subscription.period_end is not None and now >= subscription.period_end
