"""The language of mails."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from django.test import Client

from accounts.people import mails
from accounts.people.mails import Mail
from accounts.people.outbox import OUTBOX
from tests.conftest import make_user


def languages_of(address: str) -> list[str]:
    """Those of the mails to an address, as its head and its page say them."""
    assert OUTBOX.flush(30)
    found: list[Any] = [each for each in mail.outbox if each.to == [address]]
    for each in found:
        assert f'<html lang="{each.extra_headers["Content-Language"]}">' in str(each.alternatives[0][0])
    return [each.extra_headers["Content-Language"] for each in found]


@pytest.mark.parametrize(("chosen", "asked", "written"), [("de", "en", "de"), (None, "fr", "fr"), (None, "", "en")])
def test_a_mail_is_in_the_accounts_language_else_in_that_of_the_request(
    transactional_db: None, chosen: str | None, asked: str, written: str
) -> None:
    make_user(email="ada@example.org", language=chosen)
    headers = {"Accept-Language": asked} if asked else {}
    assert Client().post("/password-reset", {"email": "ada@example.org"}, headers=headers).status_code == 302
    assert languages_of("ada@example.org") == [written]


def test_each_reader_of_a_change_of_address_has_their_own(db: None) -> None:
    owner = make_user(email="ada@example.org", language="ja")
    make_user(email="taken@example.org", language="pl")
    for new, written in (("new@example.org", "ja"), ("taken@example.org", "pl")):
        with mails.in_language_of(new, otherwise=owner.language):
            assert Mail(new, "subject", ("text",)).language == written
