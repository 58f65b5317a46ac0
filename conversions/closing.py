"""Closing an account: its files go at once, its ledger and its sums stay without the person."""

from __future__ import annotations

from django.db import transaction

from accounts import tokens
from accounts.models import LimitOverride, User
from apikeys.models import ApiKey
from conversions.models import Conversion, IdempotencyKey
from storage import files
from storage.models import StoredFile


def close(user: User) -> None:
    """End every way in, empty whatever tells of the person or of the files' content, and delete the files.

    It can be repeated where it was interrupted. Whatever records a conversion holds the account's row, which is locked
    first here: each running job is either done before, and its file among those that are deleted, or finds the
    account closed.
    """
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user.pk)
        tokens.revoke_all(user)
        ApiKey.objects.filter(user=user).delete()
        IdempotencyKey.objects.filter(owner=user).delete()
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
        user.save(update_fields=["email", "name", "is_active", "is_staff", "is_superuser", "password"])
    for file in list(StoredFile.objects.filter(owner=user)):
        files.delete(file)
