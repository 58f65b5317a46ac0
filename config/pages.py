"""What every page knows of the service, and the OpenAPI document."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import get_resolver, include, path
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from conversions.families.registry import CONVERTERS
from conversions.offer import Offer, current, remembered
from conversions.schema import price
from conversions.toolkit.formats import FORMATS
from conversions.urls import documented_routes
from storage import conditions

SERVICE = "service"
"""The part of the reference with every operation that is not one conversion."""


def service(request: HttpRequest) -> dict[str, Any]:
    """A context processor: the service's name, and where its owner says who they are and what holds."""
    links = [
        (_("Terms"), settings.TERMS_URL),
        (_("Privacy"), settings.PRIVACY_URL),
        (_("Imprint"), settings.IMPRINT_URL),
    ]
    if settings.CONTACT_EMAIL:
        links.append((_("Contact"), f"mailto:{settings.CONTACT_EMAIL}"))
    return {"service_name": settings.SERVICE_NAME, "owner_links": [each for each in links if each[1]]}


def _part_of(path: str) -> str:
    """The part that an operation belongs to: the input format of a conversion, else `SERVICE`."""
    converter = CONVERTERS.get(path.rpartition("/converter/")[2])
    return converter.input.id if converter else SERVICE


class Generator(SchemaGenerator):
    """Generates the document of what is offered, or one part of it alone, in a twentieth of the time."""

    def __init__(self, part: str, offered: Offer) -> None:
        shown = [
            slug for slug, each in CONVERTERS.items() if slug in offered.converters and part in ("", each.input.id)
        ]
        routes = documented_routes(shown)
        patterns = [*get_resolver().url_patterns, path("api/v1/", include(routes))]
        super().__init__(patterns=patterns)  # type: ignore[no-untyped-call]
        self.part = part

    def _get_paths_and_endpoints(self) -> list[Any]:
        every: list[Any] = super()._get_paths_and_endpoints()  # type: ignore[no-untyped-call]
        return [each for each in every if not self.part or _part_of(each[0]) == self.part]


@remembered
def documents(offered: Offer) -> Callable[[str], bytes]:
    """Gives the OpenAPI document, or one part of it; nothing in it changes while the offer is the same."""
    return document_of(offered)


def document_of(offered: Offer) -> Callable[[str], bytes]:
    """The same of any offer."""

    @functools.cache
    def document(part: str) -> bytes:
        # In the language of its source, whoever asks first.
        with translation.override(settings.LANGUAGE_CODE):
            schema = Generator(part, offered).get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
            price(schema, offered)
            return json.dumps(schema, ensure_ascii=False, separators=(",", ":")).encode()

    return document


def _asked(request: HttpRequest) -> str:
    part = request.GET.get("part", "")
    if part and part != SERVICE and FORMATS.get(part) not in current().inputs:
        raise Http404
    return part


@require_safe
def schema(request: HttpRequest) -> HttpResponseBase:
    """The OpenAPI document with no envelope around it; `?part=` is the part of it that the reference shows."""
    text = documents()(_asked(request))
    etag = conditions.entity_tag_of(text)
    response = conditions.judge(request, etag=etag) or HttpResponse(text, content_type="application/json")
    response["ETag"] = etag
    response["Cache-Control"] = "public, max-age=60"
    return response
