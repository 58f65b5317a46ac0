"""Launching: a zygote as a process of this one, from its start to its end, and channels to it for whoever has jobs."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from conversions.sandbox.environment import ENVIRONMENT, PASSED_ON
from conversions.sandbox.protocol import MAX_MESSAGE, parse

PROGRAM = os.path.join(os.path.dirname(os.path.realpath(__file__)), "__main__.py")
_LEADER = 3
_DESCRIPTORS = 1 << 16


def environment() -> dict[str, str]:
    """All that a zygote, and whoever starts zygotes, has of this process's environment."""
    return {**ENVIRONMENT, **{name: os.environ[name] for name in PASSED_ON if name in os.environ}}


class Process(Protocol):
    """What there is to do with a zygote's process; `wait` raises TimeoutExpired."""

    pid: int

    def kill(self) -> None: ...

    def wait(self, timeout: float | None = None) -> int: ...


class _Forked:
    """A process that was forked from this one."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def execute(plan: Mapping[str, Any], *, launcher: tuple[str, ...] = ()) -> Launched:
    """Start a zygote as a program of its own, by a command that runs another where there is a `launcher`.

    It has nothing of this process, which may have threads, but its standard error. Raises OSError.
    """
    leader, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        with theirs:
            process = subprocess.Popen(
                [*launcher, sys.executable, "-I", PROGRAM, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=environment(),
                cwd="/",
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # an interrupt from the keyboard is for the web process
            )
    except BaseException:
        leader.close()
        raise
    return Launched(plan, leader, process)


def fork(plan: Mapping[str, Any], serve: Callable[[int], None], *, log: int) -> Launched:
    """Start a zygote as a fork of this process, which has no threads; it calls `serve` with the leader's descriptor.

    What is in memory here is shared with it, and nothing that is open, but for `log`, its standard error. Raises
    OSError.
    """
    leader, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        pid = os.fork()
    except BaseException:
        leader.close()
        theirs.close()
        raise
    if not pid:
        status = 1
        try:
            os.setsid()
            signal.set_wakeup_fd(-1)
            os.dup2(log, 2)
            # The objects that own what is closed are kept alive by the frames below, and so never close it again.
            kept = os.dup2(theirs.fileno(), _LEADER, inheritable=False)
            os.closerange(_LEADER + 1, _DESCRIPTORS)
            serve(kept)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    theirs.close()
    return Launched(plan, leader, _Forked(pid))


class Launched:
    """A zygote that is told its plan on the leader's socket; raises OSError where it can't be."""

    def __init__(self, plan: Mapping[str, Any], leader: socket.socket, process: Process) -> None:
        self.leader = leader
        self.process = process
        try:
            self.grow(plan)
        except BaseException:
            self.kill()
            raise

    def ready(self) -> dict[str, Any]:
        """What it says when it can be given jobs, or waits for that as long as the leader does; raises OSError."""
        said = self.leader.recv(MAX_MESSAGE)
        if not said:
            raise ConnectionResetError("it ended")
        return parse(said)

    def grow(self, plan: Mapping[str, Any]) -> None:
        """Tell it of one more plan, whose jobs it is to do, too; raises OSError. It says when it is `ready`."""
        self.leader.send(json.dumps({**plan, "parent": os.getpid()}).encode())

    def channel(self, log: int, *, number: int = 0) -> socket.socket:
        """A new channel to hand it jobs on, for the plan of this number, from 0; what children say that do these jobs
        goes to the descriptor `log`."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with theirs:
                socket.send_fds(self.leader, [b"client %d" % number], [theirs.fileno(), log])
        except BaseException:
            ours.close()
            raise
        return ours

    def disown(self) -> None:
        """Never wait for it: it is the child of the process that this one was forked from."""
        if isinstance(self.process, subprocess.Popen):
            self.process.returncode = 0

    def end(self, *, within: float) -> None:
        """Let it end by itself for so many seconds, then kill it."""
        self.leader.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(within)
            return
        self.kill()

    def kill(self) -> None:
        self.leader.close()
        self.process.kill()
        self.process.wait()
