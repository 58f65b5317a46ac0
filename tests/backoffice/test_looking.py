"""Viewing the site as a customer: superusers only, read-only, logged, marked, for half an hour."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver

from accounts.models import User
from apikeys.models import ApiKey
from backoffice.models import AuditEntry
from conversions.models import Conversion
from tests.backoffice.conftest import client_of
from tests.conftest import Clock, make_user, with_key
from tests.conversions.samples import PEOPLE


def _look(client: Client, user: User) -> Any:
    return client.post(f"/admin/accounts/user/{user.pk}/look/", {"text": "A ticket."})


@pytest.fixture
def looking(boss: User, customer: User) -> Client:
    client = client_of(boss)
    answer = _look(client, customer)
    assert (answer.status_code, answer["Location"]) == (302, "/")
    return client


def _logged() -> list[tuple[str, str]]:
    entries = AuditEntry.objects.filter(action__startswith="look_as").order_by("id")
    return [(each.action, each.actor.email) for each in entries]


def test_the_customer_s_pages_are_shown_with_a_banner_that_leads_back(
    looking: Client, boss: User, customer: User
) -> None:
    for path in ("/", "/account", "/api-keys", "/usage", "/history", "/plans", "/no/such/page"):
        page = looking.get(path).content.decode()
        assert "viewing the site as <strong>customer@example.org</strong>" in page, path
    assert "customer@example.org" in looking.get("/api/v1/account").content.decode()
    answer = looking.post("/stop-looking", follow=True)
    assert answer.redirect_chain == [(f"/admin/accounts/user/{customer.pk}/change/", 302)]
    assert "viewing the site as <strong>" not in looking.get("/account").content.decode()
    assert "boss@example.org" in looking.get("/account").content.decode()
    assert _logged() == [("look_as", "boss@example.org"), ("look_as_end", "boss@example.org")]
    assert AuditEntry.objects.filter(action="look_as").get().details["reason"] == "A ticket."


def test_every_unsafe_method_of_every_route_is_refused(looking: Client, customer: User) -> None:
    key, _ = ApiKey.issue(customer, name="build")
    paths = [
        "/", "/logout", "/account", "/account/password", "/account/delete", "/api-keys", f"/api-keys/{key.pk}/revoke",
        "/api/v1/converter/json-to-csv", "/api/v1/integrations/api-keys", "/api/v1/auth/logout", "/api/v1/account",
        "/mcp", "/admin/", f"/admin/accounts/user/{customer.pk}/change/", "/admin/logout/", "/no/such/page",
        *(f"/{each.pattern}" for each in get_resolver().url_patterns if "<" not in str(each.pattern)),
    ]  # fmt: skip
    for path in dict.fromkeys(paths):
        if path == "/stop-looking":
            continue
        for method in ("post", "put", "patch", "delete"):
            assert getattr(looking, method)(path).status_code == 403, (method, path)
    answer = looking.post("/api/v1/converter/json-to-csv", {"file": ""})
    assert answer.json()["code"] == "ACCESS_DENIED"
    key.refresh_from_db()
    assert key.revoked_at is None
    assert not Conversion.objects.exists()
    # The session is still the superuser's.
    assert looking.post("/stop-looking").status_code == 302
    assert looking.get("/admin/").status_code == 200


def test_files_admin_and_secret_pages_stay_closed_during_impersonation(looking: Client, customer: User) -> None:
    done = with_key(customer).convert("json-to-csv", PEOPLE).json()["data"]
    key = done["downloadUrl"].rpartition("/")[2].partition(".")[0]
    for path in (
        done["downloadUrl"],
        f"/glimpse/{key}",
        "/admin/",
        "/account/password",
        "/account/delete",
        "/download-all",
    ):
        assert looking.get(path).status_code == 403, path
        assert looking.get(path, SCRIPT_NAME="/below").status_code == 403, path
    assert looking.get("/history").status_code == 200
    assert "look_as_refused" in dict(_logged())
    refused = [each.details for each in AuditEntry.objects.filter(action="look_as_refused")]
    assert {"method": "GET", "route": "glimpse/<str:key>"} in refused
    assert not any(key in str(each) for each in refused)


def test_impersonation_ends_after_half_an_hour(looking: Client, clock: Clock) -> None:
    clock.set(minutes=29)
    assert "viewing the site as <strong>" in looking.get("/account").content.decode()
    clock.set(minutes=31)
    assert "boss@example.org" in looking.get("/account").content.decode()
    assert AuditEntry.objects.get(action="look_as_end").details == {"why": "time"}


def test_impersonation_ends_when_no_longer_allowed(looking: Client, boss: User, customer: User) -> None:
    make_user("free", is_staff=True, is_superuser=True)
    User.objects.filter(pk=customer.pk).update(is_staff=True)
    assert "boss@example.org" in looking.get("/account").content.decode()
    assert AuditEntry.objects.get(action="look_as_end").details == {"why": "no longer allowed"}
    User.objects.filter(pk=customer.pk).update(is_staff=False)
    _look(looking, customer)
    User.objects.filter(pk=boss.pk).update(is_superuser=False)
    assert "boss@example.org" in looking.get("/account").content.decode()


def test_only_superusers_can_impersonate_and_never_staff(boss: User, helper: User, customer: User) -> None:
    for by, user in ((helper, customer), (boss, helper), (boss, boss), (customer, customer)):
        client = client_of(by)
        _look(client, user)
        assert "viewing the site as <strong>" not in client.get("/account").content.decode()
    manager = make_user("free", "manager@example.org", is_staff=True)
    assert _look(client_of(manager), customer).status_code in (302, 403)
    closed = make_user("free", is_active=False)
    client = client_of(boss)
    _look(client, closed)
    assert "boss@example.org" in client.get("/account").content.decode()
    assert _logged() == []
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(boss)
    assert _look(strict, customer).status_code == 403
    assert _logged() == []


def test_an_api_request_needs_no_extra_query_for_impersonation(customer: User, django_assert_num_queries: Any) -> None:
    program = with_key(customer)
    program.get("/account")
    with django_assert_num_queries(1):
        assert program.get("/account").status_code == 200
