"""The audit log and announcements."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import CheckConstraint, F, Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from conversions.texts import StorableCharField, StorableJSONField


class AuditEntry(models.Model):
    """One action of a staff member; entries can only be added, which the database enforces."""

    class Action(models.TextChoices):
        ENTER = "enter", _("Logged in")
        ADD = "add", _("Added")
        CHANGE = "change", _("Changed")
        DELETE = "delete", _("Deleted")
        ACTION = "action", _("Ran an action")
        REFUSED = "refused", _("Was refused")
        EXPORT = "export", _("Exported")
        FIND_KEY = "find_key", _("Looked for a key")
        REVOKE_KEY = "revoke_key", _("Revoked a key")
        LOOK_AS = "look_as", _("Started viewing as")
        LOOK_AS_REFUSED = "look_as_refused", _("Was refused while viewing as")
        LOOK_AS_END = "look_as_end", _("Stopped viewing as")

    at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    action = models.CharField(max_length=20, choices=Action.choices)
    model = models.CharField(max_length=60, blank=True, help_text=_("Type of object, such as `accounts.user`."))
    object_id = models.CharField(max_length=64, blank=True)
    text = StorableCharField(max_length=200, blank=True, help_text=_("The object's name; for an account, only its ID."))
    details = StorableJSONField(default=dict, help_text=_("What changed, with old and new values."))
    address = models.CharField(max_length=45, blank=True)
    request_id = models.CharField(max_length=128, blank=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("audit log entry")
        verbose_name_plural = _("audit log")
        indexes: ClassVar = [
            models.Index(fields=["actor", "-id"], name="audit_by_actor"),
            models.Index(fields=["action", "-id"], name="audit_by_action"),
            models.Index(fields=["object_id", "-id"], name="audit_by_object"),
        ]

    def __str__(self) -> str:
        return f"{self.get_action_display()} {self.model} {self.text}"


class Announcement(models.Model):
    """A banner on every page, between two times."""

    class Level(models.TextChoices):
        NOTE = "note", _("Note")
        WARNING = "warning", _("Warning")

    text = models.CharField(max_length=300)
    level = models.CharField(max_length=10, choices=Level.choices, default=Level.NOTE)
    starts_at = models.DateTimeField(default=timezone.now, verbose_name=_("from"))
    ends_at = models.DateTimeField(verbose_name=_("until"), db_index=True)

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
            raise ValidationError({"ends_at": gettext("The end must be after the start.")})
