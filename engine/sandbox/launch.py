"""Launch zygotes as child processes, end them, and open channels to them."""

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

from engine.sandbox.environment import ENVIRONMENT, PASSED_ON
from engine.sandbox.protocol import MAX_MESSAGE, parse

PROGRAM = os.path.join(os.path.dirname(os.path.realpath(__file__)), "__main__.py")
_LEADER = 3
_DESCRIPTORS = 1 << 16


def environment() -> dict[str, str]:
    """The environment that zygotes and supervisors inherit from this process."""
    return {**ENVIRONMENT, **{name: os.environ[name] for name in PASSED_ON if name in os.environ}}


class Process(Protocol):
    """The operations on a zygote's process; `wait` raises TimeoutExpired."""

    pid: int

    def kill(self) -> None: ...

    def wait(self, timeout: float | None = None) -> int: ...


class _Forked:
    """A process forked from this one; its id is not reused until it has been waited for."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._status: int | None = None

    def kill(self) -> None:
        if self._status is None:
            os.kill(self.pid, signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        if self._status is None:
            self._status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self._status


def execute(plan: Mapping[str, Any], *, launcher: tuple[str, ...] = ()) -> Launched:
    """Execute a zygote, through a `launcher` command if one is given.

    It inherits only standard error, and nothing of this process, which may have threads. Raises OSError.
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
                start_new_session=True,  # a keyboard interrupt is for the web process
            )
    except BaseException:
        leader.close()
        raise
    return Launched(plan, leader, process)


def fork(plan: Mapping[str, Any], serve: Callable[[int], None], *, log: int) -> Launched:
    """Fork a zygote from this process, which has no threads; it calls `serve` with the leader's descriptor.

    It shares the memory of this process, but no open files except `log`, its standard error. Raises OSError.
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
            # The frames below keep the objects that own these descriptors alive, so that they don't close them again.
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
    """A zygote that receives its plan on the leader's socket; raises OSError if it can't be sent."""

    def __init__(self, plan: Mapping[str, Any], leader: socket.socket, process: Process) -> None:
        self.leader = leader
        self.process = process
        try:
            self.grow(plan)
        except BaseException:
            self.kill()
            raise

    def ready(self) -> dict[str, Any]:
        """Its message that it accepts jobs, waiting as long as the leader's timeout; raises OSError."""
        message = self.leader.recv(MAX_MESSAGE)
        if not message:
            raise ConnectionResetError("it ended")
        return parse(message)

    def grow(self, plan: Mapping[str, Any]) -> None:
        """Send it another plan, whose jobs it is to do as well; raises OSError. It answers when it is `ready`."""
        self.leader.send(json.dumps({**plan, "parent": os.getpid()}).encode())

    def channel(self, log: int, *, number: int = 0) -> socket.socket:
        """A new channel for jobs of the plan with this number, from 0; their children's output goes to the descriptor
        `log`."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with theirs:
                socket.send_fds(self.leader, [b"client %d" % number], [theirs.fileno(), log])
        except BaseException:
            ours.close()
            raise
        return ours

    def disown(self) -> None:
        """Never wait for it: it is a child of the process this one was forked from."""
        if isinstance(self.process, subprocess.Popen):
            self.process.returncode = 0

    def end(self, *, within: float) -> None:
        """Give it that many seconds to end, then kill it."""
        self.leader.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(within)
            return
        self.kill()

    def kill(self) -> None:
        self.leader.close()
        self.process.kill()
        self.process.wait()
