"""What every page knows of the service, the OpenAPI document and the API reference."""

from __future__ import annotations

import functools
import json
from typing import Any

from csp.decorators import csp_update
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from conversions.families.registry import CONVERTERS, INPUTS
from conversions.toolkit.formats import FORMATS, Format
from storage import conditions

SERVICE = "service"
"""The part of the reference with every operation that is not one conversion."""


def service(request: HttpRequest) -> dict[str, Any]:
    """A context processor: the service's name."""
    return {"service_name": settings.SERVICE_NAME}


def _part_of(path: str) -> str:
    """The part that an operation belongs to: the input format of a conversion, else `SERVICE`."""
    converter = CONVERTERS.get(path.rpartition("/converter/")[2])
    return converter.input.id if converter else SERVICE


class _Generator(SchemaGenerator):
    """Generates one part alone, in a twentieth of the time that the whole document takes."""

    def __init__(self, part: str) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.part = part

    def _get_paths_and_endpoints(self) -> list[Any]:
        every: list[Any] = super()._get_paths_and_endpoints()  # type: ignore[no-untyped-call]
        return [each for each in every if not self.part or _part_of(each[0]) == self.part]


@functools.cache
def _document(part: str) -> bytes:
    """The OpenAPI document, or one part of it; nothing in it changes while the process runs."""
    schema = _Generator(part).get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":")).encode()


def _asked(request: HttpRequest) -> str:
    part = request.GET.get("part", "")
    if part and part != SERVICE and FORMATS.get(part) not in INPUTS:
        raise Http404
    return part


@require_safe
def schema(request: HttpRequest) -> HttpResponseBase:
    """The OpenAPI document with no envelope around it; `?part=` is the part of it that the reference shows."""
    document = _document(_asked(request))
    etag = conditions.entity_tag_of(document)
    response = conditions.judge(request, etag=etag) or HttpResponse(document, content_type="application/json")
    response["ETag"] = etag
    response["Cache-Control"] = "public, max-age=60"
    return response


# The reference's own script writes style attributes.
@require_safe
@csp_update({"style-src": ["'unsafe-inline'"]})
def reference(request: HttpRequest) -> HttpResponse:
    """The API reference, from files of this server alone.

    Drawing several hundred operations takes a browser seconds, and opening one of them again: it gets one part.
    """
    part = _asked(request) or SERVICE
    inputs: list[Format] = [each for each in FORMATS.values() if each in INPUTS]
    context = {"part": part, "chosen": FORMATS.get(part), "inputs": inputs, "conversions": len(CONVERTERS)}
    return render(request, "reference.html", context)
