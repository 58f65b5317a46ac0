"""Routes of conversions under /api/v1: one look-up serves every slug, and the document lists each of them."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.urls import URLPattern, path
from django.views.decorators.csrf import csrf_exempt

from conversions.families.registry import CONVERTERS
from conversions.offer import current
from conversions.progress.views import ProgressView
from conversions.receipts.views import ReceiptView
from conversions.schema import documented
from conversions.views import CatalogueViewSet, ConvertViewSet, HistoryViewSet, StatsViewSet, UnknownConvertViewSet


def _kind(slug: str) -> type[ConvertViewSet]:
    converter = CONVERTERS[slug]
    name = "".join(part.capitalize() for part in slug.split("-")) + "ViewSet"
    return type(name, (ConvertViewSet,), {"converter": converter, "__doc__": converter.summary})


@functools.cache
def _view(slug: str) -> Any:
    """Made by the first request: most processes serve a few of the slugs, and are started faster without them."""
    return _kind(slug).as_view({"post": "create"})


def documented_routes(slugs: Iterable[str]) -> list[URLPattern]:
    """What the OpenAPI document lists of conversions: a literal route for each slug, to a view with its operation.

    Made anew by each call: those of all slugs take 60 MB, which are not for every process to keep.
    """
    return [
        path(f"converter/{slug}", documented(_kind(slug), CONVERTERS[slug]).as_view({"post": "create"}))
        for slug in slugs
    ]


_describe = CatalogueViewSet.as_view({"get": "describe"})
_unknown = UnknownConvertViewSet.as_view({"post": "create"})


@csrf_exempt  # as every view of the API: its authentication checks the token
def by_slug(request: HttpRequest, slug: str) -> HttpResponseBase:
    """What the slug that is meant does, for a GET; else its view, or the one that says that there is none."""
    if request.method in ("GET", "HEAD"):
        return _describe(request, slug=slug)
    converter = current().resolve(slug)
    response: HttpResponseBase = _view(converter.slug)(request) if converter else _unknown(request, slug=slug)
    return response


urlpatterns = [
    path("converter/formats", CatalogueViewSet.as_view({"get": "formats"})),
    path("converter/guest-quota", CatalogueViewSet.as_view({"get": "guest_quota"})),
    path("converter/history", HistoryViewSet.as_view({"get": "list"})),
    path("converter/history/<str:conversion>", HistoryViewSet.as_view({"get": "retrieve"})),
    path("converter/history/<str:conversion>/receipt", ReceiptView.as_view()),
    path("converter/progress/<str:id>", ProgressView.as_view()),
    path("converter/stats", StatsViewSet.as_view({"get": "retrieve"})),
    # One look-up finds the view: trying a route for each slug in turn takes longer than finding the account of a key.
    path("converter/<str:slug>", by_slug),
    # What the OpenAPI document lists of it.
    path("converter/<str:slug>", _describe),
]
