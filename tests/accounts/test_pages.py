"""Account pages: log-in, rate limits, and ending sessions."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from accounts.models import CreditEntry, User
from accounts.people.outbox import OUTBOX
from tests.conftest import PASSWORD, Person

GOOD = {"email": "New@Example.org", "name": "New", "password": "a long and private phrase"}


def test_signing_up_logs_in_and_tops_up(guest: Person) -> None:
    answer = guest.client.post("/signup?next=/plans", {**GOOD, "next": "/plans"})
    assert (answer.status_code, answer["Location"]) == (302, "/plans")
    user = User.objects.get(email="new@example.org")
    assert user.credits == 100
    assert CreditEntry.objects.get(user=user).amount == 100
    assert guest.client.get("/history").status_code == 200


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "account", "/login"]
)
def test_only_a_path_of_this_site_that_is_not_the_log_in_is_gone_to_next(
    guest: Person, free: Person, target: str
) -> None:
    assert guest.client.post("/signup", {**GOOD, "next": target})["Location"] == "/"
    login = {"username": "free@example.org", "password": PASSWORD, "next": target}
    browser = Client()
    assert browser.post("/login", login)["Location"] == "/"
    assert browser.get("/login", {"next": target})["Location"] == "/"
    assert browser.post("/teams/switch", {"next": target})["Location"] == "/"
    assert browser.post("/account/confirm", {"password": PASSWORD, "next": target})["Location"] == "/account"


@pytest.mark.parametrize(
    "change", [{"email": "FREE@example.org"}, {"email": "no"}, {"password": "short"}, {"password": "x" * 300}]
)
def test_sign_up_errors_appear_in_the_form(guest: Person, free: Person, change: dict[str, str]) -> None:
    answer = guest.client.post("/signup", {**GOOD, **change})
    assert answer.status_code == 200
    assert answer.context["form"].errors.keys() == change.keys()
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "focused"),
    [
        (None, "email"),
        ({"password": "short"}, "password"),
        ({"password": "short", "name": "x" * 101}, "name"),
        ({"email": "no", "password": "short"}, "email"),
    ],
)
def test_the_first_wrong_field_has_the_focus(guest: Person, change: dict[str, str] | None, focused: str) -> None:
    answer = guest.client.post("/signup", {**GOOD, **change}) if change else guest.client.get("/signup")
    inputs = re.findall(r"<input[^>]+>", answer.content.decode())
    assert [each for each in inputs if "autofocus" in each] == [each for each in inputs if f'name="{focused}"' in each]


@pytest.mark.parametrize("path", ["/login", "/password-reset"])
def test_attempts_are_counted_before_the_password_is_checked(
    guest: Person, free: Person, settings: Any, path: str
) -> None:
    settings.LOGIN_RATE_PLACE = "2/h"
    form = {"username": "free@example.org", "email": "free@example.org", "password": "wrong"}
    for _ in range(2):
        assert guest.client.post(path, form).status_code in (200, 302)
    answer = guest.client.post(path, {**form, "password": PASSWORD})
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) >= 1
    assert "_auth_user_id" not in guest.client.session


def test_pages_and_api_count_the_same_attempts(guest: Person, free: Person, settings: Any) -> None:
    settings.LOGIN_RATE_PLACE = "2/h"
    for _ in range(2):
        guest.post("/auth/login", {"email": "free@example.org", "password": "wrong"})
    assert guest.client.post("/login", {"username": "free@example.org", "password": PASSWORD}).status_code == 429


def test_a_changed_password_ends_every_login_but_this_one(free: Person) -> None:
    assert free.user is not None
    here, elsewhere = Client(), Client()
    here.force_login(free.user)
    elsewhere.force_login(free.user)
    form = {"old_password": PASSWORD, "new_password1": GOOD["password"], "new_password2": GOOD["password"]}
    assert here.post("/account/password", form)["Location"] == "/account"
    assert here.get("/account").status_code == 200
    assert elsewhere.get("/account").status_code == 302
    assert free.get("/account").status_code == 401


@pytest.mark.usefixtures("transactional_db")
def test_a_reset_for_an_unknown_address_sends_nothing_and_looks_the_same(guest: Person, free: Person) -> None:
    known = guest.client.post("/password-reset", {"email": "free@example.org"})
    unknown = guest.client.post("/password-reset", {"email": "nobody@example.org"})
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert OUTBOX.flush(30)
    assert [each.to for each in mail.outbox] == [["free@example.org"]]


@pytest.mark.parametrize(
    "path",
    [
        "/account",
        "/account/password",
        "/account/delete",
        "/account/email",
        "/account/logins",
        "/account/confirm",
        "/history",
        "/usage",
        "/api-keys",
    ],
)
def test_a_page_of_an_account_asks_a_guest_to_log_in(guest: Person, path: str) -> None:
    assert guest.client.get(path)["Location"] == f"/login?next={path}"


def test_logging_out_takes_a_post(free: Person) -> None:
    assert free.user is not None
    free.client.force_login(free.user)
    assert free.client.get("/logout").status_code == 405
    free.client.post("/logout")
    assert free.client.get("/account").status_code == 302


def test_forms_need_the_token(free: Person) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/signup", GOOD).status_code == 403
    assert strict.post("/login", {"username": "free@example.org", "password": PASSWORD}).status_code == 403
