"""Results that a browser has kept the addresses of: whose they are, and which of them still live."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.utils.crypto import salted_hmac
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.payers import owner_or_guest
from storage import files
from storage.keys import is_key

MOST = 500
"""Keys that are looked up for one question."""


def who(request: HttpRequest) -> str:
    """A name for the account that tells nothing of it, empty for a guest: a browser keeps apart what each has made."""
    owner = owner_or_guest(request)
    return salted_hmac("conversions.pages.kept", str(owner.pk)).hexdigest()[:16] if owner else ""


@require_POST
@never_cache
def live(request: HttpRequest) -> JsonResponse:
    """Of the keys in the form's `file`, with spaces between, those whose file a download would give to whoever asks."""
    keys = [each for each in request.POST.get("file", "").split()[:MOST] if is_key(each)]
    found = files.readable(owner_or_guest(request)).filter(key__in=keys)
    return JsonResponse({"live": list(found.values_list("key", flat=True))})
