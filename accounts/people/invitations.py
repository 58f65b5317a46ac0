"""Invitations: each opens one account until it expires; only a hash of its code is stored."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from datetime import timedelta

from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.mailboxes import normal_email
from accounts.models import Role, User

LASTS = timedelta(days=14)
DEAD = "This invitation was used or has expired. Ask whoever invited you for a new one."


class DeadInvitation(ValueError):
    """An invitation that is used, expired, unknown or for another address; the message says what to do next."""


class Invitation(models.Model):
    """The right to open one account, for an address or for whoever has the code; or to join an organisation."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    email = models.EmailField(
        max_length=254, blank=True, help_text=_("Who is invited and emailed. Leave empty for anyone with the link.")
    )
    note = models.CharField(max_length=200, blank=True, help_text=_("For your reference."))
    created_by = models.ForeignKey(User, null=True, editable=False, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    organisation = models.ForeignKey(
        User, null=True, editable=False, on_delete=models.CASCADE, related_name="invitations",
        help_text=_("Only for invitations to an organisation. The person who accepts it already has an "
"account."),
    )  # fmt: skip
    role = models.CharField(max_length=10, choices=Role.choices, blank=True, editable=False)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, editable=False)
    accepted_by = models.ForeignKey(User, null=True, editable=False, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.email or self.note or str(self.id)


def new_code() -> tuple[str, str]:
    """A new code, and the digest to store."""
    code = secrets.token_urlsafe(24)
    return code, _digest(code)


def path_of(code: str) -> str:
    """The path of the page that accepts an invitation."""
    return f"{reverse('signup')}?invitation={code}"


def accept(code: str, user: User) -> Invitation:
    """Use up an invitation for a new account, in the caller's transaction; raises DeadInvitation.

    Of concurrent calls one succeeds: the update is conditional.
    """
    found = check(code, user.email)
    if not waiting_with(code).update(accepted_at=timezone.now(), accepted_by=user):
        raise DeadInvitation(DEAD)
    return found


def check(code: str, email: str) -> Invitation:
    """The invitation with this code, valid for this address; raises DeadInvitation."""
    # Any owner can invite to an organisation, so such an invitation opens no account.
    found = waiting_with(code).filter(organisation=None).first()
    if found is None:
        raise DeadInvitation(DEAD)
    if found.email and normal_email(found.email) != normal_email(email):
        raise DeadInvitation("This invitation is for another address. Sign up with the one that it was mailed to.")
    return found


def waiting_with(code: str) -> models.QuerySet[Invitation]:
    """The pending invitation with this code."""
    return Invitation.objects.filter(digest=_digest(code), accepted_at=None, expires_at__gt=timezone.now())


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
