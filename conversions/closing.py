"""Closing an account for good: its files go, its ledger and its sums stay without the person."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts import leaving
from accounts.models import LimitOverride, Note, User
from apikeys.models import ApiKey
from conversions.models import Conversion, IdempotencyKey
from storage import files
from storage.models import StoredFile


def leave(user: User) -> None:
    """Close the account, whose keys are revoked, and have it deleted after leaving.WAY_BACK. Raises LastSuperuser."""
    with transaction.atomic():
        leaving.leave(user)
        ApiKey.objects.filter(user=user, revoked_at=None).update(revoked_at=timezone.now())


def close_due(now: datetime | None = None) -> int:
    """Delete the accounts whose owners have left long enough before `now`; how many. Any number may run at once."""
    due = User.objects.filter(is_active=False, deletes_at__lte=now or timezone.now())
    return sum(close(each, due=now or timezone.now()) for each in list(due))


def close(user: User, *, due: datetime | None = None) -> bool:
    """End every way in, empty whatever tells of the person or of the files' content, and delete the files.

    It can be repeated where it was interrupted. Whatever records a conversion holds the account's row, which is locked
    first here: each running job is either done before, and its file among those that are deleted, or finds the
    account closed. With `due` nothing is done, and False returned, where the account has been restored meanwhile.
    """
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user.pk)
        if due is not None and (user.is_active or user.deletes_at is None or user.deletes_at > due):
            return False
        ApiKey.objects.filter(user=user).delete()
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
            verified=None,
        )
        user.email, user.name = f"{user.pk}@deleted.invalid", ""
        user.is_active = user.is_staff = user.is_superuser = False
        user.set_unusable_password()
        # Nobody has it back from here on, and the next sweep goes on where this one is interrupted.
        user.deletes_at = timezone.now()
        user.save(update_fields=["email", "name", "is_active", "is_staff", "is_superuser", "password", "deletes_at"])
        leaving.forget(user)
    for file in list(StoredFile.objects.filter(owner=user)):
        files.delete(file)
    User.objects.filter(pk=user.pk).update(deletes_at=None)
    return True
