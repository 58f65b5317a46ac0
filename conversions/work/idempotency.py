"""Idempotency keys: a request claims its key by inserting a row before the work."""

from __future__ import annotations

import hashlib
import json
import logging
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import Error, IntegrityError, connection, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from accounts.credits import leases
from accounts.errors import TooManyRequests
from accounts.models import User
from conversions.models import Conversion, IdempotencyKey
from conversions.work.commits import OutcomeUnknown
from engine.toolkit.options import Value, describe, secret_values

log = logging.getLogger("service.idempotency")

KEPT = timedelta(hours=24)
_KEY = re.compile(r"[\x21-\x7e]{1,255}")

_COMPLETE = """
UPDATE conversions_idempotencykey SET conversion_id = %s, claimed_until = expires_at
WHERE id = %s AND token = %s AND conversion_id IS NULL
RETURNING id
"""


class KeyInUse(TooManyRequests):
    """Another request has the key; its result is there after `wait` seconds, for a request with the same key."""


@dataclass(frozen=True)
class Claim:
    """The right to do the work for one key; `token` tells it from a later claim of the same row."""

    row: int
    token: str


def read_key(header: str | None) -> str | None:
    """The Idempotency-Key header, or None without one; raises ValidationError if it is malformed."""
    if header is None:
        return None
    if not _KEY.fullmatch(header):
        raise ValidationError({"Idempotency-Key": _("Send 1 to 255 visible ASCII characters.")})
    return header


def fingerprint(slug: str, sha256: str, options: Any, *, verify: bool = False, retention: int | None = None) -> str:
    """A hash of what makes two requests the same: conversion, file, options and delivery parameters.

    Defaults are left out, so that keys from before an upgrade still match. Secret options are keyed hashes: otherwise
    whoever has the database could guess them.
    """
    asked = [*(["verify"] if verify else []), *([] if retention is None else [f"retention={retention}"])]
    values = {each.name: getattr(options, each.attribute) for each in describe(type(options))}
    values |= {name: _hidden(value) for name, value in secret_values(options).items()}
    return hashlib.sha256(json.dumps([slug, sha256, values, *asked], sort_keys=True).encode()).hexdigest()


def _hidden(value: Value) -> str:
    return salted_hmac("conversions.work.idempotency", json.dumps(value), algorithm="sha256").hexdigest()


def claim(user: User, key: str, mark: str) -> Claim | Conversion:
    """Claim a key for the work that follows, or return the conversion it already has.

    A claim that is not renewed (see hold_claim()) belongs to a request that died, and is passed on. Raises
    ValidationError if file or options differ, and KeyInUse while the first request is running.
    """
    now, token = timezone.now(), secrets.token_hex(16)
    fresh = {
        "fingerprint": mark,
        "conversion": None,
        "token": token,
        "claimed_until": now + timedelta(seconds=leases.LEASE_SECONDS),
        "expires_at": now + KEPT,
    }
    try:
        with transaction.atomic():
            return Claim(IdempotencyKey.objects.create(owner=user, key=key, **fresh).pk, token)
    except IntegrityError:
        row = IdempotencyKey.objects.select_related("conversion").filter(owner=user, key=key).first()
    if row is None:
        raise KeyInUse(_("The first request with this key has just failed. Send it again."), wait=1)
    if row.expires_at <= now or (row.conversion is None and not _is_alive(row, now)):
        # Released or expired: of concurrent requests one takes it over, unless it is renewed or settled first.
        seen = {"claimed_until": row.claimed_until, "token": row.token, "conversion": row.conversion_id}
        if IdempotencyKey.objects.filter(pk=row.pk, **seen).update(**fresh):
            return Claim(row.pk, token)
        raise KeyInUse(_("Another request with this key is running. Send it again."), wait=1)
    if row.fingerprint != mark:
        raise ValidationError(
            {"Idempotency-Key": _("This key was used with another file or other options. Use a new key.")}
        )
    if row.conversion is None:
        wait = min(leases.LEASE_SECONDS, max(1.0, (row.claimed_until - now).total_seconds()))
        raise KeyInUse(
            _("The first request with this key is still running. Try again when it has finished."), wait=wait
        )
    return row.conversion


def settled(user: User, key: str, mark: str) -> Conversion | None:
    """The conversion that the key has for the same request; None if it has none yet, or another's. Claims nothing."""
    row = IdempotencyKey.objects.select_related("conversion").filter(owner=user, key=key, fingerprint=mark)
    found = row.filter(expires_at__gt=timezone.now()).first()
    return found.conversion if found else None


def _is_alive(row: IdempotencyKey, now: datetime) -> bool:
    """Whether the claim was renewed recently, by a clock that has not been set back since."""
    return now < row.claimed_until < now + timedelta(seconds=leases.LEASE_SECONDS + leases.SKEW)


@contextmanager
def hold_claim(claim: Claim) -> Iterator[None]:
    """Keep the claim during the block, and release it if the block fails.

    Not if the outcome is unknown: the next request with the key then finds the result, or the claim has expired.
    """
    try:
        with _keeper.held(claim):
            yield
    except OutcomeUnknown:
        raise
    except BaseException:
        _release(claim)
        raise


def complete(claim: Claim, conversion: Conversion) -> None:
    """Attach the result to a claimed key, in the transaction that records and charges it.

    Raises KeyInUse if another request has taken over the claim, because this process was suspended: that one
    does the work, and this transaction must be rolled back.
    """
    reference = Conversion._meta.pk.get_db_prep_value(conversion.pk, connection)
    with connection.cursor() as cursor:
        cursor.execute(_COMPLETE, [reference, claim.row, claim.token])
        settled = cursor.fetchone()
    if settled is None:
        raise KeyInUse(_("Another request with this key has taken over. Send yours again to get its result."), wait=1)


def _release(claim: Claim) -> None:
    try:
        IdempotencyKey.objects.filter(pk=claim.row, token=claim.token, conversion=None).delete()
    except Error as error:
        log.error("idempotency key not given up, its claim will run out", extra={"error": str(error)})


def _renew(claims: list[Claim]) -> None:
    until = timezone.now() + timedelta(seconds=leases.LEASE_SECONDS)
    rows, tokens = [each.row for each in claims], [each.token for each in claims]
    IdempotencyKey.objects.filter(pk__in=rows, token__in=tokens, conversion=None).update(claimed_until=until)


def _renew_apart(claims: list[Claim]) -> None:
    """Renew from the leases' thread, closing the connection it opened."""
    try:
        _renew(claims)
    finally:
        connection.close()


_keeper: leases.Keeper[Claim] = leases.Keeper("idempotency keys", _renew_apart)
