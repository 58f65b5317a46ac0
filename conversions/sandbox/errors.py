"""Errors: how a job can fail beside what its converter says about its input."""

from __future__ import annotations

from collections.abc import Sequence

from conversions.toolkit.failures import OverLimit


class OverTime(OverLimit):
    def __init__(self, message: str = "The conversion takes longer than is allowed. Try a smaller file.") -> None:
        super().__init__("timeout", message)


class OverMemory(OverLimit):
    def __init__(self, message: str = "The conversion needs more memory than is allowed. Try a smaller file.") -> None:
        super().__init__("memory", message)


class OverOutput(OverLimit):
    def __init__(self, message: str = "The result would be larger than is allowed. Try a smaller file.") -> None:
        super().__init__("output", message)


class OverRoom(OverOutput):
    """More was written than the job's place has room for; in a larger place it may be done."""


class Foreseen(OverLimit):
    """The work was not begun, for it would not have ended in time."""

    def __init__(self, message: str, suggestions: Sequence[str] = ()) -> None:
        super().__init__("too_long", message, suggestions)


class Crashed(Exception):
    """The converter failed by a fault of its own; what is known about it is in the log of the zygote."""


class Unavailable(Exception):
    """No child can be had: the sandbox does not start, is overloaded, or is too weak here for this profile."""


class NoRoom(Unavailable):
    """There is no space left where jobs have their files."""

    def __init__(self, message: str = "there is no space left for the files of a job") -> None:
        super().__init__(message)
