"""Confirming that an address is one's own: the link that is mailed there, and what comes with it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.core import signing
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request

from accounts import ledger, letters
from accounts.letters import Letter
from accounts.models import User

LASTS = timedelta(days=3)
_SALT = "accounts.verification"


@dataclass(frozen=True)
class Claim:
    """What a link says: that whoever has it reads the mails of this address of this account."""

    user: str
    email: str


class DeadLink(ValueError):
    """A link that is not ours, too old, or of an address that is the account's no more."""


def ask(request: HttpRequest | Request, user: User) -> None:
    """Mail the account's address a link that confirms it; raises Busy where too many mails wait."""
    token = signing.dumps([str(user.pk), user.email], salt=_SALT)
    with letters.to_reader(user.email):
        letter = Letter(
            user.email,
            _("Confirm your email address"),
            (
                _("somebody, hopefully you, signed up with %(email)s.") % {"email": user.email},
                _(
                    "Confirm within three days that the address is yours. "
                    "Your monthly credits and API keys come with it."
                ),
            ),
            link=request.build_absolute_uri(reverse("verify", args=[token])),
            label=_("Confirm the address"),
            after=(_("If it was not you, do nothing: nobody gets anything in your name."),),
        )
    letters.post(letter)


def tell_of_account(request: HttpRequest, email: str) -> None:
    """Mail somebody who signed up anew that there is an account already; the page itself doesn't say so."""
    with letters.to_reader(email):
        letter = Letter(
            email,
            _("You already have an account"),
            (_("somebody, hopefully you, signed up with %(email)s, which has an account already.") % {"email": email},),
            link=request.build_absolute_uri(reverse("login")),
            label=_("Log in"),
            after=(_("If you have forgotten your password, reset it there. If it was not you, do nothing."),),
        )
    letters.post(letter)


def read(token: str) -> Claim:
    """What a link says; raises DeadLink where it is not ours or older than LASTS."""
    try:
        user, email = signing.loads(token, salt=_SALT, max_age=LASTS)
    except (signing.BadSignature, ValueError, TypeError):
        raise DeadLink from None
    return Claim(user, email)


def confirm(claim: Claim) -> bool:
    """Note that the address is theirs, and give the month's credits; of several at once one returns True.

    Raises DeadLink where the account has another address by now, or is gone.
    """
    rows = User.objects.filter(pk=claim.user, email=claim.email, is_active=True)
    first = rows.filter(verified_at=None).update(verified_at=timezone.now(), unconfirmed_since=None) > 0
    user = rows.select_related("plan", "override").first()
    if user is None:
        raise DeadLink
    ledger.top_up(user)
    return first
