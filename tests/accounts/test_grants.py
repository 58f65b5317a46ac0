"""Staff grants happen once, within bounds that the database enforces, and appear in the account's history."""

from __future__ import annotations

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, connections, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Sum
from django.test import Client

from accounts.credits import ledger
from accounts.models import MAX_BALANCE, MAX_ENTRY, CreditEntry, LimitOverride, Plan, User
from tests.config.test_admin import filled
from tests.conftest import make_user

LEDGER = "/admin/accounts/creditentry/add/"
LIST = "/admin/accounts/user/"


def _balanced(user: User) -> bool:
    total = CreditEntry.objects.filter(user=user).aggregate(total=Sum("amount"))["total"]
    return bool(User.objects.get(pk=user.pk).credits == total)


def _history(user: User) -> list[str]:
    entries = LogEntry.objects.filter(object_id=str(user.pk), content_type__model="user").order_by("pk")
    return [each.get_change_message() for each in entries]


def _form(staff: Client, path: str, **given: Any) -> dict[str, Any]:
    """A form as it is shown now, filled in."""
    return {**filled(staff.get(path).content.decode()), "apply": "1", "reason": "sorry", **given}


def _granted(user: User) -> list[int]:
    return list(CreditEntry.objects.filter(user=user, kind="grant").values_list("amount", flat=True))


@pytest.fixture
def ada(db: None) -> User:
    return make_user("free", "ada@example.org")


def test_a_resubmitted_form_grants_once(staff: Client, ada: User) -> None:
    path = f"{LIST}{ada.pk}/grant/"
    form = _form(staff, path, amount="50")
    again = {**form, "amount": "60"}
    for each in (form, form, again):
        assert staff.post(path, each).status_code == 302
    assert (_granted(ada), _history(ada)) == ([50], ["Granted +50 credits: sorry"])
    assert b"sent before" in staff.get(LIST).content
    assert staff.post(path, _form(staff, path, amount="60")).status_code == 302
    assert _granted(ada) == [60, 50]
    assert _balanced(ada)


def test_a_form_without_its_token_grants_nothing(staff: Client, ada: User) -> None:
    path = f"{LIST}{ada.pk}/grant/"
    for token in ("", "x"):
        assert staff.post(path, _form(staff, path, amount="5", form_token=token)).status_code == 200
        assert staff.post(LEDGER, _form(staff, LEDGER, amount="5", user=ada.pk, form_token=token)).status_code == 200
    assert _granted(ada) == []


@pytest.mark.parametrize("given", ["x", "0", "9" * 400, "\0", str(uuid.UUID(int=0))])
def test_an_entry_for_an_account_that_does_not_exist_is_refused_under_its_field(staff: Client, given: str) -> None:
    answer = staff.post(LEDGER, _form(staff, LEDGER, amount="7", user=given))
    assert (answer.status_code, list(answer.context["adminform"].form.errors)) == (200, ["user"])
    assert staff.get(LEDGER, {"user": given}).status_code == 200
    assert not CreditEntry.objects.filter(kind="grant").exists()


def test_a_resubmitted_ledger_entry_grants_once(staff: Client, ada: User) -> None:
    form = _form(staff, LEDGER, amount="7", user=str(ada.pk))
    assert [staff.post(LEDGER, form).status_code for _ in range(2)] == [302, 200]
    assert (_granted(ada), _history(ada)) == ([7], ["Granted +7 credits: sorry"])


def test_a_resubmitted_grant_to_several_accounts_reaches_each_once(staff: Client, ada: User) -> None:
    bob = make_user()
    chosen = {"action": "grant_credits", "_selected_action": [str(ada.pk), str(bob.pk)]}
    page = staff.post(LIST, chosen).content.decode()
    form = {**filled(page), **chosen, "apply": "1", "amount": "9", "reason": "all"}
    # The first try was interrupted after one of the two.
    ledger.grant(ada, 9, reason="all", token=uuid.UUID(form["form_token"]))  # type: ignore[arg-type]
    for _ in range(2):
        assert staff.post(LIST, form).status_code == 302
    assert (_granted(ada), _granted(bob)) == ([9], [9])
    assert _history(bob) == ["Granted +9 credits: all"]


def test_a_plan_change_is_made_once_and_logged(staff: Client, ada: User) -> None:
    pro = Plan.objects.get(code="pro")
    path = f"{LIST}{ada.pk}/plan/"
    form = _form(staff, path, plan=pro.pk)
    for _ in range(2):
        assert staff.post(path, form).status_code == 302
    chosen = {"action": "change_plan", "_selected_action": [str(ada.pk)]}
    page = staff.post(LIST, chosen).content.decode()
    free = Plan.objects.get(code="free")
    for _ in range(2):
        staff.post(LIST, {**filled(page), **chosen, "apply": "1", "plan": free.pk, "reason": "left"})
    assert _history(ada) == ["Changed plan from Free to Pro: sorry", "Changed plan from Pro to Free: left"]
    assert CreditEntry.objects.filter(user=ada, kind="plan_change").count() == 2
    assert _balanced(ada)


@pytest.mark.parametrize("door", ["account", "list", "ledger"])
def test_of_parallel_posts_of_one_form_one_grants(transactional_db: None, door: str) -> None:
    boss, user = make_user(is_staff=True, is_superuser=True), make_user("free")
    clients = [Client() for _ in range(6)]
    for each in clients:
        each.force_login(boss)
    path = {"account": f"{LIST}{user.pk}/grant/", "list": LIST, "ledger": LEDGER}[door]
    form = _form(clients[0], LEDGER, amount="50", user=str(user.pk))
    form |= {"action": "grant_credits", "_selected_action": str(user.pk)}
    start = threading.Barrier(len(clients))

    def send(client: Client) -> int:
        start.wait()
        try:
            return int(client.post(path, form).status_code)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(clients)) as pool:
        assert set(pool.map(send, clients)) <= {200, 302}
    assert (_granted(user), _history(user)) == ([50], ["Granted +50 credits: sorry"])
    assert _balanced(user)


def test_the_database_allows_one_entry_per_form_and_account(ada: User) -> None:
    token = uuid.uuid4()
    row = {"kind": "grant", "amount": 1, "balance": 101, "token": token}
    CreditEntry.objects.create(user=ada, **row)
    CreditEntry.objects.create(user=make_user(), **row)
    with pytest.raises(IntegrityError), transaction.atomic():
        CreditEntry.objects.create(user=ada, **row)


TOO_MUCH = [MAX_ENTRY + 1, -MAX_ENTRY - 1, 10**15, 2**63 - 1, -(2**63), 2**63, 10**30]


@pytest.mark.parametrize("amount", [*TOO_MUCH, 0])
def test_amounts_above_the_maximum_are_refused_everywhere(staff: Client, ada: User, amount: int) -> None:
    path = f"{LIST}{ada.pk}/grant/"
    assert staff.post(LEDGER, _form(staff, LEDGER, amount=amount, user=str(ada.pk))).status_code == 200
    assert staff.post(path, _form(staff, path, amount=amount)).status_code == (302 if amount == 0 else 200)
    with pytest.raises(CommandError):
        call_command("grant_credits", ada.email, str(amount))
    with pytest.raises(ledger.ImpossibleChange):
        ledger.grant(ada, amount, reason="x")
    assert (_granted(ada), _history(ada)) == ([], [])
    assert _balanced(ada)


@pytest.mark.parametrize("amount", [each for each in TOO_MUCH if abs(each) < 2**63])
def test_the_database_refuses_amounts_above_the_maximum(ada: User, amount: int) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        CreditEntry.objects.create(user=ada, kind="grant", amount=amount, balance=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        CreditEntry.objects.create(user=ada, kind="grant", amount=1, balance=MAX_BALANCE + 1)


def test_the_maximum_can_be_granted_and_no_balance_exceeds_its_bound(ada: User) -> None:
    ledger.grant(ada, MAX_ENTRY, reason="x")
    User.objects.filter(pk=ada.pk).update(extra_credits=MAX_BALANCE - 150)
    ada.refresh_from_db()
    ledger.grant(ada, 50, reason="to the bound")
    with pytest.raises(ledger.ImpossibleChange):
        ledger.grant(ada, 1, reason="beyond")
    assert ledger.charge(ada, 1, reference=uuid.uuid4(), reason="x") == MAX_BALANCE - 1


def test_the_largest_allowances_keep_every_entry_within_bounds(ada: User) -> None:
    Plan.objects.filter(code="scale").update(credits=MAX_ENTRY)
    scale, free = Plan.objects.get(code="scale"), Plan.objects.get(code="free")
    ledger.change_plan(ada, scale, reason="up")
    Plan.objects.filter(code="scale").update(credits=0)
    LimitOverride.objects.create(user=User.objects.get(pk=ada.pk), credits=None)
    for plan in (free, scale, free):
        Plan.objects.filter(code="free").update(credits=MAX_ENTRY)
        ledger.change_plan(User.objects.get(pk=ada.pk), Plan.objects.get(pk=plan.pk), reason="to and fro")
    ada.refresh_from_db()
    assert 0 <= ada.credits <= MAX_ENTRY
    assert _balanced(ada)


@pytest.mark.ci
def test_grants_of_an_earlier_release_remain_usable(transactional_db: None) -> None:
    executor = MigrationExecutor(connection)
    executor.migrate([("accounts", "0003_add_only_ledger")])
    try:
        old = executor.loader.project_state([("accounts", "0003_add_only_ledger")]).apps
        user = old.get_model("accounts", "User").objects.create(
            email="rich@example.org",
            plan=old.get_model("accounts", "Plan").objects.get(code="free"),
            extra_credits=10**15,
            period="2999-01-01",
        )
        entries = old.get_model("accounts", "CreditEntry").objects
        entries.create(user=user, kind="grant", amount=10**15, balance=10**15)
    finally:
        latest = MigrationExecutor(connection)
        latest.migrate(latest.loader.graph.leaf_nodes())
    rich = User.objects.get(email="rich@example.org")
    assert ledger.charge(rich, 1, reference=uuid.uuid4(), reason="x") == 10**15 - 1
    ledger.grant(rich, -MAX_ENTRY, reason="too much")
    assert _balanced(rich)
    with pytest.raises(ledger.ImpossibleChange):
        ledger.grant(rich, 1, reason="more")
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM accounts_creditentry")
