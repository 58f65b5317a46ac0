"""Who may open an account: everybody, the invited or nobody, with an address of an allowed domain."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import invitations
from accounts.errors import ServiceError
from accounts.invitations import DeadInvitation
from accounts.models import User
from errors import AccessDenied

OPEN, INVITE, CLOSED = "open", "invite", "closed"


class RegistrationClosed(ServiceError, AccessDenied):
    default_detail = _("Nobody can sign up here. Ask whoever runs this service for an account, or log in with yours.")


def check_address(email: str) -> None:
    """Raise ValidationError where no account may have an address of this domain."""
    domain = email.rpartition("@")[2].lower()
    if settings.EMAIL_DOMAINS and domain not in settings.EMAIL_DOMAINS:
        allowed = ", ".join(settings.EMAIL_DOMAINS)
        raise ValidationError(
            gettext("Use an address of %(allowed)s: others are not allowed here.") % {"allowed": allowed}, code="domain"
        )
    if settings.DISPOSABLE_EMAILS == "refuse" and not _parents(domain).isdisjoint(_disposable()):
        raise ValidationError(
            gettext("Use an address that lasts: throw-away ones are not allowed here."), code="disposable"
        )


def open_account(email: str, password: str | None, *, name: str = "", invitation: str = "") -> User:
    """Make an account where that is allowed, and use up the invitation that allows it.

    Raises RegistrationClosed, DeadInvitation and, where the address is taken, IntegrityError; then nothing is changed.
    """
    if settings.REGISTRATION == CLOSED:
        raise RegistrationClosed()
    with transaction.atomic():
        user = User.objects.create_user(email, password, name=name)
        if settings.REGISTRATION == INVITE:
            if not invitation:
                raise DeadInvitation("An invitation is needed to sign up here. Ask whoever runs this service for one.")
            if invitations.accept(invitation, user).email:
                # It was mailed there: whoever has it reads the mails of that address.
                User.objects.filter(pk=user.pk).update(verified_at=timezone.now(), unconfirmed_since=None)
                user.refresh_from_db(fields=["verified_at", "unconfirmed_since"])
    return user


def _parents(domain: str) -> set[str]:
    parts = domain.split(".")
    return {".".join(parts[start:]) for start in range(len(parts))}


@cache
def _disposable() -> set[str]:
    """The domains of throw-away addresses, loaded by the first service that asks for them."""
    found: set[str] = import_module("disposable_email_domains").blocklist
    return found
