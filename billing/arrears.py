"""Lets a new month's credits wait while a payment for the plan is due: they are part of what is to be paid."""

from __future__ import annotations

from typing import Any

from accounts.credits import ledger
from accounts.models import User
from billing.models import Standing


def register() -> None:
    ledger.topping_up.connect(_waits)


def _waits(sender: Any, user: User, **given: Any) -> bool:
    return Standing.objects.filter(user=user, status=Standing.Status.PAST_DUE).exists()
