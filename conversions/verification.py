"""Verifying a result: read back by the service's own readers, in children of their own, and compared with the input."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from typing import Any, BinaryIO

from django.conf import settings

from conversions import runner
from conversions.families.registry import CONVERTERS
from conversions.toolkit.comparing import COMPARERS, FORMS, mark_of_pair
from conversions.toolkit.declaring import Converter
from conversions.toolkit.failures import ConversionError, OverLimit
from conversions.toolkit.formats import FORMATS, ZIP, Format
from conversions.toolkit.options import describe

_ONLY_CODING = frozenset(
    {"sepLine", "delimiter", "bom", "lineEnding", "quote", "indent", "title", "language", "lineWidth"}
)
"""Options that say how a result is written; the form in which it is compared is always written the same way."""
_CHOOSING = frozenset({"pageRanges"})
"""Options with which a part of the input is meant to be missing."""


def can_verify(converter: Converter) -> bool:
    """Whether what the pair promises to keep can be compared with what this service has installed."""
    if converter.compares is None:
        return False
    form = FORMS[converter.compares]
    return all(each.id == form or f"{each.id}-to-{form}" in CONVERTERS for each in (converter.input, converter.output))


def verify(converter: Converter, source: BinaryIO, options: Any, outcome: runner.Outcome) -> dict[str, Any]:
    """What the record says as `verified`; `ok` is None where it can't be told, and `differences` says why.

    It takes at most what the conversion has left of the time that its family may take. `outcome` is as it was, with
    its output at the beginning.
    """
    assert converter.compares is not None
    kind = converter.compares
    until = time.monotonic() + runner.wall_limit(converter) - outcome.duration_ms / 1000
    if outcome.format is not converter.output:
        return _untold(f"The result is {outcome.format.name} of several files, which are not read back.")
    form = FORMS[kind]
    given = {each.name: getattr(options, each.attribute) for each in describe(converter.options)}
    if any(given.get(each) for each in _CHOOSING):
        return _untold("Only a part was asked for, so that the rest is missing.")
    if given.get("layout") == "page":
        return _untold("A page to read is no table, whose cells would be compared.")
    try:
        expected = _in_form(form, converter.input, source, given, until)
    except OverLimit:
        return _untold("There was not enough time or memory to read the file a second time.")
    except ConversionError as error:
        return _untold(f"The file can't be brought to {FORMATS[form].name}, in which it would be compared: {error}")
    with expected:
        try:
            with _in_form(form, converter.output, outcome.output, _reading(given), until) as actual:
                facts = _compared(COMPARERS[kind], expected, actual, until)
        except OverLimit:
            return _untold("There was not enough time or memory to read the result back.")
        except ConversionError as error:
            return {"ok": False, "compared": kind, "differences": [f"The result can't be read back: {error}"]}
        finally:
            outcome.output.seek(0)
    differences = [str(value) for name, value in facts.items() if name.startswith("difference")]
    return {"ok": not differences, "compared": str(facts.get("compared", kind)), "differences": differences}


def _untold(why: str) -> dict[str, Any]:
    return {"ok": None, "compared": "", "differences": [why]}


def _reading(given: dict[str, Any]) -> dict[str, Any]:
    """How a result is read that was written with the options `given`, which say what a reader would guess."""
    read: dict[str, Any] = {"ocr": "off", "inputDelimiter": given.get("delimiter"), "sheets": given.get("sheets")}
    if given.get("header") is False:
        read |= {"header": False, "headerRow": False}
    return {name: value for name, value in read.items() if value is not None}


def _in_form(form: str, format: Format, file: BinaryIO, given: dict[str, Any], until: float) -> BinaryIO:
    """A file in the form in which it is compared, by those of the options `given` that its converter to it has."""
    converter = CONVERTERS.get(f"{format.id}-to-{form}")
    file.seek(0)
    if converter is None:
        return open(f"/proc/self/fd/{file.fileno()}", "rb")
    shared = {
        each.attribute: given[each.name]
        for each in describe(converter.options)
        if each.name in given and each.name not in _ONLY_CODING and _fits(each, given[each.name])
    }
    outcome = runner.convert(converter, file, converter.options(**shared), within=_left(until))
    # Several tables are compared one by one.
    if outcome.format.id != form and not (form == FORMS["cells"] and outcome.format is ZIP):
        outcome.output.close()
        raise ConversionError(f"it becomes {outcome.format.name} of several files.")
    return outcome.output


def _fits(option: Any, value: Any) -> bool:
    """Whether an option of the same name takes the value: choices and bounds may be others."""
    if option.kind == "choice":
        return value in option.choices
    if value is None:
        return bool(option.nullable)
    return isinstance(value, type(option.default)) or option.nullable


def _compared(comparer: Converter, expected: BinaryIO, actual: BinaryIO, until: float) -> dict[str, Any]:
    with tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR) as pair:
        pair.write(mark_of_pair(os.fstat(expected.fileno()).st_size))
        for each in (expected, actual):
            shutil.copyfileobj(each, pair)
        outcome = runner.convert(comparer, pair, comparer.options(), within=_left(until))
    outcome.output.close()
    return dict(outcome.detected)


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise runner.OverTime
    return left
