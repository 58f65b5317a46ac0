"""System checks: that mails are sent, and that their links lead to this site."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning

_UNSENT_BACKENDS = ("console", "dummy", "locmem")


def mails_go_nowhere() -> bool:
    """Whether mails are printed or dropped, so that nobody can reset a password."""
    return str(settings.EMAIL_BACKEND).split(".")[-2] in _UNSENT_BACKENDS


def mail_check(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Warn if mails go nowhere, except on a development server."""
    if settings.DEBUG or not mails_go_nowhere():
        return []
    unreachable = Warning(
        "Nobody can confirm an address, which EMAIL_VERIFICATION requires: mails are not sent.",
        hint="Set EMAIL_BACKEND and EMAIL_HOST, or EMAIL_VERIFICATION=off.",
        id="accounts.W002",
    )
    return [
        *([unreachable] if settings.EMAIL_VERIFICATION == "required" else []),
        Warning(
            "Emails are not sent: people can't reset forgotten passwords.",
            hint="Set EMAIL_BACKEND=django.core.mail.backends.smtp.EmailBackend and EMAIL_HOST.",
            id="accounts.W001",
        ),
    ]


def site_check(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Refuse to start a public service without SITE_URL: links in mails would lead elsewhere."""
    public = settings.HTTPS or not set(settings.LOCAL_HOSTS).issuperset(settings.ALLOWED_HOSTS)
    if settings.DEBUG or settings.SITE_URL_IS_SET or not public:
        return []
    return [
        Error(
            f"Links in mails would lead to {settings.SITE_URL}: SITE_URL is not set.",
            hint="Set SITE_URL to the address of the service, such as https://convert.example.",
            id="accounts.E001",
        )
    ]
