"""Concurrent changes of an organisation: the database lets one succeed."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection, connections
from django.db.models.signals import post_save, pre_delete

from accounts import deactivation
from accounts.credits import payers
from accounts.credits.members import NotAllowed
from accounts.credits.payers import UserPayer
from accounts.errors import InvalidCredentials
from accounts.models import Membership, User
from accounts.people import organisations
from accounts.people.invitations import DeadInvitation, Invitation
from apikeys.models import ApiKey
from conversions.models import Conversion
from conversions.work import account_deletion
from teams.removal import leave, remove_member
from tests.conftest import Person, make_user, with_token
from tests.conversions.samples import PEOPLE
from tests.teams.test_organisations import acting, found, key_of, member_of

one_writer = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """What each call returns or raises, all begun at one moment."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            barrier.wait(60)
            return call()
        except Exception as error:
            return type(error)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_of_several_who_accept_one_invitation_one_gets_in(transactional_db: None) -> None:
    own = found(with_token(make_user("pro")))
    user = make_user("free", "new@example.org")
    for _ in range(3):
        Membership.objects.filter(member=user).delete()
        _, code = organisations.invite(own, "new@example.org", "member")
        outcomes = at_once(*[lambda code=code: organisations.join(code, user).role for _ in range(4)])  # type: ignore[misc]
        assert sorted(map(str, outcomes)) == sorted(map(str, [*[DeadInvitation] * 3, "member"]))
        assert Membership.objects.filter(member=user).count() == 1


def test_the_last_owner_who_leaves_twice_stays(transactional_db: None) -> None:
    own = found(with_token(make_user("pro")))
    leave = lambda: remove_member(Membership.objects.get(pk=own.pk), keep_keys=True)  # noqa: E731
    assert at_once(leave, leave) == [organisations.LastOwner] * 2
    assert Membership.objects.filter(pk=own.pk).exists()


def test_of_two_owners_who_leave_at_once_one_stays(transactional_db: None) -> None:
    for _ in range(3):
        own = found(with_token(make_user("pro")))
        _, second = member_of(own, "owner")
        outcomes = at_once(lambda: remove_member(own, keep_keys=True), lambda: remove_member(second, keep_keys=True))  # noqa: B023
        assert sorted(map(str, outcomes)) == sorted(map(str, [None, organisations.LastOwner]))
        assert Membership.objects.filter(organisation=own.organisation, role="owner").count() == 1


def test_of_two_owners_who_close_their_accounts_at_once_one_stays(transactional_db: None) -> None:
    first = make_user("pro")
    own = found(with_token(first))
    second = member_of(own, "owner")[0].account
    outcomes = at_once(lambda: account_deletion.deactivate(first), lambda: account_deletion.deactivate(second))
    assert sorted(map(str, outcomes)) == sorted(map(str, [None, organisations.LastOwner]))
    assert User.objects.filter(pk__in=[first.pk, second.pk], is_active=True).count() == 1


def test_a_member_s_limit_holds_however_many_of_their_requests_run_at_once(transactional_db: None) -> None:
    own = found(with_token(make_user("pro")))
    person, membership = member_of(own, limit=3)
    program, _ = key_of(own, membership)
    callers = [person, program] * 3
    outcomes = at_once(*[
        lambda each=each, number=number: each.convert("json-to-csv", PEOPLE, name=f"{number}.json").status_code  # type: ignore[misc]
        for number, each in enumerate(callers)
    ])  # fmt: skip
    assert outcomes.count(201) <= 3
    while person.convert("json-to-csv", PEOPLE).status_code == 201:
        pass
    membership.refresh_from_db()
    assert (membership.used, Conversion.objects.filter(status="completed").count()) == (3, 3)


@one_writer
def test_a_change_of_a_limit_gives_no_role_back_that_another_owner_has_just_taken(transactional_db: None) -> None:
    owner = with_token(make_user("pro"))
    own = found(owner)
    _, membership = member_of(own, "owner")
    path = f"/organisations/{own.organisation_id}/members/{membership.pk}"

    def as_another_owner() -> None:
        organisations.change(membership, role="viewer")
        connections.close_all()

    def demote(execute: Any, sql: str, *given: Any) -> Any:
        if sql.startswith("UPDATE") and "accounts_membership" in sql and not demoted:
            demoted.append(True)
            with ThreadPoolExecutor(1) as pool:
                pool.submit(as_another_owner).result()
        return execute(sql, *given)

    demoted: list[bool] = []
    with connection.execute_wrapper(demote):
        answer = owner.request("PATCH", path, {"monthlyCredits": 5})
    assert (answer.status_code, answer.json()["data"]["role"]) == (200, "viewer")
    membership.refresh_from_db()
    assert (membership.role, membership.monthly_credits) == ("viewer", 5)


def test_failures_at_once_are_all_counted_on_each_member_and_on_the_organisation(transactional_db: None) -> None:
    own = found(with_token(make_user("pro")))
    people = [member_of(own, limit=limit) for limit in (None, 50, 1_000)]
    program, _ = key_of(own, people[1][1])
    callers = [*(person for person, _ in people), program] * 2

    def count(person: User, row: Membership) -> None:
        payer = UserPayer(payers.member_of(person, row.organisation_id))
        for _ in range(20):
            payer.count_failed(0.25)

    counting = [lambda person=person, row=row: count(person.account, row) for person, row in people for _ in range(2)]  # type: ignore[misc]
    failing = [lambda each=each: each.convert("json-to-csv", b"[1,").status_code for each in callers]  # type: ignore[misc]
    outcomes = at_once(*counting, *failing)
    assert outcomes[: len(counting)] == [None] * 6
    assert set(outcomes[len(counting) :]) <= {422, 429}
    counted = {row.member_id: Membership.objects.get(pk=row.pk).failed_ms or 0 for _, row in people}
    assert all(each >= 40 * 250 for each in counted.values())
    assert User.objects.get(pk=own.organisation_id).failed_ms == sum(counted.values())
    assert not User.objects.filter(pk__in=counted, failed_ms__isnull=False).exists()


def test_a_key_is_moved_once(transactional_db: None) -> None:
    owner = make_user("pro")
    one, two = found(with_token(owner)), found(with_token(owner))
    key, _ = ApiKey.issue(owner, name="tests")
    targets = []
    for each in (one, two):
        target = User.objects.get(pk=each.organisation_id)
        target.acted_by = each
        targets.append(target)
    outcomes = at_once(*[lambda to=to: ApiKey.objects.get(pk=key.pk, user=owner).move(to) for to in targets])  # type: ignore[misc]
    assert outcomes.count(True) == 1
    assert acting(with_token(owner), one) is not None


def amid(signal: Any, sender: type, call: Callable[[], Any], during: Callable[[], Any]) -> Future[Any]:
    """What `call` returns or raises in another connection, begun when `during` sends the signal.

    `during` goes on once it is done, or waits for a lock.
    """
    begun: list[Future[Any]] = []

    def run() -> Any:
        try:
            return call()
        finally:
            connections.close_all()

    def begin(**given: Any) -> None:
        if not begun:
            begun.append(pool.submit(run))
            until = time.monotonic() + 60
            while not begun[0].done() and not _waits() and time.monotonic() < until:
                time.sleep(0.01)

    with ThreadPoolExecutor(1) as pool:
        signal.connect(begin, sender=sender)
        try:
            during()
        finally:
            signal.disconnect(begin, sender=sender)
    return begun[0]


def _waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype IN ('transactionid', 'tuple')")
        return bool(cursor.fetchone()[0])


@one_writer
def test_no_key_created_concurrently_outlives_a_removed_member(transactional_db: None) -> None:
    own = found(with_token(make_user("pro")))
    _, membership = member_of(own)
    removal = lambda: remove_member(membership, keep_keys=False)  # noqa: E731
    made = amid(pre_delete, Membership, lambda: key_of(own, membership), removal)
    assert not ApiKey.objects.filter(revoked_at=None).exists()
    assert isinstance(made.exception(), NotAllowed)


@one_writer
@pytest.mark.parametrize("end", [leave, lambda membership: account_deletion.deactivate(membership.member)])
def test_no_key_created_concurrently_outlives_a_limit(transactional_db: None, end: Callable[[Any], None]) -> None:
    own = found(with_token(make_user("pro")))
    _, membership = member_of(own, limit=3)
    made = amid(pre_delete, Membership, lambda: key_of(own, membership), lambda: end(membership))
    assert not ApiKey.objects.filter(revoked_at=None).exists()
    assert isinstance(made.exception(), NotAllowed)


def test_a_request_begun_before_an_account_was_closed_creates_no_key(paying: Person) -> None:
    before = User.objects.get(pk=paying.account.pk)
    account_deletion.deactivate(paying.account)
    with pytest.raises(InvalidCredentials):
        ApiKey.issue(before, name="tests")
    assert deactivation.restore(before.pk)
    with pytest.raises(InvalidCredentials):
        ApiKey.issue(before, name="tests")
    assert not ApiKey.objects.exists()


@one_writer
def test_an_invitation_is_renewed_while_it_is_accepted(transactional_db: None) -> None:
    own = found(with_token(make_user("pro")))
    user = make_user("free", "new@example.org")
    _, code = organisations.invite(own, user.email, "member")
    accepting = lambda: organisations.join(code, user)  # noqa: E731
    joined = amid(pre_delete, Invitation, accepting, lambda: organisations.invite(own, user.email, "viewer"))
    assert isinstance(joined.exception(), DeadInvitation)
    assert organisations.waiting_of(own.organisation).get().role == "viewer"


@one_writer
def test_an_account_that_is_closed_while_it_accepts_an_invitation_is_no_member(transactional_db: None) -> None:
    own = found(with_token(make_user("pro")))
    user = make_user("free", "new@example.org")
    _, code = organisations.invite(own, user.email, "member")
    before = User.objects.get(pk=user.pk)
    closed = amid(
        post_save, Membership, lambda: account_deletion.deactivate(user), lambda: organisations.join(code, user)
    )
    closed.result(60)
    assert not Membership.objects.filter(member=user).exists()
    _, code = organisations.invite(own, user.email, "member")
    with pytest.raises(InvalidCredentials):
        organisations.join(code, before)
    assert not Membership.objects.filter(member=user).exists()
