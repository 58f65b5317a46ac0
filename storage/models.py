"""Models of stored files."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from storage.conditions import entity_tag
from storage.keys import MAX_KEY, PATTERN, path_of


class StoredFile(models.Model):
    """A file that can be downloaded until it expires; the row decides, not the bytes.

    `size` is in bytes, `sha256` in hexadecimal; `owner` is null for a guest's file. A `once` file has a `claim` of the
    download in progress, valid until `claimed_until`.
    """

    key = models.CharField(max_length=MAX_KEY, unique=True)
    name = models.CharField(max_length=255, help_text=_("File name of the download."))
    content_type = models.CharField(max_length=120)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="stored_files"
    )
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(db_index=True)
    block = models.CharField(
        max_length=64,
        null=True,
        editable=False,
        help_text=_("For guests' files: the keyed hash of the network that shares the storage."),
    )
    once = models.BooleanField(default=False, help_text=_("The first complete download deletes it."))
    claim = models.UUIDField(null=True, editable=False)
    claimed_until = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-id"]
        constraints: ClassVar = [
            CheckConstraint(name="stored_file_key_form", condition=Q(key__regex=PATTERN)),
            CheckConstraint(name="stored_file_sha256_form", condition=Q(sha256__regex=r"^[0-9a-f]{64}$")),
            CheckConstraint(name="stored_file_has_name", condition=~Q(name="")),
        ]
        # With the size, so that sums read no rows.
        indexes: ClassVar = [
            models.Index(fields=["owner", "expires_at", "size"], name="stored_of_owner"),
            models.Index(
                fields=["block", "expires_at", "size"], name="stored_of_block", condition=Q(block__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def path(self) -> str:
        """The path of the bytes in the storage."""
        return path_of(self.key)

    @property
    def etag(self) -> str:
        return entity_tag(self.sha256)


class Removal(models.Model):
    """When the bytes of a deleted file were removed."""

    key = models.CharField(max_length=MAX_KEY, primary_key=True)
    removed_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.key
