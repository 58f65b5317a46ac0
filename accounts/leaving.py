"""Leaving: an account is closed at once and deleted two weeks later, and can be had back until then."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import devices, factors, identities, organisations
from accounts.changes import EmailChange
from accounts.invitations import Invitation
from accounts.models import Login, Membership, User

WAY_BACK = timedelta(days=14)


def leave(user: User) -> None:
    """Close the account: nobody logs in, nothing is charged, every login and membership ends.

    Raises LastSuperuser, and LastOwner where nobody would be left to rule an organisation.
    """
    with organisations.keeping_an_owner():
        row = User.objects.select_for_update().get(pk=user.pk)
        if not row.is_active:
            return
        row.is_active, row.deletes_at = False, timezone.now() + WAY_BACK
        row.save(update_fields=["is_active", "deletes_at"])
        Membership.objects.filter(member=row).delete()
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
    """Remove how and from where the account was entered, and who acted for it; part of the caller's transaction."""
    devices.end_all(user)
    Login.objects.filter(user=user).delete()
    factors.remove_all(user)
    identities.forget(user)
    Membership.objects.filter(Q(member=user) | Q(organisation=user)).delete()
    Invitation.objects.filter(organisation=user).delete()
    EmailChange.objects.filter(user=user).delete()
