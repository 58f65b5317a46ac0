"""What every page knows of the service, the OpenAPI document and the API reference."""

from __future__ import annotations

import functools
import hashlib
import json
from typing import Any

from csp.decorators import csp_update
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.http import condition, require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularSwaggerSplitView


def service(request: HttpRequest) -> dict[str, Any]:
    """A context processor: the service's name."""
    return {"service_name": settings.SERVICE_NAME}


@functools.cache
def _document() -> bytes:
    """The OpenAPI document; nothing in it changes while the process runs."""
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":")).encode()


def _etag(request: HttpRequest) -> str:
    return '"' + hashlib.sha256(_document()).hexdigest()[:32] + '"'


@require_safe
@condition(etag_func=_etag)
def schema(request: HttpRequest) -> HttpResponse:
    """The OpenAPI document as it is, with no envelope around it."""
    return HttpResponse(_document(), content_type="application/json", headers={"Cache-Control": "public, max-age=60"})


# The reference's own script writes style attributes.
@method_decorator(csp_update({"style-src": ["'unsafe-inline'"]}), name="dispatch")
class Reference(SpectacularSwaggerSplitView):
    """The API reference, from files of this server alone."""

    url_name = "schema"
