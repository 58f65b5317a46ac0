"""Parse texts from a form, a query string or a command line into declared options."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping
from typing import Any

from engine.toolkit.failures import InvalidFields
from engine.toolkit.messages import say
from engine.toolkit.options import Option, Value, build, describe

YES = frozenset(("t", "y", "yes", "true", "on", "1"))
NO = frozenset(("f", "n", "no", "false", "off", "0"))

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}(\.0*)?")
_NUMBER = re.compile(r"[+-]?([0-9]{1,40}(\.[0-9]{0,40})?|\.[0-9]{1,40})([eE][+-]?[0-9]{1,3})?")
_NO_CHARACTER = re.compile("[\0\ud800-\udfff]")


def parse(declared: type, fields: Mapping[str, str]) -> Any:
    """An instance of the `declared` options from texts by public name; omitted ones keep their default.

    An empty text omits an option that is nullable or not a text. Raises InvalidFields with every invalid or unknown
    field.
    """
    known = _by_name(declared)
    values: dict[str, Value] = {}
    wrong: dict[str, str] = {}
    for name, text in fields.items():
        option = known.get(name)
        if option is None:
            wrong[name] = f"There is no such option here. Options: {', '.join(known) or 'none'}."
            continue
        if text == "" and (option.nullable or option.kind != "text"):
            continue
        try:
            values[name] = read(option, text)
        except ValueError as error:
            wrong[name] = error.args[0]
    if wrong:
        raise InvalidFields(wrong)
    return build(declared, values)


@functools.cache
def _by_name(declared: Any) -> Mapping[str, Option]:
    return {each.name: each for each in describe(declared)}


def read(option: Option, text: str) -> Value:
    """The value of a text. Raises ValueError with a message that names the accepted values."""
    if option.kind == "choice":
        if text not in option.choices:
            raise ValueError(say("Choose one of {choices}.", choices=", ".join(option.choices)))
        return text
    if option.kind == "boolean":
        if text.strip().lower() not in YES | NO:
            raise ValueError(say("Send yes or no."))
        return text.strip().lower() in YES
    return _number(option, text.strip()) if option.kind in ("integer", "number") else _text(option, text)


def _number(option: Option, text: str) -> int | float:
    assert option.minimum is not None
    assert option.maximum is not None
    whole = option.kind == "integer"
    if (_WHOLE if whole else _NUMBER).fullmatch(text):
        value = int(text.partition(".")[0]) if whole else float(text)
        if math.isfinite(value) and option.minimum <= value <= option.maximum:
            return value
    bounds = {"minimum": f"{option.minimum:g}", "maximum": f"{option.maximum:g}"}
    if whole:
        raise ValueError(say("Enter a whole number from {minimum} to {maximum}.", **bounds))
    raise ValueError(say("Enter a number from {minimum} to {maximum}.", **bounds))


def _text(option: Option, text: str) -> str:
    # Not stripped: a tab is a valid delimiter.
    assert option.max_length is not None
    if not (option.min_length or 0) <= len(text) <= option.max_length:
        raise ValueError(say("Enter {min_length}.", min_length=_lengths(option.min_length or 0, option.max_length)))
    if _NO_CHARACTER.search(text):
        raise ValueError(say("Remove null characters and unpaired surrogates."))
    if option.pattern is not None and not re.fullmatch(option.pattern, text):
        raise ValueError(say("This value has the wrong format: {description}", description=option.description))
    return text


def _lengths(shortest: int, longest: int) -> str:
    if shortest == longest:
        return say("exactly one character") if longest == 1 else say("exactly {longest} characters", longest=longest)
    return (
        say("{shortest} to {longest} characters", shortest=shortest, longest=longest)
        if shortest
        else say("at most {longest} characters", longest=longest)
    )
