"""All routes of the service."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from accounts.lanes import slow
from config import clients, crawlers, health, pages, web_app
from config.api import views
from config.reference import pages as reference
from conversions.mcp.views import McpView
from conversions.receipts.views import keys as receipt_keys

# Most requested first: patterns are tried in order.
urlpatterns = [
    path("api/v1/", include("conversions.urls")),
    path("", include("conversions.pages.urls")),
    path("", include("accounts.pages")),
    path("", include("accounts.login.verification_pages")),
    path("", include("accounts.login.security_pages")),
    path("", include("accounts.login.factor_pages")),
    path("", include("accounts.login.passkey_pages")),
    path("", include("accounts.login.openid_pages")),
    path("", include("billing.pages")),
    path("", include("teams.pages")),
    path("", include("languages.pages")),
    path("", include("languages.dictionary")),
    path("api/v1/", include("accounts.urls")),
    path("api/v1/", include("apikeys.urls")),
    path("api/v1/", include("billing.urls")),
    path("api/v1/", include("teams.urls")),
    path("api/v1/", include("storage.urls")),
    path("api/v1/schema", pages.schema, name="schema"),
    path("docs", reference.index, name="docs"),
    path("docs/<str:name>", reference.operation, name="docs-operation"),
    path("admin/", admin.site.urls),
    path("", include("backoffice.pages")),
    path("mcp", slow("POST")(McpView.as_view())),
    path(".well-known/jwks.json", receipt_keys),
    path("clients", clients.index, name="clients"),
    path("clients/<str:name>", clients.client, name="client"),
    path("robots.txt", crawlers.robots),
    path("sitemap.xml", crawlers.sitemap, name="sitemap"),
    path(".well-known/security.txt", crawlers.security),
    path("manifest.webmanifest", web_app.manifest, name="manifest"),
    path("worker.js", web_app.worker),
    path("offline", web_app.offline, name="offline"),
    path("share", web_app.share, name="share"),
    path("favicon.ico", crawlers.favicon),
    path("healthz", health.alive),
    path("readyz", health.ready),
    path("metrics", health.metrics),
]

handler400 = views.bad_request
handler403 = views.permission_denied
handler404 = views.not_found
handler500 = views.server_error
