"""The state that an open page refreshes: account, balance, limits and a new CSRF token."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.credits.payers import payer_for
from conversions.pages import browser_results
from conversions.pages.converting import balance


@require_safe
@never_cache
def live_status(request: HttpRequest) -> JsonResponse:
    found = balance(payer_for(request))
    return JsonResponse(
        {
            "token": get_token(request),
            "guest": found.guest,
            "who": browser_results.account_tag(request),
            "left": found.left,
            "jobs": found.jobs,
            "maxBytes": found.limits.max_file_bytes,
            "balance": render_to_string("conversions/_balance.html", {"balance": found}, request),
        }
    )
