"""Prices, purchases, and the events behind them."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.db.models import CheckConstraint, F, Q
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from accounts.currencies import formatted
from accounts.models import MAX_ENTRY, Plan

_CURRENCY = RegexValidator(r"\A[A-Z]{3}\Z", _("Three capital letters, such as EUR."))


def money(amount: int, currency: str) -> str:
    """A formatted price; 0 means price on request."""
    if not amount:
        return gettext("On request")
    return f"{formatted(amount, currency)} {currency}"


def _pack(name: str, credits: int, price: str) -> str:
    number = f"{credits:,}" if get_language() == settings.LANGUAGE_CODE else number_format(credits, force_grouping=True)
    return gettext("%(name)s: %(credits)s credits, %(price)s") % {"name": name, "credits": number, "price": price}


class Sold(models.Model):
    """Something with a price, in the smallest unit of its currency: 900 EUR are 9.00 euros."""

    amount = models.PositiveIntegerField(
        help_text=_("In the currency's smallest unit: 900 for 9.00. 0 is shown as “On request”.")
    )
    currency = models.CharField(max_length=3, default="EUR", validators=[_CURRENCY])
    provider_price = models.CharField(
        max_length=100, blank=True, help_text=_("The provider's name for this price, such as Stripe's `price_...`.")
    )
    checkout_url = models.URLField(blank=True, help_text=_("An external page that sells it. The button links to it."))

    class Meta:
        abstract = True

    @property
    def money(self) -> str:
        return money(self.amount, self.currency)


class PlanPrice(Sold):
    """A plan's price for a month or a year."""

    class Period(models.TextChoices):
        MONTH = "month", _("a month")
        YEAR = "year", _("a year")

    plan = models.ForeignKey(Plan, on_delete=models.CASCADE, related_name="prices")
    period = models.CharField(max_length=5, choices=Period.choices, default=Period.MONTH)

    class Meta:
        ordering = ["plan__position", "period"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="plan_price_once", fields=["plan", "period"]),
            models.UniqueConstraint(
                name="plan_price_of_provider", fields=["provider_price"], condition=~Q(provider_price="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.plan}, {self.money} {self.get_period_display()}"


class CreditPack(Sold):
    """Credits bought once and kept until used."""

    name = models.CharField(max_length=50)
    credits = models.PositiveIntegerField(validators=[MinValueValidator(1)])
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position"]
        constraints: ClassVar = [
            CheckConstraint(name="credit_pack_credits", condition=Q(credits__gte=1, credits__lte=MAX_ENTRY)),
        ]

    def __str__(self) -> str:
        return _pack(self.name, self.credits, self.money)


class Customer(models.Model):
    """A customer at a provider; `user` is null until an event names the account."""

    provider = models.CharField(max_length=20)
    reference = models.CharField(max_length=100)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="customers")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(name="customer_once", fields=["provider", "reference"])]

    def __str__(self) -> str:
        return self.reference


class Standing(models.Model):
    """What an account has bought, derived from its events, and how many of its credits are in the ledger."""

    class Status(models.TextChoices):
        NONE = "none", _("No subscription")
        ACTIVE = "active", _("Paid")
        PAST_DUE = "past_due", _("Past due")
        UNPAID = "unpaid", _("Ended without payment")
        ENDING = "ending", _("Ends after the current period")

    OWING = (Status.PAST_DUE, Status.UNPAID)
    """States with a payment due, which every page shows to the customer."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, primary_key=True)
    plan = models.ForeignKey(Plan, null=True, on_delete=models.PROTECT, related_name="+")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.NONE)
    period_end = models.DateTimeField(null=True, help_text=_("When the current period ends, even if unpaid."))
    paid_until = models.DateTimeField(
        null=True, help_text=_("End of the paid period. Empty if the provider has no periods.")
    )
    month_paid_at = models.DateTimeField(null=True, help_text=_("The payment that this month's credits came from."))
    ends_at = models.DateTimeField(
        null=True,
        db_index=True,
        help_text=_("When the plan ends unless another event arrives: the end of the grace period, or of the period."),
    )
    credits = models.BigIntegerField(default=0, help_text=_("Amount bought minus refunds, as in the ledger."))
    charged = models.PositiveSmallIntegerField(
        db_default=0, help_text=_("Subscriptions that will be charged again. There should be at most one.")
    )

    class Meta:
        indexes: ClassVar = [models.Index(fields=["charged"], name="standing_charged", condition=Q(charged__gt=1))]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_status_display()}"


class OpenCheckout(models.Model):
    """The last checkout of a plan that an account opened at a provider; the provider knows whether it is still open.

    `token` identifies the request that creates it, `reference` is the provider's id for it, once known.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, primary_key=True, related_name="+")
    price = models.CharField(max_length=100, help_text=_("The provider's ID for the purchase."))
    token = models.UUIDField()
    reference = models.CharField(max_length=255, blank=True)

    def __str__(self) -> str:
        return self.reference


class Event(models.Model):
    """A provider's event, stored once; `facts` is the part that matters here, `outcome` what it changed."""

    provider = models.CharField(max_length=20)
    reference = models.CharField(
        max_length=100, help_text=_("The provider's event ID, so that each event takes effect once.")
    )
    kind = models.CharField(max_length=60, help_text=_("The provider's name for it."))
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    customer = models.ForeignKey(Customer, null=True, on_delete=models.PROTECT, related_name="events")
    occurred_at = models.DateTimeField()
    received_at = models.DateTimeField(default=timezone.now, db_index=True)
    facts = models.JSONField(default=dict)
    amount = models.BigIntegerField(default=0, help_text=_("Payment or refund, in the currency's smallest unit."))
    currency = models.CharField(max_length=3, blank=True)
    outcome = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["-received_at", "-id"]
        indexes: ClassVar = [models.Index(fields=["user", "occurred_at"], name="event_of_account")]
        constraints: ClassVar = [models.UniqueConstraint(name="event_once", fields=["provider", "reference"])]

    def __str__(self) -> str:
        return f"{self.kind} {self.reference}"


class Order(models.Model):
    """A customer's order for staff: a plan or a pack; decided once. `language` is that of the page it was placed on."""

    class State(models.TextChoices):
        OPEN = "open"
        APPROVED = "approved"
        DECLINED = "declined"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="orders")
    price = models.ForeignKey(PlanPrice, null=True, on_delete=models.PROTECT, related_name="+")
    pack = models.ForeignKey(CreditPack, null=True, on_delete=models.PROTECT, related_name="+")
    cancels = models.BooleanField(default=False, help_text=_("A request to end the current plan."))
    amount = models.PositiveIntegerField(default=0, help_text=_("The price version when it was ordered."))
    currency = models.CharField(max_length=3, blank=True)
    credits = models.PositiveIntegerField(default=0, help_text=_("The pack's credits when it was ordered."))
    language = models.CharField(max_length=10, blank=True, editable=False)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    decided_at = models.DateTimeField(null=True, editable=False)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-created_at"]
        constraints: ClassVar = [
            CheckConstraint(
                name="order_of_one_thing",
                condition=Q(price__isnull=False, pack__isnull=True, cancels=False)
                | Q(price__isnull=True, pack__isnull=False, cancels=False)
                | Q(price__isnull=True, pack__isnull=True, cancels=True),
            ),
            CheckConstraint(
                name="order_decided",
                condition=Q(state="open", decided_at__isnull=True)
                | (~Q(state="open") & Q(decided_at__gte=F("created_at"))),
            ),
            models.UniqueConstraint(name="order_plan_once", fields=["user", "price"], condition=Q(state="open")),
            models.UniqueConstraint(name="order_pack_once", fields=["user", "pack"], condition=Q(state="open")),
            models.UniqueConstraint(name="order_end_once", fields=["user"], condition=Q(state="open", cancels=True)),
        ]

    def __str__(self) -> str:
        if self.price:
            return f"{self.price.plan}, {money(self.amount, self.currency)} {self.price.get_period_display()}"
        if self.pack:
            return _pack(self.pack.name, self.credits, money(self.amount, self.currency))
        return gettext("Cancellation of the plan")
