"""What accounts look like in the API, and what registration and login take."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import authenticate
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError as Invalid
from django.db import IntegrityError
from django.utils.translation import gettext as _
from rest_framework import serializers

from accounts import factors, registration
from accounts.errors import InvalidCredentials, SecondFactorRequired
from accounts.hashers import MAX_PASSWORD
from accounts.invitations import DeadInvitation
from accounts.models import User, normal_email

EMAIL_TAKEN = "There is already an account with this email. Log in, or reset its password."


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
        max_length=100, required=False, allow_blank=True, default="", help_text="Where one is needed to sign up."
    )

    def validate_email(self, value: str) -> str:
        email = normal_email(value)
        try:
            registration.check_address(email)
        except Invalid as error:
            raise serializers.ValidationError(error.messages) from error
        if User.objects.filter(email=email).exists():
            raise serializers.ValidationError(EMAIL_TAKEN)
        return email

    def validate_password(self, value: str) -> str:
        # Judged by the email as it was sent: where that is refused, the password is told of, too.
        email = self.initial_data.get("email")
        try:
            validate_password(value, User(email=normal_email(email[:254]) if isinstance(email, str) else ""))
        except Invalid as error:
            raise serializers.ValidationError(error.messages) from error
        return value

    def create(self, validated_data: dict[str, Any]) -> User:
        try:
            return registration.open_account(**validated_data)
        except IntegrityError:
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
        help_text="Of the account's authenticator app, or a recovery code, where it has a second factor; passkeys are "
        "for pages. Programs need neither with an API key.",
    )

    def user(self) -> User:
        """The account with this email and password; raises InvalidCredentials, the same for either being wrong.

        Raises SecondFactorRequired where the account has one and no code was sent.
        """
        user = authenticate(
            self.context["request"]._request,
            username=self.validated_data["email"],
            password=self.validated_data["password"],
        )
        if not isinstance(user, User):
            if hasattr(self.context["request"]._request, "leaving"):
                raise InvalidCredentials(_("This account is about to be deleted. Log in on the web page to keep it."))
            raise InvalidCredentials(_("The email or the password is wrong."))
        if factors.has_factor(user):
            if not self.validated_data["code"]:
                raise SecondFactorRequired()
            if not factors.take(user, self.validated_data["code"]):
                raise InvalidCredentials(
                    _("The code is wrong or was used before. Wait for the next one, and send that.")
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


class UsageSerializer(serializers.Serializer[Any]):
    rateLimit = RateSerializer(allow_null=True, help_text="Null while the counters can't be reached.")
    jobs = JobsSerializer()


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
