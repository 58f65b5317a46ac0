"""Refuses to close an account with a running subscription: its owner would pay, unable to log in and cancel it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts import deactivation
from accounts.models import User
from billing import events
from billing.providers.chosen import provider


class SubscriptionRunning(deactivation.ClosingRefused):
    default_detail = _(
        "This plan is an active subscription that would still be charged. Cancel it first on the plans page."
    )


def register() -> None:
    deactivation.closing.connect(_refuse)


def _refuse(sender: Any, user: User, **given: Any) -> None:
    found = provider()
    if found.renews and events.will_renew(user, found.name):
        raise SubscriptionRunning()
