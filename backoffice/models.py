"""What the staff did, which can only be added to, and what everybody is told on every page."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import CheckConstraint, F, Q
from django.utils import timezone

from conversions.texts import StorableCharField, StorableJSONField


class AuditEntry(models.Model):
    """One action of a member of the staff; entries can only be added, which the database enforces."""

    class Action(models.TextChoices):
        ENTER = "enter", "Came in"
        ADD = "add", "Added"
        CHANGE = "change", "Changed"
        DELETE = "delete", "Deleted"
        ACTION = "action", "Did"
        REFUSED = "refused", "Was refused"
        EXPORT = "export", "Exported"
        FIND_KEY = "find_key", "Looked for a key"
        REVOKE_KEY = "revoke_key", "Revoked a key"
        LOOK_AS = "look_as", "Began to look as"
        LOOK_AS_REFUSED = "look_as_refused", "Was refused while looking as"
        LOOK_AS_END = "look_as_end", "Ended to look as"

    at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    action = models.CharField(max_length=20, choices=Action.choices)
    model = models.CharField(max_length=60, blank=True, help_text="What kind of object: `accounts.user`.")
    object_id = models.CharField(max_length=64, blank=True)
    text = StorableCharField(max_length=200, blank=True, help_text="The object in words; an account is its id alone.")
    details = StorableJSONField(default=dict, help_text="What changed, from what to what.")
    address = models.CharField(max_length=45, blank=True)
    request_id = models.CharField(max_length=128, blank=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = "entry of the audit log"
        verbose_name_plural = "audit log"
        indexes: ClassVar = [
            models.Index(fields=["actor", "-id"], name="audit_by_actor"),
            models.Index(fields=["action", "-id"], name="audit_by_action"),
            models.Index(fields=["object_id", "-id"], name="audit_by_object"),
        ]

    def __str__(self) -> str:
        return f"{self.get_action_display()} {self.model} {self.text}"


class Announcement(models.Model):
    """A line on top of every page, from one moment until another."""

    class Level(models.TextChoices):
        NOTE = "note", "Note"
        WARNING = "warning", "Warning"

    text = models.CharField(max_length=300)
    level = models.CharField(max_length=10, choices=Level.choices, default=Level.NOTE)
    starts_at = models.DateTimeField(default=timezone.now, verbose_name="from")
    ends_at = models.DateTimeField(verbose_name="until", db_index=True)

    class Meta:
        ordering = ["-starts_at", "-id"]
        constraints: ClassVar = [
            CheckConstraint(name="announcement_ends_after_its_start", condition=Q(ends_at__gt=F("starts_at")))
        ]

    def __str__(self) -> str:
        return self.text

    def clean(self) -> None:
        super().clean()
        if self.starts_at and self.ends_at and self.ends_at <= self.starts_at:
            raise ValidationError({"ends_at": "This is not after its beginning."})
