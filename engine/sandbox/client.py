"""The web process's side of one zygote: start it, hand it jobs from any thread, replace it when it dies or hangs."""

from __future__ import annotations

import contextlib
import functools
import os
import select
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from engine.sandbox import launch, shared
from engine.sandbox.address import Address
from engine.sandbox.answers import Answer, read_answer
from engine.sandbox.canary import CanaryReport
from engine.sandbox.errors import Crashed, OverRoom, OverTime, SandboxLost, Unavailable
from engine.sandbox.identity import users_of_children
from engine.sandbox.job import ACKNOWLEDGE_WITHIN, Job, JobLost, NotStarted, Preempted, ZygoteGone
from engine.sandbox.launch import Launched
from engine.sandbox.limits import MEMORY_FOLDER, SMALL, Limits
from engine.sandbox.line import QUICK, JobOwner
from engine.sandbox.protocol import FrameReader, Malformed
from engine.sandbox.shared import Grant
from engine.toolkit.declaring import Converter, Profile
from engine.toolkit.failures import ConversionError
from engine.toolkit.progress import OnProgress

_START_WITHIN = 60.0
_TRIES = 3
_CLOSE_WITHIN = 2.0
_REST_AFTER_FAILURE = 5.0


class _Channel:
    """The channel jobs are handed over on, to a zygote of this process or to one of the supervisor."""

    def __init__(self, control: socket.socket, ready: Mapping[str, Any], holder: Launched | Grant) -> None:
        self.control = control
        self.pid = int(ready["pid"])
        self.landlock = int(ready["landlock"])
        self.seccomp = bool(ready["seccomp"])
        self.folders = tuple(map(str, ready["folders"]))
        self.isolation = str(ready["isolation"])
        self._holder = holder
        control.settimeout(ACKNOWLEDGE_WITHIN)

    def works(self) -> bool:
        """Whether the zygote is running: it sends nothing here, so that a readable channel means it has closed."""
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        return not poll.poll(0)

    def close(self, *, hangs: bool = False) -> None:
        """Close it; a zygote of this process ends with it, at once if it may be hanging."""
        self.control.close()
        match self._holder:
            case Launched() as launched:
                if hangs:
                    launched.kill()
                else:
                    launched.end(within=_CLOSE_WITHIN)
            case Grant() as given:
                if hangs:
                    given.report_hang()
                given.connection.close()

    def forget(self) -> None:
        """Drop it in a forked process, without affecting the process it belongs to."""
        self.control.close()
        match self._holder:
            case Launched() as launched:
                launched.leader.close()
                launched.disown()
            case Grant() as given:
                given.connection.close()


class Zygote:
    """The zygote of one profile, started by the first job and again after a rest; thread-safe, but not usable after a
    fork.

    It serves all converters of the profile, or `only` one, which starts faster. It belongs to this process, or is
    shared: `at` is then the address of a supervisor, whose zygote may serve all converters anyway. The rest is for
    tests, and requires a zygote of this process: `modules` are imported for the converters in their CONVERTERS,
    `launcher` is a command that runs another, as user `child_uid`, and `abi_at_most` and `filtered` weaken the
    confinement; `memory` is the folder for small jobs, None for the same as for others; `groups` is the control group
    for those of jobs, and `pressure` the file that reports memory pressure.
    """

    def __init__(
        self,
        profile: Profile,
        limits: Limits,
        *,
        modules: tuple[str, ...] = (),
        launcher: tuple[str, ...] = (),
        child_uid: int | None = None,
        abi_at_most: int | None = None,
        filtered: bool = True,
        memory: str | None = MEMORY_FOLDER,
        groups: str | None = None,
        pressure: str | None = None,
        only: Converter | None = None,
        at: Address | None = None,
    ) -> None:
        self.profile = profile
        self.limits = limits
        self._plan: dict[str, Any] = {
            "modules": modules,
            "abi_at_most": abi_at_most,
            "filtered": filtered,
            "memory": memory,
            "pressure": pressure,
            "drop": not launcher,
            "users": None if child_uid is None else (child_uid, child_uid + 1),
            "groups": groups,
        }
        self._only = None if only is None else (only.declared_in, only.slug)
        self._at = at
        self._launcher = launcher
        itself = os.geteuid() if child_uid is None else child_uid
        self._users = (users_of_children() if child_uid is None else None) or range(itself, itself + 1)
        self._lock = threading.Lock()
        self._channel: _Channel | None = None
        self._failed_at = float("-inf")

    def convert(
        self,
        slug: str,
        values: Mapping[str, Any],
        source: int,
        *,
        within: float | None = None,
        detect_only: bool = False,
        verify: bool = False,
        on_progress: OnProgress | None = None,
        owner: JobOwner | None = None,
        failed: Callable[[float], None] | None = None,
        unpaid: bool = False,
    ) -> Answer:
        """Convert the file behind the descriptor `source` with options by public name.

        It may take `within` seconds if that is less than the limit. `owner` decides its turn in the queue; it defaults
        to this process. With `detect_only` nothing is converted: the answer has an empty result and the facts detected
        about the file. To `verify`, the file is a pair of engine.families.verifying, and the facts are its comparison.
        `on_progress` receives the progress; `failed`, if the job fails or is `unpaid`, the seconds of processor time it
        took, including those before it had to make way for others. Work lost with the sandbox is not counted.
        Raises Unreadable, InvalidOption, OverTime, OverMemory, OverOutput, Crashed and Unavailable.
        """
        size = os.fstat(source).st_size
        small = size <= SMALL
        body: dict[str, Any] = {"slug": slug, "options": dict(values)}
        for name, asked in (("detect_only", detect_only), ("verify", verify)):
            if asked:
                body[name] = True
        if on_progress is not None:
            body["progress"] = True
        wall = min(self.limits.wall, within or self.limits.wall)
        job = Job(
            body,
            source,
            wall,
            small=small,
            quick=detect_only or size <= QUICK,
            owner=owner,
            on_progress=on_progress,
            metered=unpaid,
        )
        try:
            answer = self._done_in_either_place(job)
        except (ConversionError, Crashed, Unavailable) as error:
            never_began = isinstance(error, Unavailable) and not job.meter.seconds
            if failed is not None and not never_began and not isinstance(error, SandboxLost):
                failed(job.meter.seconds)
            raise
        if unpaid and failed is not None:
            failed(job.meter.seconds)
        return answer

    def _done_in_either_place(self, job: Job) -> Answer:
        try:
            return self._done(job)
        except OverRoom:
            if not job.small:
                raise
        return self._done(job.again(small=False))

    def _done(self, job: Job) -> Answer:
        body, reader = self._begin(job)
        with contextlib.closing(reader):
            try:
                return read_answer(body, reader, owners=self._users, most=self.limits.output)
            except (ConversionError, Malformed) as error:
                if "error" not in body and not job.metered:  # nothing has measured a child that claims success
                    job.meter.add(job.elapsed)
                if isinstance(error, Malformed):
                    raise Crashed("the child gave no proper answer") from error
                raise

    def canary(self) -> CanaryReport:
        """Run the canary; a zygote that does not start is reported too."""
        try:
            body, reader = self._begin(Job({"canary": True}, None, self.limits.wall))
            reader.close()
            channel = self._running()
        except (Crashed, Unavailable, OverTime) as error:
            return CanaryReport(self.profile, problem=f"{type(error).__name__}: {error}")
        possible = body.get("possible")
        if not isinstance(possible, list) or not all(isinstance(each, str) for each in possible):
            return CanaryReport(self.profile, problem="the canary gave no proper answer")
        return CanaryReport(self.profile, channel.landlock, channel.seccomp, tuple(possible), channel.isolation)

    @property
    def pid(self) -> int | None:
        """The process id of the running zygote."""
        return self._channel.pid if self._channel else None

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders of the running zygote's jobs: on disk and, if there is one, in memory."""
        return self._channel.folders if self._channel else ()

    def close(self) -> None:
        """Close the zygote, which ends with its children if it belongs to this process; the next job starts or finds
        another."""
        with self._lock:
            channel, self._channel = self._channel, None
        if channel is not None:
            channel.close()

    def forget(self) -> None:
        """Drop a zygote that belongs to the parent process after a fork."""
        if self._channel is not None:
            self._channel.forget()
            self._channel = None

    def _running(self) -> _Channel:
        with self._lock:
            if self._channel is not None:
                if self._channel.works():
                    return self._channel
                self._channel.close()
                self._channel = None
            if time.monotonic() - self._failed_at < _REST_AFTER_FAILURE:
                raise Unavailable("the sandbox failed to start a moment ago")
            try:
                self._channel = self._start()
            except (OSError, Malformed, KeyError) as error:
                self._failed_at = time.monotonic()
                raise Unavailable(f"the sandbox does not start: {error}") from error
            return self._channel

    def _start(self) -> _Channel:
        plan = {
            "profile": self.profile,
            "limits": asdict(self.limits),
            "folder": os.path.realpath(tempfile.gettempdir()),
        }
        with _log() as log:
            if self._at is not None:
                given = shared.ask(self._at, {"zygote": plan, "only": self._only}, log=log)
                return _Channel(given.channel, given.body, given)
            launched = launch.execute({**self._plan, **plan, "only": self._only}, launcher=self._launcher)
            try:
                launched.leader.settimeout(_START_WITHIN)
                ready = launched.ready()
                return _Channel(launched.channel(log), {**ready, "pid": launched.process.pid}, launched)
            except BaseException:
                launched.kill()
                raise

    def _replace(self, channel: _Channel) -> None:
        with self._lock:
            channel.close(hangs=True)
            if self._channel is channel:
                self._channel = None

    def _begin(self, job: Job) -> tuple[dict[str, Any], FrameReader]:
        """Run a job, and retry it once, in its remaining time, if its zygote dies.

        Only once: the job may be the cause, and other jobs die with the zygote.
        """
        try:
            return self._ask(job)
        except JobLost:
            pass
        try:
            return self._ask(job.again(small=job.small))
        except (JobLost, OverTime) as error:
            raise SandboxLost("the sandbox ended while it did the job") from error

    def _ask(self, job: Job) -> tuple[dict[str, Any], FrameReader]:
        for _ in range(_TRIES):
            channel = self._running()
            try:
                hangs = functools.partial(self._replace, channel)
                return job.ask(channel.control, queued_for=self.limits.wait, hangs=hangs)
            except NotStarted:
                continue
            except Preempted:
                job.quick = False
            except (ZygoteGone, JobLost) as error:
                self._replace(channel)
                if isinstance(error, JobLost):
                    raise
        raise Unavailable("the sandbox does not answer")


@contextlib.contextmanager
def _log() -> Iterator[int]:
    """A descriptor of this process's log, for the zygote."""
    try:
        log = os.dup(2)
    except OSError:
        log = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
    try:
        yield log
    finally:
        os.close(log)
