"""Safe links: absolute URLs start with SITE_URL, whatever the Host header says, and `next` stays on this site."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def absolute(path: str) -> str:
    """The absolute URL of a path of this site, such as `reverse` gives."""
    return f"{settings.SITE_URL}{path}"


def host() -> str:
    """The site's host, with its port unless it is the default."""
    return urlsplit(settings.SITE_URL).netloc


def safe_next(request: HttpRequest) -> str | None:
    """The `next` page that a form asks for, if it is on this site."""
    target = request.POST.get("next") or request.GET.get("next") or ""
    ours = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return target if ours else None
