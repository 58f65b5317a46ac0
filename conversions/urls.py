"""Routes of conversions under /api/v1: a literal one for each slug, all served by one look-up."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from conversions.families.registry import CONVERTERS
from conversions.offer import current
from conversions.progress.views import ProgressView
from conversions.receipts.views import ReceiptView
from conversions.schema import documented
from conversions.views import CatalogueViewSet, ConvertViewSet, HistoryViewSet, StatsViewSet, UnknownConvertViewSet


def _view(slug: str) -> Any:
    converter = CONVERTERS[slug]
    name = "".join(part.capitalize() for part in slug.split("-")) + "ViewSet"
    kind = type(name, (ConvertViewSet,), {"converter": converter, "__doc__": converter.summary})
    return documented(kind, converter).as_view({"post": "create"})


_views = {slug: _view(slug) for slug in CONVERTERS}
_describe = CatalogueViewSet.as_view({"get": "describe"})
_unknown = UnknownConvertViewSet.as_view({"post": "create"})


@csrf_exempt  # as every view of the API: its authentication checks the token
def by_slug(request: HttpRequest, slug: str) -> HttpResponseBase:
    """What the slug that is meant does, for a GET; else its view, or the one that says that there is none."""
    if request.method in ("GET", "HEAD"):
        return _describe(request, slug=slug)
    converter = current().resolve(slug)
    response: HttpResponseBase = _views[converter.slug](request) if converter else _unknown(request, slug=slug)
    return response


urlpatterns = [
    path("converter/formats", CatalogueViewSet.as_view({"get": "formats"})),
    path("converter/guest-quota", CatalogueViewSet.as_view({"get": "guest_quota"})),
    path("converter/history", HistoryViewSet.as_view({"get": "list"})),
    path("converter/history/<str:conversion>", HistoryViewSet.as_view({"get": "retrieve"})),
    path("converter/history/<str:conversion>/receipt", ReceiptView.as_view()),
    path("converter/progress/<str:id>", ProgressView.as_view()),
    path("converter/stats", StatsViewSet.as_view({"get": "retrieve"})),
    # One look-up finds the view: trying the routes below in turn takes longer than finding the account of a key.
    path("converter/<str:slug>", by_slug),
    # What the OpenAPI document lists.
    path("converter/<str:slug>", _describe),
    *(path(f"converter/{slug}", view) for slug, view in _views.items()),
]
