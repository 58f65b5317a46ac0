"""The web process's side of one zygote: start it, give it jobs from any thread, replace it when it dies or hangs."""

from __future__ import annotations

import contextlib
import functools
import os
import select
import socket
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from conversions.sandbox import launch, shared
from conversions.sandbox.address import Address
from conversions.sandbox.answers import Answer, read_answer
from conversions.sandbox.canary import CanaryReport
from conversions.sandbox.errors import Crashed, OverRoom, OverTime, Unavailable
from conversions.sandbox.identity import user_of_children
from conversions.sandbox.job import ACKNOWLEDGE_WITHIN, Gone, Job, Unbegun
from conversions.sandbox.launch import Launched
from conversions.sandbox.limits import MEMORY_FOLDER, SMALL, Limits
from conversions.sandbox.protocol import FrameReader, Malformed
from conversions.sandbox.shared import Given
from conversions.toolkit.declaring import Converter, Profile
from conversions.toolkit.progress import Tell

_START_WITHIN = 60.0
_TRIES = 3
_CLOSE_WITHIN = 2.0
_REST_AFTER_FAILURE = 5.0


class _Channel:
    """What jobs are handed over on: to a zygote of this process's own, or to one of the supervisor's."""

    def __init__(self, control: socket.socket, ready: Mapping[str, Any], holder: Launched | Given) -> None:
        self.control = control
        self.pid = int(ready["pid"])
        self.landlock = int(ready["landlock"])
        self.seccomp = bool(ready["seccomp"])
        self.folders = tuple(map(str, ready["folders"]))
        self._holder = holder
        control.settimeout(ACKNOWLEDGE_WITHIN)

    def works(self) -> bool:
        """Whether the zygote has not ended: it says nothing here, and what can be read is the end."""
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        return not poll.poll(0)

    def close(self, *, hangs: bool = False) -> None:
        """Give it up; a zygote of one's own ends with it, at once if it may hang."""
        self.control.close()
        match self._holder:
            case Launched() as launched:
                if hangs:
                    launched.kill()
                else:
                    launched.end(within=_CLOSE_WITHIN)
            case Given() as given:
                if hangs:
                    given.doubt()
                given.connection.close()

    def forget(self) -> None:
        """Let go of it in a process that was forked from the one that it belongs to."""
        self.control.close()
        match self._holder:
            case Launched() as launched:
                launched.leader.close()
                launched.disown()
            case Given() as given:
                given.connection.close()


class Zygote:
    """One profile's zygote, started by the first job and by the first after a rest; safe to use from several threads,
    not after a fork.

    It serves all converters of the profile, or the `only` one that it is made for, and then starts faster. It is this
    process's own, or `at` an address that of all who find the same supervisor there, where it may serve all converters
    nevertheless.
    For tests of what holds where one is this process's own: `modules` are imported in it for the converters in their
    CONVERTERS, `launcher` is a command that runs another, as user `child_uid`, and `abi_at_most` and `filtered` weaken
    the confinement; `memory` is where the folders of small jobs are, None for where all others are, and `pressure` the
    file that tells whether memory is short.
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
        }
        self._only = None if only is None else (only.declared_in, only.slug)
        self._at = at
        self._launcher = launcher
        self._child_uid = child_uid if child_uid is not None else user_of_children() or os.geteuid()
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
        look: bool = False,
        tell: Tell | None = None,
    ) -> Answer:
        """Convert the file behind the descriptor `source` with options by public name.

        It may take `within` seconds where those are fewer than the limit. To `look` is to convert nothing: an answer
        with an empty result and what the file was found to be. `tell` is told now and then how far the job is. Raises
        Unreadable, InvalidOption, OverTime, OverMemory, OverOutput, Crashed and Unavailable.
        """
        small = os.fstat(source).st_size <= SMALL
        body: dict[str, Any] = {"slug": slug, "options": dict(values)}
        if look:
            body["look"] = True
        if tell is not None:
            body["progress"] = True
        job = Job(body, source, min(self.limits.wall, within or self.limits.wall), small=small, tell=tell)
        try:
            return self._done(job)
        except OverRoom:
            if not small:
                raise
        return self._done(job.again())

    def _done(self, job: Job) -> Answer:
        body, reader = self._begin(job)
        with contextlib.closing(reader):
            try:
                return read_answer(body, reader, owner=self._child_uid, most=self.limits.output)
            except Malformed as error:
                raise Crashed("the child gave no proper answer") from error

    def canary(self) -> CanaryReport:
        """Let a child try what it may not do; a zygote that does not start is a report too."""
        try:
            body, reader = self._begin(Job({"canary": True}, None, self.limits.wall))
            reader.close()
            channel = self._running()
        except (Crashed, Unavailable, OverTime) as error:
            return CanaryReport(self.profile, problem=f"{type(error).__name__}: {error}")
        possible = body.get("possible")
        if not isinstance(possible, list) or not all(isinstance(each, str) for each in possible):
            return CanaryReport(self.profile, problem="the canary gave no proper answer")
        return CanaryReport(self.profile, channel.landlock, channel.seccomp, tuple(possible))

    @property
    def pid(self) -> int | None:
        """The running zygote's process id."""
        return self._channel.pid if self._channel else None

    @property
    def folders(self) -> tuple[str, ...]:
        """Where the running zygote's jobs have their folders: on disk, and in memory where there is such a place."""
        return self._channel.folders if self._channel else ()

    def close(self) -> None:
        """Give up the zygote, which ends with its children where it is this process's own; the next job would start or
        find another."""
        with self._lock:
            channel, self._channel = self._channel, None
        if channel is not None:
            channel.close()

    def forget(self) -> None:
        """Let go of a zygote that belongs to the process that this one was forked from."""
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
                raise Unavailable("the sandbox does not start") from error
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
        for _ in range(_TRIES):
            channel = self._running()
            try:
                hangs = functools.partial(self._replace, channel)
                return job.ask(channel.control, queued_for=self.limits.wall, hangs=hangs)
            except Unbegun:
                continue
            except Gone:
                self._replace(channel)
        raise Unavailable("the sandbox does not answer")


@contextlib.contextmanager
def _log() -> Iterator[int]:
    """Where this process says what goes wrong, as a descriptor to pass on."""
    try:
        log = os.dup(2)
    except OSError:
        log = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
    try:
        yield log
    finally:
        os.close(log)
