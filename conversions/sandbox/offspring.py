"""Offspring: the zygotes of a supervisor, what each of them is and can become, and who waits for it."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
from dataclasses import dataclass, field
from typing import Any

from conversions.sandbox import janitor, launch, libc
from conversions.sandbox.limits import TOGETHER
from conversions.sandbox.zygote import main as serve_jobs

_START_WITHIN = 60.0
_PONG_WITHIN = 3.0
_LAST_WORDS = 8192


class Asked:
    """Somebody who waits for a channel, and where what is to be logged for him goes."""

    def __init__(self, client: socket.socket, log: int) -> None:
        self.client = client
        self.log = log

    def answer(self, body: dict[str, Any], channel: socket.socket | None = None) -> None:
        with contextlib.suppress(OSError):
            socket.send_fds(self.client, [json.dumps(body).encode()], [] if channel is None else [channel.fileno()])
        os.close(self.log)


@dataclass
class Kind:
    """What a zygote was told to be: the plan, what it said when it was that, `ready`, and whose jobs it does so."""

    plan: dict[str, Any]
    ready: dict[str, Any] | None = None
    clients: set[socket.socket] = field(default_factory=set)


def key_of(plan: dict[str, Any]) -> str:
    return json.dumps(plan, sort_keys=True)


class Zygote:
    """One that was started, by the plans that it was told, in their order; `due` is when it must have said what it was
    asked for."""

    def __init__(self, plan: dict[str, Any], *, alone: float, share: int) -> None:
        self._told = {"drop": True, "alone": alone, "share": share}
        self.kinds = {key_of(plan): Kind(plan)}
        self.log = os.memfd_create("zygote")
        try:
            self.launched = launch.fork({**plan, **self._told}, _become_zygote, log=self.log)
        except BaseException:
            os.close(self.log)
            raise
        self.launched.leader.setblocking(False)
        self.due: float | None = time.monotonic() + _START_WITHIN
        self.waiting: list[tuple[str, Asked]] = []

    def can_grow(self, plan: dict[str, Any]) -> bool:
        """Whether it may do the jobs of a plan, too: those of a profile that goes together with those that it has."""
        profiles = {each.plan["profile"] for each in self.kinds.values()}
        return (
            profiles | {plan["profile"]} <= TOGETHER.keys()
            and plan["profile"] not in profiles
            and not any("only" in each for each in (plan, *(kind.plan for kind in self.kinds.values())))
        )

    def grow(self, plan: dict[str, Any]) -> None:
        """Have it do the jobs of a plan, too; raises OSError where it can't be told."""
        self.launched.grow({**plan, **self._told})
        self.kinds[key_of(plan)] = Kind(plan)
        self.due = time.monotonic() + _START_WITHIN

    def doubt(self) -> None:
        """Ask whether it hangs; raises OSError where it can't be asked."""
        self.launched.leader.send(b"ping")
        self.due = time.monotonic() + _PONG_WITHIN

    def hear(self) -> None:
        """Take what it says; raises OSError, and Malformed, where that is nothing."""
        said = self.launched.ready()
        growing = [each for each in self.kinds.values() if each.ready is None]
        if "pong" not in said and growing:
            growing.pop(0).ready = said
        if not growing:
            self.due = None

    def said(self) -> str:
        size = os.fstat(self.log).st_size
        return os.pread(self.log, _LAST_WORDS, max(0, size - _LAST_WORDS)).decode(errors="replace")

    def connect(self, key: str, asked: Asked) -> None:
        """Give a channel to who asked for one; raises OSError where the zygote takes none."""
        ready = self.kinds[key].ready
        assert ready is not None
        with self.launched.channel(asked.log, number=list(self.kinds).index(key)) as channel:
            asked.answer({**ready, "pid": self.launched.process.pid, "said": self.said()}, channel)

    def bury(self) -> None:
        self.launched.kill()
        os.close(self.log)


def _become_zygote(leader: int) -> None:
    libc.name(b"zygote")
    serve_jobs(leader, janitor.start())
