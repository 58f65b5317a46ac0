"""Delete expired database rows: each app declares which, and one sweep deletes them in batches."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.login.devices import BrowserSession
from accounts.models import GuestDay, Login
from accounts.people.changes import EmailChange
from accounts.people.invitations import Invitation

log = logging.getLogger("service.sweep")

BATCH = 500
"""Rows in one transaction, which bounds how long concurrent writes wait."""
MAX_BATCHES = 200
"""Batches of one kind in one sweep, so that a backlog of one kind does not delay the others."""


@dataclass(frozen=True)
class Outdated:
    """One kind of rows; `rows` returns those that are expired at a time, using an index.

    `before_delete`, if set, is called first, in the same transaction, with the primary keys, to delete dependent rows.
    """

    name: str
    rows: Callable[[datetime], QuerySet[Any]]
    before_delete: Callable[[list[Any]], object] | None = None


_DECLARED: list[Outdated] = []


def declare(*kinds: Outdated) -> None:
    """Register kinds of rows for the sweep to delete."""
    _DECLARED.extend(kinds)


def declared() -> tuple[Outdated, ...]:
    return tuple(_DECLARED)


def sweep(now: datetime | None = None) -> dict[str, int]:
    """Delete the expired rows of all kinds. Returns the number deleted by kind. May run concurrently.

    A kind that fails is logged, and the sweep goes on with the others.
    """
    now = now or timezone.now()
    return {each.name: number for each in _DECLARED if (number := _sweep(each, now))}


def _sweep(kind: Outdated, now: datetime) -> int:
    number = 0
    try:
        for _ in range(MAX_BATCHES):
            deleted = _delete_batch(kind, now)
            number += deleted
            if deleted < BATCH:
                break
    except Exception:
        log.exception("outdated rows could not be deleted", extra={"kind": kind.name})
    return number


def _delete_batch(kind: Outdated, now: datetime) -> int:
    with transaction.atomic():
        # The lock keeps the rows expired until they are deleted; rows locked by another sweep or a request are skipped.
        rows = kind.rows(now).order_by().select_for_update(skip_locked=True, of=("self",))
        found = list(rows.values_list("pk", flat=True)[:BATCH])
        if kind.before_delete is not None:
            kind.before_delete(found)
        kind.rows(now).model._base_manager.filter(pk__in=found).delete()
    return len(found)


def before(now: datetime) -> datetime:
    """The time before which ended records are deleted."""
    return now - timedelta(days=settings.ENDED_RECORDS_DAYS)


def _of_accounts() -> tuple[Outdated, ...]:
    return (
        # Refresh tokens expire with their login, and access tokens a quarter of an hour later at most.
        Outdated("log-ins", lambda now: Login.objects.filter(expires_at__lt=before(now))),
        Outdated("sessions", lambda now: BrowserSession.objects.filter(expire_date__lt=now)),
        # Keeps yesterday, because clocks of several machines differ.
        Outdated("days of guests", lambda now: GuestDay.objects.filter(day__lt=(now - timedelta(days=1)).date())),
        Outdated("changes of address", lambda now: EmailChange.objects.filter(expires_at__lt=now)),
        # Staff invitations that were accepted stay with the account.
        Outdated(
            "invitations",
            lambda now: Invitation.objects.filter(
                Q(accepted_at=None) | ~Q(organisation=None), expires_at__lt=before(now)
            ),
        ),
    )


declare(*_of_accounts())
