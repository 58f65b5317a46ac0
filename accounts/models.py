"""People, plans, logins and credit entries."""

from __future__ import annotations

import uuid
from calendar import monthrange
from datetime import UTC, date, datetime, timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import PermissionsMixin
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import IntegrityError, models
from django.db.models import NOT_PROVIDED, CheckConstraint, F, Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from accounts.errors import InvalidCredentials
from accounts.mailboxes import normal_email
from engine.sandbox.line import MOST_WEIGHT

GUEST, FREE = "guest", "free"

MAX_ENTRY = 10**9
"""The most credits that one ledger entry may add or take; enforced by the database."""
MAX_BALANCE = 10**12
"""The highest balance that an entry may lead to; enforced by the database."""

NOWHERE = "deleted.invalid"
"""The domain of deleted accounts' addresses, which receives no mail (RFC 2606, section 2)."""

_NOT_SAVED = {
    "id", "monthly_credits", "extra_credits", "period", "renewal_day", "failed_on", "failed_ms",
    "limited_failed_ms", "generation", "rehashed_at", "verified_at", "unconfirmed_since",
    "kept_closed_at",
}  # fmt: skip
"""Fields written only by the ledger, the database or dedicated updates: a stale copy must not overwrite them."""


class LastSuperuser(IntegrityError):
    """The last superuser who can log in can't be deactivated, demoted or deleted; enforced by the database."""


def current_period(renewal_day: int | None = None, now: datetime | None = None) -> date:
    """The first day (UTC) of the month of credits that `now` is in; credits are refilled once a month.

    A month begins on `renewal_day`, by default the first, or on the last day of a calendar month that is shorter.
    """
    today, day = (now or timezone.now()).astimezone(UTC).date(), renewal_day or 1
    begins = _on_day(today, day)
    return begins if begins <= today else _on_day(today.replace(day=1) - timedelta(days=1), day)


def next_period(period: date, renewal_day: int | None = None) -> date:
    """The first day of the month of credits after the one that begins on `period`."""
    return _on_day(period.replace(day=1) + timedelta(days=32), renewal_day or 1)


def _on_day(month: date, day: int) -> date:
    return month.replace(day=min(day, monthrange(month.year, month.month)[1]))


def _limit(
    help_text: Any,
    maximum: int,
    *,
    name: Any = None,
    optional: bool = False,
    minimum: int = 0,
    default: Any = NOT_PROVIDED,
) -> Any:
    return models.PositiveBigIntegerField(
        name,
        null=optional,
        blank=optional,
        default=default,
        help_text=help_text,
        validators=[MinValueValidator(minimum), MaxValueValidator(maximum)],
    )


def _failed_work() -> tuple[Any, Any]:
    # Null for none: to add a column that is never null, SQLite would rebuild the table and lose its triggers.
    return models.DateField(
        null=True, editable=False, help_text=_("The day (UTC) of the failed conversions counted here.")
    ), models.PositiveBigIntegerField(
        null=True, editable=False, help_text=_("Processor time used by failed conversions that day, in milliseconds.")
    )


class Plan(models.Model):
    """The limits and features of an account or a guest; staff edit the numbers."""

    code = models.SlugField(max_length=30, unique=True, help_text=_("Lower case. `guest` and `free` are built in."))
    name = models.CharField(max_length=50)
    position = models.PositiveSmallIntegerField(default=0, help_text=_("Position in the pricing table."))
    credits = _limit(_("Credits per month; for guests, conversions per day."), 10**9)
    api_access = models.BooleanField(_("API access"), default=False)
    api_keys = _limit(_("Maximum number of active API keys."), 10_000, name=_("API keys"))
    max_file_bytes = _limit(_("Largest upload, in bytes (1 MB is 1,000,000)."), 10**12, minimum=1)
    requests_per_minute = _limit(_("Conversion requests per minute."), 10**6, minimum=1)
    concurrent_jobs = _limit(_("Concurrent conversions."), 1000, minimum=1)
    retention_hours = _limit(_("Hours to keep converted files."), 24 * 3650, minimum=1)
    failed_seconds = _limit(
        _("Processor time per day for failed conversions, in seconds."), 10**6, minimum=1, default=600
    )
    stored_bytes = _limit(
        _("Storage for results, in bytes. Guests in a network of 256 addresses share it."),
        10**15,
        minimum=1,
        default=10 * 10**9,
    )
    weight = models.PositiveSmallIntegerField(
        default=1,
        help_text=_(
            "Share of processor time when conversions queue. A plan with 2 gets twice as much as a plan with 1."
        ),
        validators=[MinValueValidator(1), MaxValueValidator(MOST_WEIGHT)],
    )
    description = models.CharField(max_length=200, blank=True, help_text=_("Who it is for, in one sentence."))
    recommended = models.BooleanField(default=False, help_text=_("Highlight on the plans page."))
    offer_version = models.PositiveBigIntegerField(
        default=0,
        editable=False,
        help_text=_("Version of the price list: incremented in all plans when prices change."),
    )

    class Meta:
        ordering = ["position"]
        constraints: ClassVar = [
            CheckConstraint(
                name="plan_limits_positive",
                condition=Q(max_file_bytes__gte=1, requests_per_minute__gte=1, concurrent_jobs__gte=1)
                & Q(retention_hours__gte=1),
            ),
            CheckConstraint(
                name="plan_weight", condition=Q(weight__gte=1, weight__lte=MOST_WEIGHT, stored_bytes__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save the plan; an existing one without `version`, which a stale copy must not reset."""
        if self._state.adding:
            self.offer_version = Plan.objects.aggregate(newest=models.Max("offer_version"))["newest"] or 0
        elif not args and kwargs.get("update_fields") is None:
            kwargs["update_fields"] = {each.name for each in self._meta.concrete_fields} - {"id", "offer_version"}
        super().save(*args, **kwargs)


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Create an account, by default on the Free plan; its first use fills its credits."""
        if "plan" not in fields:
            fields["plan"] = Plan.objects.get(code=FREE)
        required = settings.EMAIL_VERIFICATION == "required"
        fields.setdefault("unconfirmed_since", timezone.now() if required else None)
        user = User(email=normal_email(email), **fields)
        user.set_password(password)
        user.save(force_insert=True, using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        fields = {"unconfirmed_since": None, **fields}
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def lock(self, *, pk: uuid.UUID) -> User:
        """Lock an account's row until the caller's transaction ends, and read it with its plan and its own limits.

        In two queries: after waiting for the row, PostgreSQL compares it with the plan it joined before, and finds
        nothing if the plan was changed meanwhile. Raises DoesNotExist.
        """
        self.select_for_update().only("pk").get(pk=pk)
        return self.select_related("plan", "override").get(pk=pk)

    def known_email(self, email: str) -> str:
        """The spelling that an account has of this address, by default the normal one.

        Two accounts from before all spellings of a domain were one keep both, and each is found by its own.
        """
        spelled, normal = email.strip().lower(), normal_email(email)
        return spelled if spelled != normal and self.filter(email=spelled).exists() else normal

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email=self.known_email(username or ""))


class User(AbstractBaseUser, PermissionsMixin):
    """An account. Its balance is `monthly_credits` (refilled each period) plus `extra_credits` (kept until used)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(max_length=254, unique=True)
    name = models.CharField(max_length=100, blank=True)
    plan = models.ForeignKey(Plan, on_delete=models.PROTECT, related_name="users")
    monthly_credits = models.BigIntegerField(default=0, editable=False)
    extra_credits = models.BigIntegerField(default=0, editable=False)
    period = models.DateField(
        default=date(1970, 1, 1), editable=False, help_text=_("First day of the month of the last top-up.")
    )
    # Null for the first: to add a column that is never null, SQLite would rebuild the table and lose its triggers.
    renewal_day = models.PositiveSmallIntegerField(
        null=True,
        editable=False,
        help_text=_("Day of the month when credits renew: the day of the last purchase. Empty for the first."),
    )
    failed_on, failed_ms = _failed_work()
    limited_failed_ms = models.PositiveBigIntegerField(
        null=True, editable=False, help_text=_("Processor time used by failed conversions that day, in milliseconds.")
    )
    """The part of an organisation's `failed_ms` that members with a monthly limit have used."""
    is_active = models.BooleanField(_("active"), default=True)
    is_staff = models.BooleanField(_("staff"), default=False, help_text=_("Can use the admin."))
    generation = models.PositiveBigIntegerField(
        default=0,
        editable=False,
        help_text=_("Incremented when all logins end. Logins with a lower number are no longer valid."),
    )
    rehashed_at = models.DateTimeField(
        null=True, editable=False, help_text=_("When the same password was last rehashed. Logins stay valid.")
    )
    verified_at = models.DateTimeField(
        null=True, editable=False, help_text=_("When the address was confirmed with an emailed link.")
    )
    unconfirmed_since = models.DateTimeField(
        null=True, editable=False, help_text=_("Monthly credits and keys are available once the address is confirmed.")
    )
    deletes_at = models.DateTimeField(
        null=True,
        editable=False,
        help_text=_("When a closed account will be deleted."),
    )
    kept_closed_at = models.DateTimeField(
        null=True,
        editable=False,
        help_text=_("When staff decided that its owner can't restore the closed account."),
    )
    language = models.CharField(
        max_length=10,
        null=True,
        editable=False,
        help_text=_("Language of pages and emails. Leave empty to use the browser's."),
    )
    # No constraint: to drop the column, SQLite would rebuild the table and lose its triggers.
    founder = models.ForeignKey(
        "self", null=True, editable=False, on_delete=models.PROTECT, related_name="founded",
        db_constraint=False, db_index=False,
        help_text=_("Who created the organisation. Nobody can log in as an organisation's account."),
    )  # fmt: skip
    created_at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)

    _password: str | None  # Django's, between set_password() and save()
    acted_by: Membership | None = None
    """The membership through which an organisation's account is used; None for its own keys, and for people."""

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
        # Partial indexes for the few rows that staff search for.
        indexes: ClassVar = [
            models.Index(fields=["-created_at"], name="user_staff", condition=Q(is_staff=True)),
            models.Index(fields=["-created_at"], name="user_closed", condition=Q(is_active=False)),
            models.Index(fields=["founder"], name="user_founded", condition=Q(founder__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.name if self.is_organisation else self.email

    @property
    def is_organisation(self) -> bool:
        return self.founder_id is not None

    @property
    def display_name(self) -> str:
        """The name that other members of an organisation see."""
        return str(_("A former member")) if self.email.endswith(f"@{NOWHERE}") else self.name or self.email

    @property
    def credits(self) -> int:
        return self.monthly_credits + self.extra_credits

    @property
    def current_period(self) -> date:
        """The first day (UTC) of the account's current month of credits."""
        return current_period(self.renewal_day)

    @property
    def must_confirm_email(self) -> bool:
        """Whether the address must be confirmed first; until then no log-in, credits or keys."""
        return self.unconfirmed_since is not None and settings.EMAIL_VERIFICATION == "required"

    @property
    def is_restorable(self) -> bool:
        """Whether the account is deactivated and can still be restored."""
        due = self.deletes_at if not self.is_active and self.kept_closed_at is None else None
        return due is not None and due > timezone.now()

    @property
    def is_closed_by_staff(self) -> bool:
        """Whether the account is deactivated, and not by its owner alone."""
        return not self.is_active and (self.deletes_at is None or self.kept_closed_at is not None)

    def clean(self) -> None:
        super().clean()
        self.email = User.objects.known_email(self.email)

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save the account; an existing one without its balance, which only the ledger writes.

        After set_password(), only the password unless `update_fields` says more: the copy is as old as the form, and
        Django's command `changepassword` even waits for somebody to type. Raises LastSuperuser.
        """
        new = self._state.adding
        if not new and not args and kwargs.get("update_fields") is None and not kwargs.get("force_insert"):
            names = {each.name for each in self._meta.concrete_fields if each.attname not in self.get_deferred_fields()}
            kwargs["update_fields"] = names - _NOT_SAVED if self._password is None else {"password"}
        written = kwargs.get("update_fields") or ()
        if self.is_active and (self.deletes_at or self.kept_closed_at) and "is_active" in written:
            # A reactivated account is not deleted.
            self.deletes_at = self.kept_closed_at = None
            kwargs["update_fields"] = {*written, "deletes_at", "kept_closed_at"}
        try:
            super().save(*args, **kwargs)
        except IntegrityError as error:
            if "last superuser" in str(error):
                raise LastSuperuser("This is the last superuser who can log in. Make another one first.") from error
            raise
        if not new and {"password", "is_active"} & set(kwargs.get("update_fields") or ()):
            self.refresh_from_db(fields=["generation"])

    def lock_if_current(self) -> None:
        """Lock the account's row until the caller's transaction ends; call it before adding another way to log in.

        Raises InvalidCredentials if all logins have ended since this copy was read: a request that began before that
        must not open a way back in.
        """
        if not User.objects.select_for_update().filter(pk=self.pk, generation=self.generation, is_active=True).first():
            raise InvalidCredentials(str(_("Your session has ended. Log in again.")))

    def check_password(self, raw_password: str | None) -> bool:
        """Whether this is the account's password; called only by the backend, which counts the attempt first."""
        return check_password(raw_password, self.password, self._rehash)

    def _rehash(self, raw_password: str) -> None:
        """Rehash the password with the current parameters; keeps logins, and a concurrent change."""
        hashed = make_password(raw_password)
        User.objects.filter(pk=self.pk, password=self.password).update(password=hashed, rehashed_at=timezone.now())
        self.password = hashed

    def _get_session_auth_hash(self, secret: str | bytes | None = None) -> str:
        # Not derived from the password's hash, as in Django: rehashing would end sessions, deactivation would not.
        generation = f"{self.pk}:{self.generation}"
        return salted_hmac("accounts.sessions", generation, secret=secret, algorithm="sha256").hexdigest()

    def get_short_name(self) -> str:
        return self.name or self.email.partition("@")[0]


class Role(models.TextChoices):
    """A member's role; each role includes the ones below it."""

    OWNER = "owner", _("Owner")
    MEMBER = "member", _("Member")
    VIEWER = "viewer", _("Viewer")

    def covers(self, least: Role) -> bool:
        order = list(Role)
        return order.index(self) <= order.index(least)


class Membership(models.Model):
    """A person's membership, and the organisation's credits they have used in `period`.

    The database keeps at least one owner in every active organisation.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    organisation = models.ForeignKey(User, on_delete=models.CASCADE, related_name="members", db_index=False)
    member = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices)
    monthly_credits = _limit(_("Organisation credits that the member can use per month."), 10**9, optional=True)
    used = models.PositiveBigIntegerField(default=0, editable=False)
    period = models.DateField(default=date(1970, 1, 1), editable=False, help_text=_("The month of this usage."))
    failed_on, failed_ms = _failed_work()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["created_at", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="membership_once", fields=["organisation", "member"]),
            CheckConstraint(name="membership_role", condition=Q(role__in=Role.values)),
            CheckConstraint(name="membership_of_another", condition=~Q(organisation=F("member"))),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.id}"

    def may(self, least: Role) -> bool:
        return Role(self.role).covers(least)

    @property
    def used_now(self) -> int:
        """Organisation credits that the member has used in the organisation's current month."""
        return self.used if self.period >= self.organisation.current_period else 0

    @property
    def left(self) -> int | None:
        """Organisation credits left for the member this month; None for no limit."""
        return None if self.monthly_credits is None else max(0, self.monthly_credits - self.used_now)


class LimitOverride(models.Model):
    """Limits of one account that differ from its plan's; empty fields use the plan's."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="override", primary_key=True)
    credits = _limit(_("Credits per month."), 10**9, optional=True)
    api_access = models.BooleanField(_("API access"), null=True, blank=True)
    api_keys = _limit(_("Maximum number of active API keys."), 10_000, name=_("API keys"), optional=True)
    max_file_bytes = _limit(_("Largest upload, in bytes."), 10**12, optional=True, minimum=1)
    requests_per_minute = _limit(_("Conversion requests per minute."), 10**6, optional=True, minimum=1)
    concurrent_jobs = _limit(_("Concurrent conversions."), 1000, optional=True, minimum=1)
    retention_hours = _limit(_("Hours to keep converted files."), 24 * 3650, optional=True, minimum=1)
    failed_seconds = _limit(
        _("Processor time per day for failed conversions, in seconds."), 10**6, optional=True, minimum=1
    )
    stored_bytes = _limit(_("Storage for results, in bytes."), 10**15, optional=True, minimum=1)
    note = models.CharField(max_length=200, blank=True, help_text=_("Why this account has its own limits."))

    def __str__(self) -> str:
        return f"Limits of {self.user_id}"


class CreditEntry(models.Model):
    """One credit movement; entries can only be added, which the database enforces."""

    class Kind(models.TextChoices):
        TOP_UP = "top_up", _("Monthly top-up")
        CONVERSION = "conversion", _("Conversion")
        GRANT = "grant", _("Granted by staff")
        PLAN_CHANGE = "plan_change", _("Plan change")
        PURCHASE = "purchase", _("Bought")
        REFUND = "refund", _("Refunded")

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="entries")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    amount = models.BigIntegerField()
    balance = models.BigIntegerField(help_text=_("The account's credits after this entry."))
    reason = models.CharField(max_length=200, blank=True)
    reference = models.UUIDField(null=True, blank=True, help_text=_("The conversion paid for."))
    actor = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    token = models.UUIDField(
        null=True, editable=False, help_text=_("ID of the form, so that it takes effect only once.")
    )
    forgiven = models.BigIntegerField(
        null=True,
        editable=False,
        help_text=_(
            "Credits that a downgrade could not take back because they were spent; negative if a "
            "later upgrade settled them."
        ),
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = _("credit entries")
        indexes: ClassVar = [
            models.Index(fields=["user", "-id"], name="credit_user_newest"),
            models.Index(fields=["created_at"], name="credit_by_time"),
            models.Index(fields=["kind", "-id"], name="credit_not_spent", condition=~Q(kind="conversion")),
        ]
        constraints: ClassVar = [
            CheckConstraint(name="credit_balance_not_negative", condition=Q(balance__gte=0)),
            models.UniqueConstraint(
                name="credit_once_per_conversion", fields=["reference"], condition=Q(kind="conversion")
            ),
            models.UniqueConstraint(
                name="credit_once_per_form", fields=["user", "token"], condition=Q(token__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount:+d}"


class GuestDay(models.Model):
    """One guest's usage on one day: conversions and failed work; the guest is a keyed hash of an address."""

    guest = models.CharField(max_length=64)
    day = models.DateField()
    used = models.PositiveIntegerField(default=0)
    failed_ms = models.PositiveBigIntegerField(
        db_default=0, help_text=_("Processor time used by failed conversions, in milliseconds.")
    )

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(name="guest_once_a_day", fields=["day", "guest"])]

    def __str__(self) -> str:
        return f"{self.day}: {self.used}"


class Login(models.Model):
    """One login, with its only valid refresh token; access tokens carry its id."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="logins")
    token = models.CharField(max_length=64, help_text=_("The `jti` of the refresh token that can be used next."))
    generation = models.PositiveBigIntegerField(
        default=0, help_text=_("The account's number at login. If it has changed, the login has ended.")
    )
    device = models.CharField(max_length=60, blank=True, help_text=_("The User-Agent header at login."))
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


class SpentToken(models.Model):
    """A recently exchanged refresh token: repeated so soon it is a retry, not theft."""

    token = models.CharField(max_length=64, primary_key=True, help_text=_("The `jti` of the refresh token."))
    login = models.ForeignKey(Login, on_delete=models.CASCADE, related_name="spent")
    used_at = models.DateTimeField(help_text=_("By the database's clock."))

    def __str__(self) -> str:
        return self.token


class Figure(models.Model):
    """A daily figure, in rows that add up to it (see accounts.credits.figures)."""

    SHARDS: ClassVar = 8

    day = models.DateField()
    name = models.CharField(max_length=40)
    shard = models.PositiveSmallIntegerField(default=0)
    number = models.BigIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(name="figure_once", fields=["day", "name", "shard"])]

    def __str__(self) -> str:
        return f"{self.day} {self.name}"


class Note(models.Model):
    """A staff member's note about an account; deleted with the account."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notes")
    text = models.TextField(max_length=2000)
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"Note of {self.created_at:%Y-%m-%d}"
