"""Who may register: everybody, invited people or nobody; and which email domains are allowed."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.errors import ServiceError
from accounts.mailboxes import domain_reached, in_letters, normal_email
from accounts.models import FREE, Plan, User
from accounts.people import invitations
from accounts.people.invitations import DeadInvitation
from errors import AccessDenied

OPEN, INVITE, CLOSED = "open", "invite", "closed"
EMAIL_TAKEN = "There is already an account with this email. Log in, or reset its password."


class RegistrationClosed(ServiceError, AccessDenied):
    default_detail = _("Sign-up is closed. Ask the operator of this service for an account, or log in with yours.")


def check_address(email: str) -> None:
    """Raise ValidationError if accounts may not use this domain, or mails would go to another one (RFC 3490)."""
    domain = normal_email(email).rpartition("@")[2]
    if not domain.isascii() and _sent_to(domain) != domain:
        raise ValidationError(EmailValidator.message, code=EmailValidator.code)
    if settings.EMAIL_DOMAINS and domain not in map(in_letters, settings.EMAIL_DOMAINS):
        allowed = ", ".join(settings.EMAIL_DOMAINS)
        raise ValidationError(
            gettext("Use an address at %(allowed)s. Other addresses are not allowed here.") % {"allowed": allowed},
            code="domain",
        )
    # Deleted accounts and organisations have addresses in this domain (RFC 2606, section 2): nobody may look like one.
    nowhere = domain.rpartition(".")[2] == "invalid"
    refused = settings.DISPOSABLE_EMAILS == "refuse"
    # The list has domains of other scripts in ASCII (RFC 3490).
    if nowhere or (refused and not _parents(domain_reached(domain)).isdisjoint(_disposable())):
        raise ValidationError(
            gettext("Use a permanent address. Disposable addresses are not allowed here."), code="disposable"
        )


def _sent_to(domain: str) -> str:
    """The domain that a mail to this one reaches: of letters that look alike, the plain ones; empty if none."""
    try:
        return domain_reached(domain).encode().decode("idna")
    except UnicodeError:
        return ""


def reveals_accounts() -> bool:
    """Whether a form may say that an address is taken before all of it is valid.

    If addresses are confirmed, the response is the same, and only the address's owner learns more. If an invitation is
    needed, only who has one learns it, from open_account().
    """
    return bool(settings.EMAIL_VERIFICATION == "off" and settings.REGISTRATION != INVITE)


def open_account(email: str, password: str | None, *, name: str = "", invitation: str = "") -> User:
    """Create an account, using up an invitation if one is required.

    Raises RegistrationClosed, DeadInvitation and, if the address is taken, IntegrityError; then nothing is changed.
    """
    if settings.REGISTRATION == CLOSED:
        raise RegistrationClosed()
    if settings.REGISTRATION == INVITE:
        if not invitation:
            raise DeadInvitation("An invitation is needed to sign up here. Ask whoever runs this service for one.")
        # Before the address is checked: without an invitation, nothing is revealed about it.
        invitations.check(invitation, email)
    with transaction.atomic():
        user = User.objects.create_user(email, password, name=name)
        if settings.REGISTRATION == INVITE and invitations.accept(invitation, user).email:
            # The code was mailed there: whoever has it controls the address.
            User.objects.filter(pk=user.pk).update(verified_at=timezone.now(), unconfirmed_since=None)
            user.refresh_from_db(fields=["verified_at", "unconfirmed_since"])
    return user


def placeholder(email: str, name: str) -> User:
    """An unsaved account that the response shows when the address is already taken."""
    return User(email=normal_email(email), name=name, plan=Plan.objects.get(code=FREE))


def _parents(domain: str) -> set[str]:
    parts = domain.split(".")
    return {".".join(parts[start:]) for start in range(len(parts))}


@cache
def _disposable() -> set[str]:
    """Disposable email domains, loaded on first use."""
    found: set[str] = import_module("disposable_email_domains").blocklist
    return found
