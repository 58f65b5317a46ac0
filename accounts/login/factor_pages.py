"""Pages of second factors: the code at log-in, adding and removing an authenticator app, recovery codes."""

from __future__ import annotations

import io
from importlib import import_module
from typing import Any

from django.contrib import messages
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

from accounts.checks import mails_go_nowhere
from accounts.credits import throttling
from accounts.credits.payers import person
from accounts.login import factors, reauthentication, steps
from accounts.login.factors import Totp
from accounts.login.forms import CodeForm
from accounts.login.passkeys import Passkey
from accounts.login.steps import Waiting
from accounts.models import User
from accounts.throttled import Throttled

_SHOWN = "totp"


class SecondFactorPage(Throttled):
    """A page for someone who has given the password but not the second factor; redirects others to the log-in."""

    waiting: Waiting

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        found = steps.waiting(request)
        if found is None:
            messages.warning(request, _("The second step took longer than ten minutes. Log in again."))
            return redirect("login")
        self.waiting = found
        return super().dispatch(request, *args, **kwargs)


@method_decorator([sensitive_post_parameters(), never_cache], name="dispatch")
class LogInCode(SecondFactorPage):
    """Asks for the code after the password."""

    template_name = "accounts/log_in_code.html"
    form_class = CodeForm

    def throttle(self, request: HttpRequest) -> None:
        throttling.check_login(request, self.waiting.user.email)

    def form_valid(self, form: CodeForm) -> HttpResponse:
        if not factors.use_code(self.waiting.user, form.cleaned_data["code"]):
            form.add_error(
                "code", _("This code is wrong or has already been used. Wait for the next one and enter it.")
            )
            return self.form_invalid(form)
        left = factors.codes_left(self.waiting.user)
        if left < 3:
            text = _("You have %(left)s recovery codes left. Create new ones on your account page.")
            messages.warning(self.request, text % {"left": left})
        return steps.finish(self.request, self.waiting.user, self.waiting.next)

    def get_context_data(self, **extra: Any) -> dict[str, Any]:
        return super().get_context_data(**factors.kinds_of(self.waiting.user), **extra)


@login_required
@reauthentication.required
@never_cache
def factor(request: HttpRequest) -> HttpResponse:
    """The account's second factors, and what can be changed about them."""
    user = person(request)
    totp = Totp.objects.filter(user=user).first()
    passkeys = list(Passkey.objects.filter(user=user))
    only = steps.must_have_factor(user) and len(passkeys) + bool(totp) == 1
    context = {"totp": totp, "passkeys": passkeys, "left": factors.codes_left(user), "only": only}
    context["required"] = steps.must_have_factor(user)
    # A reset removes what was added before the address was confirmed, except staff's.
    context["unconfirmed"] = user.verified_at is None and not user.is_staff and not mails_go_nowhere()
    return render(request, "accounts/factor.html", context)


@login_required
@reauthentication.required
@never_cache
@sensitive_variables("secret", "codes")
def add(request: HttpRequest) -> HttpResponse:
    """Show the secret until one of its codes is entered; the response to that shows the recovery codes."""
    user = person(request)
    secret = request.session.setdefault(_SHOWN, factors.new_secret())
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        throttling.check_login(request, user.email)
        codes = factors.add_totp(user, secret, form.cleaned_data["code"])
        if codes is not None:
            del request.session[_SHOWN]
            steps.record_second_factor(request)
            return render(request, "accounts/recovery_codes.html", {"codes": codes, "added": True})
        form.add_error("code", _("This is not the app's current code. Check that the time on your phone is right."))
    context = {"form": form, "secret": secret, "picture": _picture(factors.address_of(secret, user))}
    return render(request, "accounts/add_factor.html", context)


@login_required
@reauthentication.required
@require_POST
def remove(request: HttpRequest) -> HttpResponse:
    user = person(request)
    removed = factors.remove_totp(user, keep_one=steps.must_have_factor(user))
    return report_removed(request, user, removed=removed)


def report_removed(request: HttpRequest, user: User, *, removed: bool) -> HttpResponse:
    """Tell the user what the account now needs to log in."""
    if not removed:
        messages.error(request, _("Staff need a second factor. Add another one before you remove this one."))
    elif factors.has_factor(user):
        messages.success(request, _("Removed. You can still use your other second factors."))
    else:
        messages.success(request, _("Second factor removed. You now log in with your password only."))
    return redirect("factor")


@login_required
@reauthentication.required
@require_POST
@never_cache
@sensitive_variables("codes")
def renew(request: HttpRequest) -> HttpResponse:
    user = person(request)
    if not factors.has_factor(user):
        return redirect("factor")
    return render(request, "accounts/recovery_codes.html", {"codes": factors.renew_codes(user)})


def _picture(text: str) -> SafeString:
    """A QR code as SVG, in the page's colours."""
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
