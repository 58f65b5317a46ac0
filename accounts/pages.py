"""Pages of people: sign up, log in, profile, password, and what each plan brings."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth import login, views
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import path, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import FormView

from accounts import ledger, limits, throttling
from accounts.errors import TooManyRequests
from accounts.models import GUEST, Plan, User
from accounts.page_forms import ChangePasswordForm, LoginForm, ProfileForm, SignUpForm
from accounts.resets import ResetForm
from errors import wait_of


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


def _safe_next(request: HttpRequest) -> str | None:
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
        return super().dispatch(request, *args, **kwargs)

    def throttle(self, request: HttpRequest) -> None:
        throttling.check_register(request)

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        user = form.save()
        if user is None:
            return self.form_invalid(form)
        ledger.top_up(user)
        login(self.request, user, "accounts.backends.EmailBackend")
        messages.success(self.request, f"Welcome. You have {user.credits} credits a month to convert with.")
        return redirect(_safe_next(self.request) or "convert")

    def get_context_data(self, **extra: Any) -> dict[str, Any]:
        free = Plan.objects.get(code="free")
        return super().get_context_data(free=free, next=_safe_next(self.request), **extra)


class LogIn(Throttled, views.LoginView):
    template_name = "accounts/log_in.html"
    authentication_form = LoginForm
    redirect_authenticated_user = True

    def form_valid(self, form: LoginForm) -> HttpResponse:
        response = super().form_valid(form)
        ledger.top_up(form.get_user())
        return response


class ChangePassword(Throttled, views.PasswordChangeView):
    template_name = "accounts/change_password.html"
    form_class = ChangePasswordForm
    success_url = reverse_lazy("account")

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        messages.success(self.request, "Your password is changed. Every other device is logged out.")
        return response


class ForgotPassword(Throttled, views.PasswordResetView):
    form_class = ResetForm
    template_name = "accounts/forgot_password.html"
    email_template_name = "accounts/reset_mail.txt"
    subject_template_name = "accounts/reset_subject.txt"
    success_url = reverse_lazy("reset-sent")

    def throttle(self, request: HttpRequest) -> None:
        throttling.check_login(request, request.POST.get("email", "")[:254])


class ResetPassword(views.PasswordResetConfirmView):
    template_name = "accounts/reset_password.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        messages.success(self.request, "Your new password is set. Log in with it.")
        return response


@login_required
def account(request: HttpRequest) -> HttpResponse:
    user = person(request)
    form = ProfileForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        user.save(update_fields=["name"])
        messages.success(request, "Your profile is saved.")
        return redirect("account")
    context = {"form": form, "limits": limits.of_user(user), "resets_at": ledger.resets_at()}
    return render(request, "accounts/account.html", context)


def plans(request: HttpRequest) -> HttpResponse:
    """What guests and each plan may use."""
    current = request.user.plan.code if isinstance(request.user, User) else GUEST
    return render(request, "accounts/plans.html", {"plans": Plan.objects.all(), "current": current})


urlpatterns = [
    path("signup", SignUp.as_view(), name="signup"),
    path("login", LogIn.as_view(), name="login"),
    path("logout", views.LogoutView.as_view(), name="logout"),
    path("plans", plans, name="plans"),
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
