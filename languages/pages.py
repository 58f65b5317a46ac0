"""The language switch in every page's footer and in the account's settings."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from languages.available import known, remember, tag
from local_paths import local_path


def language_choices(request: HttpRequest) -> dict[str, Any]:
    """A context processor: the page's language, and all languages by their own names."""
    current = translation.get_language() or settings.LANGUAGE_CODE
    return {
        "language": tag(current),
        "right_to_left": translation.get_language_bidi(),
        "languages": [(code, tag(code), name, code == current) for code, name in settings.LANGUAGES],
    }


# No CSRF token: it would make every page private and set a cookie for every visitor. The Origin is checked.
@csrf_exempt
@require_POST
def switch(request: HttpRequest) -> HttpResponse:
    """Store the language of the form, also in the account if logged in, and redirect back."""
    origin = request.headers.get("Origin")
    if origin is not None and origin.partition("://")[2] not in (
        request.get_host(),
        urlsplit(settings.SITE_URL).netloc,
    ):
        raise PermissionDenied(_("This form was sent from another site. Choose the language on one of our pages."))
    chosen = request.POST.get("language", "")
    if chosen and known(chosen) is None:
        chosen = ""
    user: Any = request.user
    if user.is_authenticated and user.language != (chosen or None):
        user.language = chosen or None
        user.save(update_fields=["language"])
    request.account_language = None  # type: ignore[attr-defined]  # it was another a moment ago
    response = redirect(local_path(request, request.POST.get("next", "")) or "convert")
    remember(response, chosen)
    return response


urlpatterns = [path("language", switch, name="language")]
