"""Pages that confirm an address and request another confirmation mail."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.credits import throttling
from accounts.credits.payers import person
from accounts.errors import TooManyRequests
from accounts.models import User
from accounts.people import verification
from accounts.people.verification import DeadLink
from accounts.throttled import refused


@never_cache
def verify(request: HttpRequest, token: str) -> HttpResponse:
    """Ask first, confirm on POST: mail scanners follow links."""
    try:
        claim = verification.read(token)
        if request.method != "POST":
            return render(request, "accounts/verify.html", {"email": claim.email})
        verification.confirm(claim)
    except DeadLink:
        return render(request, "accounts/dead_link.html", status=410)
    here = isinstance(request.user, User) and str(request.user.pk) == claim.user
    message = _("Your address is confirmed.")
    messages.success(request, message if here else message + " " + _("Log in to continue."))
    return redirect("account" if here else "login")


@login_required
@never_cache
def unverified(request: HttpRequest) -> HttpResponse:
    """Say whether the address is confirmed, and offer another mail if not."""
    user = person(request)
    if request.method != "POST" or user.verified_at is not None:
        return render(request, "accounts/unverified.html")
    try:
        throttling.check_mail(request, user.email, "confirm")
        verification.send_link(user)
    except TooManyRequests as error:
        return refused(render(request, "accounts/unverified.html", {"refusal": str(error.detail)}), error)
    messages.success(request, _("We've sent a new link to %(email)s.") % {"email": user.email})
    return redirect("unverified")


def signed_up(request: HttpRequest) -> HttpResponse:
    """The same page whether or not the address had an account."""
    return render(request, "accounts/signed_up.html")


urlpatterns = [
    path("signup/sent", signed_up, name="signed-up"),
    path("verify/<str:token>", verify, name="verify"),
    path("account/verify", unverified, name="unverified"),
]
