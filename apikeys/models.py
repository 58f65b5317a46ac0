"""API keys: owner, expiry and hash; the key itself is not stored."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import ClassVar

from django.conf import settings
from django.db import DatabaseError, models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.credits import limits
from accounts.credits.members import NotAllowed
from accounts.errors import EmailNotConfirmed
from accounts.models import Membership, Role, User
from accounts.shortage import is_full
from apikeys import secrets
from apikeys.errors import ApiKeyLimitReached, ApiKeysRequirePaidPlan, ScopeMissing

USE_RESOLUTION = timedelta(minutes=1)


class Scope(models.TextChoices):
    """What a key may do. Every key may read its account, the progress of its conversions, and files whose address it
    has."""

    CONVERT = "convert", _("Convert files")
    READ = "read", _("Read conversions and receipts")


ACCESS = {
    Scope.CONVERT.value: Scope.CONVERT.label,
    f"{Scope.CONVERT.value} {Scope.READ.value}": _("Convert files, read conversions and receipts"),
    Scope.READ.value: _("Only read conversions and receipts"),
}
"""Each set of scopes, as it is stored, in words."""


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    def active(self, now: datetime | None = None) -> ApiKeyQuerySet:
        """Keys that are neither revoked nor expired."""
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=now or timezone.now()), revoked_at=None)

    def owned_by(self, owner: User) -> ApiKeyQuerySet:
        """The keys of an account; in an organisation, members who are not owners see only their own."""
        acting = owner.acted_by
        own = self.filter(user=owner)
        return own if acting is None or acting.may(Role.OWNER) else own.filter(member=acting)

    def with_member_limits(self) -> ApiKeyQuerySet:
        """Keys whose spending is limited only by their member's role or monthly limit."""
        return self.filter(Q(member__role=Role.VIEWER) | Q(member__monthly_credits__isnull=False))


class ApiKey(models.Model):
    """An API key of an account; the key itself is shown once, on creation.

    `member` is the person whose limits it counts against; if they leave, the organisation keeps the key. `created_by`
    is that person, also after they have left; empty for keys of an account's own, and where nobody knows any more.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_keys")
    member = models.ForeignKey(
        Membership, null=True, editable=False, on_delete=models.SET_NULL, related_name="api_keys"
    )
    created_by = models.ForeignKey(User, null=True, editable=False, on_delete=models.SET_NULL, related_name="+")
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=secrets.SHOWN_PREFIX)
    last_four = models.CharField(max_length=4)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    # Separated by spaces, as those of OAuth are (RFC 6749, section 3.3). The default in the database is for processes
    # of an earlier release during an update.
    scope = models.CharField(_("access"), max_length=100, default=Scope.CONVERT.value, db_default=Scope.CONVERT.value)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")
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
    def issue(
        cls, user: User, *, name: str, expires_in_days: int | None = None, scopes: Collection[str] = (Scope.CONVERT,)
    ) -> tuple[ApiKey, str]:
        """Create a key and return it with its text, which is not stored; for an organisation, it is the acting
        member's.

        Raises what _lock_and_check() raises.
        """
        now = timezone.now()
        with transaction.atomic():
            owner = cls._lock_and_check(user, now)
            secret = secrets.new_secret()
            key = cls.objects.create(
                user=owner,
                member=user.acted_by,
                created_by_id=_person(user),
                name=name,
                prefix=secret[: secrets.SHOWN_PREFIX],
                last_four=secret[-4:],
                digest=secrets.digest(secret),
                scope=" ".join(each.value for each in Scope if each in scopes),
                created_at=now,
                expires_at=now + timedelta(days=expires_in_days) if expires_in_days else None,
            )
        return key, secret

    @classmethod
    def _lock_and_check(cls, user: User, now: datetime) -> User:
        """Lock the account's row and check that it may have one more key, also with concurrent requests.

        Raises ApiKeysRequirePaidPlan, ApiKeyLimitReached, NotAllowed if the acting member may not create keys,
        EmailNotConfirmed, and what lock_if_current() raises.
        """
        user.lock_if_current()
        owner = User.objects.select_related("plan", "override").get(pk=user.pk)
        allowed = limits.of_user(owner)
        if not allowed.api_access:
            raise ApiKeysRequirePaidPlan()
        if owner.must_confirm_email:
            raise EmailNotConfirmed()
        if user.acted_by is not None:
            member = Membership.objects.select_for_update(of=("self",)).filter(pk=user.acted_by.pk).first()
            if member is None or not member.may(Role.MEMBER):
                raise NotAllowed()
        if cls.objects.active(now).filter(user=owner).count() >= allowed.api_keys:
            raise ApiKeyLimitReached(
                gettext("Your plan's %(api_keys)s API keys are all in use. Revoke one, or upgrade your plan.")
                % {"api_keys": allowed.api_keys},
                limit=allowed.api_keys,
            )
        return owner

    def move(self, owner: User) -> bool:
        """Move the key, with its text unchanged, to the organisation being acted for. False if it is no longer active.

        Raises what _lock_and_check() raises.
        """
        now = timezone.now()
        with transaction.atomic():
            room = type(self)._lock_and_check(owner, now)
            rows = type(self).objects.active(now).filter(pk=self.pk, user=self.user_id)
            moved = rows.update(user=room, member=owner.acted_by, created_by=_person(owner)) > 0
        if moved:
            self.refresh_from_db()
        return moved

    @classmethod
    def for_secret(cls, secret: str) -> ApiKey | None:
        """The active key with this text, with account, plan, override and member, in one query; None if invalid.

        None, too, while the account of the member who created it is closed: its text is still known there. Once they
        have left, while staff have closed it; whoever closes their own account leaves the key to the organisation.
        """
        if not secrets.is_secret(secret):
            return None
        open_member = Q(member=None) | Q(member__member__is_active=True)
        open_creator = Q(created_by=None) | Q(created_by__is_active=True)
        left = Q(created_by__deletes_at__isnull=False, created_by__kept_closed_at=None)
        alive = cls.objects.active().filter(
            open_member, open_creator | left, digest=secrets.digest(secret), user__is_active=True
        )
        try:  # not first(): an order of at most one row takes a quarter of the query's processor time
            found = alive.select_related("user__plan", "user__override", "member__member").get()
        except cls.DoesNotExist:
            return None
        if found.user.must_confirm_email:
            return None
        if found.member is not None:
            found.member.organisation = found.user  # the same row, which nobody has to ask for again
        found.user.acted_by = found.member
        return found

    @property
    def scopes(self) -> list[str]:
        return self.scope.split()

    @property
    def access(self) -> str:
        """The scopes in words."""
        return str(ACCESS.get(self.scope, self.scope))

    def require(self, scope: Scope) -> None:
        """Raise ScopeMissing unless the key has the scope."""
        if scope not in self.scopes:
            text = gettext("This API key doesn't have the scope “%(scope)s”. Create one that does.")
            raise ScopeMissing(text % {"scope": scope.value}, requiredScope=scope.value)

    def revoke(self) -> None:
        """Revoke the key from the next request on; keeps the time of the first call."""
        type(self).objects.filter(pk=self.pk, revoked_at=None).update(revoked_at=timezone.now())
        self.refresh_from_db(fields=["revoked_at"])

    def record_use(self) -> None:
        """Record when the key was last used, with at most one write a minute."""
        now = timezone.now()
        stale = Q(last_used_at=None) | Q(last_used_at__lte=now - USE_RESOLUTION)
        if self.last_used_at is None or self.last_used_at <= now - USE_RESOLUTION:
            try:
                type(self).objects.filter(stale, pk=self.pk).update(last_used_at=now)
            except DatabaseError as error:
                if not is_full(error):  # on a full disk, requests that only read must still work
                    raise


def _person(owner: User) -> uuid.UUID | None:
    """Who creates a key for this account: the acting member of an organisation."""
    return owner.acted_by.member_id if owner.acted_by is not None else None
