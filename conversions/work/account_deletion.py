"""Account deletion: files and personal data are deleted, the ledger and the statistics stay, anonymous."""

from __future__ import annotations

import logging
import secrets
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts import deactivation
from accounts.models import NOWHERE, LimitOverride, Membership, Note, User
from accounts.people import organisations, traces
from apikeys.models import ApiKey
from conversions.models import Conversion, IdempotencyKey
from storage import files
from storage.models import StoredFile

log = logging.getLogger("service.accounts")


def deactivate(user: User) -> None:
    """Deactivate the account and revoke its API keys; deleted after GRACE_PERIOD.

    Raises LastSuperuser, LastOwner and ClosingRefused.
    """
    with transaction.atomic():
        organisations.lock(Membership.objects.filter(member=user))
        # Before its memberships end, as they limit these keys.
        ApiKey.objects.with_member_limits().filter(member__member=user, revoked_at=None).update(
            revoked_at=timezone.now()
        )
        deactivation.deactivate(user)
        ApiKey.objects.filter(user=user, revoked_at=None).update(revoked_at=timezone.now())


def delete_due(now: datetime | None = None) -> int:
    """Delete the accounts whose grace period has ended; returns how many. May run concurrently."""
    now = now or timezone.now()
    return sum(_delete_due(each, now) for each in list(User.objects.filter(is_active=False, deletes_at__lte=now)))


def _delete_due(user: User, now: datetime) -> bool:
    try:
        return delete_account(user, due=now)
    except Exception:
        # Whatever failed, the other accounts must still be deleted; the next sweep retries this one.
        log.exception("an account could not be deleted", extra={"account": str(user.pk)})
        return False


def delete_account(user: User, *, due: datetime | None = None) -> bool:
    """Remove the account's credentials, personal data and files; can be repeated after an interruption.

    Locks the account's row, as recording a conversion does: a running job either finishes first, and its file is
    deleted too, or finds the account deactivated. With `due`, returns False if the account has been restored.
    """
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user.pk)
        if due is not None and (user.is_active or user.deletes_at is None or user.deletes_at > due):
            return False
        ApiKey.objects.filter(user=user).delete()
        made = ApiKey.objects.filter(created_by=user)
        if user.is_closed_by_staff:
            # Stopped so far because the account is closed, which nothing will tell from its deletion.
            made.filter(revoked_at=None).update(revoked_at=timezone.now())
        made.update(created_by=None)
        IdempotencyKey.objects.filter(owner=user).delete()
        Note.objects.filter(user=user).delete()
        LimitOverride.objects.filter(user=user).update(note="")
        Conversion.objects.filter(owner=user).update(
            input_name="",
            output_name="",
            input_sha256="",
            sha256="",
            options={},
            detected={},
            warnings=[],
            error_message="",
            error_parts=None,
            verified=None,
        )
        traces.erase(user)
        # Random: an address that can be guessed could have been taken by then.
        user.email, user.name = f"{secrets.token_hex(16)}@{NOWHERE}", ""
        user.is_active = user.is_staff = user.is_superuser = False
        user.set_unusable_password()
        # It can't be restored any more, and the next sweep resumes the deletion of files if this one is interrupted.
        user.deletes_at = timezone.now()
        user.save(update_fields=["email", "name", "is_active", "is_staff", "is_superuser", "password", "deletes_at"])
        deactivation.erase_access(user)
    for file in list(StoredFile.objects.filter(owner=user)):
        files.delete(file)
    User.objects.filter(pk=user.pk).update(deletes_at=None)
    return True
