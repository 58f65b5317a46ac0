"""Conversions, their statistics, and the rules for what is offered at which price."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.conf import settings
from django.db import models, transaction
from django.db.models import CheckConstraint, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from conversions import changes
from conversions.texts import StorableCharField, StorableJSONField, StorableTextField


class Conversion(models.Model):
    """One attempted conversion; `owner` is null for a guest. Sizes are in bytes."""

    class Status(models.TextChoices):
        COMPLETED = "completed"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="conversions", db_index=False
    )
    # No constraint: to drop the column, SQLite would rebuild the table and lose its triggers.
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+", db_index=False,
        db_constraint=False, help_text=_("The member who converted it for the organisation."),
    )  # fmt: skip
    plan = models.CharField(max_length=30, help_text=_("The plan's code at the time of the conversion."))
    slug = StorableCharField(max_length=40)
    status = models.CharField(max_length=10, choices=Status.choices)
    input_name = StorableCharField(max_length=255)
    input_bytes = models.BigIntegerField()
    input_sha256 = models.CharField(max_length=64, blank=True)
    input_deleted_at = models.DateTimeField(null=True)
    output_name = StorableCharField(max_length=255, blank=True)
    output_bytes = models.BigIntegerField(null=True)
    content_type = models.CharField(max_length=120, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    options = StorableJSONField(default=dict)
    detected = StorableJSONField(default=dict)
    engine = models.CharField(max_length=100, blank=True)
    warnings = StorableJSONField(default=list)
    credits = models.PositiveIntegerField(default=0)
    duration_ms = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True)
    file_key = models.CharField(max_length=60, blank=True)
    error_code = models.CharField(max_length=40, blank=True)
    error_message = StorableTextField(blank=True)
    error_parts = StorableJSONField(null=True, help_text=_("The error message's template and values, for translation."))
    verified = StorableJSONField(null=True, help_text=_("The outcome of the comparison with the input, if requested."))

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes: ClassVar = [
            models.Index(fields=["owner", "-created_at", "-id"], name="conversion_owner_newest"),
            models.Index(fields=["owner", "slug", "-created_at", "-id"], name="conversion_owner_slug"),
            models.Index(fields=["owner", "status", "-created_at", "-id"], name="conversion_owner_status"),
            models.Index(fields=["-created_at", "-id"], name="conversion_newest"),
            models.Index(fields=["slug", "-created_at", "-id"], name="conversion_slug"),
            models.Index(fields=["plan", "-created_at", "-id"], name="conversion_plan"),
            models.Index(fields=["-created_at", "-id"], name="conversion_failed", condition=Q(status="failed")),
        ]
        constraints: ClassVar = [
            CheckConstraint(
                name="conversion_result_or_error",
                condition=(Q(status="completed", error_code="") & ~Q(file_key=""))
                | (Q(status="failed", file_key="", credits=0) & ~Q(error_code="")),
            )
        ]

    def __str__(self) -> str:
        return f"{self.slug} {self.id}"

    @property
    def maker(self) -> str | None:
        """The name of the member who made it, if it was selected with the row."""
        found = self._state.fields_cache.get("made_by")
        return found.display_name if found else None

    @property
    def failure(self) -> dict[str, Any]:
        """The error message, as stored."""
        parts = {} if self.error_parts is None else {"parts": self.error_parts}
        return {"message": self.error_message, **parts}

    @property
    def download_url(self) -> str:
        """The path of a completed conversion's file."""
        return f"/api/v1/files/{self.file_key}"


class ReceiptKey(models.Model):
    """A public key of receipts; kept as long as anybody may have a receipt signed with it."""

    kid = models.CharField(primary_key=True, max_length=43, help_text=_("The thumbprint of the key (RFC 7638)."))
    x = models.CharField(max_length=43, help_text=_("The key itself, in base64url (RFC 8037)."))
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.kid


class Usage(models.Model):
    """The conversions of one account in a day or month (UTC), by slug; the slug "" is the sum of all.

    With the span "key" it counts those of one API key in a day; the slug is the key's id in hex. `durations` is a
    histogram of completed conversions (see statistics.bucket_of). Totals and percentiles are sums over rows whose
    number grows with time, not with conversions.
    """

    class Span(models.TextChoices):
        DAY = "day"
        MONTH = "month"
        KEY = "key"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    span = models.CharField(max_length=5, choices=Span.choices)
    start = models.DateField()
    slug = models.CharField(max_length=40, blank=True)
    conversions = models.PositiveIntegerField(default=0)
    failures = models.PositiveIntegerField(default=0)
    credits = models.PositiveBigIntegerField(default=0)
    bytes_in = models.PositiveBigIntegerField(default=0)
    bytes_out = models.PositiveBigIntegerField(default=0)
    durations = models.JSONField(default=dict)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="usage_once", fields=["owner", "span", "start", "slug"]),
        ]
        indexes: ClassVar = [models.Index(fields=["start"], name="usage_of_keys", condition=Q(span="key"))]

    def __str__(self) -> str:
        return f"{self.span} {self.start} {self.slug}"


class Day(models.Model):
    """All conversions of a day (UTC), guests' included, by slug and outcome: `code` is the error code.

    A database trigger counts each conversion in its own transaction, in the row of its connection; the number is the
    sum over all rows.
    """

    day = models.DateField()
    slug = models.CharField(max_length=40)
    code = models.CharField(max_length=40, blank=True)
    shard = models.PositiveSmallIntegerField(default=0)
    conversions = models.PositiveBigIntegerField(default=0)
    duration_ms = models.PositiveBigIntegerField(default=0)
    credits = models.PositiveBigIntegerField(default=0)
    bytes_in = models.PositiveBigIntegerField(default=0)
    bytes_out = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(name="day_once", fields=["day", "slug", "code", "shard"])]

    def __str__(self) -> str:
        return f"{self.day} {self.slug} {self.code}"


class IdempotencyKey(models.Model):
    """A client's key for one request: the row is inserted before the work, the conversion is set after it.

    `token` identifies the request doing the work: only it may set the conversion, once.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)
    conversion = models.ForeignKey(Conversion, null=True, on_delete=models.CASCADE, related_name="+")
    token = models.CharField(max_length=32, db_default="")
    claimed_until = models.DateTimeField(help_text=_("When an unfinished request is given up."))
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(name="idempotency_key_once", fields=["owner", "key"])]

    def __str__(self) -> str:
        return self.key


LEAST_CREDITS = 1
"""The lowest price of a conversion."""
MOST_CREDITS = 1_000_000


class Scope(models.TextChoices):
    """The scope of a rule; the narrowest matching rule wins, in this order."""

    SLUG = "slug", _("One conversion")
    FAMILY = "family", _("A family")
    OUTPUT = "output", _("All conversions to this format")
    FORMAT = "format", _("All conversions from or to this format")
    ALL = "all", _("All conversions")


class RuleQuerySet(models.QuerySet):
    """Rules for the offer; bulk changes are announced, too."""

    def update(self, **values: Any) -> int:
        with transaction.atomic():
            changes.record()
            return super().update(**values)

    def delete(self) -> tuple[int, dict[str, int]]:
        with transaction.atomic():
            changes.record()
            return super().delete()

    def bulk_create(self, objs: Any, *args: Any, **kwargs: Any) -> Any:
        with transaction.atomic():
            changes.record()
            return super().bulk_create(objs, *args, **kwargs)


class Rule(models.Model):
    """A rule for the offer; each change is announced in its transaction."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        with transaction.atomic():
            changes.record()
            super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        with transaction.atomic():
            changes.record()
            return super().delete(*args, **kwargs)


class Price(Rule):
    """The price of a slug, a family, an output format, or of everything."""

    SCOPES: ClassVar = (Scope.SLUG, Scope.FAMILY, Scope.OUTPUT, Scope.ALL)

    scope = models.CharField(max_length=10, choices=[(each.value, each.label) for each in SCOPES])
    name = models.CharField(max_length=60, blank=True, help_text=_("`json-to-csv`, `images`, `pdf`; empty for all."))
    credits = models.PositiveIntegerField(help_text=_("What one conversion costs."))
    per_minute = models.BooleanField(
        default=False,
        help_text=_("Charge per started minute instead, for conversions that know how long their input is."),
    )

    objects = RuleQuerySet.as_manager()

    class Meta:
        ordering = ["scope", "name"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="price_once", fields=["scope", "name"]),
            CheckConstraint(name="price_named", condition=Q(scope="all", name="") | (~Q(scope="all") & ~Q(name=""))),
            CheckConstraint(name="price_bounds", condition=Q(credits__gte=LEAST_CREDITS, credits__lte=MOST_CREDITS)),
        ]

    def __str__(self) -> str:
        return self.name or self.get_scope_display()


class Restriction(Rule):
    """Limits conversions to plans, one row for each; a row without a plan switches them off for all."""

    SCOPES: ClassVar = (Scope.SLUG, Scope.FAMILY, Scope.FORMAT)

    scope = models.CharField(max_length=10, choices=[(each.value, each.label) for each in SCOPES])
    name = models.CharField(max_length=60, help_text=_("`json-to-csv`, `images`, `pdf`."))
    plan = models.ForeignKey(
        "accounts.Plan",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name=_("only for"),
        help_text=_("Leave empty to turn it off for everyone. Add one row per plan."),
    )

    objects = RuleQuerySet.as_manager()

    class Meta:
        ordering = ["scope", "name"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="restriction_once", fields=["scope", "name", "plan"]),
            models.UniqueConstraint(
                name="restriction_off_once", fields=["scope", "name"], condition=Q(plan__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.plan or 'off'}"
