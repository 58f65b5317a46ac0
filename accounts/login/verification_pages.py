"""Pages that confirm an address and request another confirmation mail."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from accounts.credits import throttling
from accounts.credits.payers import person
from accounts.errors import TooManyRequests
from accounts.login import steps
from accounts.login.forms import ConfirmAddressForm
from accounts.people import verification
from accounts.people.verification import DeadLink
from accounts.throttled import Throttled, refused


@method_decorator([sensitive_post_parameters(), never_cache], name="dispatch")
class Verify(Throttled):
    """Asks for the password, which confirms the address and logs in; a mail scanner that follows the link has none."""

    template_name = "accounts/verify.html"
    form_class = ConfirmAddressForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            self.claim = verification.read(kwargs["token"])
            return super().dispatch(request, *args, **kwargs)
        except DeadLink:
            return render(request, "accounts/dead_link.html", status=410)

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request, "email": self.claim.email}

    def get_context_data(self, **extra: Any) -> dict[str, Any]:
        return super().get_context_data(email=self.claim.email, **extra)

    def form_valid(self, form: ConfirmAddressForm) -> HttpResponse:
        verification.confirm(self.claim)
        response = redirect("account") if self.request.user == form.user else steps.enter(self.request, form.user, None)
        messages.success(self.request, _("Your address is confirmed."))
        return response


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
    path("verify/<str:token>", Verify.as_view(), name="verify"),
    path("account/verify", unverified, name="unverified"),
]
