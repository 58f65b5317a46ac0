"""The API's account representations, and the input of registration and log-in."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError as Invalid
from django.db import IntegrityError
from django.utils.translation import gettext as _
from rest_framework import serializers

from accounts.errors import InvalidCredentials, SecondFactorRequired
from accounts.login import factors
from accounts.login.hashers import MAX_PASSWORD
from accounts.mailboxes import normal_email
from accounts.models import User
from accounts.people import registration
from accounts.people.invitations import DeadInvitation
from accounts.people.registration import EMAIL_TAKEN


class UserSerializer(serializers.ModelSerializer[User]):
    plan = serializers.CharField(source="plan.name")
    credits = serializers.IntegerField()
    createdAt = serializers.DateTimeField(source="created_at")

    class Meta:
        model = User
        fields = ["id", "email", "name", "plan", "credits", "createdAt"]


class RegisterSerializer(serializers.Serializer[User]):
    email = serializers.EmailField(max_length=254)
    password = serializers.CharField(min_length=1, max_length=MAX_PASSWORD, trim_whitespace=False)
    name = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")
    invitation = serializers.CharField(
        max_length=100, required=False, allow_blank=True, default="", help_text="Required if sign-up needs one."
    )

    def validate_email(self, value: str) -> str:
        email = normal_email(value)
        try:
            registration.check_address(email)
        except Invalid as error:
            raise serializers.ValidationError(error.messages) from error
        if registration.reveals_accounts() and User.objects.filter(email=email).exists():
            raise serializers.ValidationError(EMAIL_TAKEN)
        return email

    def validate_password(self, value: str) -> str:
        # Checked against the email as sent, so that errors of both are reported.
        email = self.initial_data.get("email")
        try:
            validate_password(value, User(email=normal_email(email)[:254] if isinstance(email, str) else ""))
        except Invalid as error:
            raise serializers.ValidationError(error.messages) from error
        return value

    def open_account(self) -> User | None:
        """The new account; None if the address is taken, which only its owner may learn."""
        try:
            return registration.open_account(**self.validated_data)
        except IntegrityError:
            if settings.EMAIL_VERIFICATION == "required":
                return None
            raise serializers.ValidationError({"email": EMAIL_TAKEN}) from None
        except DeadInvitation as error:
            raise serializers.ValidationError({"invitation": str(error)}) from None


class LoginSerializer(serializers.Serializer[User]):
    email = serializers.CharField(max_length=254)
    password = serializers.CharField(max_length=MAX_PASSWORD, trim_whitespace=False)
    code = serializers.CharField(
        max_length=40,
        required=False,
        allow_blank=True,
        default="",
        help_text="Code from the authenticator app, or a recovery code, if the account has a second "
        "factor. Passkeys work on web pages only. Programs with an API key need neither.",
    )

    def user(self) -> User:
        """The account with this email and password; raises InvalidCredentials for either being wrong.

        Raises SecondFactorRequired if the account has a second factor and no code was sent.
        """
        user = authenticate(
            self.context["request"]._request,
            username=self.validated_data["email"],
            password=self.validated_data["password"],
        )
        if not isinstance(user, User):
            if hasattr(self.context["request"]._request, "restorable"):
                raise InvalidCredentials(_("This account is about to be deleted. Log in on the web page to keep it."))
            raise InvalidCredentials(_("The email or password is wrong."))
        if factors.has_factor(user):
            if not self.validated_data["code"]:
                raise SecondFactorRequired()
            if not factors.use_code(user, self.validated_data["code"]):
                raise InvalidCredentials(
                    _("The code is wrong or has already been used. Wait for the next one and send it.")
                )
        return user


class RefreshSerializer(serializers.Serializer[Any]):
    refreshToken = serializers.CharField(max_length=4096)


class TokensSerializer(serializers.Serializer[Any]):
    accessToken = serializers.CharField()
    refreshToken = serializers.CharField()


class SessionSerializer(TokensSerializer):
    user = UserSerializer()


class LimitsSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    apiAccess = serializers.BooleanField(source="limits.api_access")
    activeApiKeys = serializers.IntegerField(source="limits.api_keys")
    creditsPerMonth = serializers.IntegerField(source="limits.credits")
    maxFileBytes = serializers.IntegerField(source="limits.max_file_bytes")
    requestsPerMinute = serializers.IntegerField(source="limits.requests_per_minute")
    concurrentJobs = serializers.IntegerField(source="limits.concurrent_jobs")
    retentionHours = serializers.IntegerField(source="limits.retention_hours")
    maxStoredBytes = serializers.IntegerField(
        source="limits.stored_bytes", help_text="Bytes of results that are kept at once."
    )
    failedSecondsPerDay = serializers.IntegerField(
        source="limits.failed_seconds", help_text="Seconds of processor that conversions which fail may take in a day."
    )


class CreditsSerializer(serializers.Serializer[Any]):
    remaining = serializers.IntegerField()
    monthly = serializers.IntegerField()
    resetsAt = serializers.DateTimeField()


class RateSerializer(serializers.Serializer[Any]):
    limit = serializers.IntegerField()
    used = serializers.IntegerField()
    remaining = serializers.IntegerField()
    resetsInSeconds = serializers.IntegerField()


class JobsSerializer(serializers.Serializer[Any]):
    limit = serializers.IntegerField()
    running = serializers.IntegerField(allow_null=True, help_text="Null while the counters can't be reached.")


class FailedSecondsSerializer(serializers.Serializer[Any]):
    """Processor time used by failed conversions today (UTC), in seconds. If none is left, conversions return 429.

    For a member with a monthly limit, this is their share of the organisation's time, and `remaining` is never more
    than the organisation has left.
    """

    limit = serializers.IntegerField()
    used = serializers.FloatField()
    remaining = serializers.FloatField()
    resetsAt = serializers.DateTimeField()


class UsageSerializer(serializers.Serializer[Any]):
    rateLimit = RateSerializer(allow_null=True, help_text="Null while the counters can't be reached.")
    jobs = JobsSerializer()
    failedSeconds = FailedSecondsSerializer()


class AccountSerializer(serializers.Serializer[Any]):
    user = UserSerializer()
    plan = LimitsSerializer()
    credits = CreditsSerializer()
    usage = UsageSerializer()


class GuestQuotaSerializer(serializers.Serializer[Any]):
    limit = serializers.IntegerField()
    used = serializers.IntegerField()
    remaining = serializers.IntegerField()
    resetsAt = serializers.DateTimeField()
    maxFileBytes = serializers.IntegerField()
    failedSeconds = FailedSecondsSerializer()
