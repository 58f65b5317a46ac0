"""Security pages: reauthentication, change of address, and logins."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from accounts.credits import throttling
from accounts.credits.payers import person
from accounts.links import safe_next
from accounts.login import devices, passkeys, reauthentication
from accounts.login.forms import EmailForm, PasswordForm
from accounts.models import User
from accounts.people import changes
from accounts.people.changes import Outcome
from accounts.people.verification import DeadLink
from accounts.throttled import Throttled


@method_decorator([login_required, sensitive_post_parameters(), never_cache], name="dispatch")
class ConfirmIdentity(Throttled):
    """Asks for the password again, then continues to the requested page."""

    template_name = "accounts/confirm_identity.html"
    form_class = PasswordForm

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}

    def form_valid(self, form: forms.Form) -> HttpResponse:
        reauthentication.record(None, self.request)
        return redirect(safe_next(self.request) or "account")

    def get_context_data(self, **extra: Any) -> dict[str, Any]:
        extra["passkeys"] = passkeys.has_passkey(person(self.request))
        return super().get_context_data(next=safe_next(self.request), **extra)


@method_decorator([login_required, reauthentication.required, never_cache], name="dispatch")
class ChangeEmail(Throttled):
    template_name = "accounts/change_email.html"
    form_class = EmailForm

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "user": self.request.user}

    def form_valid(self, form: EmailForm) -> HttpResponse:
        user, email = person(self.request), form.cleaned_data["email"]
        for each in (user.email, email):
            throttling.check_mail(self.request, each, "change")
        changes.start(user, email)
        messages.success(self.request, _("We've sent emails to both addresses. Follow the link in each of them."))
        return redirect("account")


@never_cache
def email_change(request: HttpRequest, token: str) -> HttpResponse:
    """Show the change of address, confirm it for one address, or cancel it; the new address asks for a log-in."""
    try:
        offer = changes.read(token)
        if not changes.may_confirm(offer, request.user):
            if request.user.is_authenticated:
                raise DeadLink
            return redirect_to_login(request.get_full_path())
        if request.method != "POST":
            return render(request, "accounts/email_change.html", {"offer": offer})
        if "stop" in request.POST:
            changes.stop(offer)
            return render(request, "accounts/email_changed.html", {"outcome": "stopped"})
        outcome = changes.confirm(offer)
    except DeadLink:
        return render(request, "accounts/dead_link.html", {"change": True}, status=410)
    status = 409 if outcome is Outcome.TAKEN else 200
    return render(request, "accounts/email_changed.html", {"outcome": outcome, "offer": offer}, status=status)


@login_required
@never_cache
def logins(request: HttpRequest) -> HttpResponse:
    """Every browser and program in which the account is logged in."""
    user = person(request)
    browsers = devices.browsers(user, request.session.session_key)
    return render(request, "accounts/logins.html", {"browsers": browsers, "programs": devices.programs(user)})


@login_required
@require_POST
def end_login(request: HttpRequest, login: UUID) -> HttpResponse:
    ended = devices.end(person(request), login)
    messages.success(request, _("Logged out.") if ended else _("This device was already logged out."))
    return redirect("logins")


@login_required
@require_POST
def end_logins(request: HttpRequest) -> HttpResponse:
    """Log out everywhere, here included."""
    user = request.user
    assert isinstance(user, User)  # login_required has checked it
    logout(request)
    devices.end_all(user)
    messages.success(request, _("You're logged out everywhere. API keys still work."))
    return redirect("login")


urlpatterns = [
    path("account/confirm", ConfirmIdentity.as_view(), name="confirm-identity"),
    path("account/email", ChangeEmail.as_view(), name="change-email"),
    path("email-change/<str:token>", email_change, name="email-change"),
    path("account/logins", logins, name="logins"),
    path("account/logins/end", end_logins, name="end-logins"),
    path("account/logins/<uuid:login>/end", end_login, name="end-login"),
]
