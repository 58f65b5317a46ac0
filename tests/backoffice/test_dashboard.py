"""The dashboard: daily sums kept by the database, in a constant number of queries."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.translation import override

from accounts.credits import figures, ledger
from accounts.models import Figure, Plan, User
from backoffice.dashboard import dashboard
from conversions.models import Conversion, Day
from conversions.work.account_deletion import delete_account
from tests.conftest import Person, make_user
from tests.conversions.samples import PEOPLE
from tests.conversions.test_history import record


def _panels() -> dict[str, str]:
    return {each.title: each.total for each in dashboard(money=True).panels}


def _shares() -> dict[str, int]:
    return {each.name: each.accounts for each in dashboard(money=True).plans}


def test_conversions_are_counted_as_they_are_recorded(guest: Person, program: Person) -> None:
    for person in (guest, program, program):
        assert person.convert("json-to-csv", PEOPLE).status_code == 201
    assert program.convert("json-to-csv", b"{").status_code == 422
    done, failed = Day.objects.get(code=""), Day.objects.get(code="UNSUPPORTED_FORMAT")
    assert (done.slug, done.day, done.conversions, failed.conversions) == (
        "json-to-csv", datetime.now(UTC).date(), 3, 1,
    )  # fmt: skip
    made = Conversion.objects.filter(status="completed")
    assert done.bytes_in == 3 * len(PEOPLE)
    assert done.bytes_out == sum(each.output_bytes or 0 for each in made)
    assert done.duration_ms == sum(each.duration_ms for each in made)
    assert done.credits == sum(each.credits for each in made) == 2
    shown = _panels()
    assert (shown["Conversions"], shown["Credits spent"], shown["Accounts that converted"]) == ("4", "2", "1")
    failures = dashboard(money=False).failures
    assert failures == ({"slug": "json-to-csv", "code": "UNSUPPORTED_FORMAT", "number": 1},)


def test_rolled_back_conversions_are_not_counted(program: Person) -> None:
    def undone() -> None:
        with transaction.atomic():
            record(program.account)
            assert Day.objects.get().conversions == 1
            raise RuntimeError

    with pytest.raises(RuntimeError):
        undone()
    assert not Day.objects.exists()


def test_older_days_are_not_shown_and_the_sums_outlive_their_conversions(paying: Person) -> None:
    for days in (29, 30):
        record(paying.account, created_at=timezone.now() - timedelta(days=days))
    Conversion.objects.all().delete()
    assert _panels()["Conversions"] == "1"


def test_sign_ups_and_accounts_by_plan_follow_every_change(paying: Person) -> None:
    shares, made = _shares(), int(_panels()["Sign-ups"])
    user = make_user("free")
    assert _shares() == {**shares, "Free": shares["Free"] + 1}
    ledger.change_plan(user, Plan.objects.get(code="pro"), reason="paid")
    assert _shares() == {**shares, "Pro": shares["Pro"] + 1}
    delete_account(user)
    assert _shares() == shares
    assert int(_panels()["Sign-ups"]) == made + 1


def test_revenue_is_shown_by_currency_to_those_who_may_see_money(staff: Client) -> None:
    figures.add_revenue(1999, "eur")
    figures.add_revenue(-499, "EUR")
    figures.add_revenue(500, "jpy")
    figures.add_revenue(7, "EUR", day=datetime.now(UTC).date() - timedelta(days=40))
    shown = _panels()
    assert (shown["Revenue in EUR"], shown["Revenue in JPY"]) == ("15.00", "500")
    assert b"Revenue in EUR" in staff.get("/admin/").content
    clerk = Client()
    clerk.force_login(make_user("free", is_staff=True))
    page = clerk.get("/admin/").content
    assert b"Conversions" in page
    assert b"Revenue" not in page
    assert b"Accounts by plan" not in page


def test_panels_are_named_in_the_reader_s_language(paying: Person) -> None:
    record(paying.account, failed=True)
    with override("de"):
        first = dashboard(money=True)
    assert (first.panels[0].title, first.panels[0].note) == ("Umwandlungen", "1 fehlgeschlagen")
    assert first.today[0][0] == "Umwandlungen"


def test_the_dashboard_takes_five_queries_for_any_number_of_conversions(
    paying: Person, django_assert_num_queries: Any
) -> None:
    for number in range(4):
        record(paying.account, slug=f"a{number}-to-b", created_at=timezone.now() - timedelta(days=number))
        with django_assert_num_queries(5):
            dashboard(money=True)
    with CaptureQueriesContext(connection) as queries:
        dashboard(money=True)
    assert not [each for each in queries if "conversions_conversion" in each["sql"]]


def test_conversions_at_once_are_all_counted(transactional_db: None, paying: Person) -> None:
    def work() -> None:
        try:
            for _ in range(10):
                with transaction.atomic():
                    record(paying.account)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sum(Day.objects.values_list("conversions", flat=True)) == 40
    assert Day.objects.count() <= Figure.SHARDS


def test_plan_totals_stay_correct_during_concurrent_changes(transactional_db: None) -> None:
    pro = Plan.objects.get(code="pro")
    users = [make_user("free") for _ in range(8)]

    def move(user: User) -> None:
        try:
            ledger.change_plan(user, pro, reason="paid")
        finally:
            connections.close_all()

    threads = [threading.Thread(target=move, args=[each]) for each in users]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    shares = _shares()
    assert (shares["Free"], shares["Pro"]) == (0, 8)


@pytest.mark.django_db
def test_the_counting_triggers_exist_after_all_migrations() -> None:
    """A later migration that makes a table anew on SQLite would lose its triggers."""
    sought = {"conversion_counted", "usage_counted", "user_made", "user_moved", "user_gone"}
    tables = {"sqlite": ("sqlite_master", "name", "type = 'trigger'"), "postgresql": ("pg_trigger", "tgname", "true")}
    table, column, condition = tables[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {column} FROM {table} WHERE {condition}")
        assert sought <= {row[0] for row in cursor.fetchall()}
        if connection.vendor == "sqlite":
            cursor.execute("SELECT 1 FROM sqlite_master WHERE name = 'conversion_by_name'")
        else:
            cursor.execute("SELECT 1 FROM pg_indexes WHERE indexname = 'conversion_by_name'")
        assert cursor.fetchone()
