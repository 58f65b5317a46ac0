"""Give a file that one engine does not draw completely to a second one."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping
from typing import Any

from engine.sandbox.answers import Answer
from engine.sandbox.errors import Crashed, OverTime, Unavailable
from engine.toolkit.declaring import Converter
from engine.toolkit.failures import ConversionError, OverLimit, Unreadable
from engine.toolkit.fields import read
from engine.toolkit.options import Option, Value, chosen, describe

Ask = Callable[[Converter, dict[str, Value], float | None], Answer]
"""Does a job with an engine, and its options by public name, within so many seconds; raises the errors of a zygote."""


def convert(
    converter: Converter, options: Any, ask: Ask, *, wall: float, within: float | None = None
) -> tuple[Converter, Answer]:
    """Convert with the engine of `converter`, or with that of its `otherwise`; return the one used, and its answer.

    The second engine is asked if the first one's pages lack something, or if it meets a limit, a bug or an unsupported
    feature, unless the second one lacks one of the options. It gets what is left of the `wall` seconds of a job, or of
    `within` if that is less. If it fails, the first one's result stands, or its error unless that was a bug. If it runs
    out of a time that `within` has shortened, OverTime is raised: with more time the result might be another one.

    The times of the answer are those of both jobs. Raises the errors of a zygote.
    """
    second, values = converter.otherwise, values_for(converter.otherwise, options) if converter.otherwise else None
    if second is None or values is None:
        return converter, ask(converter, chosen(options), within)
    until = time.monotonic() + min(wall, within or wall)
    made: Answer | None = None
    try:
        made = ask(converter, chosen(options), within)
        if not made.undrawn:
            return converter, made
    except (OverLimit, Unreadable, Crashed) as error:
        if isinstance(error, Unreadable) and error.reason != "unsupported_feature":
            raise
        failure: Exception = error
    try:
        if (left := until - time.monotonic()) <= 0:
            raise OverTime
        other = ask(second, values, left)
    except (ConversionError, Crashed, Unavailable) as error:
        if made is None:
            raise (error if isinstance(failure, Crashed) else failure) from error
        if within is not None and isinstance(error, OverTime):
            made.output.close()
            raise
        return converter, made
    if made is None:
        return second, other
    made.output.close()
    spent = made.processor_milliseconds + other.processor_milliseconds
    both = dataclasses.replace(other, milliseconds=made.milliseconds + other.milliseconds, processor_milliseconds=spent)
    return second, both


def values_for(converter: Converter, options: Any) -> dict[str, Value] | None:
    """The values of `options`, by public name, as `converter` takes them; None if it lacks one of them."""
    known, usual = _known(converter.options), _known(type(options))
    values = {name: value for name, value in chosen(options).items() if value != usual[name].default}
    if any(name not in known or not _fits(known[name], value) for name, value in values.items()):
        return None
    return values


def _known(options: type) -> Mapping[str, Option]:
    return {each.name: each for each in describe(options)}


def _fits(option: Option, value: Value) -> bool:
    try:
        read(option, str(value))
    except ValueError:
        return False
    return True
