"""Lets a new month's credits wait until the month is paid for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from accounts.credits import ledger
from accounts.models import User
from billing.models import Standing


def register() -> None:
    ledger.topping_up.connect(_waits)


def _waits(sender: Any, user: User, **given: Any) -> bool:
    """Whether a payment for the plan is due, or its paid period ends today, and the next one is not paid for yet."""
    tomorrow = datetime.combine(timezone.now().astimezone(UTC).date() + timedelta(days=1), datetime.min.time(), UTC)
    due = Q(status=Standing.Status.PAST_DUE) | Q(paid_until__lt=tomorrow)
    return Standing.objects.filter(due, user=user, plan__isnull=False).exists()
