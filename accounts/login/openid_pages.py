"""Pages of the OpenID Connect log-in: redirect, return, linking and unlinking."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.credits import throttling
from accounts.credits.payers import person
from accounts.errors import TooManyRequests
from accounts.lanes import slow
from accounts.links import safe_next
from accounts.login import identities, openid, reauthentication, steps
from accounts.login.identities import Identity, NotLinked
from accounts.login.openid import Failed, Return
from accounts.people.registration import RegistrationClosed
from accounts.throttled import refused

_ENTER, _LINK = "enter", "link"


@slow("GET")
@require_GET
@never_cache
def away(request: HttpRequest) -> HttpResponse:
    """Redirect to the provider to log in, or to sign up with an invitation."""
    given = request.GET.get("invitation", "")[:100]
    return _away(request, _ENTER, target=safe_next(request) or "", invitation=given)


@slow("POST")
@login_required
@reauthentication.required
@require_POST
@never_cache
def linking(request: HttpRequest) -> HttpResponse:
    """Show a link to the provider: our content security policy lets no form submit to another site."""
    return _away(request, f"{_LINK} {person(request).pk}")


def _away(request: HttpRequest, purpose: str, **given: str) -> HttpResponse:
    if not openid.is_on():
        raise Http404
    try:
        throttling.check_stranger(request)
        where = openid.begin(request, purpose, **given)
        if purpose == _ENTER:
            return HttpResponseRedirect(where)
        return render(request, "accounts/openid_away.html", {"where": where, "name": settings.OIDC_NAME})
    except TooManyRequests as error:
        return refused(_error_page(request, str(error.detail)), error)
    except Failed as error:
        return _error_page(request, str(error), status=502)


@slow("GET")
@require_GET
@never_cache
def back(request: HttpRequest) -> HttpResponse:
    """Log in the person who returns, or link the identity to the current account."""
    if not openid.is_on():
        raise Http404
    try:
        throttling.check_stranger(request)
        found = openid.finish(request)
        return _enter(request, found) if found.purpose == _ENTER else _link(request, found)
    except TooManyRequests as error:
        return refused(_error_page(request, str(error.detail)), error)
    except RegistrationClosed as error:
        return _error_page(request, str(error.detail), status=403)
    except (Failed, NotLinked) as error:
        return _error_page(request, str(error), status=403)


def _enter(request: HttpRequest, found: Return) -> HttpResponse:
    user = identities.owner_of(found.claims, invitation=found.invitation)
    if not (user.is_active or user.is_restorable):
        raise Failed(_("This account is closed. Contact the operator of this service."))
    return steps.enter(request, user, found.next)


def _link(request: HttpRequest, found: Return) -> HttpResponse:
    user: Any = request.user
    if found.purpose != f"{_LINK} {user.pk}":
        raise Failed(_("You started this in another account. Try again."))
    identities.link(user, found.claims)
    messages.success(request, _("You can log in with %(name)s from now on.") % {"name": settings.OIDC_NAME})
    return redirect("identities")


def _error_page(request: HttpRequest, text: str, *, status: int = 200) -> HttpResponse:
    return render(request, "accounts/openid_failed.html", {"refusal": text}, status=status)


@login_required
@reauthentication.required
@never_cache
def linked(request: HttpRequest) -> HttpResponse:
    """List the linked identities."""
    rows = Identity.objects.filter(user=person(request))
    return render(request, "accounts/identities.html", {"identities": rows, "openid": openid.name()})


@login_required
@reauthentication.required
@require_POST
def unlink(request: HttpRequest, identity: int) -> HttpResponse:
    if not person(request).has_usable_password():
        messages.error(request, _("Set a password first. Without one you could no longer log in."))
    elif identities.unlink(person(request), identity):
        messages.success(request, _("It can no longer be used to log in."))
    return redirect("identities")


urlpatterns = [
    path("login/openid", away, name="openid"),
    path("login/openid/back", back, name="openid-back"),
    path("account/identities", linked, name="identities"),
    path("account/identities/add", linking, name="link-identity"),
    path("account/identities/<int:identity>/remove", unlink, name="remove-identity"),
]
