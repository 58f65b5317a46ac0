"""Stories of accounts that are trusted, in a browser: what proves who is there, and the way back when it is lost."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from accounts.passkeys import Passkey
from tests.conftest import PASSWORD, Person, make_user

_PHONE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def ada(live_server: Any) -> User:
    return make_user("pro", "ada@example.org")


def log_in(page: Any, password: str = PASSWORD) -> None:
    page.goto("/login")
    page.get_by_label("Email").fill("ada@example.org")
    page.get_by_label("Password").fill(password)
    page.get_by_role("main").get_by_role("button", name="Log in").click()


def log_out(page: Any) -> None:
    page.get_by_role("button", name="Log out").first.click()
    page.get_by_role("link", name="Log in").first.wait_for()


def phone_of(page: Any, **more: bool) -> tuple[Any, str]:
    """A phone that keeps passkeys, and holds its owner's finger to the reader whenever it is asked."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    return devtools, devtools.send("WebAuthn.addVirtualAuthenticator", {"options": {**_PHONE, **more}})[
        "authenticatorId"
    ]


def test_a_passkey_is_added_and_lets_in_without_and_after_the_password(visit: Any, ada: User) -> None:
    page = visit("/account/factor", user=ada)
    devtools, phone = phone_of(page)
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Name").fill("Ada's phone")
    page.get_by_role("button", name="Make the passkey").click()
    page.get_by_role("heading", name="Your recovery codes").wait_for()
    page.goto("/account/passkeys/add")
    page.get_by_role("button", name="Make the passkey").click()
    page.get_by_text("This device has a passkey for your account already.").wait_for()
    log_out(page)

    page.goto("/login?next=/account/factor")
    page.get_by_role("link", name="Log in with a passkey").click()
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_role("button", name="Remove Ada's phone").wait_for()
    assert page.url.endswith("/account/factor")
    assert Passkey.objects.get().used_at is not None
    log_out(page)

    log_in(page)
    page.get_by_text("The password was right.").wait_for()
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_role("button", name="Log out").first.wait_for()

    page.goto("/account/factor")
    page.get_by_role("button", name="Remove Ada's phone").click()
    page.get_by_text("Your password alone is enough").wait_for()
    devtools.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": phone})


def test_a_finger_that_is_not_the_owners_opens_nothing(visit: Any, ada: User) -> None:
    page = visit("/account/passkeys/add", user=ada)
    devtools, phone = phone_of(page)
    page.get_by_role("button", name="Make the passkey").click()
    page.get_by_role("heading", name="Your recovery codes").wait_for()
    log_out(page)
    devtools.send("WebAuthn.setUserVerified", {"authenticatorId": phone, "isUserVerified": False})
    page.goto("/login/passkey")
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_text("No passkey was shown.").wait_for()
    page.goto("/account")
    page.get_by_role("heading", name="Log in").wait_for()


def test_a_browser_without_passkeys_is_told_so(visit: Any, free: Person) -> None:
    page = visit("/login")
    page.context.add_init_script("delete window.PublicKeyCredential;")
    page.goto("/login/passkey")
    page.get_by_text("This browser has no passkeys").wait_for()
    assert page.get_by_role("button", name="Use a passkey").is_disabled()
    plain = visit("/login/passkey", java_script_enabled=False)
    plain.get_by_text("Passkeys need JavaScript").wait_for()
    plain.get_by_role("link", name="Log in with your password").click()
    plain.get_by_role("heading", name="Log in", exact=True).wait_for()
