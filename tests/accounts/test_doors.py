"""Every way to log in counts towards the same attempt limit, before anything is hashed."""

from __future__ import annotations

import ast
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.db import connections
from django.test import Client

from accounts.login import hashers
from accounts.models import User
from accounts.people import verification
from accounts.people.outbox import OUTBOX
from tests.conftest import PASSWORD, make_user

EMAIL = "ada@example.org"
ROOT = Path(__file__).resolve().parents[2]

Door = Callable[[Client, str], Any]
"""Takes a client that is logged in as the account, and a password; the answer of the service."""


def _api(client: Client, password: str) -> Any:
    body = {"email": EMAIL.upper(), "password": password}
    return Client().post("/api/v1/auth/login", body, content_type="application/json")


def _change(client: Client, password: str) -> Any:
    new = "another long and private phrase"
    return client.post(
        "/account/password", {"old_password": password, "new_password1": new, "new_password2": new + "!"}
    )


def _link() -> str:
    user = User.objects.get(email=EMAIL)
    verification.send_link(user)
    assert OUTBOX.flush(30)
    (link,) = re.findall(r"https?://[^/]+(/verify/\S+)", str(mail.outbox.pop().body))
    return str(link)


DOORS: dict[str, Door] = {
    "admin": lambda client, password: Client().post("/admin/login/", {"username": EMAIL, "password": password}),
    "page": lambda client, password: Client().post("/login", {"username": f" {EMAIL}", "password": password}),
    "api": _api,
    "change of password": _change,
    "proof": lambda client, password: client.post("/account/confirm", {"password": password}),
    "confirmation of the address": lambda client, password: Client().post(_link(), {"password": password}),
    "deletion": lambda client, password: client.post("/account/delete", {"password": password}),
    "reset": lambda client, password: Client().post("/password-reset", {"email": EMAIL}),
}


@pytest.fixture
def ada(db: None) -> Client:
    client = Client()
    client.force_login(make_user("free", EMAIL, is_staff=True))
    return client


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passwords that have been hashed, any number of them at once."""
    found: list[str] = []
    for name in ("verify", "encode"):
        monkeypatch.setattr(hashers.ServiceArgon2, name, _noting(found, getattr(hashers.ServiceArgon2, name)))
    monkeypatch.setattr(hashers, "_places", hashers.Places(100))
    return found


def _noting(found: list[str], call: Callable[..., Any]) -> Callable[..., Any]:
    def noted(self: Any, password: str, other: str) -> Any:
        found.append(password)
        return call(self, password, other)

    return noted


@pytest.mark.usefixtures("one_window")
@pytest.mark.parametrize("last", DOORS)
def test_after_ten_attempts_across_all_logins_the_eleventh_is_refused_everywhere(
    ada: Client, hashed: list[str], last: str
) -> None:
    tried = [*DOORS.values(), *DOORS.values()][:10]
    answers = [door(ada, f"guess {number}") for number, door in enumerate(tried)]
    assert {each.status_code for each in answers} <= {200, 302, 400, 401}
    assert sorted(hashed) == sorted(f"guess {number}" for number in range(10) if tried[number] is not DOORS["reset"])
    answer = DOORS[last](ada, PASSWORD)
    assert answer.status_code == 429
    assert 1 <= int(answer["Retry-After"]) <= 61
    assert ("application/json" if last == "api" else "text/html") in answer["Content-Type"]
    assert PASSWORD not in hashed
    assert User.objects.get(email=EMAIL).is_active


@pytest.mark.usefixtures("one_window")
def test_the_admin_counts_the_attempts_of_an_address_too(db: None, settings: Any, hashed: list[str]) -> None:
    settings.LOGIN_RATE_ADDRESS = "3/m"
    form = {"password": "wrong"}
    answers = [Client().post("/admin/login/", {**form, "username": f"{each}@example.org"}) for each in range(4)]
    assert [each.status_code for each in answers] == [200, 200, 200, 429]
    assert len(hashed) == 3


@pytest.mark.usefixtures("one_window")
def test_the_right_password_opens_the_admin_before_the_limit(ada: Client) -> None:
    client = Client()
    for _ in range(9):
        client.post("/admin/login/", {"username": EMAIL, "password": "wrong"})
    answer = client.post("/admin/login/", {"username": EMAIL, "password": PASSWORD})
    assert (answer.status_code, client.get("/admin/").status_code) == (302, 200)


@pytest.mark.usefixtures("one_window")
def test_of_parallel_attempts_across_logins_exactly_ten_are_hashed(transactional_db: None, hashed: list[str]) -> None:
    make_user("free", EMAIL, is_staff=True)
    hashed.clear()
    doors = [DOORS["admin"], DOORS["page"], DOORS["api"]] * 8
    start = threading.Barrier(len(doors))

    def guess(door: Door) -> int:
        start.wait()
        try:
            return int(door(Client(), "wrong").status_code)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(doors)) as pool:
        answers = Counter(pool.map(guess, doors))
    assert len(hashed) == 10
    assert answers[429] == len(doors) - 10
    assert sum(answers.values()) - answers[429] == answers[200] + answers[401] == 10


def test_an_overlong_password_is_rejected_without_hashing(ada: Client, hashed: list[str]) -> None:
    answer = Client().post("/admin/login/", {"username": EMAIL, "password": "x" * (hashers.MAX_PASSWORD + 1)})
    assert (answer.status_code, hashed) == (200, [])


def _calls() -> Iterator[tuple[str, str]]:
    for app in ("accounts", "apikeys", "backoffice", "conversions", "storage", "config"):
        for path in (ROOT / app).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
                    name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
                    yield str(path.relative_to(ROOT)), name


@pytest.mark.ci
def test_no_login_checks_a_password_without_the_counting_backend() -> None:
    looks = {
        (path, name) for path, name in _calls() if name in ("check_password", "acheck_password", "verify_password")
    }
    assert looks == {("accounts/models.py", "check_password")}
    assert ("accounts/login/forms.py", "authenticate") in set(_calls())
