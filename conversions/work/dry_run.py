"""Dry runs: a conversion tried for a moment, and its result discarded."""

from __future__ import annotations

import math
from statistics import median
from typing import Any

from accounts.credits import jobslots
from accounts.credits.payers import Payer
from conversions.models import Conversion
from conversions.texts import storable
from conversions.uploads import Upload
from conversions.wording import worded
from conversions.work import offer, pipeline, runner
from conversions.work.job_owner import owner_of
from engine.toolkit.declaring import Converter
from engine.toolkit.options import public_values

MOMENT = 2.0
"""Seconds to try for: most files are done by then, and it is little to give away."""

_RECENT = 20


def report(payer: Payer, converter: Converter, upload: Upload, options: Any, *, verify: bool) -> dict[str, Any]:
    """The API's report of what a conversion would do.

    Raises what the conversion would raise, except errors about credits.
    """
    offered = offer.for_payer(payer)
    offered.require(converter, payer.plan)
    cost = offered.cost(converter)
    with jobslots.acquire(payer, seconds=2 * MOMENT + pipeline.SLACK):
        with pipeline.raising_api_errors():
            owner = owner_of(payer)
            inspected = runner.convert(converter, upload.file, options, detect_only=True, owner=owner, unpaid=True)
            inspected.output.close()
            minutes = pipeline.minutes_of(inspected)
            facts = dict(inspected.detected)
            estimate = facts.pop("predictedSeconds", None)
            tried = _try(payer, converter, upload, options)
            if tried is not None:
                minutes = pipeline.minutes_written(tried, agreed=minutes)
    if "minutes" in facts:
        facts["minutes"] = minutes
    seconds = _predicted(payer, converter, upload.size, estimate) if tried is None else tried.duration_ms / 1000
    found = inspected if tried is None else tried
    shown = {
        "slug": converter.slug,
        "dryRun": True,
        "inputName": upload.name,
        "inputBytes": upload.size,
        "detected": storable({**(tried.detected if tried else {}), **facts}),
        "options": public_values(options),
        "engine": found.engine,
        "credits": pipeline.credits(cost, verify=verify, minutes=minutes) if payer.owner else 0,
        "predictedSeconds": round(seconds, 3),
        "warnings": [{"code": each.code, "message": storable(worded(each.message))} for each in found.warnings],
        "complete": tried is not None,
    }
    return shown if tried is None else {**shown, "outputBytes": tried.size}


def _try(payer: Payer, converter: Converter, upload: Upload, options: Any) -> runner.Outcome | None:
    """The result, or None if it takes longer than a moment."""
    try:
        tried = runner.convert(converter, upload.file, options, within=MOMENT, owner=owner_of(payer), unpaid=True)
    except runner.OverTime:
        return None
    tried.output.close()
    return tried


def _predicted(payer: Payer, converter: Converter, size: int, estimate: object) -> float:
    """Predicted seconds for what was not done in a moment: the converter's estimate, capped as it is not trusted, or
    from the payer's recent conversions by bytes.
    """
    if isinstance(estimate, int | float) and math.isfinite(estimate):
        return min(max(MOMENT, estimate), runner.wall_limit(converter))
    latest = Conversion.objects.filter(
        owner=payer.owner, slug=converter.slug, status=Conversion.Status.COMPLETED, input_bytes__gt=0
    ).values_list("duration_ms", "input_bytes")[:_RECENT]
    rates = [milliseconds / 1000 / amount for milliseconds, amount in latest]
    predicted = median(rates) * size if rates else 0.0
    return min(max(2 * MOMENT, predicted), runner.wall_limit(converter))
