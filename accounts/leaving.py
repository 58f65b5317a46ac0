"""Leaving: an account is closed at once and deleted two weeks later, and can be had back until then."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts import devices, factors, identities
from accounts.changes import EmailChange
from accounts.models import Login, User

WAY_BACK = timedelta(days=14)


def leave(user: User) -> None:
    """Close the account: nobody logs in, nothing is charged, every login ends. Raises LastSuperuser."""
    with transaction.atomic():
        row = User.objects.select_for_update().get(pk=user.pk)
        if not row.is_active:
            return
        row.is_active, row.deletes_at = False, timezone.now() + WAY_BACK
        row.save(update_fields=["is_active", "deletes_at"])
        EmailChange.objects.filter(user=row).delete()
        devices.end_all(row)


def restore(user: UUID | str) -> bool:
    """Open the account again, where it has not been deleted; of several at once, and of the deletion, one happens."""
    with transaction.atomic():
        row = User.objects.select_for_update().filter(pk=user).first()
        if row is None or not row.is_leaving:
            return False
        row.is_active, row.deletes_at = True, None
        row.save(update_fields=["is_active", "deletes_at"])
    return True


def forget(user: User) -> None:
    """Remove what tells how and from where the account was entered; part of the caller's transaction."""
    devices.end_all(user)
    Login.objects.filter(user=user).delete()
    factors.remove_all(user)
    identities.forget(user)
    EmailChange.objects.filter(user=user).delete()
