"""The payer of an API request, with the API key it used."""

from __future__ import annotations

from rest_framework.request import Request

from accounts.credits.payers import GuestPayer, UserPayer, payer_for
from apikeys.models import ApiKey


def payer_of(request: Request) -> UserPayer | GuestPayer:
    """The request's payer, with the id of its API key."""
    payer = payer_for(request)
    if isinstance(request.auth, ApiKey):
        payer.api_key = request.auth.pk
    return payer
