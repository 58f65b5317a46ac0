"""OpenID Connect against a provider that runs here, and against one that lies."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
import pytest
import urllib3
from cryptography.hazmat.primitives.asymmetric import rsa
from django.core import mail
from django.test import Client
from django.utils import timezone
from oidc_provider_mock import User as Known
from oidc_provider_mock import run_server_in_thread

from accounts import deactivation
from accounts.login import factors, provider
from accounts.login.identities import Identity
from accounts.login.passkeys import Passkey
from accounts.models import User
from accounts.people import invitations
from accounts.people.invitations import Invitation
from accounts.people.outbox import OUTBOX
from tests.conftest import PASSWORD, make_user
from tests.http_server import http_server

ADA = "ada@example.org"
KNOWN = {
    "ada": {"email": "Ada@Example.org", "email_verified": True, "name": "Ada"},
    "eve": {"email": ADA, "email_verified": False},
    "nobody": {},
    "bob": {"email": "bob@example.org", "email_verified": True},
}


@pytest.fixture(autouse=True)
def _near(monkeypatch: pytest.MonkeyPatch) -> None:
    """The provider runs on a machine that may be busy, and would refuse to run without TLS."""
    monkeypatch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")
    monkeypatch.setattr(provider, "_TIMEOUT", 120.0)
    monkeypatch.setattr(provider, "_POOL", urllib3.PoolManager(retries=False, timeout=120))


@pytest.fixture
def known(transactional_db: None, settings: Any) -> Iterator[str]:
    """A provider that knows people."""
    with run_server_in_thread(user_claims=[Known(sub=sub, claims=claims) for sub, claims in KNOWN.items()]) as server:
        settings.OIDC_ISSUER = f"http://localhost:{server.server_port}"
        settings.OIDC_CLIENT_ID = "fileconv"
        settings.OIDC_CLIENT_SECRET = "a: secret"
        yield settings.OIDC_ISSUER


def agreed(where: str, person: str) -> str:
    """Say yes at the provider; the address to which it sends the browser back."""
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = urllib3.request("POST", where, body=urlencode({"sub": person}), headers=form, redirect=False)
    assert answer.status == 302, answer.data
    parts = urlsplit(answer.headers["Location"])
    return f"{parts.path}?{parts.query}"


def come(browser: Client, person: str, **query: str) -> Any:
    return browser.get(agreed(browser.get("/login/openid", query)["Location"], person))


def is_in(browser: Client) -> bool:
    return bool(browser.get("/account").status_code == 200)


def linked(browser: Client, person: str) -> Any:
    page = browser.post("/account/identities/add").content.decode()
    where = page.partition('class="button" href="')[2].partition('"')[0].replace("&amp;", "&")
    return browser.get(agreed(where, person))


def ada(**fields: Any) -> User:
    return make_user("pro", ADA, **fields)


def test_a_new_person_gets_an_account_with_a_confirmed_address(known: str, settings: Any) -> None:
    settings.EMAIL_VERIFICATION = "required"
    browser = Client()
    assert come(browser, "ada", next="/plans")["Location"] == "/plans"
    user = User.objects.get()
    assert (user.email, user.name, user.has_usable_password()) == (ADA, "Ada", False)
    assert (user.verified_at is not None, user.must_confirm_email, user.credits) == (True, False, 100)
    assert is_in(browser)
    other = Client()
    assert come(other, "ada")["Location"] == "/"
    assert is_in(other)
    assert User.objects.count() == Identity.objects.count() == 1


def test_an_account_without_a_password_can_set_one_by_mail(known: str) -> None:
    come(Client(), "ada")
    Client().post("/password-reset", {"email": ADA})
    assert OUTBOX.flush(30)
    assert [each.to for each in mail.outbox] == [[ADA]]


def test_an_account_is_linked_by_address_only_if_both_sides_confirmed_it(known: str) -> None:
    user = ada()
    browser = Client()
    assert come(browser, "ada").status_code == 403
    assert not is_in(browser)
    User.objects.filter(pk=user.pk).update(verified_at=timezone.now())
    assert come(browser, "eve").status_code == 403
    assert come(browser, "nobody").status_code == 403
    assert not is_in(browser)
    assert not Identity.objects.exists()
    assert come(browser, "ada").status_code == 302
    assert is_in(browser)
    assert Identity.objects.get().user == user


def test_an_identity_is_linked_and_unlinked_on_the_account_page(known: str) -> None:
    user = ada()
    home = Client()
    home.force_login(user)
    assert linked(home, "eve")["Location"] == "/account/identities"
    browser = Client()
    assert come(browser, "eve")["Location"] == "/"
    assert is_in(browser)
    other = Client()
    other.force_login(make_user("free", "other@example.org"))
    assert linked(other, "eve").status_code == 403
    assert linked(home, "eve").status_code == 302
    row = Identity.objects.get()
    assert "eve" in home.get("/account/identities").content.decode()
    other.post(f"/account/identities/{row.pk}/remove")
    assert Identity.objects.count() == 1
    home.post(f"/account/identities/{row.pk}/remove")
    assert not Identity.objects.exists()
    come(browser, "ada")


def test_linking_requires_reauthentication_and_starts_from_the_same_account(known: str, settings: Any) -> None:
    home = Client()
    home.force_login(ada())
    page = home.post("/account/identities/add").content.decode()
    where = page.partition('class="button" href="')[2].partition('"')[0].replace("&amp;", "&")
    back = agreed(where, "bob")
    session = home.session["openid"]
    other = Client()
    other.force_login(make_user("free", "other@example.org"))
    kept = other.session
    kept["openid"] = session
    kept.save()
    assert other.get(back).status_code == 403
    stale = home.session
    stale["sure_at"] = 0.0
    stale.save()
    assert home.post("/account/identities/add")["Location"].startswith("/account/confirm")
    settings.EMAIL_VERIFICATION = "required"
    waiting = Client()
    waiting.force_login(User.objects.create_user("new@example.org", PASSWORD))
    assert waiting.post("/account/identities/add")["Location"].startswith("/login?")
    assert waiting.get("/account/passkeys/add")["Location"].startswith("/login?")
    assert not Identity.objects.exists()
    assert not Passkey.objects.exists()


def test_the_last_way_to_log_in_cannot_be_removed(known: str) -> None:
    browser = Client()
    come(browser, "ada")
    browser.post(f"/account/identities/{Identity.objects.get().pk}/remove")
    assert Identity.objects.count() == 1


def test_registration_rules_apply_to_people_from_the_provider(known: str, settings: Any) -> None:
    settings.REGISTRATION = "closed"
    assert come(Client(), "ada").status_code == 403
    settings.REGISTRATION = "invite"
    assert come(Client(), "ada").status_code == 403
    assert not User.objects.exists()
    code, digest = invitations.new_code()
    invitation = Invitation.objects.create(digest=digest, expires_at=Invitation._meta.get_field("created_at").default())
    assert come(Client(), "ada", invitation=code).status_code == 403
    Invitation.objects.filter(pk=invitation.pk).update(expires_at=invitation.expires_at + invitations.LASTS)
    assert come(Client(), "ada", invitation=code).status_code == 302
    assert come(Client(), "bob", invitation=code).status_code == 403
    settings.REGISTRATION, settings.EMAIL_DOMAINS = "open", ["example.com"]
    assert come(Client(), "bob").status_code == 403
    assert [each.email for each in User.objects.all()] == [ADA]


def test_a_disabled_account_stays_closed_and_a_deactivated_one_can_be_restored(known: str) -> None:
    come(Client(), "ada")
    user = User.objects.get()
    User.objects.filter(pk=user.pk).update(is_active=False)
    browser = Client()
    assert come(browser, "ada").status_code == 403
    assert not is_in(browser)
    User.objects.filter(pk=user.pk).update(is_active=True)
    user.refresh_from_db()
    deactivation.deactivate(user)
    assert come(browser, "ada")["Location"] == "/login/restore"
    browser.post("/login/restore")
    assert come(browser, "ada")["Location"] == "/"
    deactivation.erase_access(user)
    assert not Identity.objects.exists()


def test_the_provider_login_still_requires_the_second_factor(known: str) -> None:
    come(Client(), "ada")
    user = User.objects.get()
    Passkey.objects.create(user=user, credential="AAAA", public_key="oA", name="Phone")
    codes = factors.renew_codes(user)
    browser = Client()
    assert come(browser, "ada", next="/plans")["Location"] == "/login/key"
    assert not is_in(browser)
    assert browser.post("/login/code", {"code": codes[0]})["Location"] == "/plans"
    assert is_in(browser)


def test_a_return_works_once_in_the_same_browser_and_in_time(known: str, clock: Any) -> None:
    browser = Client()
    back = agreed(browser.get("/login/openid")["Location"], "ada")
    assert Client().get(back).status_code == 403
    forged = back.replace("state=", "state=x")
    assert browser.get(forged).status_code == 403
    assert browser.get(back).status_code == 403
    back = agreed(browser.get("/login/openid")["Location"], "ada")
    clock.set(seconds=601)
    assert browser.get(back).status_code == 403
    clock.set()
    back = agreed(browser.get("/login/openid")["Location"], "ada")
    kept = browser.cookies["sessionid"].value
    assert browser.get(back).status_code == 302
    again = Client()
    again.cookies["sessionid"] = kept
    assert again.get(back).status_code == 403
    assert browser.get("/login/openid/back").status_code == 403
    assert browser.get("/login/openid/back?error=access_denied&state=x").status_code == 403


def test_a_token_of_another_or_old_login_is_rejected(known: str, settings: Any) -> None:
    browser = Client()
    where = browser.get("/login/openid")["Location"]
    nonce = parse_qs(urlsplit(where).query)["nonce"][0]
    assert browser.get(agreed(where.replace(nonce, "another"), "ada")).status_code == 403
    with run_server_in_thread(
        user_claims=[Known(sub="ada", claims=KNOWN["ada"])], access_token_max_age=timedelta(hours=-1)
    ) as late:
        settings.OIDC_ISSUER = f"http://localhost:{late.server_port}"
        assert come(browser, "ada").status_code == 403
    assert not User.objects.exists()


@pytest.mark.usefixtures("one_window")
def test_the_provider_login_is_rate_limited_and_absent_unless_configured(known: str, settings: Any) -> None:
    settings.LOGIN_RATE_ADDRESS = "2/m"
    assert [Client().get("/login/openid").status_code for _ in range(3)] == [302, 302, 429]
    settings.OIDC_ISSUER = ""
    assert [Client().get(f"/login/openid{path}").status_code for path in ("", "/back")] == [404, 404]
    assert b"openid" not in Client().get("/login").content


KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER = rsa.generate_private_key(public_exponent=65537, key_size=2048)


class Liar:
    """A provider that says whatever a test wants: `claims` replace those of a true token, `answers` whole answers."""

    def __init__(self) -> None:
        self.claims: dict[str, Any] = {}
        self.answers: dict[str, tuple[int, bytes]] = {}
        self.key: Any = KEY
        self.algorithm = "RS256"
        self.nonce = ""
        self.url = ""

    def answer(self, path: str) -> tuple[int, bytes]:
        if path in self.answers:
            return self.answers[path]
        listed = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key())) | {"kid": "1", "use": "sig"}
        claims: dict[str, Any] = {
            "/.well-known/openid-configuration": {
                "issuer": self.url,
                "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token",
                "jwks_uri": f"{self.url}/keys",
            },
            "/keys": {"keys": [listed]},
            "/token": {"access_token": "x", "token_type": "Bearer", "id_token": self.token()},
        }
        return 200, json.dumps(claims[path]).encode()

    def token(self) -> str:
        true = {
            "iss": self.url,
            "sub": "ada",
            "aud": "fileconv",
            "exp": time.time() + 300,
            "iat": time.time(),
            "nonce": self.nonce,
            "email": ADA,
            "email_verified": True,
        }
        claims = {name: value for name, value in {**true, **self.claims}.items() if value is not None}
        return jwt.encode(claims, self.key, self.algorithm, headers={"kid": "1"})


@pytest.fixture
def liar(transactional_db: None, settings: Any) -> Iterator[Liar]:
    found = Liar()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, content = found.answer(self.path)
            self.send_response(status)
            self.send_header("Location", f"{found.url}/elsewhere")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_GET

        def log_message(self, *given: Any) -> None:
            """Nothing."""

    settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = "fileconv", ""
    with http_server(Handler) as found.url:
        settings.OIDC_ISSUER = found.url
        yield found


def back_from(liar: Liar, browser: Client) -> Any:
    query = parse_qs(urlsplit(browser.get("/login/openid")["Location"]).query)
    liar.nonce = query["nonce"][0]
    return browser.get("/login/openid/back", {"state": query["state"][0], "code": "c"})


def test_a_valid_token_is_accepted(liar: Liar) -> None:
    browser = Client()
    assert back_from(liar, browser).status_code == 302
    assert is_in(browser)


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": "another"},
        {"aud": ["another"], "azp": "fileconv"},
        {"aud": ["fileconv", "another"]},
        {"aud": "fileconv", "azp": "another"},
        {"aud": None},
        {"iss": "https://evil.example"},
        {"nonce": "another"},
        {"nonce": None},
        {"exp": 1_000_000_000},
        {"exp": None},
        {"iat": None},
        {"sub": None},
        {"sub": 5},
        {"sub": ""},
        {"sub": "x" * 256},
        {"sub": "a\0"},
        {"sub": "\ud800"},
        {"nonce": "\ud800"},
        {"email": "a\0@example.org"},
        {"email": "\ud800@example.org"},
        {"email": "a" * 250 + "@example.org"},
        {"email": "no address"},
        {"email": 7},
        {"email": None},
        {"email_verified": None},
        {"email_verified": "false"},
        {"email_verified": 1},
        {"email_verified": 1.5},
    ],
    ids=ascii,
)
def test_a_token_for_another_login_is_rejected(liar: Liar, claims: dict[str, Any]) -> None:
    liar.claims = claims
    browser = Client()
    assert back_from(liar, browser).status_code == 403
    assert not is_in(browser)
    assert not User.objects.exists()


@pytest.mark.parametrize("name", ["A\0", "\ud800", 5])
def test_a_name_that_cannot_be_stored_is_left_out(liar: Liar, name: Any) -> None:
    liar.claims = {"name": name}
    assert back_from(liar, Client()).status_code == 302
    assert User.objects.get().name == ""


@pytest.mark.parametrize("claims", [{"email_verified": False}, {}])
def test_an_address_is_verified_only_by_the_response_that_contains_it(liar: Liar, claims: dict[str, Any]) -> None:
    _, configuration = liar.answer("/.well-known/openid-configuration")
    configured = json.loads(configuration) | {"userinfo_endpoint": f"{liar.url}/userinfo"}
    liar.answers["/.well-known/openid-configuration"] = (200, json.dumps(configured).encode())
    liar.answers["/userinfo"] = (200, json.dumps({"sub": "ada", "email": ADA, **claims}).encode())
    liar.claims = {"email": None, "email_verified": True}
    ada(verified_at=timezone.now())
    browser = Client()
    assert back_from(liar, browser).status_code == 403
    liar.answers["/userinfo"] = (200, json.dumps({"sub": "ada", "email": ADA, "email_verified": True}).encode())
    liar.claims = {"email": None, "email_verified": None}
    assert back_from(liar, browser).status_code == 302


@pytest.mark.parametrize("domain", ["example.org", "bücher.example", "xn--bcher-kva.example"])
def test_an_address_that_lower_cases_to_another_s_is_not_theirs(liar: Liar, domain: str) -> None:
    make_user("pro", f"mike@{domain}", verified_at=timezone.now())
    liar.claims = {"email": f"mi\N{KELVIN SIGN}e@{domain}"}
    assert back_from(liar, Client()).status_code == 403
    assert not Identity.objects.exists()


def test_a_token_not_signed_by_the_provider_is_rejected(liar: Liar) -> None:
    for key, algorithm in ((OTHER, "RS256"), ("", "none"), ("s" * 64, "HS256")):
        liar.key, liar.algorithm = key, algorithm
        assert back_from(liar, Client()).status_code == 403
    assert not User.objects.exists()


_BAD = [
    (500, b"{}"),
    (302, b"{}"),
    (200, b"[]"),
    (200, b"x"),
    (200, b'{"a":' * 50_000),
    (200, b" " * 600_000),
    (200, b"{}"),
]


@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/token", "/keys"])
def test_invalid_provider_responses_are_reported(liar: Liar, path: str) -> None:
    for bad in _BAD:
        browser = Client()
        query = parse_qs(urlsplit(browser.get("/login/openid")["Location"]).query)
        liar.answers = {path: bad}
        given = {"state": query["state"][0], "code": "c"}
        assert browser.get("/login/openid/back", given).status_code == 403
        liar.answers = {}
    liar.answers = {"/.well-known/openid-configuration": (500, b"")}
    assert Client().get("/login/openid").status_code == 502
    assert not User.objects.exists()


def test_a_silent_or_missing_provider_times_out(liar: Liar, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provider, "_TIMEOUT", -1.0)
    assert Client().get("/login/openid").status_code == 502
    settings.OIDC_ISSUER = "http://127.0.0.1:9"
    assert Client().get("/login/openid").status_code == 502


def test_an_endless_provider_response_times_out(
    transactional_db: None, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider, "_TIMEOUT", 1.0)
    listener, given_up = socket.create_server(("127.0.0.1", 0)), threading.Event()

    def drip() -> None:
        with listener.accept()[0] as client, suppress(OSError):
            client.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            while not given_up.wait(0.05):
                client.sendall(b"x")

    threading.Thread(target=drip, daemon=True).start()
    settings.OIDC_ISSUER = f"http://127.0.0.1:{listener.getsockname()[1]}"
    settings.OIDC_CLIENT_ID = "fileconv"
    try:
        assert ThreadPoolExecutor(1).submit(Client().get, "/login/openid").result(30).status_code == 502
    finally:
        given_up.set()
        listener.close()
