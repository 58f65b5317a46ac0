"""The zygotes of a supervisor: their plans, which plans they can take on, and which clients wait for them."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import socket
import time
from dataclasses import dataclass, field
from typing import Any

from engine.sandbox import janitor, launch, libc
from engine.sandbox.limits import TOGETHER
from engine.sandbox.zygote import main as serve_jobs

_START_WITHIN = 60.0
_PONG_WITHIN = 3.0
_STDERR_BYTES = 8192


class Request:
    """A client waiting for a channel, and where its log output goes."""

    def __init__(self, client: socket.socket, log: int) -> None:
        self.client = client
        self.log = log

    def answer(self, body: dict[str, Any], channel: socket.socket | None = None) -> None:
        with contextlib.suppress(OSError):
            socket.send_fds(self.client, [json.dumps(body).encode()], [] if channel is None else [channel.fileno()])
        os.close(self.log)


@dataclass
class Kind:
    """A zygote's role: its plan, its answer when `ready`, its error until then, and its clients."""

    plan: dict[str, Any]
    ready: dict[str, Any] | None = None
    stderr: str = ""
    clients: set[socket.socket] = field(default_factory=set)


def key_of(plan: dict[str, Any]) -> str:
    return json.dumps(plan, sort_keys=True)


class Zygote:
    """A started zygote with its plans, in the order sent; `due` is when its answer must arrive."""

    def __init__(self, plan: dict[str, Any], *, alone: float, share: int) -> None:
        self._launch_options = {"drop": True, "alone": alone, "share": share}
        self.kinds = {key_of(plan): Kind(plan)}
        self.log = os.memfd_create("zygote")
        try:
            fcntl.fcntl(self.log, fcntl.F_SETFL, os.O_APPEND)  # else its next message would leave a gap in the log
            self.launched = launch.fork({**plan, **self._launch_options}, _become_zygote, log=self.log)
        except BaseException:
            os.close(self.log)
            raise
        self.launched.leader.setblocking(False)
        self.due: float | None = time.monotonic() + _START_WITHIN
        self.waiting: list[tuple[str, Request]] = []

    def can_grow(self, plan: dict[str, Any]) -> bool:
        """Whether it may serve another plan as well: of a profile that shares a zygote with those it has."""
        profiles = {each.plan["profile"] for each in self.kinds.values()}
        return (
            profiles | {plan["profile"]} <= TOGETHER.keys()
            and plan["profile"] not in profiles
            and not any("only" in each for each in (plan, *(kind.plan for kind in self.kinds.values())))
        )

    def grow(self, plan: dict[str, Any]) -> None:
        """Send it another plan; raises OSError if it can't be sent."""
        self.take_stderr()
        self.launched.grow({**plan, **self._launch_options})
        self.kinds[key_of(plan)] = Kind(plan)
        self.due = time.monotonic() + _START_WITHIN

    def ping(self) -> None:
        """Check whether it hangs; raises OSError if it can't be asked."""
        self.launched.leader.send(b"ping")
        self.due = time.monotonic() + _PONG_WITHIN

    def read_messages(self) -> None:
        """Read its messages; raises OSError, and Malformed for an invalid one."""
        answer = self.launched.ready()
        growing = [each for each in self.kinds.values() if each.ready is None]
        if "pong" not in answer and growing:
            grown = growing.pop(0)
            grown.ready, grown.stderr = answer, self.take_stderr()
        if not growing:
            self.due = None

    def take_stderr(self) -> str:
        """The end of its standard error since the last call, which is not kept.

        Clients only see what it wrote before it had any job.
        """
        size = os.fstat(self.log).st_size
        text = os.pread(self.log, _STDERR_BYTES, max(0, size - _STDERR_BYTES)).decode(errors="replace")
        os.ftruncate(self.log, 0)
        return text

    def connect(self, key: str, asked: Request) -> None:
        """Send a channel to a client; raises OSError if the zygote accepts none."""
        kind = self.kinds[key]
        assert kind.ready is not None
        with self.launched.channel(asked.log, number=list(self.kinds).index(key)) as channel:
            asked.answer({**kind.ready, "pid": self.launched.process.pid, "stderr": kind.stderr}, channel)

    def close(self) -> None:
        self.launched.kill()
        os.close(self.log)


def _become_zygote(leader: int) -> None:
    libc.name(b"zygote")
    serve_jobs(leader, janitor.start())
