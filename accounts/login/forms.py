"""Forms of sign-up, log-in, profile and security pages."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth import authenticate
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.contrib.auth.password_validation import password_validators_help_text_html, validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.login import factors, passkeys
from accounts.login.hashers import MAX_PASSWORD
from accounts.mailboxes import normal_email
from accounts.models import User
from accounts.people import registration
from accounts.people.invitations import DeadInvitation
from accounts.people.registration import EMAIL_TAKEN


def _password(label: Any, autocomplete: str, **extra: Any) -> forms.CharField:
    widget = forms.PasswordInput(attrs={"autocomplete": autocomplete})
    return forms.CharField(label=label, max_length=MAX_PASSWORD, strip=False, widget=widget, **extra)


class LoginForm(AuthenticationForm):
    username = forms.EmailField(
        label=_("Email"), max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "username", "autofocus": True})
    )
    password = _password(_("Password"), "current-password")

    error_messages = {
        "invalid_login": _("The email or password is wrong."),
        "inactive": _("The email or password is wrong."),
    }


def check_own_password(request: HttpRequest, user: User, password: str) -> bool:
    """Whether a logged-in user knows the password; counts as a log-in attempt. Raises TooManyRequests."""
    return authenticate(request, username=user.email, password=password) == user


class SavesOnlyPassword:
    """Mixin for Django's forms that set a password: saves the password and nothing else.

    Django would save every field as read before the slow hashing, and so undo a change of plan or a closed account.
    """

    def set_password_and_save(self, user: User, *args: Any, commit: bool = True, **options: Any) -> User:
        changed: User = super().set_password_and_save(user, *args, commit=False, **options)  # type: ignore[misc]
        if commit:
            changed.save(update_fields=["password"])
        return changed


class NewPasswordForm(SavesOnlyPassword, SetPasswordForm):
    """Sets a password for someone who followed a reset link."""


class ChangePasswordForm(SavesOnlyPassword, PasswordChangeForm):
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
        label=_("Email"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "username", "autofocus": True}),
    )
    name = forms.CharField(
        label=_("Name (optional)"),
        max_length=100,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    password = _password(_("Password"), "new-password", help_text=password_validators_help_text_html)
    invitation = forms.CharField(
        label=_("Invitation"),
        max_length=100,
        required=False,
        help_text=_("The code from your invitation. You can't sign up without one."),
    )
    taken = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if settings.REGISTRATION != registration.INVITE:
            del self.fields["invitation"]

    def clean_email(self) -> str:
        email = normal_email(self.cleaned_data["email"])
        registration.check_address(email)
        if registration.reveals_accounts() and User.objects.filter(email=email).exists():
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
        """The new account; None, with an error in the form, if the address is taken or the invitation invalid."""
        given = self.cleaned_data
        try:
            return registration.open_account(
                given["email"], given["password"], name=given["name"], invitation=given.get("invitation", "")
            )
        except IntegrityError:
            self.add_error("email", EMAIL_TAKEN)
            self.taken = True
        except DeadInvitation as error:
            self.add_error("invitation", str(error))
        return None


class ConfirmAddressForm(forms.Form):
    """Asks whoever follows a confirmation link for the password: a stranger may have signed up with their address."""

    password = _password(_("Password"), "current-password")
    user: User

    def __init__(self, *args: Any, request: HttpRequest, email: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request, self.email = request, email

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        user = authenticate(self.request, username=self.email, password=password, confirming=True)
        if not isinstance(user, User):
            message = gettext("This isn't the password of this account. If you don't know it, set a new one by email.")
            raise ValidationError(message, code="wrong")
        self.user = user
        return password


class PasswordForm(forms.Form):
    """Asks for the password again: an open session must not be enough."""

    password = _password(
        _("Password, or a code from your second factor"), "current-password", help_text=_("To confirm your identity.")
    )

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        user = self.request.user
        assert isinstance(user, User)  # the page requires a log-in
        # The first check counts the attempt.
        if not check_own_password(self.request, user, password) and not factors.use_code(user, password):
            raise ValidationError(gettext("The password or code is wrong."), code="wrong")
        return password


class CodeForm(forms.Form):
    code = forms.CharField(
        label=_("Code"),
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autofocus": True, "spellcheck": "false"}),
    )


class PasskeyForm(forms.Form):
    """The browser's response about a passkey, filled in by a script."""

    answer = forms.CharField(max_length=passkeys.MAX_ANSWER, widget=forms.HiddenInput)


class NewPasskeyForm(PasskeyForm):
    name = forms.CharField(
        label=_("Name"), max_length=60, help_text=_("A name to recognise it by, such as the device's.")
    )


class EmailForm(forms.Form):
    """A new address for an account; does not reveal whether another account has it."""

    email = forms.EmailField(
        label=_("New email"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email", "autofocus": True}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_email(self) -> str:
        email = normal_email(self.cleaned_data["email"])
        if email == self.user.email:
            raise ValidationError(gettext("This is already your address. Enter another one."), code="same")
        registration.check_address(email)
        return email


class AdminLoginForm(AdminAuthenticationForm):
    """The admin's own log-in has no second factor: accounts that have one are sent to the log-in page."""

    def confirm_login_allowed(self, user: Any) -> None:
        super().confirm_login_allowed(user)
        if factors.has_factor(user):
            page = f"{reverse('login')}?next={reverse('admin:index')}"
            message = format_html('Your account has a second factor. <a href="{}">Log in here</a>.', page)
            raise ValidationError(message, code="factor")


class ProfileForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ["name"]
        labels = {"name": _("Name")}
        widgets = {"name": forms.TextInput(attrs={"autocomplete": "name"})}
        help_texts = {"name": _("The name we use for you.")}
