"""Account deactivation: immediate, and undone by a log-in within two weeks, after which the account is deleted."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.dispatch import Signal
from django.utils import timezone

from accounts.errors import ServiceError
from accounts.login import devices, factors, identities
from accounts.models import Login, Membership, User
from accounts.people import organisations
from accounts.people.changes import EmailChange
from accounts.people.invitations import Invitation
from errors import AccessDenied

GRACE_PERIOD = timedelta(days=14)

closing = Signal()
"""Sent with `user` before an account is deactivated by its owner; a receiver that objects raises ClosingRefused."""


class ClosingRefused(ServiceError, AccessDenied):
    """Something must end before the account does; the message says what, and where."""


def deactivate(user: User) -> None:
    """Deactivate the account: no log-in, no charges, and every session and membership ends.

    Raises LastSuperuser, LastOwner for the only owner of an organisation, and ClosingRefused.
    """
    with organisations.protecting_last_owner():
        row = User.objects.select_for_update().get(pk=user.pk)
        if not row.is_active:
            return
        closing.send(User, user=row)
        row.is_active, row.deletes_at = False, timezone.now() + GRACE_PERIOD
        row.save(update_fields=["is_active", "deletes_at"])
        Membership.objects.filter(member=row).delete()
        EmailChange.objects.filter(user=row).delete()
        devices.end_all(row)


def restore(user: UUID | str) -> bool:
    """Reactivate the account; False if it was deleted. The row's lock lets one of concurrent calls succeed."""
    with transaction.atomic():
        row = User.objects.select_for_update().filter(pk=user).first()
        if row is None or not row.is_restorable:
            return False
        row.is_active, row.deletes_at = True, None
        row.save(update_fields=["is_active", "deletes_at"])
    return True


def keep_closed(user: UUID | str) -> bool:
    """Let only staff reopen a closed account, which is still deleted if its owner closed it; False if nothing changed.

    Of a concurrent restoration and this, the first one counts.
    """
    rows = User.objects.filter(pk=user, is_active=False, kept_closed_at=None)
    return rows.update(kept_closed_at=timezone.now()) > 0


def erase_access(user: User) -> None:
    """Delete the account's logins, second factors, identities and memberships, in the caller's transaction."""
    devices.end_all(user)
    Login.objects.filter(user=user).delete()
    factors.remove_all(user)
    identities.forget(user)
    Membership.objects.filter(Q(member=user) | Q(organisation=user)).delete()
    Invitation.objects.filter(organisation=user).delete()
    EmailChange.objects.filter(user=user).delete()
