"""Context of every page, and the OpenAPI document."""

from __future__ import annotations

import functools
import json
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import get_resolver, include, path
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from accounts.lanes import slow
from config import folding
from conversions.schema import price
from conversions.urls import documented_routes
from conversions.work.offer import Offer, current
from engine.families.registry import CONVERTERS
from engine.toolkit.formats import FORMATS
from errors import Unavailable
from storage import conditions

SERVICE = "service"
"""The part of the reference with everything but conversions."""
CLIENTS = "clients"
"""The document for people who generate clients, with one operation for all conversions."""
WHOLE = ""
"""The document with an operation for each conversion: 7 MB."""
_FULL = "full"
_PLACES = 2
"""Threads for one of the two large documents: one generates it, one waits for it. More would leave none for conversions
during the seconds that this takes."""


class BeingPrepared(Unavailable):
    default_detail = gettext_lazy("This document is being prepared. Try again in 10 seconds.")
    wait = 10


def service(request: HttpRequest) -> dict[str, Any]:
    """A context processor: the service's name, and links to imprint and terms."""
    links = [
        (_("Terms"), settings.TERMS_URL),
        (_("Privacy"), settings.PRIVACY_URL),
        (_("Imprint"), settings.IMPRINT_URL),
    ]
    if settings.CONTACT_EMAIL:
        links.append((_("Contact"), f"mailto:{settings.CONTACT_EMAIL}"))
    return {
        "service_name": settings.SERVICE_NAME,
        "site_url": settings.SITE_URL,
        "owner_links": [each for each in links if each[1]],
    }


def _part_of(path: str) -> str:
    """The part of an operation: a conversion's input format, else `SERVICE`."""
    converter = CONVERTERS.get(path.rpartition("/converter/")[2])
    return converter.input.id if converter else SERVICE


class Generator(SchemaGenerator):
    """Generates the document of an offer, or one part of it in a twentieth of the time."""

    def __init__(self, part: str, offered: Offer) -> None:
        if part == CLIENTS:
            shown = folding.representatives(offered.converters)
        else:
            shown = [slug for slug, each in offered.converters.items() if part in (WHOLE, each.input.id)]
        routes = documented_routes(shown)
        patterns = [*get_resolver().url_patterns, path("api/v1/", include(routes))]
        super().__init__(patterns=patterns)  # type: ignore[no-untyped-call]
        self.part = part

    def _get_paths_and_endpoints(self) -> list[Any]:
        every: list[Any] = super()._get_paths_and_endpoints()  # type: ignore[no-untyped-call]
        return [each for each in every if self.part in (WHOLE, CLIENTS) or _part_of(each[0]) == self.part]


@dataclass(frozen=True)
class Document:
    """An OpenAPI document as it is sent."""

    text: bytes
    etag: str


def documents() -> Callable[[str], Document]:
    """Generate an OpenAPI document: WHOLE, CLIENTS, or a part of the reference; cached for the current offer.

    Raises BeingPrepared.
    """
    return document_of(current())


@functools.lru_cache(maxsize=2)
def document_of(offered: Offer) -> Callable[[str], Document]:
    """The same for any offer."""
    making: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
    places = {part: threading.BoundedSemaphore(_PLACES) for part in (WHOLE, CLIENTS)}
    kept: dict[str, Document] = {}

    def made(part: str) -> Document:
        # Always in the source language, whatever that of the first request.
        with translation.override(settings.LANGUAGE_CODE):
            schema = Generator(part, offered).get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
            if part == CLIENTS:
                folding.fold(schema, offered.converters)
            else:
                price(schema, offered)
        text = json.dumps(schema, ensure_ascii=False, separators=(",", ":")).encode()
        return Document(text, conditions.entity_tag_of(text))

    def document(part: str) -> Document:
        if part not in kept:
            with _place(places.get(part)), making[part]:  # others would generate it at the same time
                if part not in kept:
                    kept[part] = made(part)
        return kept[part]

    return document


@contextmanager
def _place(places: threading.BoundedSemaphore | None) -> Iterator[None]:
    """Take a place for the block, if they are limited; raises BeingPrepared."""
    if places is None:
        yield
    elif places.acquire(blocking=False):
        try:
            yield
        finally:
            places.release()
    else:
        raise BeingPrepared


def _asked(request: HttpRequest) -> str:
    part = request.GET.get("part", "")
    if not part:
        return WHOLE if request.GET.get(_FULL) == "yes" else CLIENTS
    if part != SERVICE and FORMATS.get(part) not in current().inputs:
        raise Http404
    return part


# Generating the whole document takes seconds, and blocks a thread for everyone who waits for it.
@slow("GET", "HEAD")
@require_safe
def schema(request: HttpRequest) -> HttpResponseBase:
    """The OpenAPI document for client generators, without envelope.

    `?full=yes` is the one with an operation for each conversion, `?part=` the part that the reference shows.
    """
    document = documents()(_asked(request))
    response = conditions.judge(request, etag=document.etag)
    response = response or HttpResponse(document.text, content_type="application/json")
    response["ETag"] = document.etag
    response["Cache-Control"] = "public, max-age=60"
    return response
