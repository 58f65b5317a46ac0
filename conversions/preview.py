"""A dry run: what a conversion would do, tried for a moment and thrown away."""

from __future__ import annotations

import math
from statistics import median
from typing import Any

from accounts import jobslots
from accounts.payers import Payer
from conversions import offer, pipeline, runner
from conversions.models import Conversion
from conversions.sayings.telling import told
from conversions.texts import storable
from conversions.toolkit.declaring import Converter
from conversions.toolkit.options import public_values
from conversions.uploads import Upload

MOMENT = 2.0
"""Seconds that the work is tried for: most files are done by then, and it is little to give away."""

_RECENT = 20


def of(payer: Payer, converter: Converter, upload: Upload, options: Any, *, verify: bool) -> dict[str, Any]:
    """What would come of converting a file, as the API shows it.

    Raises what the conversion would, but for what it costs.
    """
    offered = offer.to(payer)
    offered.require(converter, payer.plan)
    cost = offered.cost(converter)
    with jobslots.hold(payer, seconds=2 * MOMENT + pipeline.SLACK):
        with pipeline.answering():
            looked = runner.convert(converter, upload.file, options, look=True)
            looked.output.close()
            minutes = pipeline.minutes_of(looked)
            facts = dict(looked.detected)
            foreseen = facts.pop("predictedSeconds", None)
            tried = _try(converter, upload, options)
    seconds = _predicted(payer, converter, upload.size, foreseen) if tried is None else tried.duration_ms / 1000
    found = looked if tried is None else tried
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
        "warnings": [{"code": each.code, "message": told(storable(each.message))} for each in found.warnings],
        "complete": tried is not None,
    }
    return shown if tried is None else {**shown, "outputBytes": tried.size}


def _try(converter: Converter, upload: Upload, options: Any) -> runner.Outcome | None:
    """What the work gives within a moment, or None where it takes longer."""
    try:
        tried = runner.convert(converter, upload.file, options, within=MOMENT)
    except runner.OverTime:
        return None
    tried.output.close()
    return tried


def _predicted(payer: Payer, converter: Converter, size: int, told: object) -> float:
    """The seconds of what was not done in a moment: as the converter has told, which runs where it may be taken over,
    or by the time that the payer's latest have taken for each byte."""
    if isinstance(told, int | float) and math.isfinite(told):
        return min(max(MOMENT, told), runner.wall_limit(converter))
    latest = Conversion.objects.filter(
        owner=payer.owner, slug=converter.slug, status=Conversion.Status.COMPLETED, input_bytes__gt=0
    ).values_list("duration_ms", "input_bytes")[:_RECENT]
    rates = [milliseconds / 1000 / amount for milliseconds, amount in latest]
    predicted = median(rates) * size if rates else 0.0
    return min(max(2 * MOMENT, predicted), runner.wall_limit(converter))
