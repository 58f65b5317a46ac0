"""The requests for jobs that clients send to a zygote."""

from __future__ import annotations

import os
import socket
import stat
from dataclasses import dataclass

from engine.sandbox.line import MOST_WEIGHT, JobOwner
from engine.sandbox.peaks import Kind

LONGEST_REQUEST = 256
"""Bytes of a request, which is words: `small` or `large`, `quick` or `long`, seconds, and the owner if it is known."""


@dataclass(frozen=True, eq=False)
class Client:
    """A process that sends jobs on `control`; what goes wrong with them is written to `log`."""

    control: socket.socket
    log: int


@dataclass(frozen=True)
class JobRequest:
    """A client's request: the job itself comes on `channel`, its outcome goes to `verdict`."""

    client: Client
    channel: socket.socket
    verdict: socket.socket
    small: bool
    wall: float
    quick: bool
    owner: JobOwner

    @property
    def kind(self) -> Kind:
        return self.quick, self.small

    def close(self) -> None:
        self.channel.close()
        self.verdict.close()


def parse(client: Client, message: bytes, descriptors: list[int], *, longest: float) -> JobRequest | None:
    """The request in a message with two sockets, for at most `longest` seconds; None if it is malformed."""
    try:
        kind, pace, wall, *keys = message.split()
        if not float(wall) > 0 or kind not in (b"small", b"large") or pace not in (b"quick", b"long"):
            return None
        owner = _owner_in(keys) if keys else JobOwner(client, client)
        first, second = descriptors
        if not all(stat.S_ISSOCK(os.fstat(each).st_mode) for each in descriptors):
            return None
    except (ValueError, TypeError):
        return None
    channel, verdict = socket.socket(fileno=first), socket.socket(fileno=second)
    verdict.setblocking(False)
    seconds = min(float(wall), longest)
    return JobRequest(client, channel, verdict, kind == b"small", seconds, pace == b"quick", owner)


def _owner_in(words: list[bytes]) -> JobOwner:
    """The owner in the last words of a request; raises ValueError."""
    block, payer, weight = words
    if not 1 <= int(weight) <= MOST_WEIGHT:
        raise ValueError("no such weight")
    return JobOwner(block, payer, int(weight))
