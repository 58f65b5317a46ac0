"""What the back office shows on every page, and the way back from looking as a customer."""

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
from backoffice import announcements, looking


def shown(request: HttpRequest) -> dict[str, Any]:
    """A context processor: what is announced, and whom a superuser looks as; neither before it is asked."""
    return {
        "announcements": SimpleLazyObject(announcements.now_shown),
        "look": SimpleLazyObject(lambda: _look(request)),
    }


def _look(request: HttpRequest) -> looking.Look | None:
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or not isinstance(request.user, User):
        return None
    return looking.look(request)


@require_POST
def stop(request: HttpRequest) -> HttpResponse:
    """Be oneself again, on the page of the account that one looked as."""
    found = _look(request)
    if found is None:
        return redirect("convert")
    looking.end(request, why="stopped")
    messages.success(request, _("You look as yourself again, %(email)s.") % {"email": found.by.email})
    return redirect("admin:accounts_user_change", found.user.pk)


urlpatterns = [path(looking.STOP.removeprefix("/"), stop, name="stop-looking")]
