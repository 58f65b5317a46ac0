"""Pages on which the browser is asked for a passkey: to log in with, to prove who is there, to keep a new one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST

from accounts import factors, passkeys, proving, sureness, throttling
from accounts.devices import device_of
from accounts.factor_pages import Owing, tell_removed
from accounts.models import User
from accounts.page_forms import NewPasskeyForm, PasskeyForm
from accounts.pages import Throttled, offer_back, person, safe_next
from accounts.passkeys import Refused


class AsksPasskey(Throttled):
    """A page with one button, which has the browser ask for a passkey; what it says is sent as a form."""

    template_name = "accounts/passkey.html"
    form_class: type[forms.Form] = PasskeyForm
    kind = ""

    def owner(self) -> User | None:
        """Whose passkey is asked for; None: whoever's it is."""
        return person(self.request)

    def throttle(self, request: HttpRequest) -> None:
        named = self.owner()
        if named is None and (passkey := passkeys.found_in(request.POST.get("answer", ""))):
            named = passkey.user
        if named is None:
            throttling.check_stranger(request)
        else:
            throttling.check_login(request, named.email)

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            return self.proven(passkeys.take(self.request, self.owner(), form.cleaned_data["answer"]))
        except Refused as error:
            form.add_error(None, str(error))
            return self.form_invalid(form)

    def proven(self, user: User) -> HttpResponse:
        raise NotImplementedError

    def asked(self) -> str:
        """What the browser is asked, as JSON."""
        return passkeys.ask(self.request, self.owner())

    def get_context_data(self, **extra: Any) -> dict[str, Any]:
        return super().get_context_data(kind=self.kind, options=self.asked(), next=safe_next(self.request), **extra)


@method_decorator(never_cache, name="dispatch")
class LogIn(AsksPasskey):
    """In place of email and password: the browser shows whose passkeys it has, and asks for finger, face or PIN."""

    kind = "enter"

    def owner(self) -> None:
        return None

    def proven(self, user: User) -> HttpResponse:
        if user.is_leaving:
            return offer_back(self.request, user)
        if not user.is_active:
            raise Refused(_("This account is closed. Ask whoever runs this service."))
        return proving.finish(self.request, user, safe_next(self.request))


@method_decorator(never_cache, name="dispatch")
class SecondStep(Owing, AsksPasskey):
    """After the password, where the account has a passkey."""

    kind = "prove"

    def owner(self) -> User:
        return self.waiting.user

    def proven(self, user: User) -> HttpResponse:
        return proving.finish(self.request, user, self.waiting.next)


@method_decorator([login_required, never_cache], name="dispatch")
class Confirm(AsksPasskey):
    """In place of the password, where a step asks for a proof that it is still you."""

    kind = "confirm"

    def proven(self, user: User) -> HttpResponse:
        sureness.note(None, self.request)
        proving.note_factor(self.request)
        return redirect(safe_next(self.request) or "account")


@method_decorator([login_required, sureness.required, never_cache], name="dispatch")
class Add(AsksPasskey):
    kind = "add"
    form_class = NewPasskeyForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if person(request).credits_wait:
            # Whoever signed up with somebody else's address must not keep a key to what becomes theirs.
            messages.warning(request, _("Confirm your address first."))
            return redirect("unverified")
        return super().dispatch(request, *args, **kwargs)

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
        proving.note_factor(self.request)
        if codes:
            return render(self.request, "accounts/recovery_codes.html", {"codes": codes, "added": True})
        messages.success(self.request, _("“%(name)s” can be used from now on.") % {"name": given["name"]})
        return redirect("factor")


@login_required
@sureness.required
@require_POST
def remove(request: HttpRequest, passkey: int) -> HttpResponse:
    user = person(request)
    removed = factors.remove_passkey(user, passkey, keep_one=proving.must_have_factor(user))
    return tell_removed(request, user, removed=removed)


urlpatterns = [
    path("login/passkey", LogIn.as_view(), name="login-passkey"),
    path("login/key", SecondStep.as_view(), name="login-key"),
    path("account/confirm/passkey", Confirm.as_view(), name="confirm-passkey"),
    path("account/passkeys/add", Add.as_view(), name="add-passkey"),
    path("account/passkeys/<int:passkey>/remove", remove, name="remove-passkey"),
]
