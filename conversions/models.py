"""What was converted, for whom, and how it went."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, Q
from django.utils import timezone

from conversions.texts import StorableCharField, StorableJSONField, StorableTextField


class Conversion(models.Model):
    """One conversion that was worked on; `owner` is null for a guest's. Sizes are in bytes."""

    class Status(models.TextChoices):
        COMPLETED = "completed"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="conversions", db_index=False
    )
    plan = models.CharField(max_length=30, help_text="The plan's code when it was converted.")
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
    verified = StorableJSONField(null=True, help_text="What reading the result back has found, where it was asked for.")

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes: ClassVar = [
            models.Index(fields=["owner", "-created_at", "-id"], name="conversion_owner_newest"),
            models.Index(fields=["owner", "slug", "-created_at", "-id"], name="conversion_owner_slug"),
            models.Index(fields=["owner", "status", "-created_at", "-id"], name="conversion_owner_status"),
            models.Index(fields=["-created_at", "-id"], name="conversion_newest"),
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
    def download_url(self) -> str:
        """The path of a completed conversion's file."""
        return f"/api/v1/files/{self.file_key}"


class ReceiptKey(models.Model):
    """A public key that receipts were signed with, for as long as somebody may have one of them."""

    kid = models.CharField(primary_key=True, max_length=43, help_text="The thumbprint of the key (RFC 7638).")
    x = models.CharField(max_length=43, help_text="The key itself, in base64url (RFC 8037).")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.kid


class Usage(models.Model):
    """What one account converted in one day or month (UTC), with one slug or, under the slug "", with all of them.

    `durations` is a histogram of the completed conversions: how many (see statistics.bucket_of) by bucket. So totals,
    days, slugs and percentiles are sums over a number of rows that grows with time, not with conversions.
    """

    class Span(models.TextChoices):
        DAY = "day"
        MONTH = "month"

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

    def __str__(self) -> str:
        return f"{self.span} {self.start} {self.slug}"


class IdempotencyKey(models.Model):
    """A client's own name for one request: the row is inserted before the work, the conversion is set after it.

    `token` is the claim of the request that does the work: only it may set the conversion, and only once.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)
    conversion = models.ForeignKey(Conversion, null=True, on_delete=models.CASCADE, related_name="+")
    token = models.CharField(max_length=32, db_default="")
    claimed_until = models.DateTimeField(help_text="When a request that has died is given up.")
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(name="idempotency_key_once", fields=["owner", "key"])]

    def __str__(self) -> str:
        return self.key
