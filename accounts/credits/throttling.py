"""Rate limits: conversions by plan, log-ins by email and address."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from accounts import metrics
from accounts.credits import known_devices
from accounts.credits.counters import CACHE_ERRORS, Usage, log, usage
from accounts.credits.guests import SHARE_OF_BLOCK, guest_id, shared_block
from accounts.credits.payers import Payer, address_of, payer_for
from accounts.credits.shares import half
from accounts.errors import TooManyRequests
from accounts.mailboxes import mailbox, normal_email
from accounts.models import User
from accounts.shortage import NoSpace, is_full

Purpose = Literal["confirm", "reset", "change", "invite", "order"]
"""What a requested mail is for."""

_COUNTED = "conversion"
"""The server's note of a request that was counted."""


def conversion_usage(request: HttpRequest | Request, payer: Payer, *, count: bool) -> Usage:
    return _usage(request, payer, group="convert", count=count)


def check_conversion(request: HttpRequest | Request, payer: Payer, *, whole: bool = False) -> Usage | None:
    """Count a conversion request of the payer and return the counter; raises TooManyRequests.

    A request that the server presents again once its body has arrived is counted the first time only, unless the caller
    has the `whole` body and counts each of its parts. Returns None if the counter is unreachable and the payer may go
    on.
    """
    notes: set[str] = request.META.get("server.notes", set())
    again = not whole and _COUNTED in notes
    found: Usage | None = None
    with _open_to_accounts("convert", payer):
        found = conversion_usage(request, payer, count=not again)
        notes.add(_COUNTED)
    if found is not None and found.exceeded and not again:
        raise TooManyRequests(
            _("You can send %(limit)s conversion requests a minute. Wait %(resets_in)s seconds and try again.")
            % {"limit": found.limit, "resets_in": found.resets_in},
            wait=found.resets_in,
            limit=found.limit,
        )
    return found


def check_bundle(request: HttpRequest, payer: Payer) -> None:
    """Count one download of several results, as many a minute as conversions; raises TooManyRequests."""
    with _open_to_accounts("bundle", payer):
        _refuse_exceeded(_usage(request, payer, group="bundle", count=True))


def _usage(request: HttpRequest | Request, payer: Payer, *, group: str, count: bool) -> Usage:
    """The counter with the fewest requests left; what exceeds the part of limited members counts on nobody else."""
    whole = payer.limits.requests_per_minute
    part: Usage | None = None
    if payer.limited is not None:
        # The key decides when a window begins: another group has the same windows.
        part = usage(request, group=f"{group}-limited", key=payer.key, rate=f"{half(whole)}/m", count=count)
        if part.exceeded:
            return part
    found = usage(request, group=group, key=payer.key, rate=f"{whole}/m", count=count)
    return part if part is not None and part.remaining < found.remaining else found


@contextmanager
def _open_to_accounts(group: str, payer: Payer) -> Iterator[None]:
    """If the shared cache is unreachable, accounts pass and guests are refused."""
    try:
        yield
    except CACHE_ERRORS as error:
        metrics.CACHE_ERRORS.labels(group).inc()
        log.error("rate limit unavailable", extra={"error": str(error)})
        if payer.owner is None and is_full(error):
            raise NoSpace() from error
        if payer.owner is None:
            raise TooManyRequests(_("The service is busy. Try again in a few seconds."), wait=5) from error


class ConversionThrottle(BaseThrottle):
    """Counts a conversion request of the payer; leaves the counter in `request.usage` for the headers."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        found = check_conversion(request, payer_for(request))
        if found is not None:
            request._request.usage = found  # type: ignore[attr-defined]
        return True


def check_login(request: HttpRequest | Request | None, email: str) -> None:
    """Count a log-in attempt, before any password is hashed; raises TooManyRequests.

    Called by the authentication backend, for every way to log in. Attempts are limited by account and address together,
    so that nobody locks out the owner; and by account alone for all addresses and browsers that have not logged in to
    it before. Without a request there is no address to count. Without the shared cache nobody can log in: unlimited
    guesses would be worse.
    """
    email = normal_email(email)
    if request is None:
        _count(request, "login-account", email, settings.LOGIN_RATE_ACCOUNT)
        return
    _count_address(request, "login-address", settings.LOGIN_RATE_ADDRESS)
    address = guest_id(address_of(request))
    if device := known_devices.device_of(request, email):
        _count(request, "login-device", device, settings.LOGIN_RATE_PLACE)
        return
    _count(request, "login-place", f"{email} {address}", settings.LOGIN_RATE_PLACE)
    if not _known(request, email):
        _count(request, "login-account", email, settings.LOGIN_RATE_ACCOUNT)


def check_code(user: User) -> None:
    """Count one attempt at a second factor, from any address, as six digits are few. Raises TooManyRequests.

    Only reached with the right password, so that strangers can't use up the owner's attempts.
    """
    _count(None, "login-code", str(user.pk), settings.LOGIN_RATE_CODE)


def check_stranger(request: HttpRequest) -> None:
    """Count a log-in attempt that names no existing account; raises TooManyRequests."""
    _count_address(request, "login-address", settings.LOGIN_RATE_ADDRESS)


def check_new_session(request: HttpRequest) -> None:
    """Count one page that stores a session for whoever asks for it, from this address; raises TooManyRequests."""
    _count_address(request, "session-address", settings.SESSION_RATE_ADDRESS)


def check_register(request: HttpRequest | Request) -> None:
    """Count one registration from this address; raises TooManyRequests."""
    _count_address(request, "register-address", settings.REGISTER_RATE_ADDRESS)


def check_mail(request: HttpRequest | Request, email: str, purpose: Purpose) -> None:
    """Count one requested mail, by purpose and recipient, and by client address; raises TooManyRequests.

    By purpose, because strangers can request some mails: they must not use up the owner's password resets. Call it only
    where a mail follows, or would if the address had an account.
    """
    _count(request, "mail-email", f"{purpose} {mailbox(email)}", settings.MAIL_RATE_EMAIL)
    _count_address(request, "mail-address", settings.MAIL_RATE_ADDRESS)


def check_export(request: HttpRequest, account: str) -> None:
    """Count one export of an account's data; raises TooManyRequests."""
    _count(request, "export", account, settings.EXPORT_RATE)


def check_payment(request: HttpRequest, user: User) -> None:
    """Count one checkout or other page that a payment provider opens for this person; raises TooManyRequests."""
    _count(request, "payment", str(user.pk), settings.PAYMENT_RATE)


def _known(request: HttpRequest | Request, email: str) -> bool:
    with _closed_without_cache("login-account"):
        return known_devices.knows_address(request, email)


def _count_address(request: HttpRequest | Request, group: str, rate: str) -> None:
    """Count by address and, for IPv6, by its block: whoever has one could use another network for each attempt."""
    address = address_of(request)
    _count(request, group, guest_id(address), rate)
    if (block := shared_block(address)) is not None:
        number, _, period = rate.partition("/")
        _count(request, f"{group}-block", guest_id(block), f"{int(number) * SHARE_OF_BLOCK}/{period}")


def _count(request: HttpRequest | Request | None, group: str, key: str, rate: str) -> None:
    with _closed_without_cache(group):
        found = usage(request, group=group, key=key, rate=rate, count=True)
    _refuse_exceeded(found)


def _refuse_exceeded(found: Usage) -> None:
    if found.exceeded:
        raise TooManyRequests(
            _("Too many attempts. Wait %(resets_in)s seconds and try again.") % {"resets_in": found.resets_in},
            wait=found.resets_in,
            limit=found.limit,
        )


@contextmanager
def _closed_without_cache(group: str) -> Iterator[None]:
    try:
        yield
    except CACHE_ERRORS as error:
        metrics.CACHE_ERRORS.labels(group).inc()
        log.error("rate limit unavailable", extra={"error": str(error)})
        if is_full(error):
            raise NoSpace() from error
        raise TooManyRequests(_("The service is busy. Try again in a few seconds."), wait=5) from error
