"""From upload to stored result: the single path behind the API, the web page and the command."""

from __future__ import annotations

import functools
import logging
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import Error, connection, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException

from accounts import compiled_sql, jobslots, metrics
from accounts.models import GUEST
from accounts.payers import Payer
from conversions import commits, idempotency, offer, runner, statistics, verification
from conversions.errors import (
    ConverterFailed,
    ConverterUnavailable,
    OptionRefused,
    UnsupportedFileType,
    UnsupportedFormat,
)
from conversions.idempotency import Claim
from conversions.metrics import CONVERSION_SECONDS, CONVERSIONS, SANDBOX_JOBS, SANDBOX_SECONDS
from conversions.models import Conversion
from conversions.offer import Cost
from conversions.sayings.telling import spoken
from conversions.texts import storable
from conversions.toolkit import filenames
from conversions.toolkit.declaring import Converter
from conversions.toolkit.failures import ConversionError, InvalidOption, OverLimit, Unreadable
from conversions.toolkit.formats import by_filename
from conversions.toolkit.options import public_values
from conversions.toolkit.progress import Tell
from conversions.uploads import Upload
from storage import files

log = logging.getLogger("service.conversions")

_MOST_MINUTES = 60 * 24 * 7

SLACK = 30.0
"""Seconds that a job may take beside the sandbox's own limit: waiting for a child, storing, recording."""


@dataclass(frozen=True)
class Result:
    """`replayed` is the result of an earlier request with the same key; its file may be `gone` by now."""

    conversion: Conversion
    replayed: bool = False
    gone: bool = False


def check_format(converter: Converter, upload: Upload) -> None:
    """Judge the file by its extension; raises UnsupportedFileType and UnsupportedFormat."""
    expected, offered = list(converter.input.extensions), offer.current()
    format = by_filename(upload.name)
    if format is None or format not in offered.inputs:
        text = _("%(name)r has no extension that can be converted. This conversion takes: %(taken)s.")
        told = {"name": upload.name, "taken": ", ".join(expected)}
        raise UnsupportedFileType(text % told, expected=expected)
    if format is not converter.input:
        text = _(
            "%(name)r is %(given)s, and this conversion takes %(taken)s. "
            "Use one of the conversions in meta.alternatives."
        )
        told = {"name": upload.name, "given": spoken(format.name), "taken": spoken(converter.input.name)}
        raise UnsupportedFormat(text % told, expected=expected, alternatives=offered.alternatives(format))


def credits(cost: Cost, *, verify: bool, minutes: int = 1) -> int:
    """What one conversion of so many begun minutes costs: reading the result back is as much work once more."""
    return cost.of(minutes) * (2 if verify else 1)


def minutes_of(looked: runner.Outcome) -> int:
    """The begun minutes that a look has found, which a child only claims: raises Crashed for what no film has."""
    found = looked.detected.get("minutes", 1)
    if type(found) is not int or not 1 <= found <= _MOST_MINUTES:
        raise runner.Crashed("the child claims an impossible length")
    return found


def _price(payer: Payer, cost: Cost, converter: Converter, upload: Upload, options: Any, *, verify: bool) -> int:
    """What the conversion will cost, known before it begins: where minutes are paid for, a child looks at the file.

    Raises what the look does, and PaymentRequired where the credits known so far don't cover it.
    """
    if not cost.per_minute:
        return credits(cost, verify=verify)
    looked = runner.convert(converter, upload.file, options, look=True)
    looked.output.close()
    price = credits(cost, verify=verify, minutes=minutes_of(looked))
    payer.check(price)
    return price


def run(
    payer: Payer,
    converter: Converter,
    upload: Upload,
    options: Any,
    *,
    key: str | None = None,
    verify: bool = False,
    tell: Tell | None = None,
    retention: int | None = None,
) -> Result:
    """Convert one file, store the result, and charge for it: all three or none. The upload is deleted on the way.

    `options` is an instance of `converter.options`; `key` is the client's idempotency key; `verify` has the result read
    back, where can_verify() says that it can be; `tell` is told now and then how far it is; `retention` is the hours
    that the result is kept, 0 until it is fetched once, None for the plan's. Raises PaymentRequired,
    GuestQuotaExceeded, TooManyRequests, UnsupportedFormat, OptionRefused, ConverterFailed, ConverterUnavailable,
    InvalidCredentials where the account was closed while the work was done, UnknownConversion and PlanRequired where it
    is not offered to this payer, and OutcomeUnknown where the database does
    not say whether it kept the result.
    """
    payer.admit()
    offered = offer.to(payer)
    offered.require(converter, payer.plan)
    cost = offered.cost(converter)
    claim: Claim | None = None
    if key is not None and payer.owner is not None:
        mark = idempotency.fingerprint(converter.slug, upload.sha256, options, verify=verify, retention=retention)
        found = idempotency.claim(payer.owner, key, mark)
        if isinstance(found, Conversion):
            return Result(found, replayed=True, gone=not files.is_there(found.file_key))
        claim = found
    with idempotency.hold(claim) if claim else nullcontext():
        payer.check(credits(cost, verify=verify))
        with jobslots.hold(payer, seconds=runner.wall_limit(converter) + SLACK):
            return Result(
                _work(payer, cost, converter, upload, options, claim, verify=verify, tell=tell, retention=retention)
            )


def _work(
    payer: Payer,
    cost: Cost,
    converter: Converter,
    upload: Upload,
    options: Any,
    claim: Claim | None,
    *,
    verify: bool,
    tell: Tell | None,
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
        options=public_values(options),
        engine=converter.engine.label,
    )
    try:
        price = _price(payer, cost, converter, upload, options, verify=verify)
        outcome = _sandboxed(converter, upload, options, tell)
    except _ENDS as error:
        told = answer(error)
        if isinstance(error, InvalidOption | runner.Unavailable):
            raise told from error
        _delete(upload, conversion)
        with translation.override(settings.LANGUAGE_CODE):
            kept = str(answer(error).detail)
        raise _failed(payer, conversion, told, kept) from error
    with outcome.output:
        if verify:
            conversion.verified = verification.verify(converter, upload.file, options, outcome)
        _delete(upload, conversion)
        # Of `tar.gz` the last part: a key has one extension.
        stored = files.put(outcome.output, extension=outcome.format.extension.rpartition(".")[2])
    try:
        with commits.atomically():
            conversion.created_at = timezone.now()
            conversion.expires_at = conversion.created_at + (
                timedelta(hours=retention) if retention else payer.limits.retention
            )
            conversion.file_key = stored.key
            conversion.output_name = filenames.converted(upload.name, outcome.format)
            conversion.output_bytes = stored.size
            conversion.sha256 = stored.sha256
            conversion.content_type = outcome.format.content_type
            conversion.warnings = [asdict(each) for each in outcome.warnings]
            conversion.detected = dict(outcome.detected)
            conversion.engine = outcome.engine
            conversion.duration_ms = round(outcome.duration_ms)
            conversion.credits = price if payer.owner else 0
            # The row first, whose key is unique, then a look at the bytes: a sweep comes before both or after both.
            compiled_sql.insert(
                files.row(
                    stored,
                    owner=payer.owner,
                    name=conversion.output_name,
                    content_type=conversion.content_type,
                    expires_at=conversion.expires_at,
                    once=retention == 0,
                )
            )
            payer.charge(price, reference=conversion.id, reason=converter.slug)
            if not files.holds(stored):
                raise ConverterUnavailable()
            compiled_sql.insert(conversion)
            statistics.count(conversion, api_key=payer.api_key)
            if claim is not None:
                idempotency.settle(claim, conversion)
    except commits.OutcomeUnknown as error:
        # The bytes stay: they may be the file of a row that is there, or will be. Without one the sweep finds them.
        log.error("the outcome of a commit is not known", extra={"conversion": str(conversion.id), "error": str(error)})
        if not _is_recorded(conversion):
            raise
    except BaseException:
        files.discard(stored)
        raise
    metrics.CREDITS.inc(conversion.credits)
    _note(conversion, "completed")
    return conversion


def _delete(upload: Upload, conversion: Conversion) -> None:
    """Delete the upload, whose only name is its descriptor; the child's copy goes with the child."""
    upload.file.close()
    conversion.input_deleted_at = timezone.now()


def _is_recorded(conversion: Conversion) -> bool:
    """Whether a conversion whose COMMIT was not answered is known to be in the database: not always at once."""
    try:
        connection.close()
        return Conversion.objects.filter(pk=conversion.pk).exists()
    except Error:
        return False


def _sandboxed(converter: Converter, upload: Upload, options: Any, tell: Tell | None) -> runner.Outcome:
    """The work itself, with the time that it took beside the converter's own."""
    convert = runner.convert if tell is None else functools.partial(runner.convert, tell=tell)
    started = time.perf_counter()
    with SANDBOX_JOBS.labels(converter.profile).track_inprogress():
        outcome = convert(converter, upload.file, options)
    beside = time.perf_counter() - started - outcome.duration_ms / 1000
    SANDBOX_SECONDS.labels(converter.profile).observe(max(0.0, beside))
    CONVERSION_SECONDS.labels(converter.slug).observe(outcome.duration_ms / 1000)
    return outcome


def _note(conversion: Conversion, outcome: str) -> None:
    """Count a conversion and write its line: who, what, how long and how it went, never a name or content."""
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
"""How a job can end without a result."""


def answer(error: Exception) -> APIException:
    """What the API says of a job that ended without a result."""
    if isinstance(error, InvalidOption):
        return OptionRefused(error.option, storable(str(error)))
    if isinstance(error, ConversionError):
        return _refusal(error)
    return ConverterUnavailable() if isinstance(error, runner.Unavailable) else ConverterFailed()


@contextmanager
def answering() -> Iterator[None]:
    """Raise what the API says of jobs inside that end without a result."""
    try:
        yield
    except _ENDS as error:
        raise answer(error) from error


def _refusal(error: ConversionError) -> UnsupportedFormat:
    """What the API says of a file that can't be converted."""
    # It may quote the file, and must be one that can be sent.
    text = storable(str(error))
    if isinstance(error, OverLimit):
        named = {"suggestions": [storable(each) for each in error.suggestions]} if error.suggestions else {}
        return UnsupportedFormat(text, reason=error.reason, **named)
    details: dict[str, Any] = {"field": "file", "message": text}
    place = ""
    if isinstance(error, Unreadable) and error.line is not None:
        details["line"] = error.line
        place = f"line {error.line}"
        if error.column is not None:
            details["column"] = error.column
            place += f", column {error.column}"
    # Some converters say the place themselves, in better words.
    message = f"{text} ({place})" if place and place not in text else text
    return UnsupportedFormat(message, details=[details])


def _failed(payer: Payer, conversion: Conversion, error: APIException, words: str) -> APIException:
    """Record that the work failed, in English `words` and at no cost, and hand back the error to raise.

    Raises InvalidCredentials where the account has been closed meanwhile: then nothing is recorded.
    """
    conversion.id = uuid.uuid4()
    conversion.status = Conversion.Status.FAILED
    conversion.error_code = str(error.default_code)
    conversion.error_message = words
    with transaction.atomic():
        payer.hold()
        compiled_sql.insert(conversion)
        statistics.count(conversion, api_key=payer.api_key)
    _note(conversion, str(getattr(error, "meta", {}).get("reason", conversion.error_code)))
    return error
