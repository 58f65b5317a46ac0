"""Read TOML 1.1 and write TOML 1.0 documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import tomli
import tomli_w

from engine.families.data.features import Feature
from engine.families.data.nesting import too_deep
from engine.families.data.table import Documents, one, whole
from engine.families.data.values import NotFinite, Number, Value, exact, finite, number, text
from engine.toolkit import encodings
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_PLACE = re.compile(r"^(.*) \(at (?:line (\d+), column (\d+)|end of document)\)$", re.DOTALL)
_TOKENS = re.compile(r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|(#)[^\n]*', re.DOTALL)
_LARGEST = 2**63
_MOST_BITS = 14_000
"""As many as 4,214 decimal digits have: Python writes integers of up to 4,300, and reads longer ones in other bases."""
_OUT_OF_RANGE = say("A number or date of the TOML file is out of range. Correct it and try again.")
_TOO_DEEP = say("Arrays and tables are nested too deeply. Flatten the data.")


def read(source: Path, options: Any, warn: Warn) -> Documents:
    """The document of a TOML file, which may be empty; raises Unreadable, with line and column."""
    content = encodings.decode(source.read_bytes()).replace("\r\n", "\n")
    try:
        value = tomli.loads(content, parse_float=_float)
    except tomli.TOMLDecodeError as error:
        match = _PLACE.match(str(error))
        reason = match[1] if match else say("The syntax is wrong")
        if match and match[2]:
            line, column = int(match[2]), int(match[3])
        else:
            line, column = encodings.place(content, len(content))
        raise Unreadable(
            say(
                "The TOML can't be read at line {line}, column {column}: {reason}.",
                line=line,
                column=column,
                reason=reason,
            ),
            line=line,
            column=column,
            reason="damaged",
        ) from None
    except RecursionError:
        raise Unreadable(_TOO_DEEP, reason="limit") from None
    except ValueError as error:
        raise Unreadable(_OUT_OF_RANGE, reason="damaged") from error
    if too_deep(value):
        raise Unreadable(_TOO_DEEP, reason="limit")
    if any(each.bit_length() > _MOST_BITS for each in _integers(value)):
        raise Unreadable(_OUT_OF_RANGE, reason="damaged")
    documents = one(value)
    documents.found.put(Feature.COMMENT, sum(match[1] is not None for match in _TOKENS.finditer(content)))
    return documents


def _integers(value: Value) -> Iterator[int]:
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _integers(each)
    elif isinstance(value, int):
        yield value


def _float(digits: str) -> Value:
    digits = digits.replace("_", "").removeprefix("+")
    if digits.lstrip("-") in ("inf", "nan"):
        return finite(float(digits))
    return number(digits)


def write(documents: Documents, target: Path, options: Any, warn: Warn) -> None:
    """Write a TOML document; a list, or a single value, at the top goes under the key that `root` names.

    TOML has no null: such keys are left out, and in a list they become an empty text.
    """
    value = _Writable(warn).value({} if (document := whole(documents)) is None else document)
    if not isinstance(value, dict):
        value = {options.root: value}
    with target.open("wb") as file:
        tomli_w.dump(value, file, multiline_strings=False)


class _Writable:
    """Converts values to types that TOML has, with a warning for others."""

    def __init__(self, warn: Warn) -> None:
        self.warn = warn

    def value(self, value: Value) -> Value:
        if isinstance(value, dict):
            return self._table(value)
        if isinstance(value, list):
            return [self._item(each) for each in value]
        if isinstance(value, Number):
            return self._number(value)
        if isinstance(value, NotFinite):
            return float(value)
        if isinstance(value, int) and not isinstance(value, bool) and not -_LARGEST <= value < _LARGEST:
            self.warn("VALUE_CONVERTED", "Integers over 64 bits became text, because TOML doesn't allow them.")
            return str(value)
        if isinstance(value, bytes | timedelta):
            return text(value)
        return "" if value is None else value

    def _table(self, table: dict[str, Value]) -> dict[str, Value]:
        result = {}
        for key, value in table.items():
            if value is None:
                self.warn(
                    "CONTENT_DROPPED",
                    say("The key “{key}” is null in some places and was left out there.", key=key),
                )
            else:
                result[key] = self.value(value)
        return result

    def _item(self, value: Value) -> Value:
        if value is None:
            self.warn("VALUE_CONVERTED", "A null in a list became empty text, because TOML has no null.")
            return ""
        return self.value(value)

    def _number(self, digits: Number) -> Value:
        if digits.lstrip("-").isdigit():
            self.warn("VALUE_CONVERTED", "Integers over 64 bits became text, because TOML doesn't allow them.")
            return str(digits)
        value = exact(digits)
        if value.is_finite():
            return value
        self.warn("VALUE_CONVERTED", "Numbers with very long exponents became text.")
        return str(digits)
