"""Email confirmation: the mailed link, and what it unlocks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.core import signing
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import links
from accounts.credits import ledger
from accounts.models import User
from accounts.people import mails
from accounts.people.mails import Mail

LASTS = timedelta(days=3)
_SALT = "accounts.verification"


@dataclass(frozen=True)
class Claim:
    """The content of a link: whoever has it controls this address, but need not have opened this account."""

    user: str
    email: str


class DeadLink(ValueError):
    """A link that is invalid, expired, or for an address that the account no longer has."""


def send_link(user: User) -> None:
    """Mail a confirmation link to the account's address; raises Busy if too many mails are pending."""
    token = signing.dumps([str(user.pk), user.email], salt=_SALT)
    with mails.in_language_of(user.email):
        mail = Mail(
            user.email,
            _("Confirm your email address"),
            (
                _("somebody, hopefully you, signed up with %(email)s.") % {"email": user.email},
                _("Confirm your address within three days to get your monthly credits and create API keys."),
            ),
            link=links.absolute(reverse("verify", args=[token])),
            label=_("Confirm the address"),
            after=(_("If this was not you, ignore this email."),),
        )
    mails.queue(mail)


def notify_existing_account(email: str) -> None:
    """Mail somebody who signs up again that they have an account; the page itself must not say so."""
    with mails.in_language_of(email):
        mail = Mail(
            email,
            _("You already have an account"),
            (_("somebody, hopefully you, signed up with %(email)s, which already has an account.") % {"email": email},),
            link=links.absolute(reverse("login")),
            label=_("Log in"),
            after=(
                _("If you have forgotten your password, or never confirmed the address, set a new password there."),
                _("If this was not you, ignore this email."),
            ),
        )
    mails.queue(mail)


def read(token: str) -> Claim:
    """Read a link; raises DeadLink if it is invalid, older than LASTS, or of no account with this address."""
    try:
        user, email = signing.loads(token, salt=_SALT, max_age=LASTS)
    except (signing.BadSignature, ValueError, TypeError):
        raise DeadLink from None
    if not User.objects.filter(pk=user, email=email, is_active=True).exists():
        raise DeadLink
    return Claim(user, email)


def confirm(claim: Claim) -> bool:
    """Confirm the address and grant the month's credits; of concurrent calls one returns True.

    The caller makes sure that the account is the reader's own: they know its password, or have just set it.
    Raises DeadLink if the account is gone or has another address.
    """
    rows = User.objects.filter(pk=claim.user, email=claim.email, is_active=True)
    first = rows.filter(verified_at=None).update(verified_at=timezone.now(), unconfirmed_since=None) > 0
    user = rows.select_related("plan", "override").first()
    if user is None:
        raise DeadLink
    ledger.top_up(user)
    return first
