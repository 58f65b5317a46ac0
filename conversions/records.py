"""API views of an account's records: its history for people, and the same for keys with the scope `read`."""

from __future__ import annotations

from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from apikeys.access import MayReadConversions, NoApiKeyView
from conversions.models import Conversion
from conversions.receipts.content import receipt_of
from conversions.receipts.views import ReceiptSerializer
from conversions.record_sizes import fitted
from conversions.serializers import ConversionSerializer, HistoryRowSerializer, shown
from conversions.work.parameters import MAX_NAME, NAMED_AMONG, read_history_filter, read_uuid
from errors import AccessDenied, Invalid, NotFound, codes

_FILTERS = [
    OpenApiParameter("slug", str, description="Only this conversion."),
    OpenApiParameter("status", str, enum=["completed", "failed"], description="Only these."),
    OpenApiParameter("from", date, description="From this day (UTC) or time."),
    OpenApiParameter("to", date, description="Until the end of this day (UTC), or until this time."),
    OpenApiParameter(
        "name",
        {"type": "string", "minLength": 1, "maxLength": MAX_NAME},
        description=f"Only files with this text in their name, among the newest {NAMED_AMONG:,}.",
    ),
    OpenApiParameter("page", {"type": "integer", "minimum": 1, "maximum": 10_000_000}, description="From 1."),
    OpenApiParameter(
        "pageSize", {"type": "integer", "minimum": 1, "maximum": 100}, description="1 to 100; default 20."
    ),
]


class _RecordsViewSet(GenericViewSet[Conversion]):
    """The conversions of the account that a request is for; all members of an organisation see all of them."""

    serializer_class = ConversionSerializer

    def get_queryset(self) -> QuerySet[Conversion]:
        return Conversion.objects.filter(owner=self.request.user.pk).select_related("made_by")

    def list(self, request: Request) -> Response:
        """The account's conversions, newest first, failed ones included."""
        self.chosen = read_history_filter(request.query_params)
        page = self.paginate_queryset(self.chosen.apply(self.get_queryset()))
        return self.get_paginated_response(fitted([shown(each) for each in page or ()]))

    def count(self, queryset: QuerySet[Conversion]) -> int:
        return self.chosen.count(self.request.user, queryset)  # type: ignore[arg-type]  # guests are refused before

    def retrieve(self, request: Request, conversion: str) -> Response:
        """One of the account's conversions."""
        return Response(shown(self.found(conversion)))

    def found(self, conversion: str) -> Conversion:
        found = self.get_queryset().filter(pk=read_uuid(conversion)).first()
        if found is None:
            raise NotFound(_("You have no conversion with this ID."))
        return found


_ONE: dict[str, Any] = {
    "parameters": [OpenApiParameter("conversion", UUID, OpenApiParameter.PATH)],
    "tags": ["account"],
}


@extend_schema_view(
    list=extend_schema(
        operation_id="history",
        responses={200: HistoryRowSerializer(many=True)},
        parameters=_FILTERS,
        tags=["account"],
        extensions={"x-errors": codes(Invalid), "x-paged": True},
    ),
    retrieve=extend_schema(operation_id="conversion", **_ONE, extensions={"x-errors": codes(NotFound)}),
)
class HistoryViewSet(NoApiKeyView, _RecordsViewSet):
    """The history, for people only."""


@extend_schema_view(
    list=extend_schema(
        operation_id="list_conversions",
        responses={200: HistoryRowSerializer(many=True)},
        parameters=_FILTERS,
        tags=["account"],
        extensions={"x-errors": codes(Invalid, AccessDenied), "x-paged": True},
    ),
    retrieve=extend_schema(
        operation_id="read_conversion", **_ONE, extensions={"x-errors": codes(NotFound, AccessDenied)}
    ),
)
class RecordsViewSet(_RecordsViewSet):
    """The same records for programs: an API key needs the scope `read`."""

    permission_classes = (MayReadConversions,)

    @extend_schema(
        operation_id="read_receipt",
        **_ONE,
        responses={200: ReceiptSerializer},
        extensions={"x-errors": codes(NotFound, AccessDenied)},
    )
    def receipt(self, request: Request, conversion: str) -> Response:
        """A signed receipt of one of the account's conversions."""
        return Response(receipt_of(self.found(conversion)), headers={"Cache-Control": "private, no-store"})
