"""Members with a limit take a part of what their organisation has, so that they can't stop the others."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from accounts.credits import budgets, jobslots, payers
from accounts.credits.payers import UserPayer
from accounts.errors import TooManyRequests
from accounts.models import LimitOverride, Membership, User
from teams import removal
from tests.conftest import Clock, Person, make_user, with_token
from tests.conversions.samples import PEOPLE
from tests.teams.test_organisations import acting, codes, found, key_of, member_of, seconds_of
from tests.teams.test_races import at_once


def payer_of(person: Person, own: Membership) -> UserPayer:
    return UserPayer(payers.member_of(User.objects.get(pk=person.account.pk), own.organisation_id))


def usage_of(person: Person) -> dict[str, Any]:
    found: dict[str, Any] = person.get("/account").json()["data"]["usage"]
    return found


def test_limited_members_together_use_half_of_the_free_processor_time(paying: Person) -> None:
    own = found(paying)
    LimitOverride.objects.create(user=own.organisation, failed_seconds=300)
    owner = acting(paying, own)
    limited = [member_of(own, limit=0) for _ in range(3)]
    assert [seconds_of(person)["limit"] for person, _ in limited] == [150] * 3
    for (person, row), seconds in zip(limited, (100, 50), strict=False):
        payer_of(person, own).count_failed(seconds)
        assert Membership.objects.get(pk=row.pk).failed_ms == seconds * 1000
    for person in (*(person for person, _ in limited), key_of(own, limited[2][1])[0]):
        answer = person.convert("json-to-csv?dryRun=1", PEOPLE)
        assert codes(answer) == (429, "TOO_MANY_REQUESTS")
        assert answer.json()["meta"]["limit"] == 150
        assert seconds_of(person)["remaining"] == 0
    assert seconds_of(owner)["remaining"] == 150
    assert owner.convert("json-to-csv?dryRun=1", PEOPLE).status_code == 200
    assert owner.convert("json-to-csv", PEOPLE).status_code == 201


def test_what_a_member_used_counts_for_the_others_after_they_have_left(paying: Person) -> None:
    own = found(paying)
    LimitOverride.objects.create(user=own.organisation, failed_seconds=300)
    (person, row), (colleague, _) = member_of(own, limit=0), member_of(own, limit=0)
    payer_of(person, own).count_failed(100)
    assert seconds_of(colleague)["remaining"] == 50
    removal.remove_member(row, keep_keys=False)
    assert seconds_of(colleague)["remaining"] == 50
    payer_of(colleague, own).count_failed(50)
    assert codes(colleague.convert("json-to-csv?dryRun=1", PEOPLE)) == (429, "TOO_MANY_REQUESTS")
    assert seconds_of(acting(paying, own))["remaining"] == 150


def test_what_others_used_leaves_limited_members_their_half(paying: Person, clock: Clock) -> None:
    own = found(paying)
    LimitOverride.objects.create(user=own.organisation, failed_seconds=300)
    colleague, limited = member_of(own)[0], member_of(own, limit=0)[0]
    payer_of(colleague, own).count_failed(100)
    payer_of(limited, own).count_failed(20)
    assert (seconds_of(limited)["remaining"], seconds_of(colleague)["remaining"]) == (130, 180)
    clock.set(days=1)
    later = payer_of(limited, own)
    later.count_failed(7)
    assert (
        [used for _, used in later.failed_bounds]
        == [used for _, used in payer_of(limited, own).failed_bounds]
        == [7, 7, 7]
    )


def test_failures_of_limited_members_at_once_leave_the_owner_their_half(transactional_db: None) -> None:
    own = found(with_token(make_user("pro")), "free")
    limited = [member_of(own, limit=0)[0] for _ in range(3)]
    owner = acting(with_token(own.member), own)

    def count(person: Person) -> None:
        while budgets.usage(payer := payer_of(person, own))["remaining"]:
            with contextlib.suppress(TooManyRequests), jobslots.acquire(payer, seconds=60):
                payer.count_failed(1)

    assert at_once(*[lambda each=each: count(each) for each in limited]) == [None] * 3  # type: ignore[misc]
    # Each may exceed it by one job.
    used = User.objects.get(pk=own.organisation_id)
    assert 150_000 <= (used.failed_ms or 0) == (used.limited_failed_ms or 0) <= 152_000
    assert owner.convert("json-to-csv?dryRun=1", PEOPLE).status_code == 200


@pytest.mark.usefixtures("one_window")
def test_refused_requests_of_limited_members_leave_the_owner_half_of_the_rate(paying: Person) -> None:
    own = found(paying)
    LimitOverride.objects.create(user=own.organisation, requests_per_minute=8)
    owner, colleague = acting(paying, own), member_of(own)[0]
    limited, row = member_of(own, limit=0)
    another = member_of(own, limit=0)[0]
    callers = [limited, key_of(own, row)[0], limited, another, limited, another] * 2
    answers = [each.convert("json-to-csv", PEOPLE) for each in callers]
    assert [each.status_code for each in answers] == [402] * 4 + [429] * 8
    assert [each["RateLimit-Remaining"] for each in answers[:4]] == ["3", "2", "1", "0"]
    assert {each["RateLimit-Limit"] for each in answers} == {"4"}
    assert answers[-1].json()["meta"]["limit"] == 4
    assert usage_of(limited)["rateLimit"]["limit"] == 4
    assert usage_of(owner)["rateLimit"]["remaining"] == 4
    statuses = [each.convert("json-to-csv", PEOPLE).status_code for each in (owner, colleague, owner, owner, colleague)]
    assert statuses == [201] * 4 + [429]


@pytest.mark.usefixtures("one_window")
def test_requests_of_others_count_for_limited_members(paying: Person) -> None:
    own = found(paying)
    LimitOverride.objects.create(user=own.organisation, requests_per_minute=4)
    owner, limited = acting(paying, own), member_of(own, limit=50)[0]
    assert [owner.convert("json-to-csv", PEOPLE).status_code for _ in range(4)] == [201] * 4
    assert usage_of(limited)["rateLimit"]["remaining"] == 0
    assert limited.convert("json-to-csv", PEOPLE).status_code == 429


@pytest.mark.usefixtures("one_window")
def test_downloads_of_several_results_leave_the_owner_half_of_the_rate(paying: Person) -> None:
    own = found(paying)
    LimitOverride.objects.create(user=own.organisation, requests_per_minute=4)
    limited, _ = member_of(own, limit=0)
    for person in (limited, paying):
        person.client.force_login(person.account)
        person.client.post("/teams/switch", {"organisation": str(own.organisation_id)})
    statuses = [
        person.client.post("/download-all", {"file": "0" * 32 + ".csv"}).status_code
        for person in [limited] * 6 + [paying] * 3
    ]
    assert statuses == [404, 404, 429, 429, 429, 429, 404, 404, 429]


@pytest.mark.parametrize(("slots", "theirs"), [(1, 1), (2, 1), (4, 3)])
def test_limited_members_leave_a_job_slot_to_the_others(paying: Person, slots: int, theirs: int) -> None:
    own = found(paying)
    LimitOverride.objects.create(user=own.organisation, concurrent_jobs=slots)
    limited, other = (member_of(own, limit=50)[0] for _ in range(2))
    assert usage_of(limited)["jobs"] == {"limit": theirs, "running": 0}
    with contextlib.ExitStack() as held:
        for _ in range(theirs):
            held.enter_context(jobslots.acquire(payer_of(limited, own), seconds=60))
        for person in (limited, other):
            answer = person.convert("json-to-csv", PEOPLE)
            assert codes(answer) == (429, "TOO_MANY_REQUESTS")
            assert answer.json()["meta"]["limit"] == theirs
        assert usage_of(limited)["jobs"] == {"limit": theirs, "running": theirs}
        status = acting(paying, own).convert("json-to-csv", PEOPLE).status_code
        assert status == (429 if slots == 1 else 201)
