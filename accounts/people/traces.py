"""Erases an account's address and name from what the staff's tools have recorded of it."""

from __future__ import annotations

from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import F, Model, Q

from accounts.mailboxes import normal_email
from accounts.models import User
from accounts.people.invitations import Invitation


def erase(user: User) -> None:
    """Erase them, while the account still has its address, in the caller's transaction.

    Invitations that nobody has accepted are deleted: without an address they would be for whoever has the link.
    """
    mine = Invitation.objects.filter(Q(accepted_by=user) | Q(email__iexact=normal_email(user.email)))
    _unname(Invitation, list(mine.values_list("pk", flat=True)))
    mine.filter(accepted_at=None).delete()
    mine.filter(accepted_by=user).update(email="", note="")
    _unname(User, [user.pk])


def _unname(kind: type[Model], keys: list[Any]) -> None:
    """Leave the ids alone of these objects in the admin's own log, which shows them as they were called."""
    logged = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(kind), object_id__in=[str(each) for each in keys]
    )
    logged.update(object_repr=F("object_id"))
