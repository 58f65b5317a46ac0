"""The admin of conversions (view only), prices and restrictions."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Plan
from accounts.people.rights import ReadOnly, of_customers_or_nobody
from conversions.models import Conversion, Price, Restriction, Scope
from conversions.work.offer import current
from conversions.work.rules import PriceForm, RestrictionForm


class PlanFilter(admin.SimpleListFilter):
    """Lists all plans: finding those in use would run a query for each."""

    title = "plan"
    parameter_name = "plan"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [(plan.code, plan.name) for plan in Plan.objects.all()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Conversion]) -> QuerySet[Conversion]:
        return queryset.filter(plan=self.value()) if self.value() else queryset


@admin.register(Conversion)
class ConversionAdmin(ReadOnly, admin.ModelAdmin):
    """Conversions, view only and without file keys: whoever has the key of a guest's file can download it."""

    exclude = ("file_key",)
    list_display = (
        "created_at", "failure", "status", "plan", "slug", "account", "input_name",
        "input_bytes", "output_bytes", "duration_ms", "credits",
    )  # fmt: skip
    list_filter = ("status", PlanFilter, "created_at")
    list_select_related = ("owner",)
    search_fields = ("=id", "=slug", "^input_name", "owner__email")
    search_help_text = _("ID, slug, account email, or start of a file name")
    ordering = ("-created_at", "-id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Conversion]:
        return of_customers_or_nobody(request, super().get_queryset(request), "owner")

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        # Filtering by the start of a key would reveal it letter by letter.
        return lookup.partition("__")[0] != "file_key" and super().lookup_allowed(lookup, value, request)

    @admin.display(description=_("reason of failure"))
    def failure(self, conversion: Conversion) -> str:
        return f"{conversion.error_code}: {conversion.error_message}" if conversion.error_code else ""

    @admin.display(description=_("account"))
    def account(self, conversion: Conversion) -> str:
        if conversion.owner is None:
            return gettext("Guest")
        path = reverse("admin:accounts_user_change", args=[conversion.owner_id])
        return format_html('<a href="{}">{}</a>', path, conversion.owner)


@admin.register(Price)
class PriceAdmin(admin.ModelAdmin):
    """Prices in credits; the narrowest rule that matches a conversion applies."""

    form = PriceForm
    list_display = ("__str__", "scope", "credits", "per_minute", "conversions")
    list_editable = ("credits", "per_minute")
    list_filter = ("scope",)
    search_fields = ("name",)

    @admin.display(description=_("conversions at this price"))
    def conversions(self, price: Price) -> int:
        found = current()
        return sum(found.sources[slug] == (price.scope, price.name) for slug in found.converters)

    def has_delete_permission(self, request: HttpRequest, obj: Price | None = None) -> bool:
        # The rule for everything else must stay.
        return (obj is None or obj.scope != Scope.ALL) and super().has_delete_permission(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Price]) -> None:
        queryset.exclude(scope=Scope.ALL).delete()


@admin.register(Restriction)
class RestrictionAdmin(admin.ModelAdmin):
    """Conversions that are switched off or limited to some plans."""

    form = RestrictionForm
    list_display = ("name", "scope", "holds")
    list_filter: ClassVar = ["scope", "plan"]
    list_select_related = ("plan",)
    search_fields = ("name",)

    @admin.display(description=_("offered"))
    def holds(self, restriction: Restriction) -> str:
        return gettext("only on %(plan)s") % {"plan": restriction.plan} if restriction.plan else gettext("to nobody")
