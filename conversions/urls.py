"""Routes of conversions under /api/v1: one lookup serves all slugs, and the document lists each."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.urls import URLPattern, path
from django.views.decorators.csrf import csrf_exempt

from accounts.lanes import slow
from conversions.progress.views import ProgressView
from conversions.receipts.views import ReceiptView
from conversions.records import HistoryViewSet, RecordsViewSet
from conversions.schema import documented
from conversions.views import CatalogueViewSet, ConvertViewSet, StatsViewSet, UnknownConvertViewSet
from conversions.work.offer import current
from engine.families.registry import CONVERTERS


def _kind(slug: str) -> type[ConvertViewSet]:
    converter = CONVERTERS[slug]
    name = "".join(part.capitalize() for part in slug.split("-")) + "ViewSet"
    return type(name, (ConvertViewSet,), {"converter": converter, "__doc__": converter.summary})


@functools.cache
def _view(slug: str) -> Any:
    """Created on first request: most processes serve few slugs, and start faster."""
    return _kind(slug).as_view({"post": "create"})


def documented_routes(slugs: Iterable[str]) -> list[URLPattern]:
    """Routes for the OpenAPI document: a literal one for each slug. Not cached, as they take 60 MB."""
    return [
        path(f"converter/{slug}", documented(_kind(slug), CONVERTERS[slug]).as_view({"post": "create"}))
        for slug in slugs
    ]


_describe = CatalogueViewSet.as_view({"get": "describe"})
_unknown = UnknownConvertViewSet.as_view({"post": "create"})


@slow("POST")
@csrf_exempt  # as every API view: its authentication checks the token
def by_slug(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Dispatch to the slug's view: its description for GET, else its conversion, or the view for unknown slugs."""
    if request.method in ("GET", "HEAD"):
        return _describe(request, slug=slug)
    converter = current().resolve(slug)
    response: HttpResponseBase = _view(converter.slug)(request) if converter else _unknown(request, slug=slug)
    return response


urlpatterns = [
    path("converter/conversions", RecordsViewSet.as_view({"get": "list"})),
    path("converter/conversions/<str:conversion>", RecordsViewSet.as_view({"get": "retrieve"})),
    path("converter/conversions/<str:conversion>/receipt", RecordsViewSet.as_view({"get": "receipt"})),
    path("converter/formats", CatalogueViewSet.as_view({"get": "formats"})),
    path("converter/guest-quota", CatalogueViewSet.as_view({"get": "guest_quota"})),
    path("converter/history", HistoryViewSet.as_view({"get": "list"})),
    path("converter/history/<str:conversion>", HistoryViewSet.as_view({"get": "retrieve"})),
    path("converter/history/<str:conversion>/receipt", ReceiptView.as_view()),
    path("converter/progress/<str:id>", ProgressView.as_view()),
    path("converter/stats", StatsViewSet.as_view({"get": "retrieve"})),
    # One lookup instead of trying a route for each slug, which takes longer than authenticating.
    path("converter/<str:slug>", by_slug),
    # For the OpenAPI document.
    path("converter/<str:slug>", _describe),
]
