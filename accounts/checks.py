"""System check: do mails reach anybody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Warning

_NOWHERE = ("console", "dummy", "locmem")


def mails_go_nowhere() -> bool:
    """Whether mails are printed or dropped, so that nobody can set a forgotten password anew."""
    return str(settings.EMAIL_BACKEND).split(".")[-2] in _NOWHERE


def mail_check(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Say so, unless it is a development server."""
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
            "Mails are not sent: forgotten passwords can't be set anew.",
            hint="Set EMAIL_BACKEND=django.core.mail.backends.smtp.EmailBackend and EMAIL_HOST.",
            id="accounts.W001",
        ),
    ]
