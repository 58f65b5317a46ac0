"""An account whose plan changes while a request waits for its row is still found."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core import mail
from django.db import connection, connections, transaction
from django.test import Client
from django.utils import timezone

from accounts.login import identities
from accounts.login.provider import Claims
from accounts.models import Plan, User
from accounts.people import changes
from accounts.people.outbox import OUTBOX
from billing import events
from tests.conftest import make_user, with_token

pytestmark = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")


def _first_request_of_a_month(user: User) -> Callable[[], Any]:
    User.objects.filter(pk=user.pk).update(period="2026-01-01")
    person = with_token(user)
    return lambda: person.get("/account").status_code == 200


def _event(user: User) -> Callable[[], Any]:
    return lambda: events.settle(user) == ""


def _change_of_address(user: User) -> Callable[[], Any]:
    changes.start(user, "new@example.org")
    assert OUTBOX.flush(30)
    old, new = (re.findall(r"https?://[^/]+(/\S+)", str(each.body))[0] for each in mail.outbox)
    assert Client().post(old).status_code == 200
    browser = Client()
    browser.force_login(user)
    return lambda: b"Address changed" in browser.post(new).content


def _log_in_by_the_provider(user: User) -> Callable[[], Any]:
    User.objects.filter(pk=user.pk).update(verified_at=timezone.now())
    claims = Claims("https://id.example", "ada", user.email, verified=True, name="")
    return lambda: identities.owner_of(claims, invitation="") == user


def _waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])


@pytest.mark.parametrize(
    "prepare",
    [_first_request_of_a_month, _event, _change_of_address, _log_in_by_the_provider],
    ids=lambda each: each.__name__.strip("_"),
)
def test_an_account_is_found_whose_plan_changes_while_its_row_is_waited_for(
    transactional_db: None, prepare: Callable[[User], Callable[[], Any]]
) -> None:
    user = make_user("free")
    call = prepare(user)

    def run() -> Any:
        try:
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            User.objects.filter(pk=user.pk).update(plan=Plan.objects.get(code="starter"))
            begun = pool.submit(run)
            until = time.monotonic() + 30
            while not _waits() and not begun.done() and time.monotonic() < until:
                time.sleep(0.01)
            assert not begun.done()
        assert begun.result(30)
    assert User.objects.select_related("plan").get(pk=user.pk).plan.code == "starter"
