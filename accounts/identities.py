"""Who somebody is elsewhere: accounts of an OpenID Connect provider that log in to ours."""

from __future__ import annotations

from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import registration, verification
from accounts.invitations import DeadInvitation
from accounts.models import User, normal_email
from accounts.provider import Claims
from accounts.verification import Claim


class NotLinked(ValueError):
    """Somebody whom the provider knows and we can't let in; the message says what to do next."""


class Identity(models.Model):
    """One account elsewhere, which belongs to one of ours."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="identities")
    issuer = models.CharField(max_length=500)
    subject = models.CharField(max_length=255)
    created_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [models.UniqueConstraint(name="identity_once", fields=["issuer", "subject"])]

    def __str__(self) -> str:
        return self.issuer


def owner_of(claims: Claims, *, invitation: str) -> User:
    """The account of whoever comes from the provider: the linked one, theirs by its address, or a new one.

    An address counts only where the provider has verified it, and where ours was confirmed: anybody can sign up with
    the address of somebody else, and wait. Raises NotLinked, and RegistrationClosed where nobody may sign up.
    """
    rows = User.objects.select_related("plan", "override")
    identity = Identity.objects.filter(issuer=claims.issuer, subject=claims.subject)
    if identity.update(used_at=timezone.now()):
        return rows.get(pk__in=identity.values("user"))
    if not claims.verified:
        raise NotLinked(
            _("The provider does not say that the address is yours. Log in with your password, and link it then.")
        )
    email = normal_email(claims.email)
    with transaction.atomic():
        user = rows.select_for_update(of=("self",)).filter(email=email).first()
        if user is None:
            user = _opened(claims, email, invitation)
        elif user.verified_at is None or not user.is_active:
            raise NotLinked(_("There is an account with your address. Log in with its password, and link it then."))
        link(user, claims)
    return rows.get(pk=user.pk)


def link(user: User, claims: Claims) -> None:
    """Let somebody of the provider's into this account, once for all; raises NotLinked where it is another's."""
    try:
        with transaction.atomic():
            Identity.objects.create(user=user, issuer=claims.issuer, subject=claims.subject, used_at=timezone.now())
    except IntegrityError as error:
        if not Identity.objects.filter(user=user, issuer=claims.issuer, subject=claims.subject).exists():
            raise NotLinked(_("You are linked to another account here. Log in to that one to undo it.")) from error


def unlink(user: User, identity: int) -> bool:
    """Let nobody in by this identity any more; whether there was one."""
    return Identity.objects.filter(user=user, pk=identity).delete()[0] > 0


def forget(user: User) -> None:
    """Unlink all, as part of the caller's transaction."""
    Identity.objects.filter(user=user).delete()


def told(user: User) -> list[dict[str, Any]]:
    """What is kept of the account's identities."""
    rows = Identity.objects.filter(user=user)
    return [
        {"issuer": each.issuer, "subject": each.subject, "createdAt": each.created_at, "usedAt": each.used_at}
        for each in rows
    ]


def _opened(claims: Claims, email: str, invitation: str) -> User:
    """A new account without a password, in the caller's transaction; its address is confirmed by the provider."""
    try:
        validate_email(email)
        registration.check_address(email)
        user = registration.open_account(email, None, name=claims.name, invitation=invitation)
    except ValidationError as error:
        raise NotLinked(" ".join(error.messages)) from error
    except DeadInvitation as error:
        raise NotLinked(str(error)) from error
    except IntegrityError as error:
        raise NotLinked(_("Your account is just being made. Try again.")) from error
    verification.confirm(Claim(str(user.pk), email))
    return user
