"""Operators are warned while mails are not delivered."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from accounts.checks import mail_check

CONSOLE = "django.core.mail.backends.console.EmailBackend"
SMTP = "django.core.mail.backends.smtp.EmailBackend"


@pytest.mark.parametrize(("backend", "debug", "warned"), [(CONSOLE, False, 1), (CONSOLE, True, 0), (SMTP, False, 0)])
def test_a_check_warns_that_mails_are_printed(settings: Any, backend: str, debug: bool, warned: int) -> None:
    settings.EMAIL_BACKEND, settings.DEBUG = backend, debug
    assert [each.id for each in mail_check(None)] == ["accounts.W001"] * warned


def test_the_admin_warns_on_every_page(staff: Client, settings: Any) -> None:
    for backend, warned in ((CONSOLE, True), (SMTP, False)):
        settings.EMAIL_BACKEND = backend
        for page in ("/admin/", "/admin/accounts/user/"):
            assert (b"Emails are printed to the console" in staff.get(page).content) is warned
    settings.EMAIL_BACKEND = CONSOLE
    assert b"Emails are printed to the console" not in Client().get("/admin/login/").content
