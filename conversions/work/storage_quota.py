"""Limit the bytes of results that are stored at once for an account, or for the guests of a network."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.credits import failing
from accounts.credits.payers import Payer
from accounts.errors import TooManyRequests
from accounts.templatetags.quantities import size
from conversions.work.runner import Outcome
from engine.sandbox.errors import OverOutput
from storage.quotas import QuotaHolder


class StorageQuotaExceeded(TooManyRequests):
    """There is no space for another result; `wait` is the time until enough results have expired."""


def check(payer: Payer, more: int = 1) -> None:
    """Raise StorageQuotaExceeded if `more` bytes don't fit, as far as is known before they are recorded."""
    holder, limit = _quota_holder(payer), payer.limits.stored_bytes
    over = holder.stored_bytes + more - limit
    if over <= 0:
        return
    until = holder.freed_at(over) or timezone.now() + payer.limits.retention
    if payer.owner is None:
        text = _(
            "Guests on your network have used all %(limit)s of their storage. Wait until some results expire, delete "
            "yours, or sign up for a free account."
        )
    else:
        text = _(
            "Your results use all %(limit)s of your plan's storage. Wait until some expire, delete "
            "those you don't need, or upgrade your plan."
        )
    wait = (until - timezone.now()).total_seconds()
    raise StorageQuotaExceeded(text % {"limit": size(limit)}, wait=wait, limitBytes=limit, resetsAt=until)


def check_recorded(payer: Payer) -> None:
    """Raise StorageQuotaExceeded if the result just recorded exceeds the limit, in the transaction that charges for it.

    Other requests of the same payer wait for its end, so that every result is counted.
    """
    payer.lock_stored_files()
    check(payer, 0)


def check_size(payer: Payer, outcome: Outcome) -> None:
    """Close the result and raise OverOutput if it is more than could ever be kept."""
    if outcome.size > payer.limits.stored_bytes:
        outcome.output.close()
        failing.failed(outcome.processor_seconds)
        raise OverOutput


def _quota_holder(payer: Payer) -> QuotaHolder:
    return QuotaHolder(payer.owner, payer.storage_block)
