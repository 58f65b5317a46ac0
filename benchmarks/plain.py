"""The smallest possible DRF service: one view, under the same server."""

from __future__ import annotations

import django
from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    SECRET_KEY="only-for-measuring",
    ROOT_URLCONF="benchmarks.plain",
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework"],
    REST_FRAMEWORK={"DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"]},
)
django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework.request import Request  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.views import APIView  # noqa: E402


class Plain(APIView):
    def get(self, request: Request) -> Response:
        return Response({"status": "ok"})


urlpatterns = [path("healthz", Plain.as_view()), path("plain", Plain.as_view())]
application = get_wsgi_application()
