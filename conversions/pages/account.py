"""Deleting one's account, files first."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters

from accounts import throttling
from accounts.errors import TooManyRequests
from accounts.hashers import MAX_PASSWORD
from accounts.models import User
from accounts.pages import person, refused
from conversions.closing import close


class ClosingForm(forms.Form):
    """Asks for the password again: a session left open must not be enough."""

    password = forms.CharField(
        max_length=MAX_PASSWORD,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        help_text="To be sure that it is you.",
    )

    def __init__(self, user: User, data: object = None) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        self.user = user

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError("The password is wrong.", code="wrong")
        return password


@login_required
@sensitive_post_parameters()
def delete_account(request: HttpRequest) -> HttpResponse:
    user = person(request)
    if request.method != "POST":
        return render(request, "conversions/delete_account.html", {"form": ClosingForm(user)})
    try:
        throttling.check_login(request, user.email)
    except TooManyRequests as error:
        context = {"form": ClosingForm(user), "refusal": str(error.detail)}
        return refused(render(request, "conversions/delete_account.html", context), error)
    form = ClosingForm(user, request.POST)
    if not form.is_valid():
        return render(request, "conversions/delete_account.html", {"form": form}, status=400)
    close(user)
    logout(request)
    messages.success(request, "Your account and its files are deleted.")
    return redirect("convert")
