"""Every route of the service."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from config import health, pages
from config.api import views
from conversions.mcp.views import McpView
from conversions.receipts.views import keys as receipt_keys

# First what is asked for most: each pattern before it is tried in vain.
urlpatterns = [
    path("api/v1/", include("conversions.urls")),
    path("", include("conversions.pages.urls")),
    path("", include("accounts.pages")),
    path("", include("apikeys.pages")),
    path("api/v1/", include("accounts.urls")),
    path("api/v1/", include("apikeys.urls")),
    path("api/v1/", include("storage.urls")),
    path("api/v1/schema", pages.schema, name="schema"),
    path("docs", pages.reference, name="docs"),
    path("admin/", admin.site.urls),
    path("mcp", McpView.as_view()),
    path(".well-known/jwks.json", receipt_keys),
    path("healthz", health.alive),
    path("readyz", health.ready),
    path("metrics", health.metrics),
]

handler400 = views.bad_request
handler403 = views.permission_denied
handler404 = views.not_found
handler500 = views.server_error
