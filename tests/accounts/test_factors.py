"""Second factors: a code after the password at every login, each code once, and recovery for a lost app."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pyotp
import pytest
from django.db import connections
from django.test import Client

from accounts.deactivation import deactivate
from accounts.login import factors
from accounts.login.factors import RecoveryCode, Totp
from accounts.models import User
from tests.conftest import PASSWORD, Person, make_user

ADA = "ada@example.org"
CODES = re.compile(r"\b[a-z2-9]{5}-[a-z2-9]{5}\b")
LOGIN = {"username": ADA, "password": PASSWORD, "next": "/plans"}
BODY = {"email": ADA, "password": PASSWORD}


class App:
    """The authenticator on somebody's phone, which waits for the next code after each."""

    def __init__(self, secret: str, clock: Any) -> None:
        self.secret, self._clock, self._seconds = secret, clock, 0

    def code(self) -> str:
        self._seconds += 60
        self._clock.set(seconds=self._seconds)
        return pyotp.TOTP(self.secret).now()


@pytest.fixture
def ada(transactional_db: None) -> User:
    return make_user("pro", ADA)


@pytest.fixture
def app(ada: User, clock: Any) -> App:
    app = App(pyotp.random_base32(), clock)
    assert factors.add_totp(ada, app.secret, app.code())
    return app


def api(client: Client, **more: str) -> Any:
    return client.post("/api/v1/auth/login", {**BODY, **more}, content_type="application/json")


def test_an_authenticator_is_added_with_one_of_its_codes_and_required_afterwards(ada: User, clock: Any) -> None:
    browser = Client()
    browser.force_login(ada)
    page = browser.get("/account/factor/add").content.decode()
    secret = re.findall(r'id="secret">(\w+)<', page)[0]
    assert "<svg" in page
    assert b"current code. Check that the time" in browser.post("/account/factor/add", {"code": "000000"}).content
    assert not Totp.objects.exists()
    app = App(secret, clock)
    page = browser.post("/account/factor/add", {"code": app.code()}).content.decode()
    codes = CODES.findall(page.partition("<main")[2])
    assert len(set(codes)) == RecoveryCode.objects.count() == 10
    assert secret not in Totp.objects.get().secret

    stranger = Client()
    assert stranger.post("/login", LOGIN)["Location"] == "/login/code"
    assert stranger.get("/account").status_code == 302
    assert b"wrong or has already been used" in stranger.post("/login/code", {"code": "123456"}).content
    code = app.code()
    assert stranger.post("/login/code", {"code": f"{code[:3]} {code[3:]}"})["Location"] == "/plans"
    assert stranger.get("/account").status_code == 200
    assert browser.post("/account/factor/remove")["Location"] == "/account/factor"
    assert Client().post("/login", LOGIN)["Location"] == "/plans"


def test_the_api_requires_the_code_and_accepts_each_once(app: App) -> None:
    asked = api(Client())
    assert (asked.status_code, asked.json()["code"]) == (401, "SECOND_FACTOR_REQUIRED")
    wrong = Client().post("/api/v1/auth/login", {**BODY, "password": "x"}, content_type="application/json")
    assert wrong.json()["code"] == "UNAUTHORIZED"
    code = app.code()
    assert api(Client(), code=code).status_code == 200
    again = api(Client(), code=code)
    assert (again.status_code, again.json()["code"]) == (401, "UNAUTHORIZED")
    assert api(Client(), code=app.code()).status_code == 200


def test_a_recovery_code_works_once_and_new_codes_replace_old_ones(ada: User, app: App) -> None:
    old = factors.renew_codes(ada)
    assert api(Client(), code=old[0].upper()).status_code == 200
    assert api(Client(), code=old[0]).status_code == 401
    browser = Client()
    browser.post("/login", LOGIN)
    assert browser.post("/login/code", {"code": old[1].replace("-", " ")})["Location"] == "/plans"
    new = CODES.findall(browser.post("/account/factor/codes").content.decode().partition("<main")[2])
    assert len(new) == 10
    assert [api(Client(), code=each).status_code for each in (old[2], new[0])] == [401, 200]


@pytest.mark.parametrize("kind", ["app", "recovery"])
def test_of_parallel_uses_of_one_code_exactly_one_counts(ada: User, app: App, kind: str) -> None:
    code = app.code() if kind == "app" else factors.renew_codes(ada)[0]

    def use(_: int) -> bool:
        try:
            return factors.use_code(ada, code)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(use, range(8))) == 1


@pytest.mark.usefixtures("one_window")
def test_guessing_codes_is_rate_limited_like_passwords(app: App) -> None:
    browser = Client()
    browser.post("/login", LOGIN)
    answers = [browser.post("/login/code", {"code": f"{number:06}"}).status_code for number in range(10)]
    assert answers == [200] * 9 + [429]
    assert browser.post("/login/code", {"code": app.code()}).status_code == 429
    assert api(Client(), code="000000").status_code == 429


def test_the_second_step_expires_after_ten_minutes_or_a_password_change(ada: User, app: App, clock: Any) -> None:
    browser = Client()
    browser.post("/login", LOGIN)
    User.objects.filter(pk=ada.pk).update(password="x")
    assert browser.post("/login/code", {"code": app.code()})["Location"] == "/login"
    assert Client().get("/login/code")["Location"] == "/login"


def test_staff_need_a_second_factor_for_the_admin_if_required(ada: User, clock: Any, settings: Any) -> None:
    User.objects.filter(pk=ada.pk).update(is_staff=True, is_superuser=True)
    settings.STAFF_SECOND_FACTOR = True
    browser = Client()
    browser.post("/login", LOGIN)
    shut = browser.get("/admin/", follow=True)
    assert shut.redirect_chain[-1][0] == "/account/factor"
    assert "need one to use the admin" in shut.content.decode()
    secret = re.findall(r'id="secret">(\w+)<', browser.get("/account/factor/add").content.decode())[0]
    app = App(secret, clock)
    assert browser.post("/account/factor/add", {"code": app.code()}).status_code == 200
    assert browser.get("/admin/").status_code == 200
    browser.post("/account/factor/remove")
    assert factors.has_factor(ada)
    door = Client().post("/admin/login/", {"username": ADA, "password": PASSWORD})
    assert (door.status_code, b"Log in here" in door.content) == (200, True)
    again = Client()
    assert again.post("/login", {**LOGIN, "next": "/admin/"})["Location"] == "/login/code"
    assert again.post("/login/code", {"code": app.code()})["Location"] == "/admin/"
    assert again.get("/admin/").status_code == 200


def test_a_code_counts_as_reauthentication(ada: User, app: App) -> None:
    browser = Client()
    browser.force_login(ada)
    session = browser.session
    session["sure_at"] = 0.0
    session.save()
    assert (
        browser.post("/account/confirm", {"password": app.code(), "next": "/account/email"})["Location"]
        == "/account/email"
    )
    assert browser.get("/account/email").status_code == 200


def test_recovery_codes_work_after_a_change_of_the_secret_key(ada: User, app: App, settings: Any) -> None:
    codes = factors.renew_codes(ada)
    settings.SECRET_KEY = "another key that is long enough for this"
    assert [api(Client(), code=each).status_code for each in (app.code(), codes[0])] == [401, 200]


def test_without_a_second_factor_no_code_is_required(free: Person, guest: Person) -> None:
    body = {"email": "free@example.org", "password": PASSWORD}
    assert guest.post("/auth/login", {**body, "code": "whatever"}).status_code == 200


def test_restoring_a_closed_account_requires_both_factors(ada: User, app: App) -> None:
    deactivate(ada)
    browser = Client()
    assert browser.post("/login", LOGIN)["Location"] == "/login/code"
    assert browser.get("/login/restore")["Location"] == "/login"
    assert browser.post("/login/restore")["Location"] == "/login"
    assert not User.objects.get(pk=ada.pk).is_active
    assert browser.post("/login/code", {"code": "000000"}).status_code == 200
    assert browser.post("/login/code", {"code": app.code()})["Location"] == "/login/restore"
    assert browser.get("/account").status_code == 302
    assert browser.post("/login/restore")["Location"] == "/login"
    assert User.objects.get(pk=ada.pk).is_active
