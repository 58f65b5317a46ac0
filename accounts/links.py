"""Safe links: absolute URLs start with SITE_URL, whatever the Host header says, and `next` stays on this site."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from local_paths import local_path


def absolute(path: str) -> str:
    """The absolute URL of a path of this site, such as `reverse` gives."""
    return f"{settings.SITE_URL}{path}"


def host() -> str:
    """The site's host, with its port unless it is the default."""
    return urlsplit(settings.SITE_URL).netloc


def safe_next(request: HttpRequest) -> str | None:
    """The path of the `next` page that a form asks for, if it is on this site and not the log-in page.

    That one leads whoever is logged in to `next`, and so to itself without end.
    """
    target = local_path(request, request.POST.get("next") or request.GET.get("next") or "")
    return None if target is None or urlsplit(target).path == reverse("login") else target
