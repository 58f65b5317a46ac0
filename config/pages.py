"""What every page knows of the service, and the API reference."""

from __future__ import annotations

from typing import Any

from csp.decorators import csp_update
from django.conf import settings
from django.http import HttpRequest
from django.utils.decorators import method_decorator
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.views import SpectacularSwaggerSplitView


def service(request: HttpRequest) -> dict[str, Any]:
    """A context processor: the service's name."""
    return {"service_name": settings.SERVICE_NAME}


class SchemaRenderer(OpenApiJsonRenderer):
    """The OpenAPI document as it is, with no envelope around it."""

    media_type = "application/json"


# The reference's own script writes style attributes.
@method_decorator(csp_update({"style-src": ["'unsafe-inline'"]}), name="dispatch")
class Reference(SpectacularSwaggerSplitView):
    """The API reference, from files of this server alone."""

    url_name = "schema"
