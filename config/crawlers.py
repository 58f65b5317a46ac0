"""Well-known files: robots.txt, sitemap.xml, security.txt and favicon.ico."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import sitemap as _sitemap
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts import links
from conversions.pages.tasks.listing import offered
from conversions.work.offer import current

_PRIVATE = ("account", "api-keys", "history", "kept", "results", "search", "usage", "admin", "api", "mcp")
"""First path segments with nothing for search engines."""


class _OfSite(Sitemap):
    def get_protocol(self, protocol: str | None = None) -> str:
        return settings.SITE_URL.partition(":")[0]

    def get_domain(self, site: object = None) -> str:
        return links.host()


class _Pages(_OfSite):
    priority = 0.8

    def items(self) -> Sequence[str]:
        return ["convert", "tasks", "formats", "plans", "docs", *(each.name for each in offered())]

    def location(self, item: str) -> str:
        return reverse(item)


class _Pairs(_OfSite):
    priority = 0.5

    def items(self) -> Sequence[str]:
        return list(current().converters)

    def location(self, item: str) -> str:
        return reverse("conversion", kwargs={"slug": item})


@require_safe
def sitemap(request: HttpRequest) -> HttpResponseBase:
    return _sitemap(request, {"pages": _Pages(), "pairs": _Pairs()})


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """RFC 9309."""
    lines = ["User-agent: *", *(f"Disallow: /{each}" for each in _PRIVATE)]
    lines += ["", f"Sitemap: {links.absolute(reverse('sitemap'))}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """RFC 9116; 404 if no contact is configured."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    until = (timezone.now() + timedelta(days=180)).strftime("%Y-%m-%dT00:00:00Z")
    here = links.absolute(request.path)
    text = f"Contact: {settings.SECURITY_CONTACT}\nExpires: {until}\nPreferred-Languages: en\nCanonical: {here}\n"
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    return redirect(static("favicon.ico"), permanent=True)
