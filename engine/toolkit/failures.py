"""Errors of a conversion that its input, its options or a limit causes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from engine.toolkit.messages import Message, message_of

LimitReason = Literal["timeout", "memory", "output", "too_long", "limit"]
"""The limit a conversion exceeded. Before the work begins, `too_long` means that the estimate exceeds the time limit,
and `limit` that the file has more of something than is accepted."""
Cause = Literal["format", "damaged", "password", "empty", "limit", "unsupported_feature"]
"""Why a file can't be read: it is of another format, damaged, locked, without content of the kind, larger or deeper
than is accepted, or has a feature of its format that is not supported."""
CAUSES: frozenset[str] = frozenset(get_args(Cause))
MAX_REASON = 2000
"""Characters of a message, which may quote names of any length from the file."""
MAX_SUGGESTIONS = 10
MAX_SUGGESTION = 100


class ConversionError(Exception):
    """A conversion that fails because of its input; `message` is shown to the user."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message: Message = message_of(message)


class Unreadable(ConversionError):
    """The input can't be parsed; `line` and `column`, both from 1, are set if the parser knows them."""

    def __init__(
        self, message: str, *, reason: Cause = "damaged", line: int | None = None, column: int | None = None
    ) -> None:
        super().__init__(message)
        self.reason: Cause = reason
        self.line = line
        self.column = column


class InvalidOption(ConversionError):
    """A valid option that does not fit this input; `option` is its public (camelCase) name."""

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option


class OverLimit(ConversionError):
    """The work would exceed a limit of the service, as detected by the converter itself.

    `suggestions` are at most MAX_SUGGESTIONS options that would make it fit, such as `height=480`.
    """

    def __init__(self, reason: LimitReason, message: str, suggestions: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.reason: LimitReason = reason
        self.suggestions = tuple(suggestions)


class InvalidFields(ValueError):
    """Values that don't fit the options they were given for; `reasons` are messages by public option name."""

    def __init__(self, reasons: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {reason}" for name, reason in reasons.items()))
        self.reasons = dict(reasons)
