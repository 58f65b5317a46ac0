"""The daily budget for what costs no credits (failures, dry runs, previews), in seconds of processor time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import metrics
from accounts.credits import failing, guests
from accounts.credits.payers import Payer
from accounts.errors import TooManyRequests


@contextmanager
def counted_on(payer: Payer) -> Iterator[None]:
    """Count failed work in the block against the payer's budget; raises TooManyRequests if it is used up.

    Only checked before the work: concurrent jobs may each exceed it by one job's maximum.
    """
    _check(payer)
    with failing.counted_by(partial(_count, payer)):
        yield


def _count(payer: Payer, seconds: float) -> None:
    metrics.FAILED_SECONDS.labels("guest" if payer.owner is None else "account").inc(seconds)
    payer.count_failed(seconds)


def usage(payer: Payer) -> dict[str, Any]:
    """Seconds used and left of the budget, and when it resets."""
    bounds = payer.failed_bounds
    limit, used = bounds[0]
    left = max(0.0, min(each - counted for each, counted in bounds))
    return {"limit": limit, "used": used, "remaining": left, "resetsAt": guests.resets_at()}


def _check(payer: Payer) -> None:
    bounds = payer.failed_bounds
    spent = [limit for limit, used in bounds if used >= limit]
    if not spent:
        return
    own, used = bounds[0]
    limit, resets_at = max(spent), guests.resets_at()
    if payer.limited is not None and used >= own:
        limit = own
        text = _(
            "Failed conversions, dry runs and previews have used up your %(limit)s seconds of today's free processor "
            "time in this organisation. Convert again after midnight UTC, or ask one of its owners for a higher limit."
        )
    else:
        text = _(
            "Failed conversions, dry runs and previews have used up today's %(limit)s seconds of free processor time. "
            "Convert again after midnight UTC."
        )
    raise TooManyRequests(
        text % {"limit": limit},
        wait=(resets_at - timezone.now()).total_seconds(),
        limit=limit,
        resetsAt=resets_at,
    )
