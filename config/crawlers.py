"""Well-known files: robots.txt, sitemap.xml, security.txt and favicon.ico."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from datetime import timedelta

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts import links
from conversions.pages.tasks.listing import offered
from conversions.work.offer import Offer, current, remembered

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


@remembered
def _sitemap(offered: Offer) -> Callable[[str], str]:
    @functools.cache
    def of(site: str) -> str:
        pages = [page for part in (_Pages(), _Pairs()) for page in part.get_urls()]
        return render_to_string("sitemap.xml", {"urlset": pages})

    return of


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    text = _sitemap()(settings.SITE_URL)
    return HttpResponse(text, content_type="application/xml", headers={"X-Robots-Tag": "noindex, noodp, noarchive"})


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
