"""Verification: results are read back by the service's own readers, in children, and compared with the input."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from django.conf import settings

from accounts.credits import failing
from conversions.wording import as_stored
from conversions.work import runner
from engine.families.registry import CONVERTERS
from engine.sandbox.spending import Meter
from engine.toolkit.comparing import COMPARERS, FORMS, mark_of_pair
from engine.toolkit.declaring import Converter
from engine.toolkit.failures import ConversionError, OverLimit
from engine.toolkit.formats import FORMATS, ZIP, Format
from engine.toolkit.messages import Message, message_of, say
from engine.toolkit.options import describe

_ONLY_CODING = frozenset(
    {"sepLine", "delimiter", "bom", "lineEnding", "quote", "indent", "title", "language", "lineWidth"}
)
"""Options of the output's notation, which don't matter for the comparison."""
_CHOOSING = frozenset({"pageRanges"})
"""Options that drop parts of the input on purpose."""


def can_verify(converter: Converter) -> bool:
    """Whether the pair can be verified with what is installed."""
    if converter.compares is None:
        return False
    form = FORMS[converter.compares]
    return all(each.id == form or f"{each.id}-to-{form}" in CONVERTERS for each in (converter.input, converter.output))


def incomparable(options: Any) -> Message | None:
    """Why results with these options can't be compared, whatever the file; None if they can."""
    given = _given(options)
    if any(given.get(each) for each in _CHOOSING):
        return say("Only a part of the file is converted, so there is no whole result to compare.")
    if given.get("layout") == "page":
        return say("A page for reading has no table cells to compare.")
    return None


def _given(options: Any) -> dict[str, Any]:
    return {each.name: getattr(options, each.attribute) for each in describe(type(options))}


def verify(
    converter: Converter,
    source: BinaryIO,
    options: Any,
    outcome: runner.Outcome,
    *,
    owner: runner.JobOwner | None = None,
) -> dict[str, Any]:
    """Compare and return the record's `verified`; `ok` is None if undecided, and `differences` says why.

    Takes at most what is left of the family's time limit. What was done for nothing counts as failed work. `outcome` is
    unchanged, with its output rewound.
    """
    work = _Work(owner)
    try:
        verified = _verified(converter, source, options, outcome, work)
    except (runner.Unavailable, runner.Crashed):  # the result itself is there, and paid for without this
        return _undecided(say("The service could not read the result back. Try again later."))
    finally:
        outcome.output.seek(0)
    if verified["ok"] is None:
        failing.failed(work.meter.seconds)
    return verified


@dataclass
class _Work:
    """Jobs of one verification, for one payer; `meter` counts the seconds of those that succeed, as reported."""

    owner: runner.JobOwner | None
    meter: Meter = field(default_factory=Meter)

    def convert(self, converter: Converter, source: BinaryIO, options: Any, *, until: float) -> runner.Outcome:
        outcome = runner.convert(converter, source, options, within=_left(until), owner=self.owner)
        self.meter.add(outcome.duration_ms / 1000)
        return outcome


def _verified(
    converter: Converter, source: BinaryIO, options: Any, outcome: runner.Outcome, work: _Work
) -> dict[str, Any]:
    assert converter.compares is not None
    kind = converter.compares
    until = time.monotonic() + runner.wall_limit(converter) - outcome.duration_ms / 1000
    if outcome.format is not converter.output:
        return _undecided(
            say(
                "The result is several files in one {format}, which are not read back.",
                format=message_of(outcome.format.name),
            )
        )
    form = FORMS[kind]
    if why := incomparable(options):
        return _undecided(why)
    given = _given(options)
    try:
        expected = _in_form(form, converter.input, source, given, until, work)
    except OverLimit:
        return _undecided(say("There was not enough time or memory to read the file a second time."))
    except ConversionError as error:
        return _undecided(
            say(
                "The file can't be converted to {format} for the comparison: {reason}",
                format=message_of(FORMATS[form].name),
                reason=error.message,
            )
        )
    with expected:
        try:
            with _in_form(form, converter.output, outcome.output, _reading(given), until, work) as actual:
                facts = _compared(COMPARERS[kind], expected, actual, until, work)
        except OverLimit:
            return _undecided(say("There was not enough time or memory to read the result back."))
        except ConversionError as error:
            why = say("The result can't be read back: {reason}", reason=error.message)
            return _record(False, kind, [why])
    # A child is not trusted to send texts.
    texts = {name: value if isinstance(value, str) else str(value) for name, value in facts.items()}
    differences = [text for name, text in texts.items() if name.startswith("difference")]
    return _record(not differences, texts.get("compared", kind), differences)


def _undecided(why: Message) -> dict[str, Any]:
    return _record(None, "", [why])


def _record(ok: bool | None, compared: str, differences: list[str]) -> dict[str, Any]:
    return {"ok": ok, "compared": as_stored(compared), "differences": [as_stored(each) for each in differences]}


def _reading(given: dict[str, Any]) -> dict[str, Any]:
    """Options for reading back a result written with `given`, where a reader would guess."""
    read: dict[str, Any] = {"ocr": "off", "inputDelimiter": given.get("delimiter"), "sheets": given.get("sheets")}
    if given.get("header") is False:
        read |= {"header": False, "headerRow": False}
    return {name: value for name, value in read.items() if value is not None}


def _in_form(form: str, format: Format, file: BinaryIO, given: dict[str, Any], until: float, work: _Work) -> BinaryIO:
    """Convert a file to the format of the comparison, with those options of `given` that the converter has."""
    converter = CONVERTERS.get(f"{format.id}-to-{form}")
    file.seek(0)
    if converter is None:
        return open(f"/proc/self/fd/{file.fileno()}", "rb")
    shared = {
        each.attribute: given[each.name]
        for each in describe(converter.options)
        if each.name in given and each.name not in _ONLY_CODING and _fits(each, given[each.name])
    }
    outcome = work.convert(converter, file, converter.options(**shared), until=until)
    # Several tables are compared one by one.
    if outcome.format.id != form and not (form == FORMS["cells"] and outcome.format is ZIP):
        outcome.output.close()
        raise ConversionError(say("It becomes several files in one {format}.", format=message_of(outcome.format.name)))
    return outcome.output


def _fits(option: Any, value: Any) -> bool:
    """Whether another converter's option of the same name accepts the value."""
    if option.kind == "choice":
        return value in option.choices
    if value is None:
        return bool(option.nullable)
    return isinstance(value, type(option.default)) or option.nullable


def _compared(comparer: Converter, expected: BinaryIO, actual: BinaryIO, until: float, work: _Work) -> dict[str, Any]:
    with tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR) as pair:
        pair.write(mark_of_pair(os.fstat(expected.fileno()).st_size))
        for each in (expected, actual):
            shutil.copyfileobj(each, pair)
        outcome = work.convert(comparer, pair, comparer.options(), until=until)
    outcome.output.close()
    return dict(outcome.detected)


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise runner.OverTime
    return left
