"""Pages of people: sign up, log in, profile, password, and what each plan brings."""

from __future__ import annotations

import time
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, views
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import path, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import FormView, TemplateView

from accounts import (
    identities,
    leaving,
    ledger,
    limits,
    openid,
    passkeys,
    proving,
    registration,
    sureness,
    throttling,
    verification,
)
from accounts.errors import TooManyRequests
from accounts.models import Plan, User, normal_email
from accounts.page_forms import ChangePasswordForm, LoginForm, ProfileForm, SignUpForm
from accounts.resets import ResetForm
from accounts.verification import Claim
from errors import wait_of

LEAVER = "leaver"
"""Where a session keeps who may have a closed account back, and since when."""


def person(request: HttpRequest) -> User:
    """The account that is logged in, with this month's credits; for pages behind `login_required`."""
    user = cast(User, request.user)
    ledger.top_up(user)
    return user


def refused(response: HttpResponse, error: TooManyRequests) -> HttpResponse:
    """A page that says why nothing was done, with the status and the header of the API's answer."""
    response.status_code = error.status_code
    response["Retry-After"] = str(wait_of(error))
    return response


class Throttled(FormView):
    """A form that may be sent so often in a minute, and says so in place where it was sent more often."""

    def throttle(self, request: HttpRequest) -> None:
        """Count what the log-in backend does not; raises TooManyRequests."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            self.throttle(request)
            return super().post(request, *args, **kwargs)
        except TooManyRequests as error:
            unbound = self.get_form_kwargs() | {"initial": request.POST.dict()}
            form = self.get_form_class()(**{k: v for k, v in unbound.items() if k not in ("data", "files")})
            context = self.get_context_data(form=form, refusal=str(error.detail))
            return refused(render(request, str(self.template_name), context), error)


def safe_next(request: HttpRequest) -> str | None:
    """Where the form is to lead, if that is a page of ours."""
    target = request.POST.get("next") or request.GET.get("next") or ""
    ours = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return target if ours else None


@method_decorator([sensitive_post_parameters(), never_cache], name="dispatch")
class SignUp(Throttled):
    template_name = "accounts/sign_up.html"
    form_class = SignUpForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            return redirect("convert")
        if settings.REGISTRATION == registration.CLOSED:
            return render(request, "accounts/closed.html", status=403)
        return super().dispatch(request, *args, **kwargs)

    def get_initial(self) -> dict[str, Any]:
        return {"invitation": self.request.GET.get("invitation", "")[:100]}

    def throttle(self, request: HttpRequest) -> None:
        throttling.check_register(request)
        if settings.EMAIL_VERIFICATION == "required":
            throttling.check_mail(request, request.POST.get("email", "")[:254])

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        user = form.save()
        if settings.EMAIL_VERIFICATION == "required" and (user is not None or form.taken):
            if user is None:
                verification.tell_of_account(self.request, normal_email(form.data["email"]))
            elif user.credits_wait:
                verification.ask(self.request, user)
            return redirect("signed-up")
        if user is None:
            return self.form_invalid(form)
        ledger.top_up(user)
        login(self.request, user, "accounts.backends.EmailBackend")
        messages.success(
            self.request,
            _("Welcome. You have %(credits)s credits a month to convert with.") % {"credits": user.credits},
        )
        return redirect(safe_next(self.request) or "convert")

    def get_context_data(self, **extra: Any) -> dict[str, Any]:
        free = Plan.objects.get(code="free")
        return super().get_context_data(free=free, next=safe_next(self.request), openid=openid.name(), **extra)


class LogIn(Throttled, views.LoginView):
    template_name = "accounts/log_in.html"
    authentication_form = LoginForm
    redirect_authenticated_user = True

    def form_valid(self, form: LoginForm) -> HttpResponse:
        return proving.enter(self.request, form.get_user(), safe_next(self.request))

    def get_context_data(self, **extra: Any) -> dict[str, Any]:
        return super().get_context_data(openid=openid.name(), **extra)

    def form_invalid(self, form: LoginForm) -> HttpResponse:
        leaver = getattr(self.request, "leaving", None)
        if leaver is None:
            return super().form_invalid(form)
        return offer_back(self.request, leaver)


def offer_back(request: HttpRequest, leaver: User) -> HttpResponse:
    """Ask whoever has shown to own an account that is about to be deleted whether to have it back."""
    request.session[LEAVER] = [str(leaver.pk), time.time()]
    return redirect("restore-account")


@method_decorator([sensitive_post_parameters(), never_cache], name="dispatch")
class Restore(TemplateView):
    """Gives an account back to its owner, who has just proven to be that of one that is about to be deleted."""

    template_name = "accounts/restore.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        leaver, at = request.session.get(LEAVER) or ("", 0.0)
        if not 0 <= time.time() - at < sureness.LASTS:
            return redirect("login")
        self.leaver = User.objects.filter(pk=leaver).first()
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **extra: Any) -> dict[str, Any]:
        return super().get_context_data(leaver=self.leaver, **extra)

    def post(self, request: HttpRequest) -> HttpResponse:
        del request.session[LEAVER]
        if self.leaver is not None and leaving.restore(self.leaver.pk):
            messages.success(
                request, _("Your account is yours again. Log in to go on; make new API keys where you need them.")
            )
        else:
            messages.warning(request, _("This account can't be restored any more. You can sign up anew."))
        return redirect("login")


class ChangePassword(Throttled, views.PasswordChangeView):
    template_name = "accounts/change_password.html"
    form_class = ChangePasswordForm
    success_url = reverse_lazy("account")

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        messages.success(self.request, _("Your password is changed. Every other device is logged out."))
        return response


class ForgotPassword(Throttled, views.PasswordResetView):
    form_class = ResetForm
    template_name = "accounts/forgot_password.html"
    success_url = reverse_lazy("reset-sent")

    def throttle(self, request: HttpRequest) -> None:
        throttling.check_login(request, request.POST.get("email", "")[:254])


class ResetPassword(views.PasswordResetConfirmView):
    template_name = "accounts/reset_password.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        # The link was mailed to the address: it has been confirmed.
        if verification.confirm(Claim(str(form.user.pk), form.user.email)):
            # Until now anybody could have signed up with it, and kept a way in that needs no password.
            identities.forget(form.user)
            passkeys.forget(form.user)
        messages.success(self.request, _("Your new password is set. Log in with it."))
        return response


@login_required
def account(request: HttpRequest) -> HttpResponse:
    user = person(request)
    form = ProfileForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        user.save(update_fields=["name"])
        messages.success(request, _("Your profile is saved."))
        return redirect("account")
    context = {"form": form, "limits": limits.of_user(user), "resets_at": ledger.resets_at()}
    context["openid"] = openid.name()
    return render(request, "accounts/account.html", context)


urlpatterns = [
    path("signup", SignUp.as_view(), name="signup"),
    path("login", LogIn.as_view(), name="login"),
    path("logout", views.LogoutView.as_view(), name="logout"),
    path("login/restore", Restore.as_view(), name="restore-account"),
    path("account", account, name="account"),
    path("account/password", ChangePassword.as_view(), name="change-password"),
    path("password-reset", ForgotPassword.as_view(), name="forgot-password"),
    path(
        "password-reset/sent",
        views.PasswordResetDoneView.as_view(template_name="accounts/reset_sent.html"),
        name="reset-sent",
    ),
    # Django's mail links to this name.
    path("password-reset/<uidb64>/<token>", ResetPassword.as_view(), name="password_reset_confirm"),
]
