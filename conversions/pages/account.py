"""Exporting an account's data, and deleting the account."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters

from accounts.credits import throttling
from accounts.credits.payers import person
from accounts.deactivation import ClosingRefused
from accounts.errors import TooManyRequests
from accounts.lanes import slow
from accounts.login import reauthentication
from accounts.login.forms import check_own_password
from accounts.login.hashers import MAX_PASSWORD
from accounts.models import LastSuperuser, User
from accounts.people.organisations import LastOwner
from accounts.throttled import refused
from conversions.work import exporting
from conversions.work.account_deletion import deactivate


class ClosingForm(forms.Form):
    """Asks for the password again: an open session must not be enough."""

    password = forms.CharField(
        label=gettext_lazy("Password"),
        max_length=MAX_PASSWORD,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        help_text=gettext_lazy("To confirm your identity."),
    )

    def __init__(self, request: HttpRequest, user: User, data: object = None) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        self.request, self.user = request, user

        if not user.has_usable_password():
            del self.fields["password"]

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not check_own_password(self.request, self.user, password):
            raise forms.ValidationError(_("The password is wrong."), code="wrong")
        return password


@login_required
@reauthentication.required
@sensitive_post_parameters()
def delete_account(request: HttpRequest) -> HttpResponse:
    user = person(request)
    if request.method != "POST":
        return render(request, "conversions/delete_account.html", {"form": ClosingForm(request, user)})
    form = ClosingForm(request, user, request.POST)
    try:
        if form.is_valid():
            deactivate(user)
    except TooManyRequests as error:
        context = {"form": ClosingForm(request, user), "refusal": str(error.detail)}
        return refused(render(request, "conversions/delete_account.html", context), error)
    except LastSuperuser as error:
        form.add_error(None, str(error))
    except ClosingRefused as error:
        form.add_error(None, str(error.detail))
    except LastOwner as error:
        link = format_html('<a href="{}">{}</a>', reverse("teams"), _("See your organisations"))
        form.add_error(None, format_html("{} {}", error.detail, link))
    if not form.is_valid():
        return render(request, "conversions/delete_account.html", {"form": form}, status=400)
    logout(request)
    messages.success(
        request, _("Your account is closed. Log in within 14 days to restore it. After that it is deleted.")
    )
    return redirect("convert")


# Copying and compressing all files of the account may take minutes.
@slow("POST")
@login_required
@reauthentication.required
def export(request: HttpRequest) -> HttpResponseBase:
    """Download everything stored about the account, as a ZIP."""
    user = person(request)
    if request.method != "POST":
        return render(request, "conversions/export.html")
    try:
        throttling.check_export(request, str(user.pk))
    except TooManyRequests as error:
        return refused(render(request, "conversions/export.html", {"refusal": str(error.detail)}), error)
    archive = exporting.export(user, request.session.session_key)
    response = StreamingHttpResponse(archive, content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="account-{timezone.now():%Y-%m-%d}.zip"'
    response["Cache-Control"] = "private, no-store"
    return response
