"""What programs ask every site for by name: robots.txt, sitemap.xml, security.txt and favicon.ico."""

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

from conversions.offer import current
from conversions.pages.tasks.listing import offered

_PRIVATE = ("account", "api-keys", "history", "kept", "results", "search", "usage", "admin", "api", "mcp")
"""First parts of paths that show nothing to strangers, or nothing that they can look for."""


class _Pages(Sitemap):
    priority = 0.8

    def items(self) -> Sequence[str]:
        return ["convert", "tasks", "formats", "plans", "docs", *(each.name for each in offered())]

    def location(self, item: str) -> str:
        return reverse(item)


class _Pairs(Sitemap):
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
    lines += ["", f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """RFC 9116; there is none where nobody has said who is to be written to."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    until = (timezone.now() + timedelta(days=180)).strftime("%Y-%m-%dT00:00:00Z")
    here = request.build_absolute_uri(request.path)
    text = f"Contact: {settings.SECURITY_CONTACT}\nExpires: {until}\nPreferred-Languages: en\nCanonical: {here}\n"
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    return redirect(static("favicon.ico"), permanent=True)
