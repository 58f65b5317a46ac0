"""Stories of accounts that are trusted, in a browser: what proves who is there, and the way back when it is lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyotp
import pytest
import urllib3
from oidc_provider_mock import User as Known
from oidc_provider_mock import run_server_in_thread
from playwright.sync_api import expect

from accounts.login import provider as openid_provider
from accounts.login.passkeys import Passkey
from accounts.models import User
from tests.conftest import PASSWORD, Person, make_user

_PHONE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}

_STYLES = "https://cdn.jsdelivr.net"


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


def test_a_passkey_logs_in_with_and_without_the_password(visit: Any, ada: User) -> None:
    page = visit("/account/factor", user=ada)
    devtools, phone = phone_of(page)
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Name").fill("Ada's phone")
    page.get_by_role("button", name="Create passkey").click()
    page.get_by_role("heading", name="Your recovery codes").wait_for()
    page.goto("/account/passkeys/add")
    page.get_by_role("button", name="Create passkey").click()
    page.get_by_text("This device already has a passkey for your account.").wait_for()
    log_out(page)

    page.goto("/login?next=/account/factor")
    page.get_by_role("link", name="Log in with a passkey").click()
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_role("button", name="Remove Ada's phone").wait_for()
    assert page.url.endswith("/account/factor")
    assert Passkey.objects.get().used_at is not None
    log_out(page)

    log_in(page)
    page.get_by_text("Now use one of your passkeys.").wait_for()
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_role("button", name="Log out").first.wait_for()

    page.goto("/account/factor")
    page.get_by_role("button", name="Remove Ada's phone").click()
    page.get_by_text("Second factor removed.").wait_for()
    devtools.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": phone})


def test_another_person_s_fingerprint_is_refused(visit: Any, ada: User) -> None:
    page = visit("/account/passkeys/add", user=ada)
    devtools, phone = phone_of(page)
    page.get_by_role("button", name="Create passkey").click()
    page.get_by_role("heading", name="Your recovery codes").wait_for()
    log_out(page)
    devtools.send("WebAuthn.setUserVerified", {"authenticatorId": phone, "isUserVerified": False})
    page.goto("/login/passkey")
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_text("No passkey was used.").wait_for()
    page.goto("/account")
    page.get_by_role("heading", name="Log in").wait_for()


def test_a_browser_without_passkeys_is_told_so(visit: Any, free: Person) -> None:
    page = visit("/login")
    page.context.add_init_script("delete window.PublicKeyCredential;")
    page.goto("/login/passkey")
    page.get_by_text("This browser does not support passkeys").wait_for()
    assert page.get_by_role("button", name="Use a passkey").is_disabled()
    plain = visit("/login/passkey", java_script_enabled=False)
    plain.get_by_text("Passkeys need JavaScript").wait_for()
    plain.get_by_role("link", name="Log in with your password").click()
    plain.get_by_role("heading", name="Log in", exact=True).wait_for()


def test_an_app_is_added_lost_and_replaced_by_a_recovery_code(visit: Any, ada: User) -> None:
    page = visit("/account/factor", user=ada)
    page.get_by_role("link", name="Add an authenticator app").click()
    page.get_by_role("textbox", name="Code").fill(pyotp.TOTP(page.inner_text("#secret")).now())
    page.get_by_role("button", name="Use this app").click()
    page.get_by_role("heading", name="Your recovery codes").wait_for()
    code = page.inner_text("#codes").split()[0]
    log_out(page)

    log_in(page)
    page.get_by_role("heading", name="Enter your code").wait_for()
    page.get_by_role("textbox", name="Code").fill("000000")
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    page.get_by_text("This code is wrong or has already been used.").wait_for()
    page.get_by_role("textbox", name="Code").fill(code)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    page.get_by_role("button", name="Log out").first.wait_for()
    page.goto("/account/factor")
    page.get_by_text("9 left").wait_for()
    page.get_by_role("button", name="Remove the app").click()
    page.get_by_text("Second factor removed.").wait_for()
    log_out(page)
    log_in(page)
    page.get_by_role("button", name="Log out").first.wait_for()


@pytest.fixture
def provider(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """One that knows Ada, whose address it has verified."""
    monkeypatch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")
    monkeypatch.setattr(openid_provider, "_TIMEOUT", 120.0)
    monkeypatch.setattr(openid_provider, "_POOL", urllib3.PoolManager(retries=False, timeout=120))
    claims = {"email": "ada@example.org", "email_verified": True, "name": "Ada"}
    with run_server_in_thread(user_claims=[Known(sub="ada-there", claims=claims)]) as server:
        settings.OIDC_ISSUER = f"http://localhost:{server.server_port}"
        settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET, settings.OIDC_NAME = "fileconv", "a secret", "Acme"
        yield settings.OIDC_ISSUER


def agree(page: Any, provider: str) -> None:
    page.wait_for_url(f"{provider}/**")
    page.get_by_role("button", name="ada-there").click()


def test_a_user_logs_in_with_the_provider_and_links_another_account(
    visit: Any, watch: Any, guest: Person, ada: User, provider: str
) -> None:
    watch.others, watch.refusals_expected = (provider, _STYLES), True
    page = visit("/login?next=/account")
    # The provider's own pages want a style from elsewhere.
    page.context.route(f"{_STYLES}/**", lambda route: route.fulfill(body="", content_type="text/css"))
    page.get_by_role("link", name="Log in with Acme").click()
    agree(page, provider)
    page.get_by_text("There is already an account with your address.").wait_for()

    log_in(page)
    page.goto("/account")
    page.get_by_role("link", name="Log in with Acme").click()
    page.get_by_role("button", name="Link Acme").click()
    page.get_by_role("link", name="Continue").click()
    agree(page, provider)
    page.get_by_text("You can log in with Acme from now on.").wait_for()
    log_out(page)

    page.goto("/login?next=/account")
    page.get_by_role("link", name="Log in with Acme").click()
    agree(page, provider)
    page.get_by_role("heading", name="Account", exact=True).wait_for()
    expect(page.get_by_text("ada@example.org")).to_be_visible()
    page.goto("/account/identities")
    page.get_by_role("button", name=f"Remove {provider}").click()
    page.get_by_text("It can no longer be used to log in.").wait_for()
