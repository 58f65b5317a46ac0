"""Results whose links the browser has stored: which account they belong to, and which still exist."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.utils.crypto import salted_hmac
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.credits.payers import owner_or_guest
from storage import files
from storage.keys import is_key

MOST = 500
"""Keys looked up in one request."""


def account_tag(request: HttpRequest) -> str:
    """An opaque id of the account, empty for a guest, by which a browser keeps the results of accounts apart."""
    owner = owner_or_guest(request)
    return salted_hmac("conversions.pages.kept", str(owner.pk)).hexdigest()[:16] if owner else ""


@require_POST
@never_cache
def live(request: HttpRequest) -> JsonResponse:
    """Filter the space-separated keys in `file` to those that the caller could download."""
    keys = [each for each in request.POST.get("file", "").split()[:MOST] if is_key(each)]
    found = files.readable(owner_or_guest(request)).filter(key__in=keys)
    return JsonResponse({"live": list(found.values_list("key", flat=True))})
