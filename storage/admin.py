"""The admin of stored files (view only)."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from storage.models import StoredFile


class ExpiryFilter(admin.SimpleListFilter):
    title = "expiry"
    parameter_name = "expiry"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("live", "Can be downloaded"), ("expired", "Expired, not yet purged")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[StoredFile]) -> QuerySet[StoredFile]:
        now = timezone.now()
        if self.value() == "live":
            return queryset.filter(expires_at__gt=now)
        if self.value() == "expired":
            return queryset.filter(expires_at__lte=now)
        return queryset


@admin.register(StoredFile)
class StoredFileAdmin(admin.ModelAdmin):
    """Files, view only and without their keys: whoever has the key of a guest's file can download it."""

    exclude = ("key", "claim")
    list_display = ("name", "content_type", "size", "owner", "created_at", "expires_at")
    list_filter = (ExpiryFilter,)
    list_select_related = ("owner",)
    list_per_page = 50
    search_fields = ("=key", "owner__email")
    search_help_text = "A key, or an account's email"

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        # Filtering by the start of a key would reveal it letter by letter.
        return lookup.partition("__")[0] != "key" and super().lookup_allowed(lookup, value, request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: StoredFile | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: StoredFile | None = None) -> bool:
        return False
