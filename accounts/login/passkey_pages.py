"""Pages that ask the browser for a passkey: to log in, to reauthenticate, to add a new one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST

from accounts.credits import throttling
from accounts.credits.payers import person
from accounts.links import safe_next
from accounts.login import factors, passkeys, reauthentication, steps
from accounts.login.devices import device_of
from accounts.login.factor_pages import SecondFactorPage, report_removed
from accounts.login.forms import NewPasskeyForm, PasskeyForm
from accounts.login.passkeys import Refused
from accounts.models import User
from accounts.throttled import Throttled


class PasskeyPage(Throttled):
    """A page with a button that makes the browser ask for a passkey, and posts its response."""

    template_name = "accounts/passkey.html"
    form_class: type[forms.Form] = PasskeyForm
    kind = ""

    def owner(self) -> User | None:
        """The account whose passkey is required; None accepts any account's."""
        return person(self.request)

    def throttle(self, request: HttpRequest) -> None:
        named = self.owner()
        if named is None and (passkey := passkeys.passkey_in(request.POST.get("answer", ""))):
            named = passkey.user
        if named is None:
            throttling.check_stranger(request)
        else:
            throttling.check_login(request, named.email)

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            return self.proven(passkeys.verify(self.request, self.owner(), form.cleaned_data["answer"]))
        except Refused as error:
            form.add_error(None, str(error))
            return self.form_invalid(form)

    def proven(self, user: User) -> HttpResponse:
        raise NotImplementedError

    def asked(self) -> str:
        """The options for the browser, as JSON."""
        return passkeys.ask(self.request, self.owner())

    def get_context_data(self, **extra: Any) -> dict[str, Any]:
        return super().get_context_data(kind=self.kind, options=self.asked(), next=safe_next(self.request), **extra)


@method_decorator(never_cache, name="dispatch")
class LogIn(PasskeyPage):
    """Log-in without email and password: the browser lists its passkeys, and asks for fingerprint, face or PIN."""

    kind = "enter"

    def owner(self) -> None:
        return None

    def asked(self) -> str:
        """The options, which are kept in a session that may have to be stored for it; raises TooManyRequests."""
        throttling.check_new_session(self.request)
        return super().asked()

    def proven(self, user: User) -> HttpResponse:
        if not (user.is_active or user.is_restorable):
            raise Refused(_("This account is closed. Contact the operator of this service."))
        return steps.finish(self.request, user, safe_next(self.request))


@method_decorator(never_cache, name="dispatch")
class SecondStep(SecondFactorPage, PasskeyPage):
    """The passkey as second step after the password."""

    kind = "prove"

    def owner(self) -> User:
        return self.waiting.user

    def proven(self, user: User) -> HttpResponse:
        return steps.finish(self.request, user, self.waiting.next)


@method_decorator([login_required, never_cache], name="dispatch")
class Confirm(PasskeyPage):
    """Reauthentication by passkey instead of the password."""

    kind = "confirm"

    def proven(self, user: User) -> HttpResponse:
        reauthentication.record(None, self.request)
        steps.record_second_factor(self.request)
        return redirect(safe_next(self.request) or "account")


@method_decorator([login_required, reauthentication.required, never_cache], name="dispatch")
class Add(PasskeyPage):
    kind = "add"
    form_class = NewPasskeyForm

    def get_initial(self) -> dict[str, Any]:
        return {"name": device_of(self.request)}

    def asked(self) -> str:
        return passkeys.ask_to_add(self.request, person(self.request))

    @method_decorator(sensitive_variables("codes"))
    def form_valid(self, form: Any) -> HttpResponse:
        given = form.cleaned_data
        try:
            codes = factors.add_passkey(self.request, person(self.request), name=given["name"], answer=given["answer"])
        except Refused as error:
            form.add_error(None, str(error))
            return self.form_invalid(form)
        steps.record_second_factor(self.request)
        if codes:
            return render(self.request, "accounts/recovery_codes.html", {"codes": codes, "added": True})
        messages.success(self.request, _("Passkey “%(name)s” added.") % {"name": given["name"]})
        return redirect("factor")


@login_required
@reauthentication.required
@require_POST
def remove(request: HttpRequest, passkey: int) -> HttpResponse:
    user = person(request)
    removed = factors.remove_passkey(user, passkey, keep_one=steps.must_have_factor(user))
    return report_removed(request, user, removed=removed)


urlpatterns = [
    path("login/passkey", LogIn.as_view(), name="login-passkey"),
    path("login/key", SecondStep.as_view(), name="login-key"),
    path("account/confirm/passkey", Confirm.as_view(), name="confirm-passkey"),
    path("account/passkeys/add", Add.as_view(), name="add-passkey"),
    path("account/passkeys/<int:passkey>/remove", remove, name="remove-passkey"),
]
