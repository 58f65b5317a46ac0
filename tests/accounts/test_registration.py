"""Who may open an account: the invited, once each, with an address of an allowed domain."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import connections
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.people import invitations
from accounts.people.invitations import Invitation
from accounts.people.outbox import OUTBOX
from tests.conftest import Person

NEW = {"email": "new@example.org", "name": "New", "password": "a long and private phrase"}


def invite(**fields: Any) -> str:
    code, digest = invitations.new_code()
    Invitation.objects.create(digest=digest, **{"expires_at": timezone.now() + timedelta(days=1), **fields})
    return code


def test_nobody_can_sign_up_while_registration_is_closed(guest: Person, settings: Any) -> None:
    settings.REGISTRATION = "closed"
    answer = guest.post("/auth/register", NEW)
    assert (answer.status_code, answer.json()["code"]) == (403, "ACCESS_DENIED")
    assert [guest.client.get("/signup").status_code, guest.client.post("/signup", NEW).status_code] == [403, 403]
    assert not User.objects.exists()


def test_staff_invite_somebody_who_signs_up_with_the_mailed_link(staff: Client, guest: Person, settings: Any) -> None:
    settings.REGISTRATION, settings.EMAIL_VERIFICATION = "invite", "required"
    form = {"email": NEW["email"], "note": "", "expires_at_0": "2099-01-01", "expires_at_1": "00:00:00"}
    page = staff.post("/admin/accounts/invitation/add/", form, follow=True).content.decode()
    assert OUTBOX.flush(30)
    (invitation,) = (each for each in mail.outbox if each.to == [NEW["email"]])
    (link,) = re.findall(r"https?://[^/]+(/signup\S+)", str(invitation.body))
    assert link in page
    assert link not in staff.get("/admin/accounts/invitation/").content.decode()
    code = link.partition("=")[2]
    assert code in guest.client.get(link).content.decode()
    wrong = guest.client.post("/signup", {**NEW, "email": "eve@example.org", "invitation": code})
    assert "for another address" in wrong.content.decode()
    assert guest.client.post("/signup", {**NEW, "invitation": code}).status_code == 302
    user = User.objects.get(email=NEW["email"])
    assert (user.verified_at is not None, user.must_confirm_email) == (True, False)
    assert Invitation.objects.get().accepted_by == user


@pytest.mark.parametrize("code", ["", "nonsense", "expired", "used"])
def test_an_invalid_invitation_creates_no_account_and_says_what_to_do_next(
    guest: Person, settings: Any, code: str
) -> None:
    settings.REGISTRATION = "invite"
    now = timezone.now()
    given = {"expired": {"expires_at": now}, "used": {"accepted_at": now}}
    sent = invite(**given[code]) if code in given else code
    answer = guest.post("/auth/register", {**NEW, "invitation": sent})
    assert (answer.status_code, [each["field"] for each in answer.json()["details"]]) == (400, ["invitation"])
    assert "Ask who" in answer.json()["message"]
    assert not User.objects.exists()


def test_of_two_who_accept_one_invitation_at_once_one_gets_an_account(transactional_db: None, settings: Any) -> None:
    settings.REGISTRATION = "invite"

    def register(who: int, code: str) -> int:
        body = {**NEW, "email": f"{who}@example.org", "invitation": code}
        # From blocks of their own, as one block does not get the last place for hashing passwords twice at once.
        client = Client(REMOTE_ADDR=f"198.51.{who}.1")
        try:
            return client.post("/api/v1/auth/register", body, content_type="application/json").status_code
        finally:
            connections.close_all()

    for number in range(3):
        code = invite()
        with ThreadPoolExecutor(2) as pool:
            assert sorted(pool.map(register, (2 * number, 2 * number + 1), (code, code))) == [201, 400]
        assert User.objects.count() == number + 1
        assert Invitation.objects.filter(accepted_by=None).count() == 0


def test_addresses_of_other_domains_and_disposable_ones_are_refused(guest: Person, settings: Any) -> None:
    settings.EMAIL_DOMAINS = ["example.org", "mailinator.com"]
    settings.DISPOSABLE_EMAILS = "refuse"
    for email in ("a@example.com", "a@sub.example.org", "a@mailinator.com"):
        answer = guest.post("/auth/register", {**NEW, "email": email})
        assert (answer.status_code, answer.json()["details"][0]["field"]) == (400, "email"), email
        assert guest.client.post("/signup", {**NEW, "email": email}).context["form"].errors.keys() == {"email"}
    settings.EMAIL_DOMAINS = []
    assert guest.post("/auth/register", {**NEW, "email": "a@deep.mailinator.com"}).status_code == 400
    assert guest.post("/auth/register", NEW).status_code == 201


@pytest.mark.parametrize("domain", ["dé.net", "xn--d-bga.net", "deep.DÉ.net"])
def test_a_disposable_domain_of_another_script_is_refused_in_each_spelling(
    guest: Person, settings: Any, domain: str
) -> None:
    settings.DISPOSABLE_EMAILS = "refuse"
    assert guest.post("/auth/register", {**NEW, "email": f"a@{domain}"}).status_code == 400
    assert not User.objects.exists()


@pytest.mark.parametrize("domain", ["ｍailinator.com", "example.com．", "faß.de", "exa\u200bmple.com", "-ü.de"])
def test_a_domain_whose_mails_go_to_another_one_is_refused(guest: Person, domain: str) -> None:
    assert guest.post("/auth/register", {**NEW, "email": f"a@{domain}"}).status_code == 400
    assert guest.client.post("/signup", {**NEW, "email": f"a@{domain}"}).context["form"].errors.keys() == {"email"}
    assert not User.objects.exists()


def test_a_domain_with_letters_of_its_language_is_allowed(guest: Person) -> None:
    assert guest.post("/auth/register", {**NEW, "email": "a@müller.example"}).status_code == 201


def test_addresses_reserved_by_the_service_cannot_be_registered(guest: Person, free: Person) -> None:
    for email in (f"{free.account.pk}@deleted.invalid", "a@organisation.invalid", "a@INVALID.Invalid"):
        answer = guest.post("/auth/register", {**NEW, "email": email})
        assert (answer.status_code, [each["field"] for each in answer.json()["details"]]) == (400, ["email"]), email
        assert guest.client.post("/signup", {**NEW, "email": email}).context["form"].errors.keys() == {"email"}
    assert User.objects.count() == 1


def test_without_an_invitation_nobody_learns_which_addresses_have_accounts(
    guest: Person, free: Person, settings: Any
) -> None:
    settings.REGISTRATION = "invite"
    for code, problem in (("", "invitation"), ("nonsense", "invitation"), (invite(), "email")):
        body = {**NEW, "email": free.account.email, "invitation": code}
        answer = guest.post("/auth/register", body)
        assert (answer.status_code, [each["field"] for each in answer.json()["details"]]) == (400, [problem])
        assert guest.client.post("/signup", body).context["form"].errors.keys() == {problem}
    assert Invitation.objects.get().accepted_at is None
