"""Addresses whose domain is written in letters or in ASCII (RFC 3490) are one address of one account."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client

from accounts.login import identities
from accounts.login.provider import Claims
from accounts.login.resets import ResetForm
from accounts.mailboxes import normal_email
from accounts.models import User
from accounts.people.verification import Claim, confirm
from tests.accounts.test_registration import NEW, invite
from tests.conftest import PASSWORD, Person, make_user

LETTERS, ASCII = "a@müller.example", "a@xn--mller-kva.example"
SPELLINGS = (LETTERS, ASCII, "A@Xn--Mller-KVA.Example", " A@MÜLLER.example ")


@pytest.mark.parametrize("first", [LETTERS, ASCII])
def test_an_address_has_one_account_however_its_domain_is_spelled(guest: Person, first: str) -> None:
    assert guest.post("/auth/register", {**NEW, "email": first}).status_code == 201
    for each in SPELLINGS:
        refused = guest.post("/auth/register", {**NEW, "email": each})
        assert (refused.status_code, refused.json()["details"][0]["field"]) == (400, "email"), each
        assert Client().post("/signup", {**NEW, "email": each}).context["form"].errors.keys() == {"email"}, each
        entered = guest.post("/auth/login", {"email": each, "password": NEW["password"]})
        assert entered.status_code == 200, each
    assert User.objects.get().email == LETTERS


@pytest.mark.parametrize(
    "domain",
    [
        "xn--strae-oqa.de",
        "xn--a",
        "xn--mller-kva.müller.example",
        "xn--" + "a" * 300,
        "xn--MLLER-kva..x",
        "",
        "xn--e28h.ws",
    ],
)
def test_a_domain_that_has_no_other_spelling_stays(domain: str) -> None:
    assert normal_email(f"a@{domain}") == f"a@{domain.lower()}"


def test_an_invitation_is_for_each_spelling_of_its_address(guest: Person, settings: Any) -> None:
    settings.REGISTRATION = "invite"
    for at, (invited, comes) in enumerate([(LETTERS, ASCII), (ASCII.replace("a@", "b@"), LETTERS.replace("a@", "b@"))]):
        code = invite(email=invited)
        assert guest.post("/auth/register", {**NEW, "email": comes, "invitation": code}).status_code == 201
        assert User.objects.count() == at + 1


def test_the_allowed_domains_may_be_spelled_either_way(guest: Person, settings: Any) -> None:
    settings.EMAIL_DOMAINS = ["xn--mller-kva.example", "bär.example"]
    for each in (LETTERS, "b@xn--br-via.example"):
        assert guest.post("/auth/register", {**NEW, "email": each}).status_code == 201
    assert guest.post("/auth/register", {**NEW, "email": "c@other.example"}).status_code == 400


def test_an_identity_is_linked_to_the_account_of_its_address(db: None) -> None:
    user = make_user("free", LETTERS)
    confirm(Claim(str(user.pk), LETTERS))
    claims = Claims("https://provider.example", "1", ASCII, verified=True, name="A")
    assert identities.owner_of(claims, invitation="") == user
    assert User.objects.count() == 1


def _spell() -> None:
    import_module("accounts.migrations.0032_one_spelling_of_domains").spell(apps, connection.schema_editor())


def test_an_account_of_before_is_spelled_in_letters_and_still_logs_in_with_ascii(db: None, guest: Person) -> None:
    user, other = make_user("free", ASCII), make_user("free", "b@xn--strae-oqa.de")
    invite(email=ASCII)
    _spell()
    assert [User.objects.get(pk=each.pk).email for each in (user, other)] == [LETTERS, "b@xn--strae-oqa.de"]
    for each in SPELLINGS:
        assert guest.post("/auth/login", {"email": each, "password": PASSWORD}).status_code == 200


def test_two_accounts_of_before_keep_their_spellings_and_each_logs_in_with_its_own(db: None, guest: Person) -> None:
    by_letters, by_ascii = make_user("free", LETTERS), make_user("free", ASCII)
    by_ascii.set_password("another phrase, long and private")
    by_ascii.save()
    _spell()
    for email, user, password in (
        (LETTERS, by_letters, PASSWORD),
        (ASCII, by_ascii, "another phrase, long and private"),
    ):
        assert User.objects.get(pk=user.pk).email == email
        entered = guest.post("/auth/login", {"email": email, "password": password})
        assert entered.status_code == 200
        assert list(ResetForm().get_users(email)) == [user]
    by_ascii.full_clean()
    assert by_ascii.email == ASCII
