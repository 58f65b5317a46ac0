"""Pages: sign-up, log-in, profile, password, restoring an account."""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, views
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import path, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import TemplateView

from accounts import deactivation
from accounts.credits import budgets, known_devices, ledger, throttling
from accounts.credits.payers import UserPayer, person
from accounts.links import safe_next
from accounts.login import openid, reauthentication, resets, steps
from accounts.login.forms import ChangePasswordForm, LoginForm, NewPasswordForm, ProfileForm, SignUpForm
from accounts.login.resets import ResetForm
from accounts.mailboxes import normal_email
from accounts.models import Plan, User
from accounts.people import registration, verification
from accounts.people.verification import DeadLink
from accounts.throttled import Throttled


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

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        if settings.EMAIL_VERIFICATION == "required":
            throttling.check_mail(self.request, form.cleaned_data["email"], "confirm")
        user = form.save()
        if settings.EMAIL_VERIFICATION == "required" and (user is not None or form.taken):
            if user is None:
                verification.notify_existing_account(normal_email(form.data["email"]))
            elif user.must_confirm_email:
                verification.send_link(user)
            return redirect("signed-up")
        if user is None:
            return self.form_invalid(form)
        ledger.top_up(user)
        login(self.request, user, "accounts.login.backends.EmailBackend")
        messages.success(
            self.request,
            _("Welcome. You have %(credits)s credits a month.") % {"credits": user.credits},
        )
        response = redirect(safe_next(self.request) or "convert")
        known_devices.remember(self.request, response, user.email)
        return response

    def get_context_data(self, **extra: Any) -> dict[str, Any]:
        free = Plan.objects.get(code="free")
        return super().get_context_data(free=free, next=safe_next(self.request), openid=openid.name(), **extra)


class LogIn(Throttled, views.LoginView):
    template_name = "accounts/log_in.html"
    authentication_form = LoginForm
    redirect_authenticated_user = True

    def get_redirect_url(self, request: HttpRequest | None = None) -> str:
        return safe_next(self.request) or ""

    def form_valid(self, form: LoginForm) -> HttpResponse:
        return steps.enter(self.request, form.get_user(), safe_next(self.request))

    def get_context_data(self, **extra: Any) -> dict[str, Any]:
        return super().get_context_data(openid=openid.name(), **extra)

    def form_invalid(self, form: LoginForm) -> HttpResponse:
        owner = getattr(self.request, "restorable", None)
        if owner is None:
            return super().form_invalid(form)
        return steps.enter(self.request, owner, None)


@method_decorator([sensitive_post_parameters(), never_cache], name="dispatch")
class Restore(TemplateView):
    """Restores a deactivated account for its owner, who has just proved to be that."""

    template_name = "accounts/restore.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        owner, at = request.session.get(steps.RESTORING) or ("", 0.0)
        if not 0 <= time.time() - at < reauthentication.LASTS:
            return redirect("login")
        self.owner = User.objects.filter(pk=owner).first()
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **extra: Any) -> dict[str, Any]:
        return super().get_context_data(owner=self.owner, **extra)

    def post(self, request: HttpRequest) -> HttpResponse:
        del request.session[steps.RESTORING]
        if self.owner is not None and deactivation.restore(self.owner.pk):
            messages.success(
                request, _("Your account is restored. Log in to continue, and create new API keys where you need them.")
            )
        else:
            messages.warning(request, _("This account can no longer be restored. You can sign up again."))
        return redirect("login")


class ChangePassword(Throttled, views.PasswordChangeView):
    template_name = "accounts/change_password.html"
    form_class = ChangePasswordForm
    success_url = reverse_lazy("account")

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        messages.success(self.request, _("Password changed. All other devices have been logged out."))
        return response


class ForgotPassword(Throttled, views.PasswordResetView):
    form_class = ResetForm
    template_name = "accounts/forgot_password.html"
    success_url = reverse_lazy("reset-sent")

    def form_valid(self, form: ResetForm) -> HttpResponse:
        # The address as the form reads it: spaces around what is counted would be other names for one recipient.
        email = form.cleaned_data["email"]
        throttling.check_login(self.request, email)
        throttling.check_mail(self.request, email, "reset")
        return super().form_valid(form)


class ResetPassword(views.PasswordResetConfirmView):
    form_class = NewPasswordForm
    template_name = "accounts/reset_password.html"

    def get_user(self, uidb64: str) -> Any:
        user = super().get_user(uidb64)
        return user if user is not None and user.is_active else None

    def form_valid(self, form: Any) -> HttpResponse:
        # Hashed before anything is locked.
        user = form.save(commit=False)
        try:
            cleared = resets.complete(user)
        except DeadLink:
            return render(self.request, "accounts/dead_link.html", status=410)
        del self.request.session[views.INTERNAL_RESET_SESSION_TOKEN]
        messages.success(self.request, _("Password set. Log in with your new password."))
        if cleared:
            message = _("Second factors and API keys added before the address was confirmed no longer work.")
            messages.info(self.request, message)
        return redirect("login")


@login_required
def account(request: HttpRequest) -> HttpResponse:
    user = person(request)
    form = ProfileForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        user.save(update_fields=["name"])
        messages.success(request, _("Profile saved."))
        return redirect("account")
    payer = UserPayer(user)
    context = {
        "form": form,
        "limits": payer.limits,
        "failed": budgets.usage(payer),
        "resets_at": ledger.resets_at(user),
    }
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
    # Django's mail refers to this URL name.
    path("password-reset/<uidb64>/<token>", ResetPassword.as_view(), name="password_reset_confirm"),
]
