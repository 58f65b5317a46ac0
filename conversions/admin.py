"""What was converted, and why what failed has failed: to look at, not to change."""

from __future__ import annotations

from django.contrib import admin

from accounts.rights import ReadOnly
from conversions.models import Conversion


@admin.register(Conversion)
class ConversionAdmin(ReadOnly, admin.ModelAdmin):
    list_display = (
        "created_at", "slug", "status", "owner", "plan",
        "input_bytes", "output_bytes", "duration_ms", "credits", "failure",
    )  # fmt: skip
    list_filter = ("status", "plan", "created_at", "slug")
    list_select_related = ("owner",)
    search_fields = ("=id", "owner__email", "error_message")
    ordering = ("-created_at", "-id")
    show_full_result_count = False

    @admin.display(description="reason of failure")
    def failure(self, conversion: Conversion) -> str:
        return f"{conversion.error_code}: {conversion.error_message}" if conversion.error_code else ""
