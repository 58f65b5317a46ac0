"""The admin's site, which opens with today's business."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import Any

from django.conf import settings
from django.contrib.admin import AdminSite
from django.db.models import Count, Q, Sum
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils import timezone

from accounts.checks import mails_go_nowhere
from accounts.models import User
from conversions.models import Conversion


def today() -> list[tuple[str, int]]:
    """Conversions, failures, new accounts and credits spent since midnight (UTC)."""
    midnight = datetime.combine(timezone.now().astimezone(UTC).date(), time(tzinfo=UTC))
    work = Conversion.objects.filter(created_at__gte=midnight).aggregate(
        conversions=Count("pk"), failures=Count("pk", filter=Q(status="failed")), credits=Sum("credits")
    )
    return [
        ("Conversions", work["conversions"]),
        ("Failures", work["failures"]),
        ("New accounts", User.objects.filter(created_at__gte=midnight).count()),
        ("Credits spent", work["credits"] or 0),
    ]


class ServiceAdminSite(AdminSite):
    site_header = settings.SERVICE_NAME
    site_title = settings.SERVICE_NAME
    index_title = "Administration"

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        return {**super().each_context(request), "mails_go_nowhere": mails_go_nowhere()}

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        return super().index(request, {"today": today(), **(extra_context or {})})
