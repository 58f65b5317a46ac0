"""Errors as pages, in the service's look, where a person asks; programs keep their JSON."""

from __future__ import annotations

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import path
from rest_framework.exceptions import PermissionDenied

from accounts.errors import TooManyRequests
from config import urls
from tests.conftest import Person


def _busy(request: HttpRequest) -> HttpResponse:
    raise TooManyRequests("Wait a moment.", wait=6.2)


def _forbidden(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied()


_asked_before: list[int] = []


def _crash(request: HttpRequest) -> HttpResponse:
    _asked_before.append(len(connection.queries_log))
    raise ZeroDivisionError


urlpatterns = [
    *urls.urlpatterns,
    path("raise/429", _busy),
    path("raise/403", _forbidden),
    path("raise/500", _crash),
]
handler400, handler403 = urls.handler400, urls.handler403
handler404, handler500 = urls.handler404, urls.handler500


@pytest.mark.parametrize("status", [403, 429, 500])
@override_settings(ROOT_URLCONF="tests.config.test_error_pages")
def test_errors_raised_by_pages_are_pages(status: int, db: None) -> None:
    answer = Client(raise_request_exception=False).get(f"/raise/{status}")
    assert answer.status_code == status
    assert answer["Content-Type"].startswith("text/html")
    assert answer["X-Request-Id"].encode() in answer.content
    assert (answer.get("Retry-After") == "7") is (status == 429)


def test_an_unknown_address_is_a_page_and_an_unknown_route_json(guest: Person) -> None:
    assert guest.client.get("/no/such/page")["Content-Type"].startswith("text/html")
    assert guest.client.get("/api/v1/no")["Content-Type"] == "application/json"


def test_a_form_that_is_too_large_is_413(guest: Person) -> None:
    answer = guest.client.post("/login", "x=" + "y" * 1_100_000, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 413
    assert answer["Content-Type"].startswith("text/html")


def test_a_host_that_is_not_allowed_is_a_page(guest: Person) -> None:
    answer = guest.client.get("/", headers={"host": "evil.example"})
    assert answer.status_code == 400
    assert answer["Content-Type"].startswith("text/html")


@override_settings(ROOT_URLCONF="tests.config.test_error_pages")
def test_a_crash_page_runs_no_query(paying: Person) -> None:
    assert paying.user is not None
    client = Client(raise_request_exception=False)
    client.force_login(paying.user)
    with CaptureQueriesContext(connection):
        before = len(connection.queries_log)
        assert client.get("/raise/500").status_code == 500
        # The session and its account, whose language the page is in, were known before anything crashed.
        assert _asked_before[-1] - before == 2
        assert len(connection.queries_log) == _asked_before[-1]
