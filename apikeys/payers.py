"""Who pays for a request of a program, and which of the account's keys it came with."""

from __future__ import annotations

from rest_framework.request import Request

from accounts.payers import GuestPayer, UserPayer, payer_for
from apikeys.models import ApiKey


def payer_of(request: Request) -> UserPayer | GuestPayer:
    """The payer of a request, who knows the API key that it is authenticated with."""
    payer = payer_for(request)
    if isinstance(request.auth, ApiKey):
        payer.api_key = request.auth.pk
    return payer
