"""Failures of a job that its converter does not report."""

from __future__ import annotations

from collections.abc import Sequence

from engine.toolkit.failures import OverLimit


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
    """The job filled its storage; it may succeed in a larger place."""


class EstimatedTooLong(OverLimit):
    """The work was not started, as it would not have finished in time."""

    def __init__(self, message: str, suggestions: Sequence[str] = ()) -> None:
        super().__init__("too_long", message, suggestions)


class Crashed(Exception):
    """The converter failed because of a bug; the zygote's log has the details.

    If its process ended, the message has the signal or exit status, and the process id that the log has.
    """


class Unavailable(Exception):
    """No child is available: the sandbox does not start, is overloaded, or confines too weakly for this profile."""


class Busy(Unavailable):
    """The job can't start soon; a retry after `wait` seconds can."""

    def __init__(self, wait: float) -> None:
        super().__init__("too many jobs are waiting")
        self.wait = wait


class SandboxLost(Unavailable):
    """The zygote died or hung while it did the job, twice: what the job took is not counted."""


class NoRoom(Unavailable):
    """There is no space for the files of a job, or no process for it."""

    def __init__(self, message: str = "there is no space left for the files of a job, or no process for it") -> None:
        super().__init__(message)
