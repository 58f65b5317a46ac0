"""Verification: compares the contents of a result with its input, in a child that converts the input again."""

from __future__ import annotations

import functools
import os
import shutil
import tempfile
from dataclasses import dataclass
from typing import Any, BinaryIO

from django.conf import settings

from accounts.credits import failing
from conversions.wording import as_stored
from conversions.work import runner
from engine.families.registry import CONVERTERS
from engine.families.verifying import mark_of_pair, verified_kinds
from engine.toolkit.declaring import Converter
from engine.toolkit.failures import ConversionError, OverLimit
from engine.toolkit.messages import Message, say


@dataclass(frozen=True)
class Verification:
    """The record's `verified`, and the seconds of processor time that the price of the result pays for."""

    record: dict[str, Any]
    processor_seconds: float = 0.0


@functools.cache
def can_verify(converter: Converter) -> bool:
    """Whether a converter's inputs and results can be compared, with what is installed."""
    return bool(verified_kinds(converter, CONVERTERS))


def incomparable(converter: Converter, options: Any) -> Message | None:
    """Why results with these options can't be compared, whatever the file; None if they can."""
    if verified_kinds(converter, CONVERTERS, options):
        return None
    return say("With these options, the result leaves out parts of the file on purpose, so it can't be compared.")


def verify(
    converter: Converter,
    source: BinaryIO,
    options: Any,
    outcome: runner.Outcome,
    *,
    owner: runner.JobOwner | None = None,
) -> Verification:
    """Compare, and return what was found; `ok` is None if undecided, and `differences` says why.

    `converter` made the result; `options` may be those of another one of its slug.

    Takes at most what is left of the family's time limit. Work without a result counts as failed work. `outcome` is
    unchanged, with its output rewound.
    """
    within = runner.wall_limit(converter) - outcome.duration_ms / 1000
    try:
        if within <= 0:
            raise runner.OverTime
        with tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR) as pair:
            _write_pair(source, outcome.output, pair)
            checked = runner.convert(converter, pair, options, verify=True, within=within, owner=owner)
    except OverLimit:
        return _undecided(say("There was not enough time or memory to read the file a second time."))
    except ConversionError as error:
        return _undecided(say("The file can't be read a second time: {reason}", reason=error.message))
    except (runner.Unavailable, runner.Crashed):  # the conversion itself succeeded, and is charged without verification
        return _undecided(say("The service couldn't compare the result with the file. Try again later."))
    finally:
        outcome.output.seek(0)
    checked.output.close()
    # A child is not trusted to send texts.
    facts = {name: value if isinstance(value, str) else str(value) for name, value in checked.detected.items()}
    if "compared" not in facts:
        failing.failed(checked.processor_seconds)
        return _undecided(facts.get("undecided", ""))
    differences = [text for name, text in facts.items() if name.startswith("difference")]
    return Verification(_record(not differences, facts["compared"], differences), checked.processor_seconds)


def _undecided(why: str) -> Verification:
    return Verification(_record(None, "", [why]))


def _record(ok: bool | None, compared: str, differences: list[str]) -> dict[str, Any]:
    return {"ok": ok, "compared": as_stored(compared), "differences": [as_stored(each) for each in differences]}


def _write_pair(source: BinaryIO, result: BinaryIO, pair: BinaryIO) -> None:
    """Write both files as one, for a child that takes one."""
    for each in (source, result):
        each.seek(0)
        shutil.copyfileobj(each, pair)
    pair.write(mark_of_pair(os.fstat(source.fileno()).st_size))
