"""From upload to stored result: the one path of API, pages and command."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import Error, connection, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException

from accounts import metrics
from accounts.credits import failing, jobslots
from accounts.credits.payers import Payer
from accounts.models import GUEST
from conversions.errors import (
    ConverterBusy,
    ConverterFailed,
    ConverterUnavailable,
    OptionRefused,
    UnsupportedFileType,
    UnsupportedFormat,
)
from conversions.models import Conversion
from conversions.record_sizes import recorded
from conversions.texts import storable
from conversions.uploads import Upload
from conversions.wording import as_stored, translated, worded
from conversions.work import commits, idempotency, offer, runner, statistics, storage_quota, verification
from conversions.work.idempotency import Claim
from conversions.work.job_owner import owner_of
from conversions.work.metrics import CONVERSION_SECONDS, CONVERSIONS, SANDBOX_JOBS, SANDBOX_SECONDS
from conversions.work.offer import Cost
from engine.toolkit import filenames, minutes
from engine.toolkit.declaring import Converter
from engine.toolkit.failures import ConversionError, InvalidOption, OverLimit, Unreadable
from engine.toolkit.formats import by_filename
from engine.toolkit.messages import Message, say
from engine.toolkit.options import public_values
from engine.toolkit.progress import OnProgress
from errors import Internal, Unavailable, kind_of
from storage import files

log = logging.getLogger("service.conversions")

_VERIFIED = 2
"""The price factor of a verified conversion."""

RECORD_SECONDS = 0.1
"""Seconds that the record of a failed conversion counts as, beside its work.

It stays as long as the account, with up to 10 KB of options, and a file that is refused at once takes 0.01 seconds: a
budget of 600 would allow 60,000 of them a day.
"""

SLACK = 30.0
"""Seconds allowed beyond the sandbox's limit: for queueing, storing and recording."""


@dataclass(frozen=True)
class Result:
    """`replayed` marks the result of an earlier request with the same key; its file may be `gone`."""

    conversion: Conversion
    replayed: bool = False
    gone: bool = False


def check_format(converter: Converter, name: str) -> None:
    """Check a file's extension; raises UnsupportedFileType and UnsupportedFormat."""
    expected, offered = list(converter.input.extensions), offer.current()
    format = by_filename(name)
    if format is None or format not in offered.inputs:
        text = _("%(name)r doesn't have a supported extension. This conversion accepts: %(taken)s.")
        values = {"name": name, "taken": ", ".join(expected)}
        raise UnsupportedFileType(text % values, expected=expected)
    if format is not converter.input:
        text = _(
            "%(name)r is %(given)s, but this conversion accepts %(taken)s. Use one of the "
            "conversions in meta.alternatives."
        )
        values = {"name": name, "given": translated(format.name), "taken": translated(converter.input.name)}
        raise UnsupportedFormat(
            text % values, reason="format", expected=expected, alternatives=offered.alternatives(format)
        )


def authorize(payer: Payer, converter: Converter) -> Cost:
    """Return the cost of a conversion for this payer. Raises NotAllowed, UnknownConversion and PlanRequired."""
    payer.require_member()
    offered = offer.for_payer(payer)
    offered.require(converter, payer.plan)
    return offered.cost(converter)


def credits(cost: Cost, *, verify: bool, minutes: int = 1) -> int:
    """The price for so many started minutes; verifying costs as much again."""
    return cost.for_minutes(minutes) * (_VERIFIED if verify else 1)


def minutes_of(inspected: runner.Outcome) -> int:
    """Started minutes reported by a child, which is not trusted: raises Crashed for impossible values."""
    found = inspected.detected.get("minutes", 1)
    if type(found) is not int or not 1 <= found <= minutes.MOST:
        raise runner.Crashed("the child claims an impossible length")
    return found


def minutes_written(outcome: runner.Outcome, *, agreed: int) -> int:
    """Started minutes written, at most `agreed`; `agreed` if the result has no length.

    Reported by an untrusted child, which may claim fewer, and gains no more than the sandbox's limits allow any job for
    one minute.
    """
    found = outcome.detected.get("minutes")
    return found if type(found) is int and 1 <= found < agreed else agreed


def _agree(payer: Payer, cost: Cost, converter: Converter, upload: Upload, options: Any, *, verify: bool) -> int:
    """The most minutes to charge, agreed before the work: a child inspects the file if minutes are charged.

    The inspection is unpaid work. Raises what it does, and PaymentRequired if the balance last read does not cover
    them.
    """
    if not cost.per_minute:
        return 1
    inspected = runner.convert(converter, upload.file, options, detect_only=True, owner=owner_of(payer), unpaid=True)
    inspected.output.close()
    agreed = minutes_of(inspected)
    payer.check(credits(cost, verify=verify, minutes=agreed))
    return agreed


def run(
    payer: Payer,
    converter: Converter,
    upload: Upload,
    options: Any,
    *,
    key: str | None = None,
    verify: bool = False,
    on_progress: OnProgress | None = None,
    retention: int | None = None,
) -> Result:
    """Convert one file, store the result, and charge for it: all three or none. Consumes the upload.

    `options` is an instance of `converter.options`; `key` is the idempotency key; `verify` has the result counted, if
    can_verify(); `on_progress` is called with progress; `retention` is in hours, 0 for one download, None for the
    plan's default.

    Raises PaymentRequired, GuestQuotaExceeded, TooManyRequests, UnsupportedFormat, OptionRefused, ConverterFailed,
    ConverterUnavailable, InvalidCredentials if the account has been deactivated, UnknownConversion and PlanRequired if
    the conversion is not offered to this payer, and OutcomeUnknown if the database does not say whether it stored the
    result.
    """
    cost = authorize(payer, converter)
    claim: Claim | None = None
    if key is not None and payer.owner is not None:
        mark = idempotency.fingerprint(converter.slug, upload.sha256, options, verify=verify, retention=retention)
        found = idempotency.claim(payer.owner, key, mark)
        if isinstance(found, Conversion):
            return _replayed(found)
        claim = found
    with idempotency.hold_claim(claim) if claim else nullcontext():
        payer.check(credits(cost, verify=verify))
        storage_quota.check(payer)
        with jobslots.acquire(payer, seconds=runner.wall_limit(converter) + SLACK):
            return Result(
                _work(
                    payer,
                    cost,
                    converter,
                    upload,
                    options,
                    claim,
                    verify=verify,
                    on_progress=on_progress,
                    retention=retention,
                )
            )


def repeated(payer: Payer, converter: Converter, sha256: str, options: Any, *, key: str) -> Result | None:
    """The result that a request with this key has already had for a file that is gone; None if it had none."""
    if payer.owner is None:
        return None
    found = idempotency.settled(payer.owner, key, idempotency.fingerprint(converter.slug, sha256, options))
    return _replayed(found) if found else None


def _replayed(conversion: Conversion) -> Result:
    return Result(conversion, replayed=True, gone=not files.is_available(conversion.file_key))


def _work(
    payer: Payer,
    cost: Cost,
    converter: Converter,
    upload: Upload,
    options: Any,
    claim: Claim | None,
    *,
    verify: bool,
    on_progress: OnProgress | None,
    retention: int | None,
) -> Conversion:
    conversion = Conversion(
        owner=payer.owner,
        made_by_id=payer.actor,
        plan=payer.owner.plan.code if payer.owner else GUEST,
        slug=converter.slug,
        status=Conversion.Status.COMPLETED,
        input_name=upload.name,
        input_bytes=upload.size,
        input_sha256=upload.sha256,
        options=recorded(public_values(options)),
        engine=converter.engine.label,
    )
    try:
        with failing.counted_if_it_fails() as unpaid:
            agreed = _agree(payer, cost, converter, upload, options, verify=verify)
            outcome = _sandboxed(payer, converter, upload, options, on_progress)
            storage_quota.check_size(payer, outcome)
        price = credits(cost, verify=verify, minutes=minutes_written(outcome, agreed=agreed))
    except _ENDS as error:
        refusal = api_error(error)
        if isinstance(error, InvalidOption | runner.Unavailable):
            raise refusal from error
        _delete(upload, conversion)
        with translation.override(settings.LANGUAGE_CODE):
            conversion.error_message = str(api_error(error).detail)
        if isinstance(error, ConversionError):
            conversion.error_parts = as_stored(_placed(error)).get("parts")
        raise _failed(payer, conversion, refusal) from error
    spent = sum(unpaid) + outcome.processor_seconds
    with outcome.output:
        if verify:
            checked = verification.verify(outcome.converter, upload.file, options, outcome, owner=owner_of(payer))
            conversion.verified, spent = checked.record, spent + checked.processor_seconds
            if conversion.verified["ok"] is None:
                price //= _VERIFIED
        _delete(upload, conversion)
        # The last part of `tar.gz`: a key has one extension.
        stored = files.put(outcome.output, extension=outcome.format.extension.rpartition(".")[2])
    try:
        with _counting_what_is_refused(spent), commits.atomically():
            conversion.created_at = timezone.now()
            conversion.expires_at = conversion.created_at + (
                timedelta(hours=retention) if retention else payer.limits.retention
            )
            conversion.file_key = stored.key
            conversion.output_name = filenames.converted(upload.name, outcome.format)
            conversion.output_bytes = stored.size
            conversion.sha256 = stored.sha256
            conversion.content_type = outcome.format.content_type
            conversion.warnings = [{"code": each.code, **as_stored(each.message)} for each in outcome.warnings]
            conversion.detected = dict(outcome.detected)
            conversion.engine = outcome.engine
            conversion.duration_ms = round(outcome.duration_ms)
            conversion.credits = price if payer.owner else 0
            # The row first, whose key is unique, then the bytes: a sweep runs before both or after both.
            files.row(
                stored,
                owner=payer.owner,
                block=payer.storage_block,
                name=conversion.output_name,
                content_type=conversion.content_type,
                expires_at=conversion.expires_at,
                once=retention == 0,
            ).save(force_insert=True)
            payer.charge(price, reference=conversion.id, reason=converter.slug)
            storage_quota.check_recorded(payer)
            if not files.bytes_exist(stored):
                raise ConverterUnavailable()
            conversion.save(force_insert=True)
            statistics.count(conversion, api_key=payer.api_key)
            if claim is not None:
                idempotency.complete(claim, conversion)
    except commits.OutcomeUnknown as error:
        # The bytes stay: their row may be committed. Without a row the sweep deletes them.
        log.error("the outcome of a commit is not known", extra={"conversion": str(conversion.id), "error": str(error)})
        if not _is_recorded(conversion):
            raise
    except BaseException:
        files.discard(stored)
        raise
    metrics.CREDITS.inc(conversion.credits)
    _record_outcome(conversion, "completed")
    return conversion


@contextmanager
def _counting_what_is_refused(seconds: float) -> Iterator[None]:
    """Count work as failed if its result is refused, such as when the balance was used up meanwhile: nobody pays.

    A refusal that is the service's own fault is not counted.
    """
    try:
        yield
    except APIException as error:
        if not issubclass(kind_of(error), Internal | Unavailable):
            failing.failed(seconds)
        raise


def _delete(upload: Upload, conversion: Conversion) -> None:
    """Delete the upload by closing it, as it has no name; the child's copy goes with the child."""
    upload.file.close()
    conversion.input_deleted_at = timezone.now()


def _is_recorded(conversion: Conversion) -> bool:
    """Whether a conversion whose COMMIT was not answered is in the database; it may still appear later."""
    try:
        connection.close()
        return Conversion.objects.filter(pk=conversion.pk).exists()
    except Error:
        return False


def _sandboxed(
    payer: Payer, converter: Converter, upload: Upload, options: Any, on_progress: OnProgress | None
) -> runner.Outcome:
    """The work itself; measures the time spent in addition to the converter's own."""
    started = time.perf_counter()
    with SANDBOX_JOBS.labels(converter.profile).track_inprogress():
        outcome = runner.convert(converter, upload.file, options, on_progress=on_progress, owner=owner_of(payer))
    overhead = time.perf_counter() - started - outcome.duration_ms / 1000
    SANDBOX_SECONDS.labels(converter.profile).observe(max(0.0, overhead))
    CONVERSION_SECONDS.labels(converter.slug).observe(outcome.duration_ms / 1000)
    return outcome


def _record_outcome(conversion: Conversion, outcome: str) -> None:
    """Count and log a conversion: who, what, how long and with which outcome, but never a file's name or content."""
    CONVERSIONS.labels(conversion.slug, outcome).inc()
    log.info(
        "conversion",
        extra={
            "conversion": str(conversion.id),
            "account": str(conversion.owner_id) if conversion.owner_id else "guest",
            "slug": conversion.slug,
            "outcome": outcome,
            "durationMs": conversion.duration_ms,
            "inputBytes": conversion.input_bytes,
        },
    )


_ENDS = (ConversionError, runner.Unavailable, runner.Crashed)
"""The exceptions with which a job can fail."""


def api_error(error: Exception) -> APIException:
    """The API error for a failed job."""
    if isinstance(error, InvalidOption):
        return OptionRefused(error.option, storable(worded(error.message)))
    if isinstance(error, ConversionError):
        return _refusal(error)
    if isinstance(error, runner.Busy):
        return ConverterBusy(error.wait)
    return ConverterUnavailable() if isinstance(error, runner.Unavailable) else ConverterFailed()


@contextmanager
def raising_api_errors() -> Iterator[None]:
    """Raise the API errors for failed jobs in the block."""
    try:
        yield
    except _ENDS as error:
        raise api_error(error) from error


def _refusal(error: ConversionError) -> UnsupportedFormat:
    """The API error for a file that can't be converted."""
    # It may quote the file, so it is cleaned for output.
    text = storable(worded(error.message))
    if isinstance(error, OverLimit):
        named = {"suggestions": [storable(each) for each in error.suggestions]} if error.suggestions else {}
        return UnsupportedFormat(text, reason=error.reason, **named)
    details: dict[str, Any] = {"field": "file", "message": text}
    if isinstance(error, Unreadable):
        details |= {name: each for name in ("line", "column") if (each := getattr(error, name)) is not None}
    reason = error.reason if isinstance(error, Unreadable) else "damaged"
    return UnsupportedFormat(storable(worded(_placed(error))), reason=reason, details=[details])


def _placed(error: ConversionError) -> Message:
    """The error's message with its position in the file, unless it already has it."""
    if not isinstance(error, Unreadable) or error.line is None:
        return error.message
    if error.column is None:
        placed = say("{message} (line {line})", message=error.message, line=str(error.line))
    else:
        place = {"line": str(error.line), "column": str(error.column)}
        placed = say("{message} (line {line}, column {column})", message=error.message, **place)
    return error.message if str(placed).removeprefix(str(error.message))[2:-1] in error.message else placed


def _failed(payer: Payer, conversion: Conversion, error: APIException) -> APIException:
    """Record a failed conversion, free of charge, and return the error to raise.

    Raises InvalidCredentials if the account has been deactivated: then nothing is recorded.
    """
    conversion.id = uuid.uuid4()
    conversion.status = Conversion.Status.FAILED
    conversion.error_code = str(error.default_code)
    with transaction.atomic():
        payer.require_active()
        conversion.save(force_insert=True)
        statistics.count(conversion, api_key=payer.api_key)
    failing.failed(RECORD_SECONDS)
    _record_outcome(conversion, str(getattr(error, "meta", {}).get("reason", conversion.error_code)))
    return error
