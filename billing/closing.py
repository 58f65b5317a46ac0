"""No account is closed whose subscription goes on: its owner would pay, and could no longer log in to end it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts import deactivation
from accounts.models import User
from billing import events
from billing.providers.chosen import provider


class StillPaid(deactivation.ClosingRefused):
    default_detail = _(
        "The plan is an active subscription and would still be charged. End it first, on the plans page."
    )


def watch() -> None:
    deactivation.closing.connect(_refuse)


def _refuse(sender: Any, user: User, **given: Any) -> None:
    found = provider()
    if found.collects and events.will_renew(user, found.name):
        raise StillPaid()
