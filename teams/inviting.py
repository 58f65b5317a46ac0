"""Inviting somebody to an organisation: the mail, with the only copy of the code."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from accounts import letters, organisations, throttling
from accounts.invitations import Invitation
from accounts.letters import Letter
from accounts.models import Membership


def invite(request: HttpRequest | Request, membership: Membership, email: str, role: str) -> Invitation:
    """Mail an invitation; whether the address has an account makes no difference to any answer.

    Raises TooManyRequests, TooMany, Busy, and ValidationError where a member has the address.
    """
    if membership.organisation.members.filter(member__email=email).exists():
        raise ValidationError({"email": _("Somebody with this address is a member already.")})
    throttling.check_mail(request, email)
    made, code = organisations.invite(membership, email, role)
    name = {"organisation": membership.organisation.name}
    with letters.to_reader(email):
        letters.post(
            Letter(
                email,
                _("You are invited to %(organisation)s") % name,
                (
                    _("%(person)s invites you to convert files together in the organisation “%(organisation)s”.")
                    % {**name, "person": membership.member.called},
                    _("The invitation is for %(email)s, can be used once, and within two weeks.") % {"email": email},
                ),
                link=request.build_absolute_uri(reverse("join-team", args=[code])),
                label=_("See the invitation"),
                after=(_("If you don't know why, do nothing."),),
            )
        )
    return made
