"""A plan's monthly credits follow what is paid for: a month begins with a purchase, and waits for its payment."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.credits import ledger, members
from accounts.errors import PaymentRequired
from accounts.models import Membership, Role, User
from accounts.people import organisations
from billing import events
from billing.events import Notice
from billing.facts import Facts
from tests.billing.test_orders import balanced
from tests.conftest import Clock, make_user


class Buyer:
    """An account whose clock and events are set by hand."""

    def __init__(self, clock: Clock, user: User | None = None) -> None:
        self.user, self._clock, self._number = user or make_user("free"), clock, 0
        self._start = timezone.now()

    def now(self, year: int, month: int, day: int, hour: int = 10) -> datetime:
        moment = datetime(year, month, day, hour, tzinfo=UTC)
        self._clock.set(seconds=(moment - self._start).total_seconds())
        return moment

    def told(
        self,
        kind: str,
        plan: str = "",
        *,
        until: datetime | None = None,
        ending: bool = False,
        of: str = "s",
        returned: bool = False,
    ) -> int:
        """Receive an event of this moment; returns the month's credits."""
        self._number += 1
        told = "subscribed" if kind == "paid order" else kind
        prices = None if kind == "paid order" else (f"price_{plan}",)
        facts = Facts(
            told,  # type: ignore[arg-type]
            subject=of,
            plan="" if kind == "renewed" else plan,
            period_end=until.isoformat() if until else "",
            ending=ending,
            paid=kind == "paid order",
            prices=prices,
            returned=returned,
        )
        notice = Notice("stripe", f"{self.user.pk}{self._number}", kind, timezone.now(), facts, user=str(self.user.pk))
        events.receive(notice)
        return self.credits()

    def credits(self) -> int:
        """The month's credits at the account's next request."""
        self.user = User.objects.select_related("plan").get(pk=self.user.pk)
        ledger.top_up(self.user)
        assert balanced(self.user)
        return self.user.monthly_credits

    def spend(self, number: int) -> None:
        ledger.charge(self.user, number, reference=uuid4(), reason="test")


@pytest.fixture
def buyer(db: None, clock: Clock) -> Buyer:
    return Buyer(clock)


def test_a_plan_bought_on_the_last_day_of_a_month_gives_one_month_s_credits_for_each_payment(buyer: Buyer) -> None:
    buyer.now(2037, 1, 31)
    assert buyer.credits() == 100
    buyer.spend(100)
    assert buyer.told("subscribed", "pro", until=datetime(2037, 2, 28, 10, tzinfo=UTC)) == 10_000
    assert ledger.resets_at(buyer.user) == datetime(2037, 2, 28, tzinfo=UTC)
    buyer.spend(10_000)
    for day in (1, 27):
        buyer.now(2037, 2, day)
        assert buyer.credits() == 0
    buyer.now(2037, 2, 28, 1)
    assert buyer.credits() == 0
    buyer.now(2037, 2, 28, 10)
    assert buyer.told("subscribed", "pro", until=datetime(2037, 3, 31, 10, tzinfo=UTC)) == 0  # not paid yet
    assert buyer.told("renewed", "pro", until=datetime(2037, 3, 31, 10, tzinfo=UTC)) == 10_000
    assert ledger.resets_at(buyer.user) == datetime(2037, 3, 31, tzinfo=UTC)
    buyer.spend(10_000)
    buyer.now(2037, 3, 30, 23)
    assert buyer.credits() == 0


def test_a_cancelled_plan_gives_no_credits_beyond_its_last_paid_month(buyer: Buyer) -> None:
    buyer.now(2037, 1, 15)
    end = datetime(2037, 2, 15, 10, tzinfo=UTC)
    assert buyer.told("subscribed", "pro", until=end, ending=True) == 10_000
    buyer.spend(9_000)
    buyer.now(2037, 2, 15, 1)
    assert buyer.credits() == 1_000
    assert events.settle_all(buyer.now(2037, 2, 15, 11)) == 1
    assert (buyer.credits(), buyer.user.plan.code) == (100, "free")


def test_a_yearly_plan_gives_its_credits_each_month_until_the_year_ends(buyer: Buyer) -> None:
    buyer.now(2037, 1, 31)
    end = datetime(2038, 1, 31, 10, tzinfo=UTC)
    assert buyer.told("subscribed", "pro", until=end) == 10_000
    given = 0
    for month in range(2, 13):
        buyer.spend(10_000)
        buyer.now(2037, month, 27)
        assert buyer.credits() == 0
        buyer.now(2037, month, 28 if month == 2 else 30 if month in (4, 6, 9, 11) else 31)
        given += buyer.credits()
    assert given == 11 * 10_000
    buyer.spend(10_000)
    buyer.now(2038, 1, 31, 1)
    assert buyer.credits() == 0


def test_a_larger_plan_keeps_the_month_unless_its_payment_begins_a_new_period(buyer: Buyer) -> None:
    buyer.now(2037, 1, 10)
    first = datetime(2037, 2, 10, 10, tzinfo=UTC)
    assert buyer.told("subscribed", "starter", until=first) == 2_000
    buyer.spend(1_500)
    buyer.now(2037, 1, 20)
    buyer.told("subscribed", "pro", until=first)
    assert buyer.told("renewed", "pro", until=first) == 8_500
    assert ledger.resets_at(buyer.user) == datetime(2037, 2, 10, tzinfo=UTC)
    buyer.now(2037, 1, 25)
    second = datetime(2037, 2, 25, 10, tzinfo=UTC)
    buyer.told("renewed", "scale", until=second)
    assert buyer.told("subscribed", "scale", until=second) == 50_000
    assert ledger.resets_at(buyer.user) == datetime(2037, 2, 25, tzinfo=UTC)
    buyer.now(2037, 2, 11)
    buyer.spend(50_000)
    assert buyer.credits() == 0


def test_a_plan_paid_after_its_grace_begins_a_month_then(buyer: Buyer) -> None:
    buyer.now(2037, 1, 5)
    assert buyer.told("subscribed", "pro", until=datetime(2037, 2, 5, 10, tzinfo=UTC)) == 10_000
    buyer.spend(10_000)
    until = datetime(2037, 3, 5, 10, tzinfo=UTC)
    buyer.now(2037, 2, 5)
    assert buyer.told("past_due", "pro", until=until) == 0
    events.settle_all(buyer.now(2037, 2, 13))
    assert buyer.credits() == 100
    buyer.now(2037, 2, 20)
    assert buyer.told("renewed", "pro", until=until) == 10_000
    assert ledger.resets_at(buyer.user) == datetime(2037, 3, 20, tzinfo=UTC)


def test_an_approved_order_begins_a_month_and_it_renews_without_further_payments(buyer: Buyer) -> None:
    buyer.now(2037, 1, 31)
    buyer.credits()
    buyer.spend(100)
    assert buyer.told("paid order", "starter") == 2_000
    buyer.spend(2_000)
    buyer.now(2037, 2, 10)
    assert buyer.told("paid order", "pro") == 10_000
    buyer.spend(10_000)
    buyer.now(2037, 3, 9)
    assert buyer.credits() == 0
    buyer.now(2037, 3, 10, 0)
    assert buyer.credits() == 10_000


def test_credits_of_an_unconfirmed_account_wait_although_it_has_bought_a_plan(buyer: Buyer, settings: Any) -> None:
    settings.EMAIL_VERIFICATION = "required"
    unconfirmed = User.objects.filter(pk=buyer.user.pk)
    unconfirmed.update(unconfirmed_since=buyer.now(2037, 1, 31), period=datetime(1970, 1, 1).date())
    assert buyer.told("subscribed", "pro", until=datetime(2037, 2, 28, 10, tzinfo=UTC)) <= 100
    unconfirmed.update(unconfirmed_since=None)
    assert buyer.credits() == 10_000
    assert ledger.resets_at(buyer.user) == datetime(2037, 2, 28, tzinfo=UTC)


def test_a_member_s_limit_renews_with_the_organisation_s_month(db: None, clock: Clock) -> None:
    founder = make_user("free")
    organisation = organisations.create(founder, "Shop").organisation
    buyer = Buyer(clock, organisation)
    buyer.now(2037, 1, 20)
    buyer.told("subscribed", "pro", until=datetime(2037, 2, 20, 10, tzinfo=UTC))
    member = Membership.objects.create(
        organisation=buyer.user, member=make_user("free"), role=Role.MEMBER, monthly_credits=10
    )
    members.count(member, 10)
    buyer.now(2037, 2, 19)
    member = Membership.objects.select_related("organisation").get(pk=member.pk)
    assert member.used_now == 10
    with pytest.raises(PaymentRequired):
        members.count(member, 1)
    buyer.now(2037, 2, 20)
    assert member.used_now == 0
    members.count(member, 10)


def test_a_monthly_plan_after_a_yearly_one_gives_no_month_before_it_is_paid(buyer: Buyer) -> None:
    buyer.now(2037, 1, 1)
    assert buyer.told("subscribed", "starter", until=datetime(2038, 1, 1, 10, tzinfo=UTC)) == 2_000
    buyer.now(2037, 1, 10)
    until = datetime(2037, 2, 10, 10, tzinfo=UTC)
    buyer.told("renewed", "scale", until=until)
    assert buyer.told("subscribed", "scale", until=until) == 50_000
    buyer.spend(50_000)
    buyer.now(2037, 2, 9)
    assert buyer.credits() == 0
    buyer.now(2037, 2, 10, 1)
    assert buyer.credits() == 0


@pytest.mark.parametrize("plan", ["starter", "pro"])
def test_a_yearly_plan_paid_from_a_balance_gives_the_credits_of_all_its_months(buyer: Buyer, plan: str) -> None:
    buyer.now(2037, 1, 10)
    buyer.told("subscribed", "starter", until=datetime(2037, 2, 10, 10, tzinfo=UTC))
    buyer.now(2037, 1, 20)
    until = datetime(2038, 1, 20, 10, tzinfo=UTC)
    buyer.told("covered", plan, until=until)
    buyer.told("subscribed", plan, until=until)
    buyer.spend(buyer.credits())
    buyer.now(2037, 2, 21)
    assert buyer.credits() == {"starter": 2_000, "pro": 10_000}[plan]


def test_a_monthly_plan_paid_from_a_balance_ends_what_a_year_has_paid(buyer: Buyer) -> None:
    buyer.now(2037, 1, 1)
    buyer.told("subscribed", "pro", until=datetime(2038, 1, 1, 10, tzinfo=UTC))
    buyer.now(2037, 1, 10)
    until = datetime(2037, 2, 10, 10, tzinfo=UTC)
    buyer.told("covered", "scale", until=until)
    buyer.told("subscribed", "scale", until=until)
    buyer.spend(buyer.credits())
    buyer.now(2037, 3, 1)
    assert buyer.credits() == 0


@pytest.mark.parametrize("spent", [2_000, 500])
def test_what_was_spent_of_a_refunded_month_counts_for_the_one_bought_instead(buyer: Buyer, spent: int) -> None:
    buyer.now(2037, 1, 10)
    buyer.told("subscribed", "starter", until=datetime(2037, 2, 10, 10, tzinfo=UTC))
    buyer.spend(spent)
    buyer.now(2037, 1, 12)
    buyer.told("refunded")
    buyer.now(2037, 1, 13)
    until = datetime(2037, 2, 13, 10, tzinfo=UTC)
    assert buyer.told("paid order", "starter", until=until) == 2_000 - (spent - 100)  # those of Free


def test_an_invoice_for_something_else_ends_no_paid_period(buyer: Buyer) -> None:
    buyer.now(2037, 1, 31)
    buyer.told("subscribed", "pro", until=datetime(2038, 1, 31, 10, tzinfo=UTC))
    for day, kind in ((5, "renewed"), (6, "covered")):
        buyer.told(kind, "pro", until=buyer.now(2037, 2, day))
    buyer.spend(10_000)
    buyer.now(2037, 2, 28)
    assert buyer.credits() == 10_000


@pytest.mark.parametrize(("day", "hour"), [(15, 12), (18, 10), (16, 0)])
def test_a_month_that_was_paid_for_late_is_given_once_whatever_the_plan_becomes(
    buyer: Buyer, day: int, hour: int
) -> None:
    buyer.now(2037, 1, 15, 23)
    end = datetime(2037, 2, 15, 23, tzinfo=UTC)
    assert buyer.told("subscribed", "scale", until=end) == 50_000
    buyer.spend(50_000)
    buyer.now(2037, 2, day, hour)
    until = datetime(2037, 3, 15, 23, tzinfo=UTC)
    assert buyer.told("renewed", "scale", until=until) == 50_000
    buyer.spend(50_000)
    buyer.now(2037, 2, 20)
    buyer.told("subscribed", "pro", until=until)
    assert buyer.told("covered", "pro", until=until) == 0
    buyer.told("subscribed", "scale", until=until)
    assert buyer.told("covered", "scale", until=until) == 0


def test_a_month_of_a_small_plan_paid_for_late_counts_for_a_larger_one(buyer: Buyer) -> None:
    buyer.now(2037, 1, 15)
    end, until = (datetime(2037, month, 15, 10, tzinfo=UTC) for month in (2, 3))
    assert buyer.told("subscribed", "pro", until=end) == 10_000
    buyer.spend(10_000)
    buyer.now(2037, 2, 18)
    assert buyer.told("renewed", "pro", until=until) == 10_000
    buyer.spend(10_000)
    buyer.now(2037, 2, 20)
    buyer.told("subscribed", "scale", until=until)
    assert buyer.told("renewed", "scale", until=until) == 40_000


@pytest.mark.parametrize("day", [10, 11, 25])
@pytest.mark.parametrize("first", ["starter", "pro"])
@pytest.mark.parametrize("second", ["starter", "pro"])
def test_a_plan_bought_after_one_was_cancelled_without_a_refund_has_all_its_credits(
    buyer: Buyer, day: int, first: str, second: str
) -> None:
    """Both payments are kept, so both months are given; the month of the second one is given once."""
    whole = {"starter": 2_000, "pro": 10_000}
    buyer.now(2037, 1, 10, 8)
    assert buyer.told("subscribed", first, until=datetime(2037, 2, 10, 8, tzinfo=UTC)) == whole[first]
    buyer.spend(whole[first])
    buyer.now(2037, 1, 10, 9)
    assert buyer.told("ended") == 0
    until = datetime(2037, 2, day, 10, tzinfo=UTC)
    buyer.now(2037, 1, day, 10)
    assert buyer.told("subscribed", second, until=until, of="t") == whole[second]
    buyer.spend(whole[second])
    buyer.told("renewed", second, until=until, of="t")
    buyer.told("subscribed", second, until=until, of="t", ending=True)
    assert buyer.told("subscribed", second, until=until, of="t") == 0
    buyer.now(2037, 2, day, 1)
    assert buyer.credits() == 0


@pytest.mark.parametrize("order", ["refunded first", "ended first"])
@pytest.mark.parametrize("kind", ["refunded", "covered"])
def test_a_plan_bought_after_one_was_cancelled_and_its_money_given_back_has_fewer(
    buyer: Buyer, order: str, kind: str
) -> None:
    buyer.now(2037, 1, 10)
    buyer.told("subscribed", "starter", until=datetime(2037, 2, 10, 10, tzinfo=UTC))
    buyer.spend(2_000)
    for number, each in enumerate(("ended", kind) if order == "ended first" else (kind, "ended")):
        buyer.now(2037, 1, 12, 10 + number)
        buyer.told(each, returned=each == "covered")
    buyer.now(2037, 1, 13)
    until = datetime(2037, 2, 13, 10, tzinfo=UTC)
    assert buyer.told("subscribed", "starter", until=until, of="t") == 100
    # What the second payment bought was kept: the third owes nothing for the first.
    buyer.told("ended", of="t")
    buyer.now(2037, 1, 20)
    until = datetime(2037, 2, 20, 10, tzinfo=UTC)
    assert buyer.told("subscribed", "starter", until=until, of="u") == 2_000


def test_an_order_after_a_cancelled_one_has_all_its_credits(buyer: Buyer) -> None:
    buyer.now(2037, 1, 10)
    buyer.told("paid order", "starter")
    buyer.spend(2_000)
    buyer.told("ended")
    buyer.now(2037, 1, 12)
    assert buyer.told("paid order", "starter") == 2_000
