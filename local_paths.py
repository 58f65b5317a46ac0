"""Paths of this site at which a form asks to continue."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def local_path(request: HttpRequest, target: str) -> str | None:
    """`target` if it is a path of this site, else None.

    It begins with one slash: redirect() takes a text without one for the name of a route, and browsers take two for
    another host.
    """
    ours = url_has_allowed_host_and_scheme(target, None, require_https=request.is_secure())
    return target if ours and target.startswith("/") and not target.startswith("//") else None
