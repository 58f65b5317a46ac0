"""Invitation mails to an organisation, with the only copy of the code."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from accounts import links
from accounts.credits import throttling
from accounts.models import Membership
from accounts.people import mails, organisations
from accounts.people.invitations import Invitation
from accounts.people.mails import Mail


def invite(request: HttpRequest | Request, membership: Membership, email: str, role: str) -> Invitation:
    """Mail an invitation; the response does not reveal whether the address has an account.

    Raises TooManyRequests, TooMany, Busy, and ValidationError for a member's address.
    """
    if membership.organisation.members.filter(member__email=email).exists():
        raise ValidationError({"email": _("Somebody with this address is already a member.")})
    throttling.check_mail(request, email, "invite")
    made, code = organisations.invite(membership, email, role)
    person = membership.member
    address = mails.foreign_address(person.email)
    named = {
        "service": settings.SERVICE_NAME,
        "organisation": mails.quoted(membership.organisation.name),
        "person": f"{mails.quoted(person.name)} ({address})" if person.name else address,
    }
    with mails.in_language_of(email):
        mails.queue(
            Mail(
                email,
                _("Invitation to an organisation at %(service)s: %(organisation)s") % named,
                (
                    _("you are invited to convert files together in an organisation at %(service)s.") % named,
                    _("The organisation is called %(organisation)s. %(person)s invited you.") % named,
                    _("The invitation is for %(email)s. You can use it once, within two weeks.") % {"email": email},
                ),
                link=links.absolute(reverse("join-team", args=[code])),
                label=_("See the invitation"),
                after=(_("If you weren't expecting this, ignore this email."),),
            )
        )
    return made
