"""What every page knows of the service, the OpenAPI document and the API reference."""

from __future__ import annotations

import functools
import hashlib
import json
from typing import Any

from csp.decorators import csp_update
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import condition, require_safe
from drf_spectacular.generators import SchemaGenerator

from config.api.excerpt import excerpt
from conversions.formats import FORMATS, Format
from conversions.registry import CONVERTERS, INPUTS

SERVICE = "service"
"""The part of the reference with every operation that is not one conversion."""


def service(request: HttpRequest) -> dict[str, Any]:
    """A context processor: the service's name."""
    return {"service_name": settings.SERVICE_NAME}


@functools.cache
def _whole() -> dict[str, Any]:
    """The OpenAPI document; nothing in it changes while the process runs."""
    return SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-any-return, no-untyped-call]


def _part_of(path: str) -> str:
    """The part that an operation belongs to: the input format of a conversion, else `SERVICE`."""
    converter = CONVERTERS.get(path.rpartition("/converter/")[2])
    return converter.input.id if converter else SERVICE


@functools.cache
def _document(part: str) -> bytes:
    """The document, or one part of it, as it is sent."""
    chosen = _whole() if not part else excerpt(_whole(), lambda path: _part_of(path) == part)
    return json.dumps(chosen, ensure_ascii=False, separators=(",", ":")).encode()


def _asked(request: HttpRequest) -> str:
    part = request.GET.get("part", "")
    if part and part != SERVICE and FORMATS.get(part) not in INPUTS:
        raise Http404
    return part


def _etag(request: HttpRequest) -> str:
    return '"' + hashlib.sha256(_document(_asked(request))).hexdigest()[:32] + '"'


@require_safe
@condition(etag_func=_etag)
def schema(request: HttpRequest) -> HttpResponse:
    """The OpenAPI document with no envelope around it; `?part=` is the part of it that the reference shows."""
    document = _document(_asked(request))
    return HttpResponse(document, content_type="application/json", headers={"Cache-Control": "public, max-age=60"})


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
