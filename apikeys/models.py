"""API keys: who they speak for, until when, and nothing from which they could be restored."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import ClassVar

from django.conf import settings
from django.db import DatabaseError, models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import limits
from accounts.compiled_sql import Parameter, Statement
from accounts.errors import EmailNotConfirmed
from accounts.models import Membership, Role, User
from accounts.organisations import NotAllowed
from accounts.shortage import is_full
from apikeys import secrets
from apikeys.errors import ApiKeyLimitReached, ApiKeysRequirePaidPlan

USE_RESOLUTION = timedelta(minutes=1)


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    def active(self, now: datetime | Parameter | None = None) -> ApiKeyQuerySet:
        """Keys that can be used: neither revoked nor expired."""
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=now or timezone.now()), revoked_at=None)

    def of(self, owner: User) -> ApiKeyQuerySet:
        """The keys of an account; of an organisation's, for whoever is no owner of it, their own."""
        acting = owner.acted_by
        own = self.filter(user=owner)
        return own if acting is None or acting.may(Role.OWNER) else own.filter(member=acting)


class ApiKey(models.Model):
    """One key of one account; the key itself is shown once, when it is issued.

    `member` is whose limits it counts for: where they leave the organisation, the key stays as the organisation's own.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_keys")
    member = models.ForeignKey(
        Membership, null=True, editable=False, on_delete=models.SET_NULL, related_name="api_keys"
    )
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=secrets.SHOWN_PREFIX)
    last_four = models.CharField(max_length=4)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        verbose_name = _("API key")
        ordering = ["-created_at", "id"]
        indexes: ClassVar = [
            models.Index(fields=["user", "-created_at"], name="apikey_user_newest"),
            models.Index(fields=["-created_at", "id"], name="apikey_newest"),
            models.Index(fields=["revoked_at"], name="apikey_revoked"),
            models.Index(fields=["expires_at"], name="apikey_expires"),
        ]

    def __str__(self) -> str:
        return f"{self.prefix}…{self.last_four}"

    @classmethod
    def issue(cls, user: User, *, name: str, expires_in_days: int | None = None) -> tuple[ApiKey, str]:
        """Make a key and return it with its text, which is nowhere kept; a copy that is acted for makes the member's.

        Raises what _room does.
        """
        now = timezone.now()
        with transaction.atomic():
            owner = cls._room(user, now)
            secret = secrets.new_secret()
            key = cls.objects.create(
                user=owner,
                member=user.acted_by,
                name=name,
                prefix=secret[: secrets.SHOWN_PREFIX],
                last_four=secret[-4:],
                digest=secrets.digest(secret),
                created_at=now,
                expires_at=now + timedelta(days=expires_in_days) if expires_in_days else None,
            )
        return key, secret

    @classmethod
    def _room(cls, user: User, now: datetime) -> User:
        """The account's row, locked, with room for one more key, so that parallel calls can't pass the allowance.

        Raises ApiKeysRequirePaidPlan, ApiKeyLimitReached, NotAllowed where whoever acts for the account may make none,
        and EmailNotConfirmed where its address is still to be confirmed.
        """
        owner = User.objects.select_for_update(of=("self",)).select_related("plan", "override").get(pk=user.pk)
        allowed = limits.of_user(owner)
        if not allowed.api_access:
            raise ApiKeysRequirePaidPlan()
        if owner.credits_wait:
            raise EmailNotConfirmed()
        if user.acted_by is not None:
            member = Membership.objects.select_for_update(of=("self",)).filter(pk=user.acted_by.pk).first()
            if member is None or not member.may(Role.MEMBER):
                raise NotAllowed()
        if cls.objects.active(now).filter(user=owner).count() >= allowed.api_keys:
            raise ApiKeyLimitReached(
                gettext("All %(api_keys)s API keys of your plan are in use. Revoke one or move to a larger plan.")
                % {"api_keys": allowed.api_keys},
                limit=allowed.api_keys,
            )
        return owner

    def move(self, owner: User) -> bool:
        """Make the key that of an organisation, which is acted for; its text stays. False where it is active no more.

        Raises what _room does.
        """
        now = timezone.now()
        with transaction.atomic():
            room = type(self)._room(owner, now)
            rows = type(self).objects.active(now).filter(pk=self.pk, user=self.user_id)
            moved = rows.update(user=room, member=owner.acted_by) > 0
        if moved:
            self.refresh_from_db()
        return moved

    @classmethod
    def for_secret(cls, secret: str) -> ApiKey | None:
        """The active key with this text, its active account, plan, override and member in one query; None where bad."""
        if not secrets.is_secret(secret):
            return None
        found = _BY_DIGEST.one(digest=secrets.digest(secret), now=timezone.now())
        if found is not None:
            found.user.acted_by = found.member
        return found

    def revoke(self) -> None:
        """End the key for good, from the next request on; the first moment of it stays."""
        type(self).objects.filter(pk=self.pk, revoked_at=None).update(revoked_at=timezone.now())
        self.refresh_from_db(fields=["revoked_at"])

    def note_use(self) -> None:
        """Keep when the key was last used, exact to one minute: one write a minute at most."""
        now = timezone.now()
        stale = Q(last_used_at=None) | Q(last_used_at__lte=now - USE_RESOLUTION)
        if self.last_used_at is None or self.last_used_at <= now - USE_RESOLUTION:
            try:
                type(self).objects.filter(stale, pk=self.pk).update(last_used_at=now)
            except DatabaseError as error:
                if not is_full(error):  # then what only reads must go on
                    raise


_BY_DIGEST = Statement(
    lambda: (
        ApiKey.objects.active(now=Parameter("now", models.DateTimeField()))
        .filter(digest=Parameter("digest", models.CharField()), user__is_active=True)
        .select_related("user__plan", "user__override", "member")
    )
)
