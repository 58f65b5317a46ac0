"""The service's client of the sandbox: one job in, a result or a typed failure out."""

from __future__ import annotations

import functools
import logging
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from django.conf import settings

from accounts.credits import failing
from engine.sandbox import installed, second_engine
from engine.sandbox.answers import Answer
from engine.sandbox.canary import CanaryReport
from engine.sandbox.client import Zygote
from engine.sandbox.errors import Busy, Crashed, OverMemory, OverOutput, OverTime, Unavailable
from engine.sandbox.limits import Limits, limits_for
from engine.sandbox.line import JobOwner
from engine.toolkit.declaring import NEEDS_CONFINEMENT, Converter, Profile
from engine.toolkit.formats import Format
from engine.toolkit.options import Value, chosen
from engine.toolkit.progress import OnProgress
from engine.toolkit.warnings import Warning
from remote_calls import give_back_connections

__all__ = [
    "Busy",
    "Crashed",
    "JobOwner",
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
    """A finished conversion; `output` is an unnamed file, open at its start, which the caller closes.

    `format` is the format written, `converter` the one that wrote it, `duration_ms` the converter's own time as it
    passed, `processor_seconds` what the job took of the processor.
    """

    output: BinaryIO
    size: int
    format: Format
    warnings: tuple[Warning, ...]
    detected: Mapping[str, str | int | float | bool]
    converter: Converter
    duration_ms: float
    processor_seconds: float

    @property
    def engine(self) -> str:
        """The library that did the work, with its version."""
        return self.converter.engine.label


_lock = threading.Lock()
_address = installed.address(settings.DATA_DIR)  # at import: a later installation is not this process's code
_zygotes: dict[tuple[Profile, Limits], Zygote] = {}
_reports: dict[Profile, CanaryReport] = {}
_PREPARED: tuple[Profile, ...] = ("text", "office", "pdf", "image")
"""The families used most, by frequency; the others load large libraries for few people."""


def convert(
    converter: Converter,
    source: BinaryIO,
    options: Any,
    *,
    within: float | None = None,
    detect_only: bool = False,
    verify: bool = False,
    on_progress: OnProgress | None = None,
    owner: JobOwner | None = None,
    unpaid: bool = False,
) -> Outcome:
    """Convert `source`, a real file, from its start, in a sandboxed child.

    `owner` decides the job's place in the queue. No database connection is held while waiting. `options` is an instance
    of `converter.options`, or, to inspect or verify, of those of another converter of the slug. Two engines may work
    one after the other, together within the time limit of the first; `within` seconds may shorten it. With
    `detect_only` the file is inspected but not converted; to `verify`, it is a pair of engine.families.verifying;
    `on_progress` is called with progress.
    `unpaid` work counts like failed work, because nobody pays for it either.

    Raises Unreadable, InvalidOption, OverTime, OverMemory and OverOutput for faults of the input, and Crashed for a
    fault of the converter; Busy if the queue is too long, and Unavailable if no sandbox can be had. What a job has
    taken before any of these counts as failed work.
    """
    if source.writable():
        source.flush()

    def ask(engine: Converter, values: dict[str, Value], within: float | None) -> Answer:
        report = canary(engine.profile)
        if not report.confined and engine.profile in NEEDS_CONFINEMENT and not settings.DEBUG:
            raise Unavailable("the sandbox does not confine here")
        zygote = _zygote(engine.profile)
        give_back_connections()
        return zygote.convert(
            engine.slug,
            values,
            source.fileno(),
            within=within,
            detect_only=detect_only,
            verify=verify,
            on_progress=on_progress,
            owner=owner,
            failed=failing.failed,
            unpaid=unpaid,
        )

    if detect_only or verify:
        own = type(options) is converter.options
        values = chosen(options) if own else second_engine.values_for(converter, options)
        used, answer = converter, ask(converter, values or {}, within)
    else:
        used, answer = second_engine.convert(converter, options, ask, wall=wall_limit(converter), within=within)
    return Outcome(
        output=answer.output,
        size=answer.size,
        format=answer.format,
        warnings=answer.warnings,
        detected=answer.detected,
        converter=used,
        duration_ms=answer.milliseconds,
        processor_seconds=answer.processor_milliseconds / 1000,
    )


def canary(profile: Profile = "text") -> CanaryReport:
    """Forbidden actions that succeed in a child of this profile; tried once per process, again after a failure."""
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
    """Start children for the first jobs of the most used families; failures are logged and retried by the first job."""
    for each in _PREPARED:
        canary(each)


def wall_limit(converter: Converter) -> float:
    """Time limit of a conversion in seconds."""
    return _limits(converter.profile).wall


def shutdown() -> None:
    """Release all zygotes; they exit unless others use them, and the next job requests them again."""
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
    """A forked process opens its own channels; it must not use its parent's."""
    global _lock  # it may be held by a thread that was not forked
    _lock = threading.Lock()
    for each in _zygotes.values():
        each.forget()
    _zygotes.clear()
    _reports.clear()


os.register_at_fork(after_in_child=_after_fork)
