"""Declare the expired rows of conversions: guests' conversions, idempotency keys, and daily usage of API keys."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Q, QuerySet

from accounts.outdated import Outdated, declare
from conversions.models import Conversion, IdempotencyKey, Usage
from conversions.work import statistics
from storage.models import Removal


def register() -> None:
    """Have the sweep delete these rows."""
    declare(
        Outdated("idempotency keys", _idempotency_keys),
        Outdated("conversions of guests", _of_guests, before_delete=_removals),
        Outdated("days of API keys", _of_keys),
    )


def _idempotency_keys(now: datetime) -> QuerySet[Any]:
    # One that is still claimed belongs to a request that is under way.
    return IdempotencyKey.objects.filter(expires_at__lt=now, claimed_until__lt=now)


def _of_guests(now: datetime) -> QuerySet[Any]:
    """Return guests' conversions, with their receipts, whose results can't be downloaded any more.

    Totals are counted separately (see Day).
    """
    kept = now - timedelta(days=settings.GUEST_RECORDS_DAYS)
    gone = Q(expires_at=None) | Q(expires_at__lt=now)
    return Conversion.objects.filter(gone, owner=None, created_at__lt=kept)


def _removals(conversions: list[UUID]) -> None:
    """Delete the removal times of these conversions' files, which only their receipts used."""
    keys = Conversion.objects.filter(pk__in=conversions).values_list("file_key", flat=True)
    Removal.objects.filter(pk__in=[each for each in keys if each]).delete()


def _of_keys(now: datetime) -> QuerySet[Any]:
    since = now.astimezone(UTC).date() - timedelta(days=statistics.KEY_DAYS)
    return Usage.objects.filter(span=Usage.Span.KEY, start__lt=since)
