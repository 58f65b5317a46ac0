"""A repeated request is executed and charged once."""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.credits import jobslots, leases
from accounts.credits.payers import UserPayer
from accounts.models import CreditEntry, LimitOverride, User
from conversions.models import Conversion, IdempotencyKey
from conversions.work import idempotency, runner
from storage import files
from storage.models import StoredFile
from tests.conftest import Person, stored_bytes, with_key
from tests.conversions.samples import PEOPLE

SLUG = "json-to-csv"


def send(person: Person, key: str = "order-1", content: bytes = PEOPLE, **options: str) -> Any:
    return person.convert(SLUG, content, headers={"Idempotency-Key": key}, **options)


def test_a_replay_returns_the_first_response_and_costs_nothing(program: Person) -> None:
    first, second = send(program), send(program)
    assert first.status_code == second.status_code == 201
    assert first.json() == second.json()
    assert "Idempotency-Replayed" not in first
    assert second["Idempotency-Replayed"] == "true"
    assert CreditEntry.objects.filter(kind="conversion").count() == Conversion.objects.count() == 1


def test_another_file_or_other_options_are_refused(program: Person) -> None:
    send(program)
    for other in (send(program, content=PEOPLE + b" "), send(program, delimiter=";")):
        assert (other.status_code, other.json()["code"]) == (400, "VALIDATION_ERROR")
    assert Conversion.objects.count() == 1


def test_another_retention_is_another_request(program: Person) -> None:
    def ask(query: str) -> Any:
        return program.convert(f"{SLUG}{query}", PEOPLE, headers={"Idempotency-Key": "order-1"})

    assert [ask(each).status_code for each in ("?retention=2", "?retention=0", "")] == [201, 400, 400]
    assert ask("?retention=2")["Idempotency-Replayed"] == "true"
    assert Conversion.objects.count() == 1


def test_the_options_count_as_applied_not_as_spelled(program: Person) -> None:
    send(program)
    assert send(program, delimiter=",")["Idempotency-Replayed"] == "true"


def test_a_key_belongs_to_its_account(program: Person, other: Person) -> None:
    send(program)
    assert "Idempotency-Replayed" not in send(with_key(other.account))
    assert Conversion.objects.count() == 2


def test_a_second_request_is_refused_while_the_first_is_running(program: Person) -> None:
    send(program)
    until = timezone.now() + timedelta(seconds=leases.LEASE_SECONDS)
    IdempotencyKey.objects.update(conversion=None, claimed_until=until)
    answer = send(program)
    assert (answer.status_code, answer.json()["code"]) == (429, "TOO_MANY_REQUESTS")
    assert 1 <= int(answer["Retry-After"]) <= leases.LEASE_SECONDS


def test_the_claim_of_a_dead_request_expires(program: Person) -> None:
    send(program)
    IdempotencyKey.objects.update(conversion=None, claimed_until=timezone.now())
    assert send(program).status_code == 201
    assert Conversion.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_claim_lasts_as_long_as_its_work(
    transactional_db: None, program: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first request takes many times as long as a claim that is not renewed would live."""
    monkeypatch.setattr(leases, "LEASE_SECONDS", 1.0)
    monkeypatch.setattr(leases, "RENEW_EVERY", 0.2)
    monkeypatch.setattr(leases, "YOUNG", 0.0)
    # Keepers of this test's own, whose threads know its times.
    monkeypatch.setattr(idempotency, "_keeper", leases.Keeper("test", idempotency._renew_apart))
    monkeypatch.setattr(jobslots, "_keeper", leases.Keeper("test", jobslots._renew))
    LimitOverride.objects.create(user=program.account, concurrent_jobs=2)
    program = with_key(User.objects.get(pk=program.account.pk))
    begun, go = threading.Event(), threading.Event()
    convert = runner.convert

    def slow(*given: Any, **more: Any) -> runner.Outcome:
        if not begun.is_set():
            begun.set()
            go.wait(20)
        return convert(*given, **more)

    monkeypatch.setattr(runner, "convert", slow)
    answers: list[Any] = []

    def first() -> None:
        try:
            answers.append(send(program))
        finally:
            connection.close()

    thread = threading.Thread(target=first)
    thread.start()
    assert begun.wait(20)
    for _ in range(12):
        time.sleep(0.25)
        answer = send(program)
        assert (answer.status_code, answer.json()["code"]) == (429, "TOO_MANY_REQUESTS")
        assert jobslots.running(UserPayer(program.account)) == 1
    go.set()
    thread.join()
    assert [each.status_code for each in answers] == [201]
    assert "Idempotency-Replayed" not in answers[0]
    assert send(program).json() == answers[0].json()
    assert Conversion.objects.count() == CreditEntry.objects.filter(kind="conversion").count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_request_that_lost_its_claim_charges_nothing(
    transactional_db: None, program: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process was stopped for so long that another has done the work: the later one must not be paid, too."""
    convert, before = runner.convert, stored_bytes()
    answers: list[Any] = []

    def stopped(*given: Any, **more: Any) -> runner.Outcome:
        monkeypatch.setattr(runner, "convert", convert)
        IdempotencyKey.objects.update(claimed_until=timezone.now())
        answers.append(send(program))
        return convert(*given, **more)

    monkeypatch.setattr(runner, "convert", stopped)
    late = send(program)
    assert answers[0].status_code == 201
    assert (late.status_code, late.json()["code"], late["Retry-After"]) == (429, "TOO_MANY_REQUESTS", "1")
    assert Conversion.objects.count() == StoredFile.objects.count() == 1
    assert CreditEntry.objects.filter(kind="conversion").count() == 1
    assert stored_bytes() == before + 1
    assert send(program).json() == answers[0].json()


def test_a_late_failure_does_not_release_another_request_s_claim(
    program: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    claims = []

    def taken_over(*given: Any, **more: Any) -> runner.Outcome:
        IdempotencyKey.objects.update(claimed_until=timezone.now())
        claims.append(idempotency.claim(program.account, "order-1", "another"))
        raise runner.Crashed("late")

    monkeypatch.setattr(runner, "convert", taken_over)
    assert send(program).status_code == 500
    (claim,) = claims
    assert isinstance(claim, idempotency.Claim)
    assert IdempotencyKey.objects.get().token == claim.token


@pytest.mark.parametrize("how", ["deleted", "expired", "purged"])
def test_a_replay_says_that_the_file_is_gone(program: Person, how: str) -> None:
    first = send(program).json()["data"]
    assert "fileExpired" not in first
    if how == "deleted":
        assert program.client.delete(first["downloadUrl"], headers=program.headers).status_code == 200
    else:
        StoredFile.objects.update(expires_at=timezone.now())
        if how == "purged":
            assert files.purge() == 1
    again = send(program)
    assert (again.status_code, again["Idempotency-Replayed"]) == (201, "true")
    assert again.json()["data"] == {**first, "downloadUrl": None, "fileExpired": True}
    assert CreditEntry.objects.filter(kind="conversion").count() == 1


def test_after_a_day_the_key_is_free(program: Person) -> None:
    send(program)
    IdempotencyKey.objects.update(expires_at=timezone.now())
    assert "Idempotency-Replayed" not in send(program, delimiter=";")


def test_a_failed_request_can_be_sent_again(program: Person) -> None:
    assert send(program, content=b"{").status_code == 422
    assert not IdempotencyKey.objects.exists()
    assert send(program).status_code == 201


def test_a_replay_needs_no_credits(program: Person) -> None:
    send(program)
    User.objects.update(monthly_credits=0, extra_credits=0)
    assert send(program).status_code == 201


@pytest.mark.parametrize("key", ["", " ", "x" * 256, "a b", "ü"])
def test_a_malformed_key_is_named(program: Person, key: str) -> None:
    answer = send(program, key=key)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert answer.json()["details"][0]["field"] == "Idempotency-Key"


def test_a_key_of_255_characters_is_taken(program: Person) -> None:
    assert send(program, key="~" * 255).status_code == 201
