"""Change of address, logins by device, and reauthentication."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any
from urllib.parse import quote

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core import mail
from django.db import connections
from django.test import Client

from accounts.login.devices import BrowserSession
from accounts.models import User
from accounts.people.changes import EmailChange
from accounts.people.outbox import OUTBOX
from tests.conftest import PASSWORD, Person, make_user

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
EDGE = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36 Edg/142.0"


def links(address: str) -> list[str]:
    """The paths in the mails to an address so far."""
    assert OUTBOX.flush(30)
    found = [re.findall(r"https?://[^/]+(/\S+)", str(each.body)) for each in mail.outbox if each.to == [address]]
    return [each for mails in found for each in mails]


@pytest.fixture
def ada(transactional_db: None) -> Client:
    client = Client()
    client.force_login(make_user("pro", "ada@example.org"))
    return client


def change(client: Client, email: str) -> tuple[str, str]:
    """Ask for a change; the links in the mails to the old address and to the new one."""
    assert client.post("/account/email", {"email": email}).status_code == 302
    return links("ada@example.org")[-1], links(email)[-1]


@pytest.mark.parametrize("new_first", [True, False])
def test_an_address_changes_once_both_sides_have_confirmed(ada: Client, new_first: bool) -> None:
    old, new = change(ada, "Ada@Example.com".lower())
    first, second = (new, old) if new_first else (old, new)
    assert b"ada@example.com" in ada.get(first).content
    assert User.objects.get().email == "ada@example.org"
    for _ in range(2):
        assert b"One more address to confirm" in ada.post(first).content
    assert User.objects.get().email == "ada@example.org"
    assert b"Address changed" in ada.post(second).content
    user = User.objects.get()
    assert (user.email, user.verified_at is not None) == ("ada@example.com", True)
    assert ada.get("/account").status_code == 200
    assert ada.post(second).status_code == 410
    assert OUTBOX.flush(30)
    assert mail.outbox[-1].to == ["ada@example.org"]
    login = {"email": "ada@example.com", "password": PASSWORD}
    assert Client().post("/api/v1/auth/login", login, content_type="application/json").status_code == 200


def test_only_the_old_address_can_cancel_a_change(ada: Client) -> None:
    old, new = change(ada, "thief@example.com")
    assert ada.post(new, {"stop": "1"}).status_code == 410
    assert b"Change cancelled" in Client().post(old, {"stop": "1"}).content
    answers = [ada.post(each) for each in (new, old, old[:-1])]
    assert [each.status_code for each in answers] == [410] * 3
    assert User.objects.get().email == "ada@example.org"


def test_a_later_change_replaces_an_earlier_one(ada: Client, clock: Any) -> None:
    earlier = change(ada, "one@example.com")
    later = change(ada, "two@example.com")
    assert [ada.post(each).status_code for each in earlier] == [410, 410]
    clock.set(hours=25)
    assert ada.post(later[0]).status_code == 410
    clock.set()
    assert [ada.post(each).status_code for each in later] == [200, 200]
    assert User.objects.get().email == "two@example.com"


def test_only_the_owner_of_a_taken_address_is_notified(ada: Client, other: Person) -> None:
    assert ada.post("/account/email", {"email": "other@example.org"}).status_code == 302
    free = ada.post("/account/email", {"email": "free@example.com"})
    assert (free.status_code, free["Location"]) == (302, "/account")
    assert links("other@example.org") == ["/login"]


def test_an_address_taken_meanwhile_stays_with_its_owner(ada: Client) -> None:
    old, new = change(ada, "wanted@example.com")
    Client().post(old)
    make_user("free", "wanted@example.com")
    answer = ada.post(new)
    assert (answer.status_code, b"Another account now uses it" in answer.content) == (409, True)
    assert sorted(User.objects.values_list("email", flat=True)) == ["ada@example.org", "wanted@example.com"]
    assert not EmailChange.objects.exists()


def together(*calls: Any) -> list[Any]:
    def run(call: Any) -> Any:
        try:
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_two_changes_to_one_address_at_once_are_made_once(ada: Client) -> None:
    bob = Client()
    bob.force_login(make_user("free", "bob@example.org"))
    mine = change(ada, "shared@example.com")
    bob.post("/account/email", {"email": "shared@example.com"})
    theirs = links("bob@example.org")[-1], links("shared@example.com")[-1]
    for each in (mine[0], theirs[0]):
        Client().post(each)
    both = ((ada, mine[1]), (bob, theirs[1]))
    answers = together(*(lambda client=client, link=link: client.post(link).status_code for client, link in both))
    assert sorted(answers) == [200, 409]
    assert User.objects.filter(email="shared@example.com").count() == 1


def test_both_confirmations_at_once_change_the_address_once(ada: Client) -> None:
    for number in range(3):
        User.objects.update(email="ada@example.org")
        pair = change(ada, f"ada{number}@example.com")
        both = zip((Client(), ada), pair, strict=True)
        pages = together(*(lambda client=client, link=link: client.post(link).content for client, link in both))
        assert sorted(b"Address changed" in each for each in pages) == [False, True]
        assert User.objects.get().email == f"ada{number}@example.com"


def test_a_new_address_is_confirmed_by_whoever_is_logged_in_to_the_account(ada: Client, other: Person) -> None:
    old, new = change(ada, "victim@example.com")
    assert Client().post(old).status_code == 200
    for answer in (Client().get(new), Client().post(new)):
        assert (answer.status_code, answer["Location"]) == (302, f"/login?next={quote(new)}")
    another = Client()
    another.force_login(other.account)
    assert another.post(new).status_code == 410
    assert User.objects.filter(email="victim@example.com").count() == 0
    assert b"Address changed" in ada.post(new).content


def test_logins_are_listed_by_device_and_ended_one_by_one_or_all_at_once(db: None) -> None:
    user = make_user("pro", "ada@example.org")
    form = {"username": user.email, "password": PASSWORD}
    here, there = (Client(headers={"User-Agent": agent}) for agent in (FIREFOX, EDGE))
    assert [each.post("/login", form).status_code for each in (here, there)] == [302, 302]
    body = {"email": user.email, "password": PASSWORD}
    curl = Client(headers={"User-Agent": "curl/8.5"})
    pair = curl.post("/api/v1/auth/login", body, content_type="application/json").json()["data"]
    page = here.get("/account/logins").content.decode()
    assert ["Firefox on Linux" in page, "Edge on Windows" in page, "curl" in page] == [True] * 3
    assert (page.count('/end"'), str(here.session.session_key) in page) == (3, False)
    for row in BrowserSession.objects.exclude(session_key=here.session.session_key):
        assert here.post(f"/account/logins/{row.login}/end")["Location"] == "/account/logins"
    assert [each.get("/account").status_code for each in (here, there)] == [200, 302]

    stranger = Client()
    stranger.force_login(make_user("free", "eve@example.org"))
    mine = BrowserSession.objects.get(session_key=here.session.session_key)
    stranger.post(f"/account/logins/{mine.login}/end")
    assert here.get("/account").status_code == 200

    assert here.post("/account/logins/end")["Location"] == "/login"
    assert here.get("/account").status_code == 302
    bearer = {"Authorization": f"Bearer {pair['accessToken']}"}
    assert Client().get("/api/v1/account", headers=bearer).status_code == 401
    assert stranger.get("/account").status_code == 200


def test_sessions_survive_the_session_table_migration(db: None, free: Person) -> None:
    browser = Client()
    browser.force_login(free.account)
    row = BrowserSession.objects.get()
    Session.objects.create(session_key=row.session_key, session_data=row.session_data, expire_date=row.expire_date)
    row.delete()
    import_module("accounts.migrations.0014_logins_and_changes").keep_logins(apps, None)
    assert browser.get("/account").status_code == 200
    assert BrowserSession.objects.get().user_id == free.account.pk


@pytest.mark.parametrize("path", ["/account/email", "/api-keys", "/account/delete"])
def test_reauthentication_expires_after_ten_minutes(ada: Client, clock: Any, path: str) -> None:
    form = {"email": "new@example.com", "name": "Key"}
    clock.set(minutes=10, seconds=1)
    answer = ada.post(path, form)
    assert answer["Location"] == f"/account/confirm?next={path.replace('/', '%2F')}"
    assert ada.post(answer["Location"], {"password": "wrong"}).status_code == 200
    assert ada.post(path, form)["Location"].startswith("/account/confirm")
    assert ada.post(answer["Location"], {"password": PASSWORD, "next": path})["Location"] == path
    page = ada.get(path)
    assert page.status_code == 200
    again = ada.post(path, {**form, "form": (page.context or {}).get("form_name", "")})
    assert "confirm" not in again.headers.get("Location", "")
    clock.set()
    # Before the clock was set back: a proof from the future is none.
    assert ada.post(path, form)["Location"].startswith("/account/confirm")
