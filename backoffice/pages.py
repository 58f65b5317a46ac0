"""What the back office adds to every page: announcements, and the button that stops viewing as a customer."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models import User
from backoffice import announcements, impersonation


def shown(request: HttpRequest) -> dict[str, Any]:
    """A context processor: announcements and the viewed customer, both lazy."""
    return {
        "announcements": SimpleLazyObject(announcements.now_shown),
        "impersonation": SimpleLazyObject(lambda: _impersonation(request)),
    }


def _impersonation(request: HttpRequest) -> impersonation.Impersonation | None:
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or not isinstance(request.user, User):
        return None
    return impersonation.active(request)


@require_POST
def stop(request: HttpRequest) -> HttpResponse:
    """Stop viewing as a customer, and return to the account's admin page."""
    found = _impersonation(request)
    if found is None:
        return redirect("convert")
    impersonation.end(request, why="stopped")
    messages.success(request, _("You're back in your own account, %(email)s.") % {"email": found.by.email})
    return redirect("admin:accounts_user_change", found.user.pk)


urlpatterns = [path(impersonation.STOP.removeprefix("/"), stop, name="stop-looking")]
