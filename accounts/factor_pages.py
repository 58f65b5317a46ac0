"""Pages of second factors: the code at the log-in, an authenticator that is added or taken away, recovery codes."""

from __future__ import annotations

import io
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.decorators import method_decorator
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_POST

from accounts import factors, ledger, proving, sureness, throttling
from accounts.factors import Totp
from accounts.page_forms import CodeForm
from accounts.pages import Throttled, person

_SHOWN = "totp"


@method_decorator([sensitive_post_parameters(), never_cache], name="dispatch")
class LogInCode(Throttled):
    """Asks for the code after the password."""

    template_name = "accounts/log_in_code.html"
    form_class = CodeForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self.waiting = proving.waiting(request)
        if self.waiting is None:
            messages.warning(request, _("Log in again: the code was not entered within ten minutes."))
            return redirect("login")
        return super().dispatch(request, *args, **kwargs)

    def throttle(self, request: HttpRequest) -> None:
        assert self.waiting is not None
        throttling.check_login(request, self.waiting.user.email)

    def form_valid(self, form: CodeForm) -> HttpResponse:
        assert self.waiting is not None
        if not factors.take(self.waiting.user, form.cleaned_data["code"]):
            form.add_error("code", _("This code is wrong or was used before. Wait for the next one, and enter that."))
            return self.form_invalid(form)
        user, target = self.waiting.user, self.waiting.next
        proving.forget(self.request)
        login(self.request, user, "accounts.backends.EmailBackend")
        proving.note_factor(self.request)
        ledger.top_up(user)
        left = factors.codes_left(user)
        if left < 3:
            said = _("You have %(left)s recovery codes left. Make new ones on the page of your account.")
            messages.warning(self.request, said % {"left": left})
        return redirect(target or settings.LOGIN_REDIRECT_URL)


@login_required
@sureness.required
@never_cache
def factor(request: HttpRequest) -> HttpResponse:
    """Whether there is a second factor, and what can be done about it."""
    user = person(request)
    totp = Totp.objects.filter(user=user).first()
    context = {"totp": totp, "left": factors.codes_left(user), "required": proving.must_have_factor(user)}
    return render(request, "accounts/factor.html", context)


@login_required
@sureness.required
@never_cache
@sensitive_variables("secret", "codes")
def add(request: HttpRequest) -> HttpResponse:
    """Show the secret until a code of it was entered; the recovery codes are in the answer itself."""
    user = person(request)
    secret = request.session.setdefault(_SHOWN, factors.new_secret())
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        throttling.check_login(request, user.email)
        codes = factors.add_totp(user, secret, form.cleaned_data["code"])
        if codes is not None:
            del request.session[_SHOWN]
            proving.note_factor(request)
            return render(request, "accounts/recovery_codes.html", {"codes": codes, "added": True})
        form.add_error("code", _("This is not the code that the app shows now. Check the time of your phone."))
    context = {"form": form, "secret": secret, "picture": _picture(factors.address_of(secret, user))}
    return render(request, "accounts/add_factor.html", context)


@login_required
@sureness.required
@require_POST
def remove(request: HttpRequest) -> HttpResponse:
    user = person(request)
    if proving.must_have_factor(user):
        messages.error(request, _("Staff need a second factor here. Add another one in its place."))
    else:
        factors.remove(user)
        messages.success(request, _("Your password alone is enough from now on."))
    return redirect("factor")


@login_required
@sureness.required
@require_POST
@never_cache
@sensitive_variables("codes")
def renew(request: HttpRequest) -> HttpResponse:
    user = person(request)
    if not factors.has_factor(user):
        return redirect("factor")
    return render(request, "accounts/recovery_codes.html", {"codes": factors.renew_codes(user)})


def _picture(text: str) -> SafeString:
    """A QR code as SVG, whose colours are the page's."""
    out = io.BytesIO()
    import_module("segno").make(text, micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, svgclass="qr", lineclass=None, border=3, omitsize=True
    )
    return mark_safe(out.getvalue().decode())  # noqa: S308  # made here, of paths


urlpatterns = [
    path("login/code", LogInCode.as_view(), name="login-code"),
    path("account/factor", factor, name="factor"),
    path("account/factor/add", add, name="add-factor"),
    path("account/factor/remove", remove, name="remove-factor"),
    path("account/factor/codes", renew, name="renew-codes"),
]
