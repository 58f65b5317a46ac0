"""Whoever signs up with another's address, before or after its owner, gets no account that the owner confirms."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pyotp
import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from accounts.login import factors, identities, passkeys
from accounts.login.identities import Identity
from accounts.login.passkeys import Passkey
from accounts.models import User
from apikeys.models import ApiKey
from tests.accounts.test_resets import NEW as RESET
from tests.accounts.test_resets import mailed as reset_mailed
from tests.accounts.test_resets import reset
from tests.accounts.test_verification import mailed, required  # noqa: F401  # a fixture
from tests.conftest import PASSWORD, Person, make_user, with_key

EMAIL = "new@example.org"
OWNERS, STRANGERS = "the owner's long phrase", "the stranger's long phrase"


def register(password: str, way: str) -> dict[str, str]:
    """Sign up with the address; the bearer header of the tokens that the API gives."""
    form = {"email": EMAIL, "password": password, "name": ""}
    if way == "page":
        assert Client().post("/signup", form)["Location"] == "/signup/sent"
        return {}
    answer = Client().post("/api/v1/auth/register", form, content_type="application/json")
    assert answer.status_code == 201
    return {"Authorization": f"Bearer {answer.json()['data']['accessToken']}"}


def login(password: str) -> int:
    body = {"email": EMAIL, "password": password}
    return int(Client().post("/api/v1/auth/login", body, content_type="application/json").status_code)


@pytest.mark.parametrize("way", ["page", "api"])
def test_an_owner_who_signs_up_after_a_stranger_gets_an_account_of_their_own(required: Any, way: str) -> None:  # noqa: F811
    tokens = register(STRANGERS, way)
    register(OWNERS, way)
    link = mailed()[0]
    for password in (OWNERS, ""):
        answer = Client().post(link, {"password": password})
        assert answer.status_code == 200
        assert "_auth_user_id" not in answer.client.session
    assert "set a new one by email" in Client().post(link, {"password": OWNERS}).content.decode()
    assert User.objects.get().verified_at is None
    assert (login(OWNERS), login(STRANGERS)) == (401, 401)
    assert reset(reset_mailed(User.objects.get())).status_code == 302
    assert User.objects.get().verified_at is not None
    assert (login(RESET), login(STRANGERS), login(OWNERS)) == (200, 401, 401)
    if tokens:
        assert Client().get("/api/v1/account", headers=tokens).status_code == 401
    assert Client().post(link, {"password": STRANGERS}).status_code == 200


@pytest.mark.parametrize("way", ["page", "api"])
def test_a_stranger_who_signs_up_after_the_owner_changes_nothing(required: Any, way: str) -> None:  # noqa: F811
    own = register(OWNERS, way)
    tokens = register(STRANGERS, way)
    link, notice = mailed()
    assert notice == "/login"
    answer = Client().post(link, {"password": STRANGERS})
    assert (answer.status_code, User.objects.get().verified_at) == (200, None)
    browser = Client()
    assert browser.post(link, {"password": OWNERS}).status_code == 302
    assert browser.get("/account").status_code == 200
    assert (login(OWNERS), login(STRANGERS)) == (200, 401)
    if tokens:
        statuses = [Client().get("/api/v1/account", headers=each).status_code for each in (own, tokens)]
        assert statuses == [200, 401]


def _ways_in(user: User) -> ApiKey:
    """Add each way to log in to the account; returns its key."""
    secret = factors.new_secret()
    assert factors.add_totp(user, secret, pyotp.TOTP(secret).now())
    Passkey.objects.create(user=user, credential="a-key", public_key="", name="a key")
    Identity.objects.create(user=user, issuer="https://id.example", subject="somebody")
    key: ApiKey = with_key(user).account.api_keys.get()
    return key


def test_a_reset_removes_ways_in_from_before_the_address_was_confirmed(transactional_db: None, guest: Person) -> None:
    user = make_user("pro")
    key = _ways_in(user)
    browser = Client()
    browser.force_login(user)
    assert browser.post("/account/verify").status_code == 302
    (link,) = mailed(user.email)
    assert browser.post(link, {"password": PASSWORD})["Location"] == "/account"
    assert reset(reset_mailed(user)).status_code == 302
    assert not factors.has_factor(user)
    assert factors.codes_left(user) == 0
    assert identities.exported(user) == []
    key.refresh_from_db()
    assert key.revoked_at is not None
    assert guest.post("/auth/login", {"email": user.email, "password": RESET}).status_code == 200


def test_a_reset_keeps_ways_in_from_after_the_address_was_confirmed(transactional_db: None) -> None:
    user = make_user("pro")
    key = _ways_in(user)
    User.objects.filter(pk=user.pk).update(verified_at=F("created_at") - timedelta(days=1))
    assert reset(reset_mailed(user)).status_code == 302
    assert passkeys.has_passkey(user)
    assert factors.kinds_of(user) == {"totp": True, "passkeys": True}
    assert factors.codes_left(user) == factors.CODES
    assert len(identities.exported(user)) == 1
    key.refresh_from_db()
    assert key.revoked_at is None


def test_a_reset_after_a_change_of_address_keeps_ways_in_from_after_the_first_confirmation(
    transactional_db: None,
) -> None:
    user = make_user("pro")
    key = _ways_in(user)
    User.objects.filter(pk=user.pk).update(verified_at=F("created_at") - timedelta(days=1))
    browser = Client()
    browser.force_login(user)
    assert browser.post("/account/email", {"email": "changed@example.org"}).status_code == 302
    for link in [*mailed(user.email), *mailed("changed@example.org")]:
        assert browser.post(link).status_code == 200
    user.refresh_from_db()
    assert user.email == "changed@example.org"
    assert reset(reset_mailed(user)).status_code == 302
    assert factors.kinds_of(user) == {"totp": True, "passkeys": True}
    assert factors.codes_left(user) == factors.CODES
    assert len(identities.exported(user)) == 1
    key.refresh_from_db()
    assert key.revoked_at is None


@pytest.mark.parametrize("confirmed", [False, True])
def test_the_page_of_second_factors_says_to_confirm_the_address_first(db: None, settings: Any, confirmed: bool) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    user = make_user("pro", verified_at=timezone.now() if confirmed else None)
    browser = Client()
    browser.force_login(user)
    page = browser.get("/account/factor").content.decode()
    assert ("Confirm your address before you add a second factor." in page) is not confirmed
