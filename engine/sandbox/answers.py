"""Validate the answers of children, which may be hostile."""

from __future__ import annotations

import functools
import math
import os
import stat
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from engine.sandbox.errors import Crashed, EstimatedTooLong, NoRoom, OverMemory, OverOutput, OverRoom, OverTime
from engine.sandbox.protocol import FrameReader, Malformed
from engine.toolkit.failures import (
    CAUSES,
    MAX_REASON,
    MAX_SUGGESTION,
    MAX_SUGGESTIONS,
    Cause,
    InvalidOption,
    OverLimit,
    Unreadable,
)
from engine.toolkit.formats import FORMATS, Format
from engine.toolkit.messages import unpacked
from engine.toolkit.warnings import CODES, MAX_MESSAGE, MAX_WARNINGS, Warning

_MOST_FACTS = 50
_MOST_LINES = 1 << 53
_MOST_MILLISECONDS = 24 * 3600 * 1000.0
"""A day. No family may take more than two minutes; the database stores durations in 31 bits."""

_REMOVED_WITHIN, _LOOK_AGAIN = 5.0, 0.02
"""Seconds that the folder of a child which ended may stay, and between two looks."""

LIMIT_ERRORS: Mapping[str, Callable[..., Exception]] = {
    "timeout": OverTime,
    "memory": OverMemory,
    "output": OverOutput,
    "limit": functools.partial(OverLimit, "limit"),
    "room": OverRoom,
    "full": NoRoom,
}


@dataclass(frozen=True)
class Answer:
    """A finished job: a result file without a name, open for reading at offset 0.

    `milliseconds` is the converter's own time as it passed, `processor_milliseconds` what the job took of the
    processor. `undrawn` means that warnings say what its pages lack.
    """

    output: BinaryIO
    size: int
    format: Format
    warnings: tuple[Warning, ...]
    detected: Mapping[str, str | int | float | bool]
    milliseconds: float
    processor_milliseconds: float
    undrawn: bool = False


def read_answer(body: Mapping[str, Any], reader: FrameReader, *, owners: range, most: int) -> Answer:
    """The result in a frame and its descriptor; `owners` are the users that children may have, `most` the bytes
    allowed.

    Raises the failure that the child reports (Unreadable, InvalidOption, OverLimit, Crashed), and Malformed for an
    answer that no honest child sends.
    """
    try:
        if "error" in body:
            raise _error(body)
        format = FORMATS[_text(body["format"], 20)]
        warnings = tuple(_warning(each) for each in _list(body["warnings"], MAX_WARNINGS + 1))
        facts = body["detected"]
        if not isinstance(facts, dict) or len(facts) > _MOST_FACTS:
            raise Malformed
        detected = {_text(name, 100): _fact(value) for name, value in facts.items()}
        milliseconds = _milliseconds(body["milliseconds"])
        processor_milliseconds = _milliseconds(body["processor_milliseconds"])
        undrawn = body["undrawn"] is True
    except (KeyError, TypeError, ValueError) as error:
        raise Malformed from error
    descriptor = reader.take_descriptor()
    if descriptor is None:
        raise Malformed
    if "uncounted" in body:
        _await_removal(descriptor)
    output, size = _open(descriptor, owners=owners, most=most)
    return Answer(output, size, format, warnings, detected, milliseconds, processor_milliseconds, undrawn)


def _error(body: Mapping[str, Any]) -> Exception:
    kind = _text(body["error"], 20)
    if kind == "unreadable":
        message = unpacked(body["message"], longest=MAX_REASON)
        return Unreadable(
            message, line=_position(body["line"]), column=_position(body["column"]), reason=_reason(body["reason"])
        )
    if kind == "option":
        return InvalidOption(_text(body["option"], 100), unpacked(body["message"], longest=MAX_REASON))
    if kind == "depth":
        return Unreadable("The file is nested too deeply.", reason="limit")
    if kind == "too_long":
        named = _list(body["suggestions"], MAX_SUGGESTIONS)
        return EstimatedTooLong(
            unpacked(body["message"], longest=MAX_REASON), [_text(each, MAX_SUGGESTION) for each in named]
        )
    if kind in LIMIT_ERRORS:
        if "message" not in body:
            return LIMIT_ERRORS[kind]()
        return LIMIT_ERRORS[kind](unpacked(body["message"], longest=MAX_REASON))
    if kind == "crashed":
        return Crashed(kind)
    raise Malformed


def _reason(value: Any) -> Cause:
    if not isinstance(value, str) or value not in CAUSES:
        raise Malformed
    return cast(Cause, value)


def _await_removal(descriptor: int) -> None:
    """Wait until a file has no name: that of a child which ended while counting goes with its folder."""
    until = time.monotonic() + _REMOVED_WITHIN
    while os.fstat(descriptor).st_nlink and time.monotonic() < until:
        time.sleep(_LOOK_AGAIN)


def _open(descriptor: int, *, owners: range, most: int) -> tuple[BinaryIO, int]:
    """Reopen a child's file, so that its offset and flags are not shared with the child.

    An unnamed file owned by a child's user was created by the child: it can open no other such file.
    """
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_nlink or status.st_uid not in owners:
            raise Malformed
        if status.st_size > most:
            raise OverOutput
        return open(f"/proc/self/fd/{descriptor}", "rb"), status.st_size
    except OSError as error:
        raise Malformed from error
    finally:
        os.close(descriptor)


def _text(value: Any, longest: int) -> str:
    if not isinstance(value, str) or len(value) > longest:
        raise Malformed
    return value


def _list(value: Any, longest: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > longest:
        raise Malformed
    return value


def _position(value: Any) -> int | None:
    if value is not None and (type(value) is not int or not 0 <= value <= _MOST_LINES):
        raise Malformed
    return value


def _milliseconds(value: Any) -> float:
    if type(value) is not float or not 0 <= value <= _MOST_MILLISECONDS:
        raise Malformed
    return value


def _warning(value: Any) -> Warning:
    code, message = _list(value, 2)
    if code not in CODES:
        raise Malformed
    return Warning(code, unpacked(message, longest=MAX_MESSAGE))


def _fact(value: Any) -> str | int | float | bool:
    if isinstance(value, list):
        return unpacked(value, longest=MAX_MESSAGE)
    if isinstance(value, str):
        return _text(value, MAX_MESSAGE)
    if isinstance(value, bool) or (isinstance(value, int) and abs(value) <= _MOST_LINES):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise Malformed
