"""People, their plans, their logins and every movement of their credits."""

from __future__ import annotations

import uuid
from datetime import UTC, date, datetime
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import CheckConstraint, F, Q
from django.db.models.functions import Lower
from django.utils import timezone

GUEST, FREE, STARTER, PRO, SCALE = "guest", "free", "starter", "pro", "scale"


def current_period(now: datetime | None = None) -> date:
    """The first day of the month (UTC) that `now` is in: credits are topped up once a period."""
    return (now or timezone.now()).astimezone(UTC).date().replace(day=1)


def _limit(help_text: str, maximum: int, *, optional: bool = False, minimum: int = 0) -> Any:
    return models.PositiveBigIntegerField(
        null=optional,
        blank=optional,
        help_text=help_text,
        validators=[MinValueValidator(minimum), MaxValueValidator(maximum)],
    )


class Plan(models.Model):
    """What an account, or a guest, may use; the numbers are edited by staff."""

    code = models.SlugField(max_length=30, unique=True, help_text="Lower case; `guest` and `free` are built in.")
    name = models.CharField(max_length=50)
    position = models.PositiveSmallIntegerField(default=0, help_text="Order on the pricing table.")
    credits = _limit("Credits a month; for guests: conversions a day.", 10**9)
    api_access = models.BooleanField(default=False)
    api_keys = _limit("Active API keys at most.", 10_000)
    max_file_bytes = _limit("Largest upload, in bytes (1 MB is 1,000,000).", 10**12, minimum=1)
    requests_per_minute = _limit("Conversion requests a minute.", 10**6, minimum=1)
    concurrent_jobs = _limit("Conversions at once.", 1000, minimum=1)
    retention_hours = _limit("Hours that a converted file is kept.", 24 * 3650, minimum=1)

    class Meta:
        ordering = ["position"]
        constraints: ClassVar = [
            CheckConstraint(
                name="plan_limits_positive",
                condition=Q(max_file_bytes__gte=1, requests_per_minute__gte=1, concurrent_jobs__gte=1)
                & Q(retention_hours__gte=1),
            )
        ]

    def __str__(self) -> str:
        return self.name


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Create an account, on the Free plan unless another is given; its first use tops up its credits."""
        if "plan" not in fields:
            fields["plan"] = Plan.objects.get(code=FREE)
        user = User(email=normal_email(email), **fields)
        user.set_password(password)
        user.save(force_insert=True, using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email=normal_email(username or ""))


def normal_email(email: str) -> str:
    """The one spelling under which an address is kept: lower case, no surrounding space."""
    return email.strip().lower()


class User(AbstractBaseUser, PermissionsMixin):
    """One account. Its balance is `monthly_credits` (refilled each period) plus `extra_credits` (kept until used)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(max_length=254, unique=True)
    name = models.CharField(max_length=100, blank=True)
    plan = models.ForeignKey(Plan, on_delete=models.PROTECT, related_name="users")
    monthly_credits = models.BigIntegerField(default=0, editable=False)
    extra_credits = models.BigIntegerField(default=0, editable=False)
    period = models.DateField(default=date(1970, 1, 1), editable=False, help_text="The month of the last top-up.")
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False, help_text="May use the admin.")
    created_at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        ordering = ["-created_at"]
        constraints: ClassVar = [
            CheckConstraint(name="user_email_lower", condition=Q(email=Lower("email"))),
            CheckConstraint(
                name="user_credits_not_negative", condition=Q(monthly_credits__gte=0, extra_credits__gte=0)
            ),
        ]

    def __str__(self) -> str:
        return self.email

    @property
    def credits(self) -> int:
        return self.monthly_credits + self.extra_credits

    def clean(self) -> None:
        super().clean()
        self.email = normal_email(self.email)

    def get_short_name(self) -> str:
        return self.name or self.email.partition("@")[0]


class LimitOverride(models.Model):
    """Limits of one account that differ from its plan's; what is empty is the plan's."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="override", primary_key=True)
    credits = _limit("Credits a month.", 10**9, optional=True)
    api_access = models.BooleanField(null=True, blank=True)
    api_keys = _limit("Active API keys at most.", 10_000, optional=True)
    max_file_bytes = _limit("Largest upload, in bytes.", 10**12, optional=True, minimum=1)
    requests_per_minute = _limit("Conversion requests a minute.", 10**6, optional=True, minimum=1)
    concurrent_jobs = _limit("Conversions at once.", 1000, optional=True, minimum=1)
    retention_hours = _limit("Hours that a converted file is kept.", 24 * 3650, optional=True, minimum=1)
    note = models.CharField(max_length=200, blank=True, help_text="Why this account differs.")

    def __str__(self) -> str:
        return f"Limits of {self.user_id}"


class CreditEntry(models.Model):
    """One movement of an account's credits; entries can only be added, which the database enforces."""

    class Kind(models.TextChoices):
        TOP_UP = "top_up", "Monthly top-up"
        CONVERSION = "conversion", "Conversion"
        GRANT = "grant", "Granted by staff"
        PLAN_CHANGE = "plan_change", "Change of plan"

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="entries")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    amount = models.BigIntegerField()
    balance = models.BigIntegerField(help_text="The account's credits after this entry.")
    reason = models.CharField(max_length=200, blank=True)
    reference = models.UUIDField(null=True, blank=True, help_text="The conversion that was paid.")
    actor = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "credit entries"
        indexes: ClassVar = [models.Index(fields=["user", "-id"], name="credit_user_newest")]
        constraints: ClassVar = [
            CheckConstraint(name="credit_balance_not_negative", condition=Q(balance__gte=0)),
            models.UniqueConstraint(
                name="credit_once_per_conversion", fields=["reference"], condition=Q(kind="conversion")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount:+d}"


class GuestDay(models.Model):
    """How many conversions one guest had on one day; the guest is a keyed hash of an address."""

    guest = models.CharField(max_length=64)
    day = models.DateField()
    used = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(name="guest_once_a_day", fields=["day", "guest"])]

    def __str__(self) -> str:
        return f"{self.day}: {self.used}"


class Login(models.Model):
    """One login and the only refresh token of it that is still good; access tokens carry its id."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="logins")
    token = models.CharField(max_length=64, help_text="The `jti` of the refresh token that can be used next.")
    created_at = models.DateTimeField(default=timezone.now)
    rotated_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(db_index=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            CheckConstraint(name="login_rotates_forward", condition=Q(rotated_at__gte=F("created_at")))
        ]

    def __str__(self) -> str:
        return str(self.id)
