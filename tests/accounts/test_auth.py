"""Registration, login, refresh and logout."""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import os
import threading
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework_simplejwt.tokens import AccessToken, RefreshToken

from accounts.errors import TooManyRequests
from accounts.login import hashers, tokens
from accounts.login.hashers import Places
from accounts.models import Login, SpentToken, User
from tests.conftest import PASSWORD, Person, make_user


def test_registering_gives_a_free_account_with_credits_and_tokens(guest: Person) -> None:
    answer = guest.post("/auth/register", {"email": "Ada@Example.org", "password": PASSWORD, "name": "Ada"})
    assert answer.status_code == 201
    data = answer.json()["data"]
    assert data["user"].keys() == {"id", "email", "name", "plan", "credits", "createdAt"}
    assert (data["user"]["email"], data["user"]["plan"], data["user"]["credits"]) == ("ada@example.org", "Free", 100)
    assert data["user"]["createdAt"].endswith("Z")
    account = guest.get("/account", Authorization=f"Bearer {data['accessToken']}")
    assert account.status_code == 200


@pytest.mark.parametrize("email", ["free@example.org", "FREE@example.ORG", " free@example.org "])
def test_a_taken_email_is_refused_in_any_letter_case(free: Person, guest: Person, email: str) -> None:
    answer = guest.post("/auth/register", {"email": email, "password": PASSWORD})
    assert answer.status_code == 400
    assert answer.json()["code"] == "VALIDATION_ERROR"
    assert [each["field"] for each in answer.json()["details"]] == ["email"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"password": PASSWORD}, "email"),
        ({"email": "nobody", "password": PASSWORD}, "email"),
        ({"email": "a@example.org"}, "password"),
        ({"email": "a@example.org", "password": "short"}, "password"),
        ({"email": "a@example.org", "password": "password"}, "password"),
        ({"email": "a@example.org", "password": "x" * 257}, "password"),
        ({"email": "a@example.org", "password": PASSWORD, "name": "n" * 101}, "name"),
        ({"email": "a\x00@example.org", "password": PASSWORD}, "email"),
        ({"email": ["a@example.org"], "password": PASSWORD}, "email"),
    ],
)
def test_a_bad_registration_names_the_field(guest: Person, body: dict[str, object], field: str) -> None:
    answer = guest.post("/auth/register", body)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert field in {each["field"] for each in answer.json()["details"]}
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"email": "nobody", "password": "short"}, ["email", "password"]),
        ({"email": "free@example.org", "password": "12345678"}, ["email", "password"]),
        ({"email": ["a@example.org"], "password": "password", "name": "n" * 101}, ["email", "password", "name"]),
        ({"password": "password"}, ["email", "password"]),
        ({"email": "ada.lovelace@example.org", "password": "ada.lovelace"}, ["password"]),
    ],
)
def test_a_bad_registration_names_every_bad_field_at_once(
    free: Person, guest: Person, body: dict[str, object], fields: list[str]
) -> None:
    answer = guest.post("/auth/register", body)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert list(dict.fromkeys(each["field"] for each in answer.json()["details"])) == fields
    assert User.objects.count() == 1


def test_a_login_is_refused_when_too_many_others_are_waiting(
    free: Person, guest: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hashers, "_places", Places(1))
    body = {"email": "free@example.org", "password": PASSWORD}
    with hashers._places.one("somebody else"):
        answer = guest.post("/auth/login", body)
    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (429, "TOO_MANY_REQUESTS", "1")
    assert guest.post("/auth/login", body).status_code == 200


def test_clients_that_hash_all_the_time_leave_a_place_for_others(
    free: Person, guest: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hashers, "_places", Places(2))
    body = {"email": "free@example.org", "password": PASSWORD}
    guesser = Client(REMOTE_ADDR="203.0.113.7")
    neighbour = Client(REMOTE_ADDR="203.0.113.8")
    guess = {"email": "nobody@example.org", "password": "a wrong password"}
    send = {"content_type": "application/json"}
    assert guesser.post("/api/v1/auth/login", guess, **send).status_code == 401
    with hashers._places.one("203.0.113.0/24"):
        assert neighbour.post("/api/v1/auth/login", guess, **send).status_code == 429
        assert guest.post("/auth/login", body).status_code == 200
    assert guesser.post("/api/v1/auth/login", guess, **send).status_code == 401


def test_a_client_may_take_the_last_place_again_after_a_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    places, now = Places(2), 1000.0
    monkeypatch.setattr("accounts.login.hashers.time.monotonic", lambda: now)
    with places.one("a"):
        with pytest.raises(TooManyRequests), places.one("a"):
            pass
        now += 10
        with places.one("a"):
            with pytest.raises(TooManyRequests), places.one("b"):
                pass


def test_passwords_are_hashed_with_low_priority() -> None:
    def niceness() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    assert hashers._hasher().submit(niceness).result() == min(19, niceness() + 10)


def test_a_password_waits_while_other_processes_hash_the_maximum() -> None:
    with contextlib.ExitStack() as others:
        for number in range(hashers._MAX_PROCESSES):
            fcntl.flock(others.enter_context(hashers.lock_file(number).open("w")), fcntl.LOCK_EX)
        waiting = hashers._hasher().submit(hashers._among_few, lambda: "hashed")
        with pytest.raises(TimeoutError):
            waiting.result(0.3)
    assert waiting.result(10) == "hashed"


def test_login_takes_the_email_in_any_letter_case(free: Person, guest: Person) -> None:
    answer = guest.post("/auth/login", {"email": "Free@Example.org", "password": PASSWORD})
    assert answer.status_code == 200
    assert answer.json()["data"].keys() == {"user", "accessToken", "refreshToken"}


def test_a_wrong_password_and_an_unknown_email_get_the_same_response(free: Person, guest: Person) -> None:
    wrong = guest.post("/auth/login", {"email": "free@example.org", "password": "wrong password"})
    unknown = guest.post("/auth/login", {"email": "nobody@example.org", "password": "wrong password"})
    assert wrong.status_code == unknown.status_code == 401
    bodies = [{**each.json(), "requestId": ""} for each in (wrong, unknown)]
    assert bodies[0] == bodies[1]
    assert wrong["WWW-Authenticate"] == "Bearer"


def test_login_hashes_a_password_for_an_unknown_email_too(guest: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []
    monkeypatch.setattr(User, "set_password", lambda self, raw: hashed.append(raw))
    guest.post("/auth/login", {"email": "nobody@example.org", "password": "wrong password"})
    assert hashed == ["wrong password"]


def test_an_inactive_account_can_not_log_in(guest: Person) -> None:
    make_user(email="gone@example.org", is_active=False)
    answer = guest.post("/auth/login", {"email": "gone@example.org", "password": PASSWORD})
    assert answer.status_code == 401


@pytest.mark.usefixtures("one_window")
def test_the_eleventh_login_with_one_email_in_a_minute_is_refused(free: Person, guest: Person) -> None:
    statuses = [
        guest.post("/auth/login", {"email": "Free@example.org", "password": "wrong"}).status_code for _ in range(10)
    ]
    blocked = guest.post("/auth/login", {"email": "free@example.org", "password": PASSWORD})
    assert statuses == [401] * 10
    assert (blocked.status_code, blocked.json()["code"]) == (429, "TOO_MANY_REQUESTS")
    assert 1 <= int(blocked["Retry-After"]) <= 61


@pytest.mark.usefixtures("one_window")
def test_a_blocked_login_hashes_nothing(free: Person, guest: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(10):
        guest.post("/auth/login", {"email": "nobody@example.org", "password": "wrong"})
    monkeypatch.setattr("accounts.login.hashers.ServiceArgon2.encode", lambda *a, **k: pytest.fail("hashed"))
    assert guest.post("/auth/login", {"email": "nobody@example.org", "password": "x"}).status_code == 429


@pytest.mark.usefixtures("one_window")
def test_registrations_from_one_address_are_limited(guest: Person) -> None:
    statuses = [guest.post("/auth/register", {"email": "x"}).status_code for _ in range(61)]
    assert statuses[:60] == [400] * 60
    assert statuses[60] == 429


def _login(person: Person) -> dict[str, str]:
    tokens_: dict[str, str] = person.post("/auth/login", {"email": "free@example.org", "password": PASSWORD}).json()[
        "data"
    ]
    return tokens_


def test_a_refresh_token_is_exchanged_once(free: Person, guest: Person) -> None:
    first = _login(guest)
    answer = guest.post("/auth/refresh", {"refreshToken": first["refreshToken"]})
    assert answer.status_code == 200
    assert answer.json()["data"].keys() == {"accessToken", "refreshToken"}
    assert guest.post("/auth/refresh", {"refreshToken": first["refreshToken"]}).status_code == 401


def _later(seconds: float) -> None:
    """Let the tokens that were exchanged so far have been exchanged that much earlier."""
    for spent in SpentToken.objects.all():
        SpentToken.objects.filter(pk=spent.pk).update(used_at=spent.used_at - timedelta(seconds=seconds))


def test_reusing_a_refresh_token_later_revokes_the_login(free: Person, guest: Person) -> None:
    first = _login(guest)
    elsewhere = _login(guest)
    second = guest.post("/auth/refresh", {"refreshToken": first["refreshToken"]}).json()["data"]
    _later(10)
    assert guest.post("/auth/refresh", {"refreshToken": first["refreshToken"]}).status_code == 401
    assert guest.post("/auth/refresh", {"refreshToken": second["refreshToken"]}).status_code == 401
    assert guest.get("/account", Authorization=f"Bearer {second['accessToken']}").status_code == 401
    assert guest.get("/account", Authorization=f"Bearer {elsewhere['accessToken']}").status_code == 200


def test_reusing_a_refresh_token_immediately_keeps_the_login(free: Person, guest: Person) -> None:
    first = _login(guest)
    second = guest.post("/auth/refresh", {"refreshToken": first["refreshToken"]}).json()["data"]
    _later(5)
    answers = [guest.post("/auth/refresh", {"refreshToken": first["refreshToken"]}) for _ in range(3)]
    assert [(each.status_code, each.json()["code"]) for each in answers] == [(401, "UNAUTHORIZED")] * 3
    assert guest.get("/account", Authorization=f"Bearer {second['accessToken']}").status_code == 200
    assert guest.post("/auth/refresh", {"refreshToken": second["refreshToken"]}).status_code == 200


def test_each_refresh_token_has_its_own_retry_window(free: Person, guest: Person) -> None:
    """A token from two exchanges ago is judged by its own exchange, not by the latest."""
    tokens_ = [_login(guest)["refreshToken"]]
    for _ in range(2):
        tokens_.append(guest.post("/auth/refresh", {"refreshToken": tokens_[-1]}).json()["data"]["refreshToken"])
    for straggler in tokens_[:2]:
        assert guest.post("/auth/refresh", {"refreshToken": straggler}).status_code == 401
    assert not Login.objects.exclude(revoked_at=None).exists()
    _later(11)
    tokens_.append(guest.post("/auth/refresh", {"refreshToken": tokens_[-1]}).json()["data"]["refreshToken"])
    # What is over is not kept.
    assert SpentToken.objects.count() == 1
    assert guest.post("/auth/refresh", {"refreshToken": tokens_[1]}).status_code == 401
    assert Login.objects.exclude(revoked_at=None).count() == 1
    assert guest.post("/auth/refresh", {"refreshToken": tokens_[-1]}).status_code == 401


def test_a_login_that_seems_to_begin_in_the_future_can_be_refreshed(free: Person, guest: Person) -> None:
    """The machine that logged somebody in was ahead, or the clock has been set back since."""
    first = _login(guest)
    ahead = timezone.now() + timedelta(hours=1)
    Login.objects.update(created_at=ahead, rotated_at=ahead)
    second = guest.post("/auth/refresh", {"refreshToken": first["refreshToken"]})
    assert second.status_code == 200
    assert guest.post("/auth/refresh", {"refreshToken": first["refreshToken"]}).status_code == 401
    again = guest.post("/auth/refresh", {"refreshToken": second.json()["data"]["refreshToken"]})
    assert again.status_code == 200


@pytest.mark.parametrize("token", ["", "nonsense", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", "fc_" + "x" * 40])
def test_a_malformed_refresh_token_is_refused(guest: Person, token: str) -> None:
    answer = guest.post("/auth/refresh", {"refreshToken": token})
    assert answer.status_code == (400 if not token else 401)


def test_an_access_token_is_not_accepted_as_a_refresh_token(free: Person, guest: Person) -> None:
    assert guest.post("/auth/refresh", {"refreshToken": _login(guest)["accessToken"]}).status_code == 401


def test_the_refresh_token_of_a_deleted_account_is_refused(guest: Person) -> None:
    user = make_user(email="free@example.org")
    pair = _login(guest)
    Login.objects.filter(user=user).delete()
    assert guest.post("/auth/refresh", {"refreshToken": pair["refreshToken"]}).status_code == 401


def test_an_expired_login_can_not_be_refreshed(free: Person, guest: Person) -> None:
    pair = _login(guest)
    Login.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert guest.post("/auth/refresh", {"refreshToken": pair["refreshToken"]}).status_code == 401


def test_logout_ends_the_login_at_once_and_can_be_repeated(free: Person, guest: Person) -> None:
    pair = _login(guest)
    for _ in range(2):
        answer = guest.post("/auth/logout", {"refreshToken": pair["refreshToken"]})
        assert (answer.status_code, answer.json()) == (200, {"success": True, "data": {}})
    assert guest.post("/auth/refresh", {"refreshToken": pair["refreshToken"]}).status_code == 401
    assert guest.get("/account", Authorization=f"Bearer {pair['accessToken']}").status_code == 401
    assert guest.post("/auth/logout", {"refreshToken": "dead"}).status_code == 200


def test_revoking_all_logins_ends_each_of_them(free: Person, guest: Person) -> None:
    pairs = [_login(guest), _login(guest)]
    tokens.revoke_all(free.account)
    for pair in pairs:
        assert guest.post("/auth/refresh", {"refreshToken": pair["refreshToken"]}).status_code == 401


def test_lifetimes_are_fifteen_minutes_and_seven_days(
    free: Person, guest: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = itertools.count()
    monkeypatch.setattr(
        "rest_framework_simplejwt.tokens.aware_utcnow", lambda: timezone.now() + timedelta(seconds=next(seconds))
    )
    pair = _login(guest)
    access, refresh = AccessToken(pair["accessToken"]), RefreshToken(pair["refreshToken"])  # type: ignore[arg-type]
    assert access["exp"] - access["iat"] == 15 * 60
    assert refresh["exp"] - refresh["iat"] == 7 * 24 * 3600


@pytest.mark.parametrize(
    "header",
    ["Bearer", "Bearer ", "Basic YTpi", "Token abc", "Bearer a b", "Bearer nonsense", "Bearer fc_nonsense", "fc_x", ""],
)
@pytest.mark.parametrize("path", ["/account", "/converter/history", "/integrations/api-keys"])
def test_a_bad_credential_is_refused_everywhere(guest: Person, header: str, path: str) -> None:
    answer = guest.get(path, Authorization=header)
    assert (answer.status_code, answer.json()["code"]) == (401, "UNAUTHORIZED")
    assert answer["WWW-Authenticate"] == "Bearer"


def test_an_expired_access_token_is_refused(free: Person, guest: Person) -> None:
    token = RefreshToken(str(tokens.issue(free.account).refresh)).access_token  # type: ignore[arg-type]
    token.set_exp(from_time=timezone.now() - timedelta(minutes=16), lifetime=timedelta(minutes=15))
    assert guest.get("/account", Authorization=f"Bearer {token}").status_code == 401


def test_the_token_of_a_deactivated_account_is_refused(free: Person) -> None:
    User.objects.update(is_active=False)
    assert free.get("/account").status_code == 401


def test_auth_routes_ignore_a_stale_credential(free: Person, guest: Person) -> None:
    body = {"email": "free@example.org", "password": PASSWORD}
    assert guest.post("/auth/login", body, Authorization="Bearer stale").status_code == 200


def test_a_browser_session_authenticates_and_needs_a_csrf_token(db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    user = make_user("pro")
    client.force_login(user)
    assert client.get("/api/v1/account").status_code == 200
    assert client.get("/api/v1/converter/history").status_code == 200
    refused = client.post("/api/v1/integrations/api-keys", {"name": "x"}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (403, "ACCESS_DENIED")
    client.cookies["csrftoken"] = "a" * 32
    made = client.post(
        "/api/v1/integrations/api-keys",
        {"name": "x"},
        content_type="application/json",
        headers={"X-CSRFToken": "a" * 32},
    )
    assert made.status_code == 201


def test_an_authorization_header_takes_precedence_over_the_session(db: None) -> None:
    client = Client()
    client.force_login(make_user())
    assert client.get("/api/v1/account", headers={"Authorization": "Bearer nonsense"}).status_code == 401
