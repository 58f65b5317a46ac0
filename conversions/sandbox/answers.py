"""Answers: what a child says about its job, taken for no more than a claim by a process that may be hostile."""

from __future__ import annotations

import math
import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from conversions.sandbox.errors import Crashed, Foreseen, NoRoom, OverMemory, OverOutput, OverRoom, OverTime
from conversions.sandbox.protocol import FrameReader, Malformed
from conversions.toolkit.failures import MAX_REASON, MAX_SUGGESTION, MAX_SUGGESTIONS, InvalidOption, Unreadable
from conversions.toolkit.formats import FORMATS, Format
from conversions.toolkit.warnings import CODES, MAX_MESSAGE, MAX_WARNINGS, Warning

_MOST_FACTS = 50
_MOST_LINES = 1 << 53

LIMIT_ERRORS: Mapping[str, Callable[..., Exception]] = {
    "timeout": OverTime,
    "memory": OverMemory,
    "output": OverOutput,
    "room": OverRoom,
    "full": NoRoom,
}


@dataclass(frozen=True)
class Answer:
    """A finished job: a result without a name on disk, open for reading at 0, and the converter's own time."""

    output: BinaryIO
    size: int
    format: Format
    warnings: tuple[Warning, ...]
    detected: Mapping[str, str | int | float | bool]
    milliseconds: float


def read_answer(body: Mapping[str, Any], reader: FrameReader, *, owner: int, most: int) -> Answer:
    """The result that a frame and its descriptor stand for; `owner` is the child's user id, `most` the bytes allowed.

    Raises what the child says went wrong (Unreadable, InvalidOption, OverLimit, Crashed), and Malformed for an answer
    that no honest child gives.
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
        milliseconds = body["milliseconds"]
        if not isinstance(milliseconds, float) or not 0 <= milliseconds < math.inf:
            raise Malformed
    except (KeyError, TypeError, ValueError) as error:
        raise Malformed from error
    descriptor = reader.take_descriptor()
    if descriptor is None:
        raise Malformed
    output, size = _open(descriptor, owner=owner, most=most)
    return Answer(output, size, format, warnings, detected, milliseconds)


def _error(body: Mapping[str, Any]) -> Exception:
    kind = _text(body["error"], 20)
    if kind == "unreadable":
        message = _text(body["message"], MAX_REASON)
        return Unreadable(message, line=_position(body["line"]), column=_position(body["column"]))
    if kind == "option":
        return InvalidOption(_text(body["option"], 100), _text(body["message"], MAX_REASON))
    if kind == "depth":
        return Unreadable("The file is nested too deeply.")
    if kind == "too_long":
        named = _list(body["suggestions"], MAX_SUGGESTIONS)
        return Foreseen(_text(body["message"], MAX_REASON), [_text(each, MAX_SUGGESTION) for each in named])
    if kind in LIMIT_ERRORS:
        return LIMIT_ERRORS[kind](_text(body["message"], MAX_REASON)) if "message" in body else LIMIT_ERRORS[kind]()
    return Crashed(kind)


def _open(descriptor: int, *, owner: int, most: int) -> tuple[BinaryIO, int]:
    """Open a child's file anew, so that neither its position nor its flags are shared with what sent it.

    A file without a name, of the child's user, is one that it made: nothing else that it can open is like that.
    """
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_nlink or status.st_uid != owner:
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


def _warning(value: Any) -> Warning:
    code, message = _list(value, 2)
    if code not in CODES:
        raise Malformed
    return Warning(code, _text(message, MAX_MESSAGE))


def _fact(value: Any) -> str | int | float | bool:
    if isinstance(value, str):
        return _text(value, MAX_MESSAGE)
    if isinstance(value, bool) or (isinstance(value, int) and abs(value) <= _MOST_LINES):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise Malformed
