"""What several do to an organisation at once: the database lets one of them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connections

from accounts import organisations
from accounts.invitations import DeadInvitation
from accounts.models import Membership, User
from apikeys.models import ApiKey
from conversions import closing
from conversions.models import Conversion
from teams.parting import part
from tests.conftest import make_user, with_token
from tests.conversions.samples import PEOPLE
from tests.teams.test_organisations import acting, found, key_of, member_of


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
        told = at_once(*[lambda code=code: organisations.join(code, user).role for _ in range(4)])  # type: ignore[misc]
        assert sorted(map(str, told)) == sorted(map(str, [*[DeadInvitation] * 3, "member"]))
        assert Membership.objects.filter(member=user).count() == 1


def test_the_last_owner_who_leaves_twice_stays(transactional_db: None) -> None:
    own = found(with_token(make_user("pro")))
    leave = lambda: part(Membership.objects.get(pk=own.pk), keep_keys=True)  # noqa: E731
    assert at_once(leave, leave) == [organisations.LastOwner] * 2
    assert Membership.objects.filter(pk=own.pk).exists()


def test_of_two_owners_who_leave_at_once_one_stays(transactional_db: None) -> None:
    for _ in range(3):
        own = found(with_token(make_user("pro")))
        _, second = member_of(own, "owner")
        told = at_once(lambda: part(own, keep_keys=True), lambda: part(second, keep_keys=True))  # noqa: B023
        assert sorted(map(str, told)) == sorted(map(str, [None, organisations.LastOwner]))
        assert Membership.objects.filter(organisation=own.organisation, role="owner").count() == 1


def test_of_two_owners_who_close_their_accounts_at_once_one_stays(transactional_db: None) -> None:
    first = make_user("pro")
    own = found(with_token(first))
    second = member_of(own, "owner")[0].account
    told = at_once(lambda: closing.leave(first), lambda: closing.leave(second))
    assert sorted(map(str, told)) == sorted(map(str, [None, organisations.LastOwner]))
    assert User.objects.filter(pk__in=[first.pk, second.pk], is_active=True).count() == 1


def test_a_member_s_limit_holds_however_many_of_their_requests_run_at_once(transactional_db: None) -> None:
    own = found(with_token(make_user("pro")))
    person, membership = member_of(own, limit=3)
    program, _ = key_of(own, membership)
    callers = [person, program] * 3
    told = at_once(*[
        lambda each=each, number=number: each.convert("json-to-csv", PEOPLE, name=f"{number}.json").status_code  # type: ignore[misc]
        for number, each in enumerate(callers)
    ])  # fmt: skip
    assert told.count(201) <= 3
    while person.convert("json-to-csv", PEOPLE).status_code == 201:
        pass
    membership.refresh_from_db()
    assert (membership.used, Conversion.objects.filter(status="completed").count()) == (3, 3)


def test_a_key_is_moved_once(transactional_db: None) -> None:
    owner = make_user("pro")
    one, two = found(with_token(owner)), found(with_token(owner))
    key, _ = ApiKey.issue(owner, name="tests")
    targets = []
    for each in (one, two):
        target = User.objects.get(pk=each.organisation_id)
        target.acted_by = each
        targets.append(target)
    told = at_once(*[lambda to=to: ApiKey.objects.get(pk=key.pk, user=owner).move(to) for to in targets])  # type: ignore[misc]
    assert told.count(True) == 1
    assert acting(with_token(owner), one) is not None
