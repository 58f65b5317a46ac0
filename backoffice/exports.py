"""CSV export of admin lists: the filtered rows, with spreadsheet formulas escaped."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import label_for_field, lookup_field
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.html import strip_tags
from django.views.decorators.http import require_POST

from backoffice import audit
from backoffice.models import AuditEntry
from conversions.work import extracts
from engine.toolkit.formulas import guarded


class Exported(admin.ModelAdmin):
    """Mixin of every admin: a button that exports the list, for those who may view it."""

    def get_urls(self) -> list[Any]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_export"
        return [path("export/", self.admin_site.admin_view(self.export), name=name), *super().get_urls()]

    @method_decorator(require_POST)
    def export(self, request: HttpRequest) -> HttpResponseBase:
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        try:
            listed = self.get_changelist_instance(request)
        except IncorrectLookupParameters:
            name = f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"
            return HttpResponseRedirect(reverse(name))
        with transaction.atomic():
            audit.record(request, AuditEntry.Action.EXPORT, model=self.model, details={"filters": request.GET.dict()})
        first = listed.get_ordering(request, listed.queryset)[0]
        columns = [str(each) for each in listed.list_display if each != "action_checkbox"]
        response = StreamingHttpResponse(
            self._lines(listed, columns, str(first)), content_type="text/csv; charset=utf-8"
        )
        response["Content-Disposition"] = f'attachment; filename="{self.opts.model_name}.csv"'
        return response

    def _lines(self, listed: Any, columns: list[str], first: str) -> Iterator[str]:
        line = extracts.line_writer()
        heads = [str(label_for_field(each, self.model, model_admin=self)) for each in columns]
        yield line(["id", *heads])
        for row in extracts.pages(listed.queryset, first):
            cells = [str(row.pk), *(self._cell(each, row) for each in columns)]
            yield line(guarded([each.replace("\0", "\ufffd") for each in cells], escape=True)[0])

    def _cell(self, column: str, row: Any) -> str:
        try:
            _, _, value = lookup_field(column, row, self)
        except ObjectDoesNotExist:
            return ""
        return written(value)


def written(value: Any) -> str:
    """A value for programs: ISO 8601 times (UTC), empty for None, no markup."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return strip_tags(str(value)) if hasattr(value, "__html__") else str(value)
