"""Expired rows: one sweep deletes them in batches, and keeps what must stay."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.test import Client
from django.utils import timezone

from accounts import outdated
from accounts.login import tokens
from accounts.login.devices import BrowserSession
from accounts.models import CreditEntry, GuestDay, Login, SpentToken
from accounts.people import organisations
from accounts.people.changes import EmailChange
from accounts.people.invitations import Invitation
from billing import events
from billing.events import Notice
from billing.facts import Facts
from billing.models import Event
from conversions.models import Conversion, Day, IdempotencyKey, Usage
from conversions.work import idempotency
from storage.models import Removal
from tests.conftest import Person, with_key
from tests.conversions.samples import PEOPLE

KEPT = {
    "accounts.CreditEntry": "the ledger",
    "backoffice.AuditEntry": "the audit log",
    "admin.LogEntry": "what staff have changed, as the audit log",
    "billing.Order": "what was ordered",
    "billing.Customer": "whose events a provider sends",
    "billing.Standing": "one of an account",
    "billing.OpenCheckout": "one of an account",
    "accounts.User": "accounts are deleted by their owners",
    "accounts.LimitOverride": "one of an account",
    "accounts.Membership": "ends with the account or the organisation",
    "accounts.Note": "ends with the account",
    "accounts.Passkey": "ends with the account",
    "accounts.Totp": "ends with the account",
    "accounts.RecoveryCode": "ends with the account",
    "accounts.Identity": "ends with the account",
    "apikeys.ApiKey": "ends with the account",
    "accounts.SpentToken": "ends with its log-in",
    "storage.StoredFile": "ends with its time, by the same command",
    "storage.Removal": "ends with its conversion",
    "accounts.Figure": "grows with time alone",
    "conversions.Day": "grows with time alone",
    "conversions.ReceiptKey": "changes of the secret",
    **dict.fromkeys(("accounts.Plan", "billing.PlanPrice", "billing.CreditPack"), "what is offered"),
    **dict.fromkeys(("conversions.Price", "conversions.Restriction"), "what is offered"),
    "backoffice.Announcement": "what staff have written",
}
"""Why rows of other models are not swept."""
OF_DJANGO = {"auth", "contenttypes", "sessions"}


def swept(now: datetime | None = None) -> dict[str, int]:
    return outdated.sweep(now or timezone.now())


def test_every_kind_of_rows_is_swept_or_declared_permanent() -> None:
    by_sweep = {each.rows(timezone.now()).model._meta.label for each in outdated.declared()}
    every = {each._meta.label for each in apps.get_models() if each._meta.app_label not in OF_DJANGO}
    assert by_sweep & KEPT.keys() == set()
    assert every == by_sweep | KEPT.keys()


def test_each_kind_is_found_by_an_index(db: None) -> None:
    """A sweep comes every few minutes; it must not read all that there ever was."""
    for kind in outdated.declared():
        if kind.name in ("events", "invitations", "changes of address"):
            continue  # some of each account, or each payment
        with transaction.atomic(), connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SET LOCAL enable_seqscan = off")
            plan = kind.rows(timezone.now()).order_by().values("pk")[: outdated.BATCH].explain()
        assert "Seq Scan" not in plan, kind.name
        assert connection.vendor != "sqlite" or "SCAN" not in plan, kind.name


def test_conversions_of_guests_go_with_their_receipts_when_it_is_time(
    guest: Person, paying: Person, settings: Any, clock: Any
) -> None:
    settings.GUEST_RECORDS_DAYS = 5
    made = guest.convert("json-to-csv", PEOPLE).json()["data"]
    assert guest.convert("json-to-csv", b"no json").status_code == 422
    own = paying.convert("json-to-csv", PEOPLE).json()["data"]
    receipt = f"/api/v1/converter/history/{made['id']}/receipt"
    before = [(each.conversions, each.bytes_in) for each in Day.objects.order_by("pk")]
    clock.set(days=4, hours=23)
    call_command("purge_expired_files", stdout=StringIO())
    assert Client().get(receipt).json()["data"]["receipt"]["output"]["deletedAt"] is not None
    assert Removal.objects.count() == 2
    clock.set(days=5, seconds=1)
    output = StringIO()
    call_command("purge_expired_files", stdout=output)
    assert "2 conversions of guests deleted" in output.getvalue()
    assert Client().get(receipt).status_code == 404
    assert [str(each.pk) for each in Conversion.objects.all()] == [own["id"]]
    assert Removal.objects.count() == 1
    # The sums stay, and what is charged does.
    assert [(each.conversions, each.bytes_in) for each in Day.objects.order_by("pk")] == before
    assert CreditEntry.objects.filter(user=paying.account, kind="conversion").count() == 1


def test_a_guest_s_record_stays_while_its_file_can_be_downloaded(guest: Person, clock: Any) -> None:
    guest.convert("json-to-csv", PEOPLE)
    Conversion.objects.update(expires_at=timezone.now() + timedelta(days=100))
    clock.set(days=99)
    assert "conversions of guests" not in swept()
    clock.set(days=101)
    assert swept()["conversions of guests"] == 1


def test_idempotency_keys_go_when_they_no_longer_replay(paying: Person, clock: Any) -> None:
    program = with_key(paying.account)
    for number in range(3):
        answer = program.convert("json-to-csv", PEOPLE, headers={"Idempotency-Key": f"key-{number}"})
        assert answer.status_code == 201
    clock.set(hours=23, minutes=59)
    assert "idempotency keys" not in swept()
    clock.set(hours=24, seconds=1)
    assert swept()["idempotency keys"] == 3
    assert Conversion.objects.count() == 3
    again = program.convert("json-to-csv", PEOPLE, headers={"Idempotency-Key": "key-0"})
    assert (again.status_code, "Idempotency-Replayed" in again) == (201, False)


def test_a_key_whose_request_is_under_way_stays(paying: Person) -> None:
    claim = idempotency.claim(paying.account, "key", "mark")
    assert isinstance(claim, idempotency.Claim)
    IdempotencyKey.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert "idempotency keys" not in swept()
    assert IdempotencyKey.objects.get().token == claim.token


def test_expired_logins_and_sessions_are_deleted(paying: Person, settings: Any, clock: Any) -> None:
    settings.ENDED_RECORDS_DAYS = 3
    pair = tokens.issue(paying.account)
    tokens.rotate(pair.refresh)
    Client().force_login(paying.account)
    logins = Login.objects.count()
    clock.set(days=9, hours=23)
    assert "log-ins" not in swept()
    assert (Login.objects.count(), BrowserSession.objects.count()) == (logins, 1)
    clock.set(days=10, hours=1)
    assert swept()["log-ins"] == logins
    assert not SpentToken.objects.exists()
    clock.set(days=15)
    assert swept()["sessions"] == 1


def test_days_of_guests_go_the_day_after_the_next(guest: Person, clock: Any) -> None:
    guest.convert("json-to-csv", PEOPLE)
    days = GuestDay.objects.count()
    clock.set(days=1)
    assert "days of guests" not in swept()
    clock.set(days=2)
    assert swept()["days of guests"] == days


def test_pending_invitations_and_changes_go_and_those_of_the_staff_that_were_accepted_stay(paying: Person) -> None:
    long_ago, own = timezone.now() - timedelta(days=365), organisations.create(paying.account, "Acme").organisation
    for number, (accepted, organisation) in enumerate(((None, None), (long_ago, None), (None, own), (long_ago, own))):
        Invitation.objects.create(
            digest=str(number), accepted_at=accepted, organisation=organisation, expires_at=long_ago
        )
    Invitation.objects.create(digest="waiting", expires_at=timezone.now() - timedelta(days=1))
    EmailChange.objects.create(user=paying.account, old_email="a@b.c", new_email="d@b.c", expires_at=long_ago)
    found = swept()
    assert (found["invitations"], found["changes of address"]) == (3, 1)
    assert set(Invitation.objects.values_list("digest", flat=True)) == {"1", "waiting"}


def test_events_from_which_nothing_follows_go_and_an_account_keeps_what_it_has(free: Person, clock: Any) -> None:
    now = datetime.now(UTC)

    def receive(number: int, facts: Facts, **more: Any) -> Event:
        user = str(free.account.pk)
        return events.receive(Notice("stripe", f"evt_{number}", "x", now, facts, customer="cus_1", user=user, **more))

    receive(0, Facts("nothing"))
    receive(1, Facts("subscribed", subject="sub_1", plan="pro"))
    receive(2, Facts("nothing"), amount=500, currency="EUR")
    receive(3, Facts("bought", subject="pi_1", credits=100))
    clock.set(days=31)
    assert swept()["events"] == 1
    assert set(Event.objects.values_list("reference", flat=True)) == {"evt_1", "evt_2", "evt_3"}
    events.settle(free.account)
    receive(0, Facts("nothing"))  # sent again, which changes nothing
    free.account.refresh_from_db()
    assert (free.account.plan.code, free.account.extra_credits) == ("pro", 100)


def test_days_of_keys_go_when_no_page_shows_them(paying: Person, clock: Any) -> None:
    with_key(paying.account).convert("json-to-csv", PEOPLE)
    clock.set(days=30)
    assert "days of API keys" not in swept()
    clock.set(days=31)
    assert swept()["days of API keys"] == 1
    assert set(Usage.objects.values_list("span", flat=True)) == {"day", "month"}


def test_many_rows_go_in_batches_and_what_is_left_in_the_next_sweep(
    paying: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outdated, "BATCH", 10)
    monkeypatch.setattr(outdated, "MAX_BATCHES", 3)
    ended = timezone.now() - timedelta(days=1)
    IdempotencyKey.objects.bulk_create(
        IdempotencyKey(owner=paying.account, key=str(number), claimed_until=ended, expires_at=ended)
        for number in range(45)
    )
    assert [swept().get("idempotency keys", 0) for _ in range(3)] == [30, 15, 0]


def test_a_failing_kind_does_not_stop_the_others(
    guest: Person, clock: Any, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    def broken(now: datetime) -> Any:
        raise RuntimeError("broken")

    guest.convert("json-to-csv", PEOPLE)
    clock.set(days=2)
    monkeypatch.setattr(outdated, "_DECLARED", [outdated.Outdated("broken", broken), *outdated.declared()])
    assert swept()["days of guests"] >= 1
    assert "outdated rows could not be deleted" in caplog.text


def test_sweeps_at_once_delete_each_row_once(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outdated, "BATCH", 25)
    ended = timezone.now() - timedelta(days=100)
    Conversion.objects.bulk_create(
        Conversion(
            id=uuid4(), plan="guest", slug="json-to-csv", status="failed", input_name="a.json", input_bytes=1,
            error_code="X", created_at=ended,
        )
        for _ in range(400)
    )  # fmt: skip
    begin = threading.Barrier(4, timeout=60)

    def one(_: int) -> int:
        begin.wait()
        try:
            return swept().get("conversions of guests", 0)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(one, range(4)))
    # One that meets only rows that another holds leaves them to that one.
    assert sum(found) == 400
    assert not Conversion.objects.exists()
