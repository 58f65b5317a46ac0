"""How often one may call: conversions by plan, logins by email and address, as DRF throttles."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from accounts import metrics
from accounts.counters import CACHE_ERRORS, Usage, log, usage
from accounts.errors import TooManyRequests
from accounts.guests import guest_id
from accounts.models import normal_email
from accounts.payers import Payer, address_of, payer_for
from accounts.shortage import NoSpace, is_full


def conversion_usage(request: HttpRequest | Request, payer: Payer, *, count: bool) -> Usage:
    return usage(request, group="convert", key=payer.key, rate=f"{payer.limits.requests_per_minute}/m", count=count)


def check_conversion(request: HttpRequest | Request, payer: Payer, *, whole: bool = False) -> Usage | None:
    """Count one conversion request of the payer's and return the counter; raises TooManyRequests.

    Without the shared cache accounts pass, with None, and guests wait. A request that the server shows again, now that
    its body is here, was counted the first time; not so where the caller asks only once the body is `whole`.
    """
    again = not whole and bool(request.META.get("server.runs"))
    try:
        found = conversion_usage(request, payer, count=not again)
    except CACHE_ERRORS as error:
        metrics.CACHE_ERRORS.labels("convert").inc()
        log.error("rate limit unavailable", extra={"error": str(error)})
        if payer.owner is None and is_full(error):
            raise NoSpace() from error
        if payer.owner is None:
            raise TooManyRequests(_("The service is busy. Try again in a few seconds."), wait=5) from error
        return None
    if found.exceeded and not again:
        raise TooManyRequests(
            _("You can send %(limit)s conversion requests a minute. Wait %(resets_in)s seconds.")
            % {"limit": found.limit, "resets_in": found.resets_in},
            wait=found.resets_in,
            limit=found.limit,
        )
    return found


class ConversionThrottle(BaseThrottle):
    """Counts one conversion request of the payer's and leaves the counter in `request.usage` for the headers."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        found = check_conversion(request, payer_for(request))
        if found is not None:
            request._request.usage = found  # type: ignore[attr-defined]
        return True


def check_login(request: HttpRequest | Request | None, email: str) -> None:
    """Count one attempt to log in, before any password is hashed; raises TooManyRequests.

    The log-in backend counts for every door that asks for a password. Without a request there is no address to count.

    Without the shared cache nobody gets in: unlimited guesses would be worse.
    """
    _count(request, "login-email", normal_email(email), settings.LOGIN_RATE_EMAIL)
    if request is not None:
        _count(request, "login-address", guest_id(address_of(request)), settings.LOGIN_RATE_ADDRESS)


def check_stranger(request: HttpRequest) -> None:
    """Count one attempt to log in that names no account that there is; raises TooManyRequests."""
    _count(request, "login-address", guest_id(address_of(request)), settings.LOGIN_RATE_ADDRESS)


def check_register(request: HttpRequest | Request) -> None:
    """Count one registration from this address; raises TooManyRequests."""
    _count(request, "register-address", guest_id(address_of(request)), settings.REGISTER_RATE_ADDRESS)


def check_mail(request: HttpRequest | Request, email: str) -> None:
    """Count one mail that somebody asks for, to this address and from theirs; raises TooManyRequests."""
    _count(request, "mail-email", normal_email(email), settings.MAIL_RATE_EMAIL)
    _count(request, "mail-address", guest_id(address_of(request)), settings.MAIL_RATE_ADDRESS)


def check_export(request: HttpRequest, account: str) -> None:
    """Count one export of an account's data; raises TooManyRequests."""
    _count(request, "export", account, settings.EXPORT_RATE)


def _count(request: HttpRequest | Request | None, group: str, key: str, rate: str) -> None:
    try:
        found = usage(request, group=group, key=key, rate=rate, count=True)
    except CACHE_ERRORS as error:
        metrics.CACHE_ERRORS.labels(group).inc()
        log.error("rate limit unavailable", extra={"error": str(error)})
        if is_full(error):
            raise NoSpace() from error
        raise TooManyRequests(
            _("Logging in is not possible at the moment. Try again in a few seconds."), wait=5
        ) from error
    if found.exceeded:
        raise TooManyRequests(
            _("Too many attempts. Wait %(resets_in)s seconds and try again.") % {"resets_in": found.resets_in},
            wait=found.resets_in,
            limit=found.limit,
        )
