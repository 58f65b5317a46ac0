"""Failures: why a conversion can't be done, as far as its input, its options or a limit is the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

LimitReason = Literal["timeout", "memory", "output", "too_long"]
"""Of the work itself; `too_long` is said before it begins, of what is foreseen to pass the time that it may take."""
MAX_REASON = 2000
"""Characters of a message: the names in it are those of a file, and as long as it likes."""
MAX_SUGGESTIONS = 10
MAX_SUGGESTION = 100


class ConversionError(Exception):
    """A conversion that can't be done, by reason of its input; the message is shown to the user."""


class Unreadable(ConversionError):
    """The input can't be parsed; `line` and `column` count from 1 and are given where the parser knows them."""

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class InvalidOption(ConversionError):
    """An option that is well-formed but does not fit this input; `option` is its public (camelCase) name."""

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option


class OverLimit(ConversionError):
    """The work would pass a limit of the service, as the converter itself can tell.

    `suggestions` are options that would make it fit, such as `height=480`, at most MAX_SUGGESTIONS.
    """

    def __init__(self, reason: LimitReason, message: str, suggestions: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.reason: LimitReason = reason
        self.suggestions = tuple(suggestions)


class InvalidFields(ValueError):
    """Texts that are no values of the options they are given for: `reasons` by public name, for users to read."""

    def __init__(self, reasons: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {reason}" for name, reason in reasons.items()))
        self.reasons = dict(reasons)
