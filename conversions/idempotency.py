"""The same request twice is done once: a key is claimed by inserting its row before the work."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from rest_framework.exceptions import ValidationError

from accounts.errors import TooManyRequests
from accounts.models import User
from conversions.models import Conversion, IdempotencyKey
from conversions.options import describe

KEPT = timedelta(hours=24)
_KEY = re.compile(r"[\x21-\x7e]{1,255}")


def read_key(header: str | None) -> str | None:
    """The value of an Idempotency-Key header, or None without one; raises ValidationError for a malformed one."""
    if header is None:
        return None
    if not _KEY.fullmatch(header):
        raise ValidationError({"Idempotency-Key": "Send 1 to 255 visible ASCII characters."})
    return header


def fingerprint(slug: str, sha256: str, options: Any) -> str:
    """What makes two requests the same: the conversion, the file's bytes, and every option."""
    values = {each.name: getattr(options, each.attribute) for each in describe(type(options))}
    return hashlib.sha256(json.dumps([slug, sha256, values], sort_keys=True).encode()).hexdigest()


def claim(user: User, key: str, mark: str, *, seconds: float) -> Conversion | None:
    """Claim a key for the work that follows, or return the conversion that it already stands for.

    `seconds` is the longest that the work can take: a claim that is older belongs to a request that died. Raises
    ValidationError for another file or other options, and TooManyRequests while the first request is still running.
    """
    now = timezone.now()
    until = now + timedelta(seconds=seconds)
    fresh = {"fingerprint": mark, "conversion": None, "claimed_until": until, "expires_at": now + KEPT}
    try:
        with transaction.atomic():
            IdempotencyKey.objects.create(owner=user, key=key, **fresh)
        return None
    except IntegrityError:
        row = IdempotencyKey.objects.select_related("conversion").filter(owner=user, key=key).first()
    if row is None:
        raise TooManyRequests("The first request with this key has just failed. Send it again.", wait=1)
    if row.expires_at <= now or (row.conversion is None and row.claimed_until <= now):
        # Given up or outlived: of several that see it, one takes it over.
        taken = IdempotencyKey.objects.filter(pk=row.pk, claimed_until=row.claimed_until).update(**fresh)
        if taken:
            return None
        raise TooManyRequests("Another request with this key is running. Send it again.", wait=1)
    if row.fingerprint != mark:
        raise ValidationError(
            {"Idempotency-Key": "This key was used with another file or other options. Use a new key."}
        )
    if row.conversion is None:
        wait = (row.claimed_until - now).total_seconds()
        raise TooManyRequests("The first request with this key is still running. Ask again when it is done.", wait=wait)
    return row.conversion


def settle(user: User, key: str, conversion: Conversion) -> None:
    """Tie a claimed key to its result; part of the transaction that records it."""
    IdempotencyKey.objects.filter(owner=user, key=key).update(conversion=conversion, claimed_until=F("expires_at"))


def release(user: User, key: str) -> None:
    """Give up a claim whose work failed, so that the same key can be sent again."""
    IdempotencyKey.objects.filter(owner=user, key=key, conversion=None).delete()
