"""Identities: accounts at an OpenID Connect provider that are linked to ours."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.login.provider import Claims
from accounts.mailboxes import normal_email
from accounts.models import User
from accounts.people import registration, verification
from accounts.people.invitations import DeadInvitation
from accounts.people.verification import Claim


class NotLinked(ValueError):
    """A person known to the provider whom we can't log in; the message says what to do next."""


class Identity(models.Model):
    """One account at the provider, linked to one of ours."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="identities")
    issuer = models.CharField(max_length=500)
    subject = models.CharField(max_length=255)
    created_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = gettext_lazy("identities")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [models.UniqueConstraint(name="identity_once", fields=["issuer", "subject"])]

    def __str__(self) -> str:
        return self.issuer


def owner_of(claims: Claims, *, invitation: str) -> User:
    """The account for a person from the provider: the linked one, the one with their address, or a new one.

    An address counts only if the provider has verified it and our account has confirmed it: anybody can sign up with
    another's address and wait. Raises NotLinked, and RegistrationClosed if sign-up is closed.
    """
    rows = User.objects.select_related("plan", "override")
    identity = Identity.objects.filter(issuer=claims.issuer, subject=claims.subject)
    if identity.update(used_at=timezone.now()):
        return rows.get(pk__in=identity.values("user"))
    if not claims.verified:
        raise NotLinked(
            _(
                "The provider hasn't confirmed that this address is yours. Log in with your password, "
                "then link the account."
            )
        )
    email = normal_email(claims.email)
    if _local(email).isascii() and not _local(claims.email).isascii():
        # The Kelvin sign lower-cases to k, but is not the k of the address.
        raise NotLinked(_("The provider didn't give us an email address that we can use."))
    with transaction.atomic():
        # Without the plan: see User.objects.lock.
        user = User.objects.select_for_update().filter(email=email).first()
        if user is None:
            user = _opened(claims, email, invitation)
        elif user.verified_at is None or not user.is_active:
            raise NotLinked(_("There is already an account with your address. Log in with its password, then link it."))
        link(user, claims)
    return rows.get(pk=user.pk)


def _local(email: str) -> str:
    return email.rpartition("@")[0]


def link(user: User, claims: Claims) -> None:
    """Link the provider's identity to this account.

    Raises NotLinked if it belongs to another, and InvalidCredentials if all logins have ended since `user` was read.
    """
    try:
        with transaction.atomic():
            user.lock_if_current()
            Identity.objects.create(user=user, issuer=claims.issuer, subject=claims.subject, used_at=timezone.now())
    except IntegrityError as error:
        if not Identity.objects.filter(user=user, issuer=claims.issuer, subject=claims.subject).exists():
            raise NotLinked(_("You're linked to another account here. Log in to that account to unlink it.")) from error


def unlink(user: User, identity: int) -> bool:
    """Unlink this identity; returns whether it was linked."""
    return Identity.objects.filter(user=user, pk=identity).delete()[0] > 0


def forget(user: User, *, before: datetime | None = None) -> int:
    """Unlink all identities, or those linked before then, in the caller's transaction; returns how many there were."""
    rows = Identity.objects.filter(user=user)
    return (rows if before is None else rows.filter(created_at__lt=before)).delete()[0]


def exported(user: User) -> list[dict[str, Any]]:
    """The account's identities for its export."""
    rows = Identity.objects.filter(user=user)
    return [
        {"issuer": each.issuer, "subject": each.subject, "createdAt": each.created_at, "usedAt": each.used_at}
        for each in rows
    ]


def _opened(claims: Claims, email: str, invitation: str) -> User:
    """Create an account without a password, in the caller's transaction; the provider has confirmed its address."""
    try:
        User._meta.get_field("email").clean(email, None)
        registration.check_address(email)
        user = registration.open_account(email, None, name=claims.name, invitation=invitation)
    except ValidationError as error:
        raise NotLinked(" ".join(error.messages)) from error
    except DeadInvitation as error:
        raise NotLinked(str(error)) from error
    except IntegrityError as error:
        raise NotLinked(_("Your account is being created. Try again.")) from error
    verification.confirm(Claim(str(user.pk), email))
    return user
