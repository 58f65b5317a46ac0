"""Credits: every change is a ledger entry, and the balance is their sum; the database enforces it."""

from __future__ import annotations

import uuid
from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import Error, IntegrityError, connection, transaction
from django.db.models import Sum

from accounts.credits import ledger
from accounts.errors import PaymentRequired
from accounts.models import CreditEntry, LimitOverride, Plan, User
from tests.conftest import Clock, Person, make_user


def total(user: User) -> int:
    return CreditEntry.objects.filter(user=user).aggregate(total=Sum("amount"))["total"] or 0


def balance(user: User) -> int:
    return User.objects.get(pk=user.pk).credits


@pytest.mark.django_db
def test_the_month_s_credits_are_spent_before_the_granted_ones() -> None:
    user = make_user("free")
    ledger.grant(user, 50, reason="sorry")
    assert ledger.charge(user, 120, reference=uuid.uuid4(), reason="x") == 30
    user.refresh_from_db()
    assert (user.monthly_credits, user.extra_credits) == (0, 30)
    assert total(user) == balance(user) == 30


@pytest.mark.django_db
def test_a_charge_beyond_the_balance_changes_nothing() -> None:
    user = make_user("free")
    with pytest.raises(PaymentRequired) as raised, transaction.atomic():
        ledger.charge(user, 101, reference=uuid.uuid4(), reason="x")
    assert raised.value.meta["requiredCredits"] == 101
    assert raised.value.meta["remainingCredits"] == 100
    assert total(user) == balance(user) == 100


@pytest.mark.django_db
def test_one_conversion_is_never_paid_twice() -> None:
    user = make_user("free")
    reference = uuid.uuid4()
    ledger.charge(user, 1, reference=reference, reason="x")
    with pytest.raises(IntegrityError), transaction.atomic():
        ledger.charge(user, 1, reference=reference, reason="x")
    assert total(user) == balance(user) == 99


@pytest.mark.django_db
def test_a_new_month_refills_the_allowance_once_and_keeps_granted_credits(clock: Clock) -> None:
    user = make_user("free")
    ledger.grant(user, 7, reason="gift")
    ledger.charge(user, 60, reference=uuid.uuid4(), reason="x")
    clock.set(days=32)
    for _ in range(2):
        ledger.top_up(user)
    assert user.credits == balance(user) == total(user) == 107
    assert CreditEntry.objects.filter(user=user, kind="top_up").count() == 2


@pytest.mark.django_db
def test_a_stale_copy_of_the_account_does_not_top_up_again() -> None:
    user = make_user("free")
    stale = User.objects.get(pk=user.pk)
    stale.period = date(1970, 1, 1)
    ledger.top_up(stale)
    assert total(user) == 100
    assert stale.credits == 100


@pytest.mark.django_db
def test_the_first_use_in_a_month_tops_up(free: Person) -> None:
    User.objects.update(period=date(2020, 1, 1), monthly_credits=0)
    assert free.get("/account").json()["data"]["credits"]["remaining"] == 100


@pytest.mark.django_db
def test_an_upgrade_adds_credits_immediately_and_used_credits_stay_used() -> None:
    user = make_user("free")
    ledger.charge(user, 40, reference=uuid.uuid4(), reason="x")
    ledger.change_plan(user, Plan.objects.get(code="starter"), reason="paid")
    assert user.credits == 1_960
    ledger.change_plan(user, Plan.objects.get(code="free"), reason="left")
    assert user.credits == balance(user) == total(user) == 60


@pytest.mark.django_db
def test_an_override_of_the_allowance_counts() -> None:
    user = make_user("free")
    LimitOverride.objects.create(user=user, credits=500)
    User.objects.update(period=date(2020, 1, 1))
    user = User.objects.get(pk=user.pk)
    ledger.top_up(user)
    assert user.credits == total(user) == 500


@pytest.mark.django_db
def test_staff_can_take_back_only_what_is_left_of_a_grant() -> None:
    user = make_user("free")
    ledger.grant(user, 10, reason="gift")
    ledger.grant(user, -4, reason="less")
    with pytest.raises(ValueError):
        ledger.grant(user, -7, reason="too much")
    assert balance(user) == total(user) == 106


@pytest.mark.django_db
@pytest.mark.parametrize(
    "statement", ["UPDATE accounts_creditentry SET amount = amount + 1", "DELETE FROM accounts_creditentry"]
)
def test_the_database_refuses_to_change_or_delete_an_entry(statement: str) -> None:
    make_user("free")
    with pytest.raises(Error), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert CreditEntry.objects.get().amount == 100


@pytest.mark.django_db
@pytest.mark.parametrize("column", ["monthly_credits", "extra_credits"])
def test_the_database_refuses_a_negative_balance(column: str) -> None:
    make_user("free")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.update(**{column: -1})


@pytest.mark.django_db
def test_management_commands_grant_credits_and_set_plans() -> None:
    user = make_user("free", "ada@example.org")
    out = StringIO()
    call_command("set_plan", "Ada@example.org", "Pro", stdout=out)
    call_command("grant_credits", "ada@example.org", "25", "--reason", "thanks", stdout=out)
    assert balance(user) == total(user) == 10_025
    assert CreditEntry.objects.filter(user=user, kind="grant").get().reason == "thanks"
    for arguments in (("set_plan", "nobody@example.org", "pro"), ("set_plan", "ada@example.org", "gold")):
        with pytest.raises(CommandError):
            call_command(*arguments)
    with pytest.raises(CommandError):
        call_command("grant_credits", "ada@example.org", "0")


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no TRUNCATE")
@pytest.mark.django_db
@pytest.mark.parametrize("tables", ["accounts_creditentry", "accounts_user CASCADE"])
def test_the_ledger_cannot_be_truncated(tables: str) -> None:
    user = make_user("free")
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(IntegrityError), transaction.atomic():
            cursor.execute(f"TRUNCATE {tables}")
    assert total(user) == balance(user) == 100
