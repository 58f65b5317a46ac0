"""Links in mails and on pages: to the site's own address, whatever host a request names."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.checks import site_check
from accounts.people.outbox import OUTBOX
from tests.conftest import Person

SITE = "https://convert.example"
ELSEWHERE = {"HTTP_HOST": "localhost:1337"}


@pytest.fixture
def site(settings: Any, transactional_db: None) -> Any:
    settings.SITE_URL = SITE
    settings.EMAIL_VERIFICATION = "required"
    return settings


def links_mailed() -> list[str]:
    assert OUTBOX.flush(30)
    return [link for each in mail.outbox for link in re.findall(r"https?://[^\s\"<]+", str(each.body))]


@pytest.mark.parametrize("door", ["reset", "page", "api", "change", "team", "staff"])
def test_links_of_mails_lead_to_the_site(site: Any, door: str, paying: Person, staff: Client) -> None:
    new = {"email": "new@example.org", "password": "a long and private phrase", "name": ""}
    if door == "reset":
        paying.client.post("/password-reset", {"email": paying.account.email}, **ELSEWHERE)
    elif door == "page":
        Client().post("/signup", new, **ELSEWHERE)
    elif door == "api":
        Client().post("/api/v1/auth/register", new, content_type="application/json", **ELSEWHERE)
    elif door == "change":
        paying.client.force_login(paying.account, "accounts.login.backends.EmailBackend")
        paying.client.post("/account/email", {"email": new["email"]}, **ELSEWHERE)
    elif door == "team":
        team = paying.post("/organisations", {"name": "Team"}).json()["data"]["id"]
        invitation = {"email": new["email"], "role": "member"}
        paying.client.post(
            f"/api/v1/organisations/{team}/invitations", invitation, content_type="application/json",
            headers=paying.headers, **ELSEWHERE,
        )  # fmt: skip
    else:
        until = {"expires_at_0": "2100-01-01", "expires_at_1": "12:00:00"}
        staff.post(reverse("admin:accounts_invitation_add"), {"email": new["email"], "note": "", **until}, **ELSEWHERE)
    links = links_mailed()
    assert links
    assert all(each.startswith(f"{SITE}/") for each in links)
    assert not any(":1337" in str(each.message()) for each in mail.outbox)


@pytest.mark.parametrize("path", ["/robots.txt", "/sitemap.xml", "/formats", "/docs", "/compress-pdf"])
def test_links_of_pages_lead_to_the_site(site: Any, guest: Person, path: str) -> None:
    text = guest.client.get(path, **ELSEWHERE).content.decode()
    assert SITE in text
    assert ":1337" not in text


def test_a_public_service_without_site_url_does_not_start(settings: Any) -> None:
    settings.DEBUG, settings.HTTPS, settings.SITE_URL_IS_SET = False, False, False
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    assert site_check(None) == []
    settings.ALLOWED_HOSTS = ["convert.example", "localhost"]
    (error,) = site_check(None)
    assert (error.id, error.is_serious(), "SITE_URL" in error.msg) == ("accounts.E001", True, True)
    settings.SITE_URL_IS_SET = True
    assert site_check(None) == []
    settings.ALLOWED_HOSTS, settings.HTTPS, settings.SITE_URL_IS_SET = ["localhost"], True, False
    assert [each.id for each in site_check(None)] == ["accounts.E001"]
    settings.DEBUG = True
    assert site_check(None) == []
