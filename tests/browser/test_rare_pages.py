"""Pages that few see, and mails: refusals, what is shown once, organisations; held to what every page is held to."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pyotp
import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.login import devices
from accounts.login.identities import Identity
from accounts.people import changes, verification
from accounts.people.outbox import OUTBOX
from storage.models import StoredFile
from tests.browser.conftest import Watch
from tests.browser.test_every_page import axe, faults_of, too_wide
from tests.conftest import PASSWORD, Person
from tests.conversions.samples import PEOPLE
from tests.teams.test_organisations import BEYOND, found, invited, member_of


def _at(page: Any, path: str, status: int = 200) -> list[str]:
    assert page.goto(path).status == status, path
    return faults_of(page)


def test_proofs_of_identity(visit: Any, watch: Watch, paying: Person, settings: Any) -> None:
    settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID, settings.OIDC_NAME = "https://id.example.org", "fileconv", "Acme"
    Identity.objects.create(user=paying.account, issuer=settings.OIDC_ISSUER, subject="ada-there")
    watch.refusals_expected = True
    page = visit("/account/factor/add", user=paying.user)
    faults = faults_of(page)
    page.get_by_role("textbox", name="Code").fill(pyotp.TOTP(page.inner_text("#secret")).now())
    page.get_by_role("button", name="Use this app").click()
    page.get_by_role("heading", name="Your recovery codes").wait_for()
    faults += faults_of(page)
    for path in ("/account/factor", "/account/identities", "/account"):
        faults += _at(page, path)
    page.context.clear_cookies()
    page.goto("/login")
    page.get_by_label("Email").fill("paying@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="Enter your code").wait_for()
    faults += faults_of(page)
    faults += _at(page, "/login/openid/back?state=old&code=x", 403)
    assert faults == []


def test_refusals(
    visit: Any, watch: Watch, paying: Person, guest: Person, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch.refusals_expected = watch.failures_expected = True
    settings.LOGIN_RATE_PLACE = "1/m"
    page = visit("/login")
    faults = []
    page.context.clear_cookies()
    page.get_by_label("Email").fill("nobody@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    page.get_by_text("403", exact=True).wait_for()
    faults += faults_of(page)

    for _ in range(2):
        page.goto("/login")
        page.get_by_label("Email").fill("nobody@example.org")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("main").get_by_role("button", name="Log in").click()
        page.get_by_role("alert").wait_for()
    page.get_by_text("Too many attempts.").wait_for()
    faults += faults_of(page)

    url = guest.convert("json-to-csv", PEOPLE).json()["data"]["downloadUrl"]
    StoredFile.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    settings.REGISTRATION = "closed"
    faults += [*_at(page, url, 404), *_at(page, "/signup", 403), *_at(page, "/verify/x", 410)]

    def broken(*_: Any) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(devices, "browsers", broken)
    mine = visit("/account", user=paying.user)
    faults += _at(mine, "/account/logins", 500)
    assert faults == []


def test_organisations(visit: Any, watch: Watch, paying: Person, other: Person) -> None:
    watch.refusals_expected = True
    own = found(paying)
    _, member = member_of(own, "member", 500)
    code = invited(own, paying, "other@example.org", "viewer")
    page = visit("/teams", user=paying.user)
    team = f"/teams/{own.organisation_id}"
    faults = faults_of(page)
    for path in ("", f"/members/{member.pk}", f"/members/{member.pk}/remove", "/leave", "/delete"):
        faults += _at(page, team + path)
    page.goto(team)
    page.get_by_role("button", name="Switch to it").click()
    page.get_by_text("You're working in this organisation").wait_for()
    faults += faults_of(page)
    for path in ("/", "/api-keys", "/plans", "/usage", "/history"):
        faults += _at(page, path)
    faults += [*_at(page, f"/teams/invitations/{code}"), *_at(page, "/teams/invitations/x", 410)]
    stranger = visit(f"/teams/invitations/{code}")
    faults += faults_of(stranger)
    theirs = visit(f"/teams/invitations/{code}", user=other.user)
    faults += [*faults_of(theirs), *_at(theirs, team, 404)]
    assert faults == []


@pytest.fixture
def letters(transactional_db: None, paying: Person, other: Person, staff: Client) -> list[Any]:
    """One mail of each kind that the service writes."""
    paying.account.name = "Ada Lovelace"
    paying.account.save(update_fields=["name"])
    verification.send_link(paying.account)
    verification.notify_existing_account(paying.account.email)
    changes.start(paying.account, other.account.email)
    changes.start(paying.account, "somebody.with-a-rather-long-address@a-subdomain-of-theirs.example.net")
    waiting = changes.EmailChange.objects.get()
    for side in changes.Side:
        changes.confirm(changes.Offer(waiting, side))
    assert other.client.post("/password-reset", {"email": other.account.email}).status_code == 302
    assert paying.post(f"/organisations/{found(paying).organisation_id}/invitations", BEYOND).status_code == 201
    until = {"expires_at_0": "2100-01-01", "expires_at_1": "12:00:00"}
    made = staff.post("/admin/accounts/invitation/add/", {"email": "new@example.org", "note": "", **until})
    assert made.status_code == 302
    assert OUTBOX.flush(30)
    return list(mail.outbox)


def test_mails(visit: Any, letters: list[Any]) -> None:
    assert len({each.subject for each in letters}) == 8
    pages = {f"/mail/{number}": each.alternatives[0][0] for number, each in enumerate(letters)}
    page = visit("/offline")
    page.route("**/mail/*", lambda it: it.fulfill(body=pages[urlsplit(it.request.url).path], content_type="text/html"))
    faults = []
    for path in pages:
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        page.goto(path)
        # Landmarks are those of the program that shows the mail.
        faults += [f"{page.title()}: {each}" for each in (*axe(page, ["wcag2a", "wcag2aa"]), *too_wide(page))]
    assert faults == []
