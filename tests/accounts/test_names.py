"""User-chosen names and addresses in mails to others: never first, never a link, and without invisible characters."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail

from accounts.models import User
from accounts.people import changes, mails
from accounts.people.outbox import OUTBOX
from tests.conftest import Person, make_user


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Acme Inc.", "“Acme Inc.”"),
        ("Ada\r\nBcc: eve@example.org", "“Ada Bcc: eve example org”"),
        ("\u202egnihsihp\u202c\u200b", "“gnihsihp”"),
        ("Pay at https://evil.example/now", "“Pay at https evil example now”"),
        ("www\uff0eevil\u3002example", "“www evil example”"),
        ("\u201d from your bank <b>", "“from your bank b”"),
        ("Ｕｒｇｅｎｔ", "“Urgent”"),
        ("x" * 100, "“" + "x" * 39 + "…”"),
        ("\u2066\u2069", "“”"),
    ],
)
def test_a_name_of_somebody_else_is_quoted(name: str, shown: str) -> None:
    assert mails.quoted(name) == shown


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("ada.lovelace+files@mail.example.org", None),
        ("o'brien@example.org", None),
        ("ada@m\u00fcller.example", None),
        ('"https://evil.example/a"@attacker.example', "\u201chttps evil example a attacker example\u201d"),
        ("www.evil.example/pay?x=@attacker.example", "\u201cwww evil example pay?x= attacker example\u201d"),
        ("evil.example'x@attacker.example", "\u201cevil example'x attacker example\u201d"),
    ],
)
def test_an_address_of_somebody_else_is_never_a_link_to_a_page(address: str, shown: str | None) -> None:
    assert mails.foreign_address(address) == (shown or address)


def text_of(letter: Any) -> str:
    return f"{letter.body}{letter.alternatives[0][0]}"


LINKED = '"https://evil.example/login"@attacker.example'


def test_an_inviter_s_address_is_no_link(transactional_db: None, paying: Person) -> None:
    User.objects.filter(pk=paying.account.pk).update(email=LINKED)
    team = paying.post("/organisations", {"name": "Acme"}).json()["data"]["id"]
    assert paying.post(f"/organisations/{team}/invitations", {"email": "new@example.org"}).status_code == 201
    assert OUTBOX.flush(30)
    (letter,) = (each for each in mail.outbox if each.to == ["new@example.org"])
    assert "evil.example" not in text_of(letter)


def test_an_address_to_be_changed_is_no_link(transactional_db: None) -> None:
    changes.start(make_user("free", LINKED), "victim@example.org")
    assert OUTBOX.flush(30)
    (letter,) = (each for each in mail.outbox if each.to == ["victim@example.org"])
    assert "evil.example" not in text_of(letter)


def test_an_invitation_starts_with_our_text_and_contains_no_user_supplied_link(
    transactional_db: None, paying: Person, settings: Any
) -> None:
    settings.SERVICE_NAME = "Convert"
    bad = "URGENT: your account at https://evil.example/login is closed, act now\u202e"
    User.objects.filter(pk=paying.account.pk).update(name="Your bank http://evil.example")
    team = paying.post("/organisations", {"name": bad}).json()["data"]["id"]
    invited = paying.post(f"/organisations/{team}/invitations", {"email": "new@example.org", "role": "member"})
    assert invited.status_code == 201
    assert OUTBOX.flush(30)
    (letter,) = mail.outbox
    assert letter.subject.startswith("Invitation to an organisation at Convert: “")
    assert len(letter.subject) < 90
    for text in (letter.subject, str(letter.body), str(letter.alternatives[0][0])):
        assert "evil.example" not in text
        assert "\u202e" not in text
    links = set(re.findall(r"https?://[^\s\"<]+", str(letter.body)))
    assert {each.split("/")[2] for each in links} == {"testserver"}
    assert paying.account.email in str(letter.body)
