"""The same request twice is done and paid once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import CreditEntry, User
from conversions.models import Conversion, IdempotencyKey
from tests.conftest import Person, with_key
from tests.conversions.samples import PEOPLE

SLUG = "json-to-csv"


def send(person: Person, key: str = "order-1", content: bytes = PEOPLE, **options: str) -> Any:
    return person.convert(SLUG, content, headers={"Idempotency-Key": key}, **options)


def test_the_first_answer_comes_again_and_costs_nothing(program: Person) -> None:
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


def test_the_options_count_as_applied_not_as_spelled(program: Person) -> None:
    send(program)
    assert send(program, delimiter=",")["Idempotency-Replayed"] == "true"


def test_a_key_belongs_to_its_account(program: Person, other: Person) -> None:
    send(program)
    assert "Idempotency-Replayed" not in send(with_key(other.account))
    assert Conversion.objects.count() == 2


def test_while_the_first_is_running_the_second_waits(program: Person) -> None:
    send(program)
    IdempotencyKey.objects.update(conversion=None, claimed_until=timezone.now() + timedelta(seconds=20))
    answer = send(program)
    assert (answer.status_code, answer.json()["code"]) == (429, "TOO_MANY_REQUESTS")
    assert 1 <= int(answer["Retry-After"]) <= 20


def test_a_request_that_died_is_given_up(program: Person) -> None:
    send(program)
    IdempotencyKey.objects.update(conversion=None, claimed_until=timezone.now())
    assert send(program).status_code == 201
    assert Conversion.objects.count() == 2


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
