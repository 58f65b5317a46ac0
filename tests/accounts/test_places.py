"""Password guessing: limited from every address, and never a way to lock the owner out."""

from __future__ import annotations

import json
from typing import Any

import pyotp
import pytest
from django.test import Client

from accounts.credits.known_devices import COOKIE
from accounts.login import factors
from accounts.login.factors import Totp
from accounts.models import User
from tests.conftest import PASSWORD, Person, make_user

pytestmark = pytest.mark.usefixtures("one_window")


def api(email: str, password: str, address: str, code: str = "") -> int:
    body = json.dumps({"email": email, "password": password, "code": code})
    client = Client(REMOTE_ADDR=address)
    return int(client.post("/api/v1/auth/login", body, content_type="application/json").status_code)


def page(client: Client, email: str, password: str, address: str, path: str = "/login") -> int:
    form = {"username": email, "password": password}
    return int(client.post(path, form, REMOTE_ADDR=address).status_code)


@pytest.mark.parametrize("path", ["/login", "/admin/login/"])
def test_wrong_passwords_from_one_address_do_not_lock_out_another(db: None, path: str) -> None:
    boss = User.objects.create_superuser("boss@example.org", PASSWORD)
    assert [page(Client(), boss.email, "wrong", "192.0.2.1", path) for _ in range(10)] == [200] * 10
    assert page(Client(), boss.email, PASSWORD, "192.0.2.1", path) == 429
    assert page(Client(), boss.email, PASSWORD, "192.0.2.2", path) == 302
    assert api(boss.email, PASSWORD, "192.0.2.3") == 200


def test_wrong_passwords_from_many_addresses_are_slowed_together(free: Person, settings: Any) -> None:
    settings.LOGIN_RATE_ACCOUNT = "12/m"
    email = free.account.email
    assert [api(email, "wrong", f"192.0.2.{each}") for each in range(1, 13)] == [401] * 12
    assert api(email, PASSWORD, "192.0.2.99") == 429
    # Another account has nothing to do with it.
    assert api(make_user().email, PASSWORD, "192.0.2.99") == 200


def test_a_known_browser_can_log_in_while_others_guess(free: Person, settings: Any) -> None:
    settings.LOGIN_RATE_ACCOUNT = "12/m"
    email, browser = free.account.email, Client()
    assert page(browser, email, PASSWORD, "192.0.2.200") == 302
    assert api(email, PASSWORD, "192.0.2.201") == 200
    browser.post("/logout")
    for each in range(1, 13):
        api(email, "wrong", f"192.0.2.{each}")
    assert page(Client(), email, PASSWORD, "192.0.2.99") == 429
    # The browser from elsewhere by its cookie, the program by its address.
    assert page(browser, email, PASSWORD, "192.0.2.99") == 302
    assert api(email, PASSWORD, "192.0.2.201") == 200


def test_a_known_browser_has_the_same_limit_for_guesses(free: Person, settings: Any) -> None:
    browser = Client()
    assert page(browser, free.account.email, PASSWORD, "192.0.2.1") == 302
    browser.post("/logout")
    answers = [page(browser, free.account.email, "wrong", f"192.0.2.{each}") for each in range(2, 13)]
    assert answers == [200] * 10 + [429]


def test_a_browser_is_known_only_to_accounts_it_has_logged_in_to(free: Person, settings: Any) -> None:
    settings.LOGIN_RATE_ACCOUNT = "2/m"
    browser, mine = Client(), make_user()
    assert page(browser, mine.email, PASSWORD, "192.0.2.1") == 302
    cookie = browser.cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"], mine.email in cookie.value) == (True, "Lax", False)
    browser.post("/logout")
    assert [page(browser, free.account.email, "wrong", "192.0.2.2") for _ in range(2)] == [200, 200]
    assert page(browser, free.account.email, PASSWORD, "192.0.2.2") == 429
    browser.cookies[COOKIE] = cookie.value[:-1] + ("A" if cookie.value[-1] != "A" else "B")
    assert page(browser, mine.email, "wrong", "192.0.2.3") == 200
    assert page(browser, mine.email, PASSWORD, "192.0.2.3") == 429


def test_code_attempts_for_an_account_are_counted_across_addresses(db: None, settings: Any) -> None:
    settings.LOGIN_RATE_CODE = "3/h"
    user, secret = make_user(), factors.new_secret()
    assert factors.add_totp(user, secret, pyotp.TOTP(secret).now())
    assert [api(user.email, PASSWORD, f"192.0.2.{each}", "000000") for each in range(1, 4)] == [401] * 3
    assert api(user.email, PASSWORD, "192.0.2.9", "000000") == 429
    assert Totp.objects.filter(user=user).exists()


def spaced(email: str, spaces: int) -> str:
    """An address as a form may have it: the spaces around it are not part of it."""
    return " " * spaces + email


@pytest.mark.parametrize("spaces", [0, 253])
def test_password_reset_mails_are_limited_to_five_an_hour_across_addresses(free: Person, spaces: int) -> None:
    asked = []
    for each in range(1, 7):
        form = {"email": spaced(free.account.email, spaces - each if spaces else 0)}
        asked.append(Client().post("/password-reset", form, REMOTE_ADDR=f"192.0.2.{each}").status_code)
    assert asked == [302] * 5 + [429]


def test_mails_about_a_new_address_are_limited_to_five_an_hour_across_accounts(db: None) -> None:
    asked = []
    for each in range(1, 7):
        browser = Client(REMOTE_ADDR=f"192.0.2.{each}")
        browser.force_login(make_user("pro"))
        form = {"email": spaced("recipient@example.org", 253 - each)}
        asked.append(browser.post("/account/email", form).status_code)
    assert asked == [302] * 5 + [429]
