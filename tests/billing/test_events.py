"""Billing events repeated, late, in any order and in parallel: plan, credits and ledger follow from all of them."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.credits import ledger
from accounts.models import MAX_BALANCE, MAX_ENTRY, CreditEntry, User
from billing import events
from billing.events import Notice
from billing.facts import Facts
from billing.models import Event, Standing
from tests.billing.test_orders import balanced
from tests.conftest import make_user

ROUNDS = 3
EVENTS = 50
PLANS = ("starter", "pro", "scale")
STEPS = ("plan", "pack", "renew", "extra", "early", "covered", "fail", "end", "back", "idle")


@dataclass
class History:
    """What truly happened to one account, in order, told by its own bookkeeping and not by the code that is tested.

    `asked` is the plan of the subscription, `paid` that of its last invoice that was paid.
    """

    user: str
    notices: list[Notice] = field(default_factory=list)
    asked: str = ""
    paid: str = ""
    begun: int = 0
    packs: dict[str, int] = field(default_factory=dict)
    past_due: bool = False

    @property
    def plan(self) -> str:
        return min(self.asked, self.paid, key=PLANS.index) if self.asked else ""

    def notify(self, facts: Facts, *, named: bool = True) -> None:
        number = len(self.notices)
        self.notices.append(
            Notice(
                provider="stripe", reference=f"evt_{self.user[:8]}_{number}", kind=facts.kind,
                occurred_at=datetime.now(UTC) - timedelta(minutes=200 - number), facts=facts,
                customer=f"cus_{self.user[:8]}", user=self.user if named else "",
            )
        )  # fmt: skip

    def go_on(self, dice: random.Random) -> None:
        later = (datetime.now(UTC) + timedelta(days=30)).isoformat()
        step = dice.choice([*STEPS, "plan", "pack"])
        new = dice.choice(PLANS)
        if step == "plan" and not self.asked:
            self.begun += 1
            self.asked = self.paid = new
        subject = f"sub_{self.begun}_{self.user[:8]}"

        def change(plan: str) -> None:
            self.asked, self.past_due = plan, False
            ending, prices = dice.random() < 0.3, (f"price_{plan}",)
            self.notify(Facts("subscribed", subject=subject, plan=plan, period_end=later, ending=ending, prices=prices))

        def renew(*plans: str) -> None:
            self.paid, self.past_due = (*plans, self.paid)[0], False
            prices = tuple(f"price_{each}" for each in plans)
            self.notify(Facts("renewed", subject=subject, period_end=later, prices=prices), named=False)

        if step == "plan":
            change(new)
        elif step == "pack":
            name = f"pi_{len(self.packs)}_{self.user[:8]}"
            self.packs[name] = dice.choice([100, 500])
            self.notify(Facts("bought", subject=name, credits=self.packs[name]))
        elif step == "renew" and self.asked:
            renew(self.asked)
        elif step == "extra" and self.asked:
            renew()  # an invoice for something else
        elif step == "early" and self.asked:
            renew(new)
            change(new)
        elif step == "covered" and self.asked:
            self.paid = self.asked
            self.notify(Facts("covered", subject=subject, prices=(f"price_{self.asked}",)), named=False)
        elif step == "fail" and self.asked:
            self.past_due = True
            self.notify(Facts("past_due", subject=subject), named=False)
        elif step == "end" and self.asked:
            self.asked, self.paid, self.past_due = "", "", False
            self.notify(Facts("ended", subject=subject), named=False)
        elif step == "back" and any(self.packs.values()):
            name = dice.choice([each for each, left in self.packs.items() if left])
            # In two parts, each of which says how much is back so far.
            whole = self.packs[name]
            self.notify(Facts("refunded", subject=name, credits=whole // 2))
            self.notify(Facts("refunded", subject=name, credits=whole))
            self.packs[name] = 0
        else:
            self.notify(Facts("nothing"), named=False)


def histories(dice: random.Random, accounts: int = 5) -> list[History]:
    found = [History(str(make_user("free").pk)) for _ in range(accounts)]
    for each in found:
        each.notify(Facts("nothing"))  # the one that says whose customer it is
    while sum(len(each.notices) for each in found) < EVENTS:
        dice.choice(found).go_on(dice)
    return found


def delivered(dice: random.Random, stories: list[History]) -> list[Notice]:
    every = [each for history in stories for each in history.notices]
    every += dice.choices(every, k=len(every) // 2)
    dice.shuffle(every)
    return every


def check(stories: list[History]) -> None:
    for each in stories:
        user = User.objects.select_related("plan").get(pk=each.user)
        standing = Standing.objects.filter(user=user).first()
        assert user.plan.code == (each.plan or "free")
        assert user.extra_credits == sum(each.packs.values())
        assert user.monthly_credits == user.plan.credits
        assert balanced(user)
        moved = CreditEntry.objects.filter(user=user, kind__in=["purchase", "refund"]).values_list("amount", flat=True)
        assert sum(moved) == user.extra_credits
        if standing is not None:
            assert (standing.status == "past_due") == each.past_due
            assert standing.credits == user.extra_credits
        assert Event.objects.filter(user=user).count() == len(each.notices)


def together(work: Callable[[Notice], object], notices: list[Notice]) -> None:
    def one(notice: Notice) -> None:
        try:
            work(notice)
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(one, notices))


def rounds(number: int) -> None:
    for seed in range(number):
        dice = random.Random(f"{os.environ.get('SEED', '')}{seed}")
        stories = histories(dice)
        together(events.receive, delivered(dice, stories))
        check(stories)


def test_fifty_events_in_any_order_repeated_and_in_parallel_give_the_same_state(transactional_db: None) -> None:
    rounds(ROUNDS)


@pytest.mark.soak
def test_twenty_rounds_of_fifty_events_give_the_same_state(transactional_db: None) -> None:
    rounds(20)


def _receive(user: User, number: int, facts: Facts, at: datetime) -> Event:
    return events.receive(
        Notice("stripe", f"evt_{number}", facts.kind, at, facts, customer="cus_1", user=str(user.pk))
    )  # fmt: skip


def test_an_unpaid_plan_lasts_for_the_grace_period(db: None) -> None:
    user, now = make_user("free"), timezone.now()
    _receive(user, 1, Facts("subscribed", subject="s", plan="pro"), now - timedelta(days=3))
    _receive(user, 2, Facts("past_due", subject="s"), now - timedelta(days=1))
    user.refresh_from_db()
    assert user.plan.code == "pro"
    assert Standing.objects.get(user=user).ends_at == now + timedelta(days=6)
    assert events.settle_all(now + timedelta(days=5, hours=23)) == 0
    assert events.settle_all(now + timedelta(days=6, seconds=1)) == 1
    user.refresh_from_db()
    assert (user.plan.code, Standing.objects.get(user=user).status) == ("free", "unpaid")
    _receive(user, 3, Facts("renewed", subject="s"), now + timedelta(days=7))  # paid after all
    user.refresh_from_db()
    assert (user.plan.code, Standing.objects.get(user=user).status) == ("pro", "active")
    assert balanced(user)


def test_a_new_month_s_credits_wait_while_a_payment_is_due(db: None) -> None:
    """Else a plan whose last period ends shortly before a new month gives that month's credits for nothing."""
    user, now = make_user("free"), timezone.now()

    def topped_up() -> tuple[str, int]:
        """The plan and credits of the account's next request, in a month that has had no credits yet."""
        found = User.objects.get(pk=user.pk)
        ledger.top_up(found)
        assert balanced(found)
        return found.plan.code, found.monthly_credits

    _receive(user, 1, Facts("subscribed", subject="s", plan="pro"), now - timedelta(days=30))
    ledger.charge(user := User.objects.get(pk=user.pk), 9_700, reference=uuid4(), reason="test")
    _receive(user, 2, Facts("past_due", subject="s"), now - timedelta(days=1))
    User.objects.filter(pk=user.pk).update(period=datetime(2020, 1, 1).date())
    assert topped_up() == ("pro", 300)
    _receive(user, 3, Facts("renewed", subject="s"), now)
    assert topped_up() == ("pro", 10_000)
    _receive(user, 4, Facts("past_due", subject="s"), now + timedelta(seconds=1))
    User.objects.filter(pk=user.pk).update(period=datetime(2020, 1, 1).date())
    assert topped_up() == ("pro", 10_000)
    assert events.settle_all(now + timedelta(days=8)) == 1
    assert topped_up() == ("free", 100)
    _receive(user, 5, Facts("renewed", subject="s"), now + timedelta(days=8))  # paid after all
    assert topped_up() == ("pro", 10_000)


def test_an_account_that_cannot_be_settled_keeps_no_other_plan_going(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    users, now = [make_user("free") for _ in range(3)], timezone.now()
    for number, user in enumerate(users):
        facts = Facts("past_due", subject="s", plan="pro")
        notice = Notice("stripe", f"evt_{number}", facts.kind, now, facts, customer=f"cus_{number}", user=str(user.pk))
        events.receive(notice)
    change = ledger.change_plan

    def fail_for_one(user: User, *given: Any, **named: Any) -> None:
        if user == users[1]:
            raise ledger.ImpossibleChange("not this one")
        change(user, *given, **named)

    monkeypatch.setattr(ledger, "change_plan", fail_for_one)
    assert events.settle_all(now + timedelta(days=8)) == 2
    assert [User.objects.get(pk=each.pk).plan.code for each in users] == ["free", "pro", "free"]
    monkeypatch.undo()
    assert events.settle_all(now + timedelta(days=8)) == 1


def test_a_change_to_a_larger_plan_counts_once_it_is_paid(db: None) -> None:
    user, now = make_user("free"), timezone.now()

    def stated(number: int, kind: Any, plan: str = "") -> tuple[str, str, int]:
        _receive(user, number, Facts(kind, subject="s", plan=plan), now - timedelta(hours=9 - number))
        user.refresh_from_db()
        return user.plan.code, Standing.objects.get(user=user).status, user.monthly_credits

    assert stated(1, "subscribed", "starter") == ("starter", "active", 2_000)
    assert stated(2, "past_due", "scale") == ("starter", "past_due", 2_000)
    assert stated(3, "renewed") == ("scale", "active", 50_000)
    # One to a smaller plan counts at once.
    assert stated(4, "past_due", "starter") == ("starter", "past_due", 2_000)
    assert stated(5, "subscribed", "pro") == ("pro", "active", 10_000)
    assert balanced(user)


def test_a_larger_plan_counts_once_an_invoice_for_its_price_is_paid(db: None) -> None:
    user, now = make_user("free"), timezone.now()

    def stated(number: int, kind: Any, price: str, plan: str = "") -> tuple[str, str, int]:
        facts = Facts(kind, subject="s", plan=plan, prices=(price,))
        _receive(user, number, facts, now - timedelta(hours=30 - number))
        user.refresh_from_db()
        return user.plan.code, Standing.objects.get(user=user).status, user.monthly_credits

    assert stated(1, "subscribed", "of_starter", "starter") == ("starter", "active", 2_000)
    assert stated(2, "subscribed", "of_scale", "scale") == ("starter", "active", 2_000)
    assert stated(3, "renewed", "of_starter") == ("starter", "active", 2_000)  # an invoice from before
    assert stated(4, "subscribed", "of_pro", "pro") == ("starter", "active", 2_000)
    assert stated(5, "past_due", "of_scale", "scale") == ("starter", "past_due", 2_000)
    assert stated(6, "subscribed", "of_scale", "scale") == ("starter", "active", 2_000)  # the invoice was voided
    assert stated(7, "renewed", "of_scale") == ("scale", "active", 50_000)
    # A smaller one counts at once, and what is paid stays until another invoice is.
    assert stated(8, "subscribed", "of_starter", "starter") == ("starter", "active", 2_000)
    assert stated(9, "subscribed", "of_scale", "scale") == ("scale", "active", 50_000)
    assert stated(10, "subscribed", "of_starter", "starter") == ("starter", "active", 2_000)
    assert stated(11, "covered", "of_starter") == ("starter", "active", 2_000)
    assert stated(12, "subscribed", "of_scale", "scale") == ("starter", "active", 2_000)
    # The invoice can be paid before the change.
    assert stated(13, "renewed", "of_pro") == ("starter", "active", 2_000)
    assert stated(14, "subscribed", "of_pro", "pro") == ("pro", "active", 10_000)
    assert balanced(user)


def test_a_price_that_is_not_offered_any_more_keeps_what_is_paid_and_pays_for_nothing_else(db: None) -> None:
    user, now = make_user("free"), timezone.now()

    def stated(number: int, kind: Any, price: str, plan: str = "") -> str:
        facts = Facts(kind, subject="s", plan=plan, prices=(price,))
        _receive(user, number, facts, now - timedelta(hours=30 - number))
        user.refresh_from_db()
        return user.plan.code

    assert stated(1, "subscribed", "of_starter", "starter") == "starter"
    assert stated(2, "subscribed", "of_scale", "scale") == "starter"
    assert stated(3, "subscribed", "of_another") == "starter"
    assert stated(4, "renewed", "of_another") == "starter"
    assert stated(5, "renewed", "of_scale") == "scale"


def test_a_plan_whose_price_is_entered_after_it_was_bought_counts_as_paid(db: None) -> None:
    user, now = make_user("free"), timezone.now()

    def stated(number: int, price: str, plan: str = "") -> str:
        facts = Facts("subscribed", subject="s", plan=plan, prices=(price,))
        _receive(user, number, facts, now - timedelta(hours=9 - number))
        user.refresh_from_db()
        return user.plan.code

    assert stated(1, "of_pro") == "free"
    assert stated(2, "of_pro", "pro") == "pro"
    assert stated(3, "of_scale", "scale") == "pro"


def test_changes_recorded_without_prices_count_at_once(db: None) -> None:
    """As they did when they came: a plan that was given is not taken back by a release."""
    user, now = make_user("free"), timezone.now()

    def stated(number: int, kind: Any, plan: str = "", **more: Any) -> str:
        _receive(user, number, Facts(kind, subject="s", plan=plan, **more), now - timedelta(hours=9 - number))
        user.refresh_from_db()
        return user.plan.code

    assert stated(1, "subscribed", "starter") == "starter"
    assert stated(2, "renewed") == "starter"
    assert stated(3, "subscribed", "pro") == "pro"
    assert stated(4, "subscribed", "scale", prices=("of_scale",)) == "pro"
    assert stated(5, "renewed", prices=("of_scale",)) == "scale"


def test_every_page_shows_a_due_payment_until_it_is_paid_or_the_plan_ends(db: None) -> None:
    user, now, client = make_user("free"), timezone.now(), Client()
    client.force_login(user)

    def has_notice() -> set[bool]:
        pages = [client.get(each).content.decode() for each in ("/", "/account", "/usage", "/plans")]
        return {"Your last payment failed" in each for each in pages}

    _receive(user, 1, Facts("subscribed", subject="s", plan="pro"), now - timedelta(days=30))
    assert has_notice() == {False}
    _receive(user, 2, Facts("past_due", subject="s"), now - timedelta(days=1))
    assert has_notice() == {True}
    events.settle(user, now=now + timedelta(days=9))
    assert has_notice() == {True}
    _receive(user, 3, Facts("ended", subject="s"), now)
    assert has_notice() == {False}
    assert b"Your last payment failed" not in Client().get("/plans").content


def test_a_cancelled_plan_lasts_until_its_period_ends(db: None) -> None:
    user, now = make_user("free"), timezone.now()
    end = now + timedelta(days=10)
    _receive(user, 1, Facts("subscribed", subject="s", plan="pro", period_end=end.isoformat()), now - timedelta(days=3))
    _receive(user, 2, Facts("subscribed", subject="s", plan="pro", period_end=end.isoformat(), ending=True), now)
    user.refresh_from_db()
    assert (user.plan.code, Standing.objects.get(user=user).status) == ("pro", "ending")
    assert events.settle_all(end - timedelta(seconds=1)) == 0
    assert events.settle_all(end) == 1
    user.refresh_from_db()
    assert user.plan.code == "free"
    assert events.settle_all(end) == 0


def test_a_refund_of_everything_ends_the_plan_and_one_of_spent_credits_waits_for_others(db: None) -> None:
    user, now = make_user("free"), timezone.now()
    _receive(user, 1, Facts("subscribed", subject="s", plan="pro"), now - timedelta(days=9))
    _receive(user, 2, Facts("refunded"), now - timedelta(days=8))
    user.refresh_from_db()
    assert user.plan.code == "free"
    _receive(user, 3, Facts("bought", subject="p", credits=500), now - timedelta(days=7))
    ledger.grant(user, -450, reason="as if spent")
    event = _receive(user, 4, Facts("refunded", subject="p", credits=500), now - timedelta(days=6))
    assert event.outcome == "-50 credits."
    _receive(user, 5, Facts("bought", subject="q", credits=600), now - timedelta(days=5))
    user.refresh_from_db()
    assert user.extra_credits == 150  # 600 less the 450 that were owed
    assert balanced(user)


def test_a_purchase_beyond_the_highest_balance_is_recorded_and_given_once_there_is_room(db: None) -> None:
    user, now = make_user("free"), timezone.now()
    User.objects.filter(pk=user.pk).update(extra_credits=MAX_BALANCE - user.monthly_credits - 100)
    event = _receive(user, 1, Facts("bought", subject="p", credits=500), now)
    assert "+100 of 500" in event.outcome
    user.refresh_from_db()
    assert user.credits == MAX_BALANCE
    ledger.grant(user, -1_000, reason="as if spent")
    _receive(user, 2, Facts("bought", subject="q", credits=5), now)
    assert User.objects.get(pk=user.pk).credits == MAX_BALANCE - 1_000 + 400 + 5
    assert Standing.objects.get(user=user).credits == 505


def test_purchases_kept_for_an_unknown_account_may_exceed_one_ledger_entry(db: None) -> None:
    user, now = make_user("free"), timezone.now()
    for number in (1, 2):
        facts = Facts("bought", subject=f"p{number}", credits=MAX_ENTRY)
        events.receive(Notice("stripe", f"evt_{number}", "x", now, facts, "cus_1"))
    events.receive(Notice("stripe", "evt_3", "x", now, Facts("bought", subject="p3", credits=5), "cus_1", str(user.pk)))
    user.refresh_from_db()
    assert (user.extra_credits, balanced(user)) == (2 * MAX_ENTRY + 5, True)
    refund = Facts("refunded", subject="p1", credits=MAX_ENTRY)
    events.receive(Notice("stripe", "evt_4", "x", now, refund, "cus_1"))
    user.refresh_from_db()
    assert (user.extra_credits, balanced(user)) == (MAX_ENTRY + 5, True)


def test_a_plan_set_by_staff_stays_without_purchases(db: None) -> None:
    user, now = make_user("scale"), timezone.now()
    _receive(user, 1, Facts("bought", subject="p", credits=500), now)
    _receive(user, 2, Facts("ended", subject="s"), now)
    user.refresh_from_db()
    assert (user.plan.code, user.extra_credits) == ("scale", 500)


def test_a_refunded_plan_does_not_return_when_changed_or_ended(db: None) -> None:
    user, now = make_user("free"), timezone.now()
    later = (now + timedelta(days=20)).isoformat()
    _receive(user, 1, Facts("subscribed", subject="s", plan="pro", period_end=later), now - timedelta(days=9))
    _receive(user, 2, Facts("refunded"), now - timedelta(days=8))
    for number, facts in enumerate(
        (
            Facts("subscribed", subject="s", plan="pro", period_end=later, ending=True),
            Facts("subscribed", subject="s", plan="scale", period_end=later),
        )
    ):
        _receive(user, 3 + number, facts, now - timedelta(days=7 - number))
        user.refresh_from_db()
        assert user.plan.code == "free"
    _receive(user, 5, Facts("renewed", subject="s", period_end=later), now)
    user.refresh_from_db()
    assert user.plan.code == "scale"


def test_a_refund_ends_only_its_own_subscription(db: None) -> None:
    user, now = make_user("free"), timezone.now()
    for number, subject in enumerate("st"):
        _receive(user, number, Facts("subscribed", subject=subject, plan="pro"), now - timedelta(days=9))
    _receive(user, 3, Facts("refunded"), now - timedelta(days=8))
    _receive(user, 4, Facts("ended", subject="t"), now - timedelta(days=8))
    user.refresh_from_db()
    assert user.plan.code == "pro"
    _receive(user, 5, Facts("refunded"), now - timedelta(days=7))
    user.refresh_from_db()
    assert user.plan.code == "free"


def test_paying_a_price_no_longer_offered_keeps_the_plan(db: None) -> None:
    user, now = make_user("free"), timezone.now()
    _receive(user, 1, Facts("subscribed", subject="s", plan="pro"), now - timedelta(days=9))
    event = _receive(user, 2, Facts("subscribed", subject="s", plan=""), now - timedelta(days=8))
    user.refresh_from_db()
    assert user.plan.code == "pro"
    assert event.outcome.startswith("No plan here has the price")


@pytest.mark.parametrize("naming", ["nothing", "bought"])
def test_earlier_events_belong_to_the_account_named_later(db: None, naming: Any) -> None:
    user, now = make_user("free"), timezone.now()
    unnamed = Notice(
        "stripe", "evt_1", "x", now - timedelta(days=1), Facts("subscribed", subject="s", plan="pro"), customer="cus_1"
    )
    assert events.receive(unnamed).outcome.startswith("Kept")
    credits = 500 if naming == "bought" else 0
    _receive(user, 2, Facts(naming, subject="p", credits=credits), now)
    user.refresh_from_db()
    assert (user.plan.code, user.extra_credits) == ("pro", credits)
    assert balanced(user)


def test_a_downgrade_and_upgrade_restores_no_spent_credits(db: None) -> None:
    user, now = make_user("free"), timezone.now()
    _receive(user, 0, Facts("subscribed", subject="s", plan="pro"), now - timedelta(days=9))
    user.refresh_from_db()
    spent = user.monthly_credits
    ledger.charge(user, spent, reference=uuid4(), reason="a large conversion")
    for number, plan in enumerate(("starter", "scale", "starter", "pro", "scale", "pro"), 1):
        _receive(user, number, Facts("subscribed", subject="s", plan=plan), now - timedelta(hours=9 - number))
        user.refresh_from_db()
        assert user.monthly_credits == max(0, user.plan.credits - spent)
        assert balanced(user)


def test_staff_see_unassigned_events_but_not_other_staff_s_purchases(db: None) -> None:
    now, clerk = timezone.now(), make_user("free", "clerk@example.org", is_staff=True)
    rights = Permission.objects.filter(content_type__app_label="billing", codename__startswith="view_")
    clerk.user_permissions.set(rights)
    client = Client()
    client.force_login(clerk)
    events.receive(Notice("stripe", "evt_unknown", "x", now, Facts("subscribed", subject="s", plan="pro"), "cus_9"))
    _receive(make_user("free", "ada@example.org"), 1, Facts("bought", subject="p", credits=5), now)
    colleague = make_user("free", "boss@example.org", is_staff=True)
    bought = Facts("bought", subject="q", credits=5)
    events.receive(Notice("stripe", "evt_boss", "x", now, bought, "cus_2", user=str(colleague.pk)))
    listed = client.get("/admin/billing/event/").content.decode()
    assert ("evt_unknown" in listed, "ada@example.org" in listed, "evt_boss" in listed) == (True, True, False)
    standings = client.get("/admin/billing/standing/").content.decode()
    assert ("ada@example.org" in standings, "boss@example.org" in standings) == (True, False)
