"""The forms by which people sign up, log in and change what the service knows of them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.password_validation import password_validators_help_text_html, validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from accounts.hashers import MAX_PASSWORD
from accounts.models import User, normal_email
from accounts.serializers import EMAIL_TAKEN


def _password(label: str, autocomplete: str, **extra: Any) -> forms.CharField:
    widget = forms.PasswordInput(attrs={"autocomplete": autocomplete})
    return forms.CharField(label=label, max_length=MAX_PASSWORD, strip=False, widget=widget, **extra)


class LoginForm(AuthenticationForm):
    username = forms.EmailField(
        label="Email", max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "username", "autofocus": True})
    )
    password = _password("Password", "current-password")

    error_messages = {
        "invalid_login": "The email or the password is wrong.",
        "inactive": "The email or the password is wrong.",
    }


def check_own_password(request: HttpRequest, user: User, password: str) -> bool:
    """Whether somebody who is logged in knows the password, too: an attempt to log in. Raises TooManyRequests."""
    return authenticate(request, username=user.email, password=password) == user


class ChangePasswordForm(PasswordChangeForm):
    def __init__(self, user: User, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        password: str = self.cleaned_data["old_password"]
        if not check_own_password(self.request, self.user, password):
            raise ValidationError(self.error_messages["password_incorrect"], code="password_incorrect")
        return password


class SignUpForm(forms.Form):
    email = forms.EmailField(
        max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "username", "autofocus": True})
    )
    name = forms.CharField(
        label="Name (optional)", max_length=100, required=False, widget=forms.TextInput(attrs={"autocomplete": "name"})
    )
    password = _password("Password", "new-password", help_text=password_validators_help_text_html)

    def clean_email(self) -> str:
        email = normal_email(self.cleaned_data["email"])
        if User.objects.filter(email=email).exists():
            raise ValidationError(EMAIL_TAKEN, code="taken")
        return email

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        if given.get("password"):
            try:
                validate_password(given["password"], User(email=given.get("email", ""), name=given.get("name", "")))
            except ValidationError as error:
                self.add_error("password", error)
        return given

    def save(self) -> User | None:
        """The new account; None, with the error in the form, where another request took the address just now."""
        given = self.cleaned_data
        try:
            with transaction.atomic():
                return User.objects.create_user(given["email"], given["password"], name=given["name"])
        except IntegrityError:
            self.add_error("email", EMAIL_TAKEN)
            return None


class ProfileForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ["name"]
        widgets = {"name": forms.TextInput(attrs={"autocomplete": "name"})}
        help_texts = {"name": "How the service addresses you."}
