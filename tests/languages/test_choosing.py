"""Which language a request is answered in, and the switch."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from tests.conftest import Person, make_user

pytestmark = pytest.mark.django_db


def language_of(response: Any) -> str:
    found = re.search(r'<html lang="([^"]+)"', response.content.decode())
    assert found is not None
    assert response["Content-Language"] == found[1]
    return found[1]


def logged_in(language: str | None) -> Client:
    client = Client()
    client.force_login(make_user(language=language))
    return client


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("", "en"),
        ("en-US,en;q=0.9,de;q=0.8", "en"),
        ("de-AT,de;q=0.9", "de"),
        ("fr-CA", "fr"),
        ("es-419,es;q=0.8", "es"),
        ("pt", "pt-BR"),
        ("pl", "pl"),
        ("ja-JP", "ja"),
        ("zh-CN", "zh-Hans"),
        ("ia, de;q=0.5", "de"),
        ("tlh", "en"),
        ("de" * 3000, "en"),
        (";;,q=", "en"),
    ],
)
def test_a_stranger_is_answered_in_the_language_that_the_browser_asks_for(asked: str, answered: str) -> None:
    response = Client().get("/login", headers={"Accept-Language": asked} if asked else {})
    assert language_of(response) == answered
    assert {"Accept-Language", "Cookie"} <= {each.strip() for each in response["Vary"].split(",")}


def test_the_account_takes_precedence_over_the_cookie_and_the_cookie_over_the_header() -> None:
    stranger = Client()
    stranger.cookies[settings.LANGUAGE_COOKIE_NAME] = "pl"
    assert language_of(stranger.get("/login", headers={"Accept-Language": "de"})) == "pl"

    client = logged_in("ja")
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "pl"
    response = client.get("/account", headers={"Accept-Language": "de"})
    assert language_of(response) == "ja"
    # The calls that scripts of the page make follow it.
    assert response.cookies[settings.LANGUAGE_COOKIE_NAME].value == "ja"


def test_an_account_without_a_language_is_answered_as_the_browser_asks() -> None:
    response = logged_in(None).get("/account", headers={"Accept-Language": "fr"})
    assert language_of(response) == "fr"
    assert settings.LANGUAGE_COOKIE_NAME not in response.cookies


@pytest.mark.parametrize("language", ["xx", "../../etc", "de\x00", "ia"])
def test_an_unknown_language_in_the_cookie_is_ignored(language: str) -> None:
    client = Client()
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    assert language_of(client.get("/login")) == "en"


def test_the_switch_works_without_scripts_and_leads_back(db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    response = client.post(
        "/language", {"language": "de", "next": "/plans?a=b"}, headers={"Origin": "http://testserver"}
    )
    assert (response.status_code, response["Location"]) == (302, "/plans?a=b")
    assert response.cookies[settings.LANGUAGE_COOKIE_NAME]["samesite"] == "Lax"
    assert language_of(client.get("/plans", headers={"Accept-Language": "fr"})) == "de"
    # Back to what the browser asks for.
    client.post("/language", {"language": "", "next": "/plans"})
    assert language_of(client.get("/plans", headers={"Accept-Language": "fr"})) == "fr"


def test_every_page_has_the_switch_with_its_own_address() -> None:
    page = Client().get("/plans?a=%22%3E").content.decode()
    assert 'action="/language"' in page
    assert '<input type="hidden" name="next" value="/plans?a=%22%3E">' in page
    assert all(f'<option value="{code}"' in page for code, _ in settings.LANGUAGES)


def test_the_switch_keeps_the_language_with_the_account() -> None:
    client = logged_in("ja")
    assert client.post("/language", {"language": "pl", "next": "/account"})["Location"] == "/account"
    elsewhere = Client()
    elsewhere.cookies[settings.SESSION_COOKIE_NAME] = client.cookies[settings.SESSION_COOKIE_NAME].value
    assert language_of(elsewhere.get("/account")) == "pl"
    client.post("/language", {"language": "", "next": "/account"})
    del elsewhere.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert language_of(elsewhere.get("/account")) == "en"


@pytest.mark.parametrize(
    "target",
    ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "http:evil.example", "x", ""],
)
def test_the_switch_never_redirects_to_another_site(target: str) -> None:
    response = Client().post("/language", {"language": "de", "next": target})
    assert (response.status_code, response["Location"]) == (302, "/")


def test_a_form_of_another_site_switches_nothing() -> None:
    client = logged_in("ja")
    for origin in ("https://evil.example", "null", "http://[", "http://testserver.evil.example"):
        response = client.post("/language", {"language": "pl"}, headers={"Origin": origin})
        assert response.status_code == 403
    assert client.get("/language").status_code == 405
    assert language_of(client.get("/account")) == "ja"


def test_a_call_of_the_api_is_answered_as_its_header_asks_and_never_in_the_accounts(free: Person) -> None:
    free.account.language = "de"
    free.account.save(update_fields=["language"])
    answer = free.get("/history/none")
    assert (answer.status_code, answer["Content-Language"]) == (404, "en")
    assert answer.json()["code"] == "NOT_FOUND"
    french = free.get("/history/none", accept_language="fr")
    assert (french.json()["code"], french["Content-Language"]) == ("NOT_FOUND", "fr")
    assert "Accept-Language" in french["Vary"]


@pytest.mark.parametrize(
    "path", ["/robots.txt", "/sitemap.xml", pytest.param("/api/v1/schema", marks=pytest.mark.ci), "/worker.js"]
)
def test_what_programs_read_is_the_same_in_every_language(path: str) -> None:
    english, german = Client().get(path), Client().get(path, headers={"Accept-Language": "de"})
    assert english.content == german.content
    assert "Accept-Language" not in german.get("Vary", "")


def test_a_language_costs_a_page_no_query(django_assert_num_queries: Any) -> None:
    client, german = logged_in(None), logged_in("de")
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    counts = []
    for each in (client, german):
        each.get("/account")
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert each.get("/account").status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]
    with django_assert_num_queries(0):
        german.get("/offline")
