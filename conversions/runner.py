"""The sandbox as the service sees it: one job in, a result or a typed failure out."""

from __future__ import annotations

import functools
import logging
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from django.conf import settings

from conversions.sandbox import installed
from conversions.sandbox.canary import CanaryReport
from conversions.sandbox.client import Zygote
from conversions.sandbox.errors import Crashed, OverMemory, OverOutput, OverTime, Unavailable
from conversions.sandbox.limits import Limits, limits_for
from conversions.toolkit.declaring import NEEDS_CONFINEMENT, Converter, Profile
from conversions.toolkit.formats import Format
from conversions.toolkit.options import chosen
from conversions.toolkit.progress import Tell
from conversions.toolkit.warnings import Warning

__all__ = [
    "Crashed",
    "Outcome",
    "OverMemory",
    "OverOutput",
    "OverTime",
    "Unavailable",
    "canary",
    "convert",
    "prepare",
    "shutdown",
]

log = logging.getLogger("service.sandbox")


@dataclass(frozen=True)
class Outcome:
    """A finished conversion; `output` is a file without a name, open for reading at 0, which the caller closes.

    `format` is what was written, `engine` the library and its version, `duration_ms` the converter's own time.
    """

    output: BinaryIO
    size: int
    format: Format
    warnings: tuple[Warning, ...]
    detected: Mapping[str, str | int | float | bool]
    engine: str
    duration_ms: float


_lock = threading.Lock()
_address = installed.address()  # now: what is installed while this process runs is not its own code
_zygotes: dict[tuple[Profile, Limits], Zygote] = {}
_reports: dict[Profile, CanaryReport] = {}
_PREPARED: tuple[Profile, ...] = ("text", "office", "pdf", "image")
"""Those that most people ask for, the most frequent first; the others have large libraries for few."""


def convert(
    converter: Converter,
    source: BinaryIO,
    options: Any,
    *,
    within: float | None = None,
    look: bool = False,
    tell: Tell | None = None,
) -> Outcome:
    """Convert `source`, a real file, from its beginning, in a confined process of its own.

    `options` is an instance of `converter.options`; it may take `within` seconds where those are fewer than the limit.
    To `look` is to find out what the file is and to convert nothing; `tell` is told now and then how far it is. Raises
    Unreadable, InvalidOption, OverTime, OverMemory and OverOutput for what is up to the input, Crashed for a fault of
    the converter, and Unavailable where no confined process can be had.
    """
    report = canary(converter.profile)
    if not report.confined and converter.profile in NEEDS_CONFINEMENT and not settings.DEBUG:
        raise Unavailable("the sandbox does not confine here")
    if source.writable():
        source.flush()
    zygote = _zygote(converter.profile)
    answer = zygote.convert(converter.slug, chosen(options), source.fileno(), within=within, look=look, tell=tell)
    return Outcome(
        output=answer.output,
        size=answer.size,
        format=answer.format,
        warnings=answer.warnings,
        detected=answer.detected,
        engine=converter.engine.label,
        duration_ms=answer.milliseconds,
    )


def canary(profile: Profile = "text") -> CanaryReport:
    """What a child of this profile could still do, tried once in this process; a failed try is tried again."""
    report = _reports.get(profile)
    if report is None:
        report = _zygote(profile).canary()
        if report.problem is None:
            _reports[profile] = report
        level = logging.INFO if report.confined else logging.ERROR
        log.log(
            level,
            "sandbox of %s: %s; landlock %s, seccomp %s",
            profile,
            "confined" if report.confined else report.problem or f"a child can still do {', '.join(report.possible)}",
            report.landlock or "missing",
            "on" if report.seccomp else "missing",
        )
    return report


def prepare() -> None:
    """Have children ready for the first job of each family that most people ask for.

    What does not start is said in the log, and tried again by the first job.
    """
    for each in _PREPARED:
        canary(each)


def wall_limit(converter: Converter) -> float:
    """The seconds that a conversion may take."""
    return _limits(converter.profile).wall


def shutdown() -> None:
    """Let go of all zygotes, which end soon where nobody else has jobs for them; the next job asks for them again."""
    with _lock:
        zygotes = list(_zygotes.values())
        _zygotes.clear()
        _reports.clear()
    for each in zygotes:
        each.close()


def _limits(profile: Profile) -> Limits:
    return _limits_with(profile, tuple(getattr(settings, "SANDBOX_LIMITS", {}).get(profile, {}).items()))


@functools.cache
def _limits_with(profile: Profile, own: tuple[tuple[str, float], ...]) -> Limits:
    return limits_for(profile, {profile: dict(own)})


def _zygote(profile: Profile) -> Zygote:
    limits = _limits(profile)
    with _lock:
        if (profile, limits) not in _zygotes:
            _zygotes[profile, limits] = Zygote(profile, limits, at=_address)
        return _zygotes[profile, limits]


def _after_fork() -> None:
    """A forked process has channels of its own: what is said on those of its parent is said to the parent."""
    global _lock  # it may be held by a thread that was not forked
    _lock = threading.Lock()
    for each in _zygotes.values():
        each.forget()
    _zygotes.clear()
    _reports.clear()


os.register_at_fork(after_in_child=_after_fork)
