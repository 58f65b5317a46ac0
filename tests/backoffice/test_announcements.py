"""Announcements: on every page between two times, without a query per request."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from accounts.models import User
from backoffice import announcements
from backoffice.models import Announcement
from tests.backoffice.conftest import client_of
from tests.conftest import Clock, Person
from tests.conversions.samples import PEOPLE
from tests.conversions.test_queries import CONVERSION


def _announce(text: str, *, begins: float = -1, ends: float = 1) -> None:
    now = timezone.now()
    Announcement.objects.create(text=text, starts_at=now + timedelta(hours=begins), ends_at=now + timedelta(hours=ends))
    announcements.forget()


def test_an_announcement_is_shown_between_its_times(guest: Person, clock: Clock) -> None:
    _announce("<b>Down</b> on Sunday.")
    _announce("Later.", begins=0.5, ends=2)
    for path in ("/", "/plans", "/no/such/page", "/docs"):
        page = guest.client.get(path).content.decode()
        assert "&lt;b&gt;Down&lt;/b&gt; on Sunday." in page
        assert "Later." not in page
    clock.set(hours=0.6)
    announcements.forget()
    assert "Later." in guest.client.get("/").content.decode()
    clock.set(hours=1.5)
    announcements.forget()
    assert "on Sunday" not in guest.client.get("/").content.decode()


def test_announcements_take_one_query_in_twenty_seconds_and_none_for_api_and_health(
    guest: Person, program: Person, django_assert_num_queries: Any
) -> None:
    _announce("Down on Sunday.")
    with django_assert_num_queries(0):
        assert guest.client.get("/healthz").status_code == 200
        assert guest.get("/converter/formats").status_code == 200
    program.convert("json-to-csv", PEOPLE)
    with django_assert_num_queries(CONVERSION):
        assert program.convert("json-to-csv", PEOPLE).status_code == 201
    with django_assert_num_queries(1):
        for _ in range(5):
            assert b"Down on Sunday" in guest.client.get("/login").content


def test_a_change_in_the_admin_is_visible_immediately(
    boss: User, guest: Person, django_capture_on_commit_callbacks: Any
) -> None:
    client = client_of(boss)
    form = {
        "text": "Soon.", "level": "warning", "starts_at_0": "2020-01-01", "starts_at_1": "00:00:00",
        "ends_at_0": "2099-01-01", "ends_at_1": "00:00:00",
    }  # fmt: skip
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post("/admin/backoffice/announcement/add/", form).status_code == 302
    assert b'class="announcement level-warning"' in guest.client.get("/").content
    bad = client.post("/admin/backoffice/announcement/add/", {**form, "ends_at_0": "2019-01-01"})
    assert "must be after the start" in bad.content.decode()
    found = Announcement.objects.get()
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(f"/admin/backoffice/announcement/{found.pk}/delete/", {"post": "yes"}).status_code == 302
    assert b"Soon." not in guest.client.get("/").content


@pytest.mark.django_db
def test_the_database_refuses_an_end_before_the_start() -> None:
    now = timezone.now()
    with pytest.raises(IntegrityError), transaction.atomic():
        Announcement.objects.create(text="x", starts_at=now, ends_at=now)
    assert Client().get("/").status_code == 200
