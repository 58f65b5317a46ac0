"""The web process's side of one zygote: start it, give it jobs from any thread, replace it when it dies or hangs."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from conversions.sandbox.answers import Answer, read_answer
from conversions.sandbox.canary import CanaryReport
from conversions.sandbox.errors import Crashed, OverRoom, OverTime, Unavailable
from conversions.sandbox.identity import user_of_children
from conversions.sandbox.job import ACKNOWLEDGE_WITHIN, Gone, Job, Unbegun
from conversions.sandbox.limits import ENVIRONMENT, MEMORY_FOLDER, PASSED_ON, SMALL, Limits
from conversions.sandbox.protocol import MAX_MESSAGE, FrameReader, Malformed, parse
from conversions.toolkit.declaring import Converter, Profile
from conversions.toolkit.progress import Tell

_START_WITHIN = 60.0
_TRIES = 3
_CLOSE_WITHIN = 2.0
_REST_AFTER_FAILURE = 5.0
_PROGRAM = str(Path(__file__).resolve().parent / "__main__.py")


@dataclass(frozen=True)
class _Process:
    popen: subprocess.Popen[bytes]
    control: socket.socket
    landlock: int
    seccomp: bool
    folders: tuple[str, ...]

    def kill(self) -> None:
        self.control.close()
        self.popen.kill()
        self.popen.wait()


class Zygote:
    """One profile's zygote, started by the first job and by the first after a rest; safe to use from several threads,
    not after a fork.

    It serves all converters of the profile, or the `only` one that it is made for, and then starts faster.
    For tests of what holds where: `modules` are imported in it for the converters in their CONVERTERS, `launcher` is a
    command that runs another, as user `child_uid`, and `abi_at_most` and `filtered` weaken the confinement; `memory`
    is where the folders of small jobs are, None for where all others are.
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
        only: Converter | None = None,
    ) -> None:
        self.profile = profile
        self.limits = limits
        self._plan: dict[str, Any] = {
            "modules": modules,
            "abi_at_most": abi_at_most,
            "filtered": filtered,
            "memory": memory,
        }
        if only is not None:
            self._plan["only"] = (only.declared_in, only.slug)
        self._launcher = launcher
        self._drop_to = None if launcher else user_of_children()
        self._child_uid = child_uid if child_uid is not None else self._drop_to or os.geteuid()
        self._lock = threading.Lock()
        self._process: _Process | None = None
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
            process = self._running()
        except (Crashed, Unavailable, OverTime) as error:
            return CanaryReport(self.profile, problem=f"{type(error).__name__}: {error}")
        possible = body.get("possible")
        if not isinstance(possible, list) or not all(isinstance(each, str) for each in possible):
            return CanaryReport(self.profile, problem="the canary gave no proper answer")
        return CanaryReport(self.profile, process.landlock, process.seccomp, tuple(possible))

    @property
    def pid(self) -> int | None:
        """The running zygote's process id."""
        return self._process.popen.pid if self._process else None

    @property
    def folders(self) -> tuple[str, ...]:
        """Where the running zygote's jobs have their folders: on disk, and in memory where there is such a place."""
        return self._process.folders if self._process else ()

    def close(self) -> None:
        """End the zygote and its children; the next job would start another."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.control.close()
            try:
                process.popen.wait(_CLOSE_WITHIN)
            except subprocess.TimeoutExpired:
                process.kill()

    def forget(self) -> None:
        """Let go of a zygote that belongs to the process that this one was forked from."""
        if self._process is not None:
            self._process.control.close()
            self._process.popen.returncode = 0  # not this process's child: never to be waited for
            self._process = None

    def _running(self) -> _Process:
        with self._lock:
            if self._process is not None and self._process.popen.poll() is None:
                return self._process
            if self._process is not None:
                self._process.kill()
                self._process = None
            if time.monotonic() - self._failed_at < _REST_AFTER_FAILURE:
                raise Unavailable("the sandbox failed to start a moment ago")
            try:
                self._process = self._start()
            except (OSError, Malformed, KeyError) as error:
                self._failed_at = time.monotonic()
                raise Unavailable("the sandbox does not start") from error
            return self._process

    def _start(self) -> _Process:
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            popen = subprocess.Popen(
                [*self._launcher, sys.executable, "-I", _PROGRAM, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={**ENVIRONMENT, **{name: os.environ[name] for name in PASSED_ON if name in os.environ}},
                cwd="/",
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # an interrupt from the keyboard is for the web process
            )
        plan = {
            **self._plan,
            "profile": self.profile,
            "limits": asdict(self.limits),
            "parent": os.getpid(),
            "folder": os.path.realpath(tempfile.gettempdir()),
            "uid": self._drop_to,
        }
        try:
            control.settimeout(_START_WITHIN)
            control.send(json.dumps(plan).encode())
            ready = parse(control.recv(MAX_MESSAGE))
            control.settimeout(ACKNOWLEDGE_WITHIN)
            return _Process(popen, control, ready["landlock"], ready["seccomp"], tuple(ready["folders"]))
        except BaseException:
            control.close()
            popen.kill()
            popen.wait()
            raise

    def _replace(self, process: _Process) -> None:
        with self._lock:
            process.kill()
            if self._process is process:
                self._process = None

    def _begin(self, job: Job) -> tuple[dict[str, Any], FrameReader]:
        for _ in range(_TRIES):
            process = self._running()
            try:
                hangs = functools.partial(self._replace, process)
                return job.ask(process.control, queued_for=self.limits.wall, hangs=hangs)
            except Unbegun:
                continue
            except Gone:
                self._replace(process)
        raise Unavailable("the sandbox does not answer")
