"""A wall clock set an hour ahead or back: nothing is lost, charged twice, or stuck until the hour has passed.

With Redis, what expires in the cache does so by the clock of Redis, which stays as it is here: as where another machine
than the database's or the cache's is off.
"""

from __future__ import annotations

import contextlib
import threading
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db.models import Sum
from django.test import Client
from django.utils import timezone

from accounts.credits import guests, jobslots, leases, ledger
from accounts.credits.payers import UserPayer
from accounts.errors import GuestQuotaExceeded, TooManyRequests
from accounts.models import CreditEntry, LimitOverride, Plan, User
from conversions.models import Conversion
from conversions.work import idempotency
from tests.conftest import PASSWORD, Clock, Person, make_user, with_key
from tests.conversions.samples import PEOPLE

JUMPS = pytest.mark.parametrize("hours", [1, -1])


def one_slot(person: Person) -> UserPayer:
    LimitOverride.objects.create(user=person.account, concurrent_jobs=1)
    return UserPayer(User.objects.select_related("plan", "override").get(pk=person.account.pk))


@JUMPS
def test_a_clock_jump_does_not_keep_the_slot_of_a_dead_process(program: Person, clock: Clock, hours: int) -> None:
    payer = one_slot(program)
    jobslots._take(payer, 30)  # by nobody who would renew or free it
    clock.set(hours=hours)
    if hours > 0 and settings.REDIS_URL:
        pytest.skip("Redis keeps it until its own clock says nine seconds.")
    assert jobslots.running(payer) == 0
    with jobslots.acquire(payer, seconds=30), pytest.raises(TooManyRequests), jobslots.acquire(payer, seconds=30):
        pass
    assert program.convert("json-to-csv", PEOPLE).status_code == 201


def test_of_many_that_see_a_slot_from_the_future_only_one_takes_it(program: Person, clock: Clock) -> None:
    payer = one_slot(program)
    clock.set(hours=1)
    jobslots._take(payer, 30)
    clock.set(hours=0)
    start, taken = threading.Barrier(8), []

    def take() -> None:
        start.wait()
        with contextlib.suppress(TooManyRequests):
            taken.append(jobslots._take(payer, 30))

    threads = [threading.Thread(target=take) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(taken) == 1


@JUMPS
def test_a_held_slot_is_renewed_and_freed_across_a_clock_jump(program: Person, clock: Clock, hours: int) -> None:
    payer = one_slot(program)
    with jobslots.acquire(payer, seconds=30):
        clock.set(hours=hours)
        (held,) = jobslots._keeper._held
        held.since -= leases.YOUNG
        jobslots._keeper.beat()
        if hours > 0:
            with pytest.raises(TooManyRequests), jobslots.acquire(payer, seconds=30):
                pass
    assert jobslots.running(payer) == 0
    with jobslots.acquire(payer, seconds=30):
        assert jobslots.running(payer) == 1


def test_a_slot_freed_while_being_renewed_stays_free(program: Person) -> None:
    payer = one_slot(program)
    with jobslots.acquire(payer, seconds=30):
        (held,) = jobslots._keeper._held
    jobslots._renew([held.item])
    assert jobslots.running(payer) == 0


def test_a_slot_freed_while_being_retaken_stays_free(program: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    payer, add = one_slot(program), jobslots._add
    with contextlib.ExitStack() as job:
        job.enter_context(jobslots.acquire(payer, seconds=30))
        (held,) = jobslots._keeper._held
        cache.delete(held.item.name)

        def add_after_the_job_has_ended(slot: Any) -> bool:
            job.close()
            return add(slot)

        monkeypatch.setattr(jobslots, "_add", add_after_the_job_has_ended)
        jobslots._renew([held.item])
    assert jobslots.running(payer) == 0


def test_the_wait_for_a_slot_stays_reasonable(program: Person, clock: Clock) -> None:
    payer = one_slot(program)
    with jobslots.acquire(payer, seconds=30):
        for minutes in (-0.9, 0.1):
            clock.set(minutes=minutes)
            with pytest.raises(TooManyRequests) as refusal, jobslots.acquire(payer, seconds=30):
                pass
            assert 1 <= refusal.value.wait <= leases.LEASE_SECONDS


@JUMPS
def test_a_dead_request_s_claim_passes_to_the_next_request(program: Person, clock: Clock, hours: int) -> None:
    assert isinstance(idempotency.claim(program.account, "k", "mark"), idempotency.Claim)
    clock.set(hours=hours)
    assert isinstance(idempotency.claim(program.account, "k", "mark"), idempotency.Claim)


@JUMPS
def test_a_held_claim_survives_a_clock_jump_from_its_next_renewal_on(program: Person, clock: Clock, hours: int) -> None:
    claim = idempotency.claim(program.account, "k", "mark")
    assert isinstance(claim, idempotency.Claim)
    clock.set(hours=hours)
    idempotency._renew([claim])
    with pytest.raises(TooManyRequests) as refusal:
        idempotency.claim(program.account, "k", "mark")
    assert 1 <= refusal.value.wait <= leases.LEASE_SECONDS


@JUMPS
def test_a_paid_idempotency_key_is_not_charged_again(program: Person, clock: Clock, hours: int) -> None:
    headers = {"Idempotency-Key": "once"}
    first = program.convert("json-to-csv", PEOPLE, headers=headers)
    clock.set(hours=hours)
    second = program.convert("json-to-csv", PEOPLE, headers=headers)
    assert second["Idempotency-Replayed"] == "true"
    assert second.json() == first.json()
    assert CreditEntry.objects.filter(kind="conversion").count() == Conversion.objects.count() == 1


@JUMPS
def test_a_rate_limit_never_gets_stuck_and_resets_within_its_minute(program: Person, clock: Clock, hours: int) -> None:
    LimitOverride.objects.create(user=program.account, requests_per_minute=2)
    program = with_key(User.objects.get(pk=program.account.pk))
    while program.convert("json-to-csv", PEOPLE).status_code != 429:
        pass
    clock.set(hours=hours)
    answer = program.convert("json-to-csv", PEOPLE)
    assert answer.status_code == 201
    assert 1 <= int(answer["RateLimit-Reset"]) <= 61
    clock.set(hours=0)
    answer = program.convert("json-to-csv", PEOPLE)
    if answer.status_code == 429:
        assert 1 <= int(answer["Retry-After"]) <= 61


def test_a_guest_s_day_is_neither_refilled_nor_lost(db: None, clock: Clock) -> None:
    Plan.objects.filter(code="guest").update(credits=2)
    guest = guests.guest_id("192.0.2.1")
    assert [guests.count_conversion(guest, 2), guests.count_conversion(guest, 2)] == [1, 0]
    day = guests.today()
    for hours in (1, -1, 0):
        clock.set(hours=hours)
        if guests.today() == day:
            with pytest.raises(GuestQuotaExceeded):
                guests.count_conversion(guest, 2)
        assert 0 < (guests.resets_at() - timezone.now()).total_seconds() <= 86_400


def test_a_month_is_topped_up_once_whatever_the_clock_does_at_its_end(db: None, clock: Clock) -> None:
    user = make_user("free")
    ledger.charge(user, 30, reference=Conversion().id, reason="earlier")
    ahead = (ledger.resets_at(user) - timezone.now()).total_seconds()
    balances = []
    for seconds in (-1800, 1800, -1800, 1800, -1800):
        clock.set(seconds=ahead + seconds)
        ledger.top_up(user := User.objects.select_related("plan").get(pk=user.pk))
        balances.append(user.credits)
    assert balances == [70, 100, 100, 100, 100]
    entries = CreditEntry.objects.filter(user=user, kind="top_up")
    assert entries.count() == 2
    assert CreditEntry.objects.filter(user=user).aggregate(total=Sum("amount"))["total"] == 100


def log_in(user: User) -> dict[str, str]:
    body = {"email": user.email, "password": PASSWORD}
    pair: dict[str, str] = Person(None, {}, Client()).post("/auth/login", body).json()["data"]
    return pair


def refresh(pair: dict[str, str]) -> dict[str, str]:
    answer = Person(None, {}, Client()).post("/auth/refresh", {"refreshToken": pair["refreshToken"]})
    assert answer.status_code == 200, answer.content
    new: dict[str, str] = answer.json()["data"]
    return new


def status(pair: dict[str, str]) -> int:
    headers = {"Authorization": f"Bearer {pair['accessToken']}"}
    return int(Person(None, headers, Client()).get("/account").status_code)


def test_a_login_outlives_a_clock_that_is_set_back(db: None, clock: Clock) -> None:
    first = log_in(make_user())
    clock.set(hours=-1)
    assert status(first) == 200
    second = refresh(first)
    assert status(second) == 200
    clock.set(hours=0)
    # Issued an hour ago by now: the access token has ended as any does, and the login goes on.
    assert status(second) == 401
    assert status(refresh(second)) == 200


def test_a_login_outlives_a_clock_that_is_set_ahead(db: None, clock: Clock) -> None:
    first = log_in(make_user())
    clock.set(hours=1)
    assert status(first) == 401
    second = refresh(first)
    assert status(second) == 200
    clock.set(hours=0)
    assert status(second) == 200
    assert status(refresh(second)) == 200
