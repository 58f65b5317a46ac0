"""Declares expired billing events: those that no longer affect anything."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from accounts.outdated import Outdated, before, declare
from billing.models import Event


def register() -> None:
    """Have the sweep delete these rows."""
    declare(Outdated("events", _without_effect))


def _without_effect(now: datetime) -> QuerySet[Any]:
    """Old events without effect on plans, credits or money; an account's standing is derived from the others.

    Providers repeat an event for some days; a repetition after its deletion has no effect either.
    """
    return Event.objects.filter(facts__kind="nothing", amount=0, received_at__lt=before(now))
