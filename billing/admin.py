"""The admin of billing: prices, credit packs, orders to decide, and events with their effects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.currencies import formatted
from accounts.models import User
from accounts.people.rights import ReadOnly, of_customers, of_customers_or_nobody
from billing.models import CreditPack, Event, Order, PlanPrice, Standing, money
from billing.prices import ListedPriceForm, PriceForm
from billing.providers import manual


@admin.register(PlanPrice)
class PlanPriceAdmin(admin.ModelAdmin):
    form = PriceForm
    list_display = ("plan", "period", "amount", "currency", "provider_price", "checkout_url")
    list_editable = ("amount", "currency", "provider_price")
    list_select_related = ("plan",)
    few_rows = True

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> type[PriceForm]:
        return ListedPriceForm


@admin.register(CreditPack)
class CreditPackAdmin(admin.ModelAdmin):
    form = PriceForm
    list_display = ("name", "credits", "price", "position")

    @admin.display(description=_("Price"), ordering="amount")
    def price(self, pack: CreditPack) -> str:
        return pack.money


@admin.register(Order)
class OrderAdmin(ReadOnly, admin.ModelAdmin):
    """Orders to view, and to approve or decline once."""

    list_display = ("created_at", "user", "__str__", "state", "asked", "decided_at", "decided_by")
    list_display_links = None
    list_filter = ("state", "created_at")
    list_select_related = ("user", "price__plan", "pack", "decided_by")
    search_fields = ("user__email",)
    actions = ("approve", "decline")

    # Not `price`: the field of that name, which packs leave empty, would be shown.
    @admin.display(description=_("Price"), ordering="amount")
    def asked(self, order: Order) -> str:
        return money(order.amount, order.currency) if order.currency else ""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Order]:
        return of_customers(request, super().get_queryset(request), "user__")

    def has_decide_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("billing.change_order"))

    @admin.action(description=_("Approve"), permissions=["decide"])
    def approve(self, request: HttpRequest, orders: QuerySet[Order]) -> None:
        self._decide(request, orders, lambda order, actor: manual.approve(order, actor=actor) is not None, "Approved")

    @admin.action(description=_("Decline"), permissions=["decide"])
    def decline(self, request: HttpRequest, orders: QuerySet[Order]) -> None:
        self._decide(request, orders, lambda order, actor: manual.decline(order, actor=actor), "Declined")

    def _decide(
        self, request: HttpRequest, orders: QuerySet[Order], how: Callable[[Order, User], bool], word: str
    ) -> None:
        assert isinstance(request.user, User)  # the admin requires a log-in
        for order in orders.select_related("user", "price__plan", "pack"):
            if how(order, request.user):
                self.log_change(request, order, f"{word}: {order}")
                self.message_user(
                    request,
                    gettext("%(word)s: %(order)s for %(user)s.") % {"word": word, "order": order, "user": order.user},
                )
            else:
                self.message_user(
                    request,
                    gettext("%(order)s for %(user)s has already been processed.")
                    % {"order": order, "user": order.user},
                    messages.WARNING,
                )


@admin.register(Event)
class EventAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("received_at", "occurred_at", "kind", "user", "outcome", "payment", "reference")
    list_filter = ("provider", "kind", "received_at")
    list_select_related = ("user",)
    search_fields = ("=reference", "user__email", "customer__reference")
    show_full_result_count = False

    @admin.display(description=_("Payment"), ordering="amount")
    def payment(self, event: Event) -> str:
        return f"{formatted(event.amount, event.currency)} {event.currency}" if event.amount else ""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        # Events without an account stay visible, for staff to resolve.
        return of_customers_or_nobody(request, super().get_queryset(request), "user")


@admin.register(Standing)
class StandingAdmin(ReadOnly, admin.ModelAdmin):
    """What each account has bought."""

    list_display = ("user", "plan", "status", "period_end", "ends_at", "credits", "charged")
    list_filter = ("status", "plan")
    list_select_related = ("user", "plan")
    search_fields = ("user__email",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Standing]:
        return of_customers(request, super().get_queryset(request), "user__")
