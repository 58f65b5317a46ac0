"""A client's connection with its place in the worker's books, and how long it may take."""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from gunicorn.workers.gthread import TConn

from config.server.channel import Channel
from config.server.framing import Framing
from config.server.head import client_of

GRACE_SECONDS = 10.0
BYTES_PER_SECOND = 16 * 1024
SEND_SECONDS = 30.0
SENT_PER_SECOND = 4 * 1024
AT_ONCE_BYTES = 1_000_000
"""A body of up to so many bytes is received before the application sees its head; a longer one may be refused first."""
ASK_AT_BYTES = 64 * 1024
"""When a body whose length nobody has declared is shown again, unless the application has said when."""


class Phase(enum.Enum):
    """Who waits for whom on a connection; the event loop owns it in every phase but SERVED."""

    READING = enum.auto()
    QUEUED = enum.auto()
    SERVED = enum.auto()
    SENDING = enum.auto()
    LINGERING = enum.auto()


@dataclass(frozen=True)
class Answering:
    """An answer whose client must take some of it before more is produced; `resume` goes on in a thread."""

    resume: Callable[[], bool]


class Connection(TConn):  # type: ignore[misc]
    """One connection; `deadline` is when its phase ends for a client that has not moved on."""

    def __init__(self, cfg: Any, channel: Channel, client: Any, server: Any) -> None:
        super().__init__(cfg, channel, client, server)
        self.data_ready = True
        self.channel = channel
        self.address = client_of(client)
        self.phase = Phase.READING
        self.deadline = time.monotonic() + GRACE_SECONDS
        self.keep = False
        self.watched = False
        self.awaits_body = False
        self.answering: Answering | None = None
        self.lingered = 0
        self.linger_until = 0.0
        self.expect_request()

    def expect_request(self) -> None:
        """Begin to look for the next request."""
        self.framing = Framing()
        self.runs = 0
        self.told_to_continue = False
        self.ask_at = 0
        self.announced: tuple[int, ...] = ()
        self.began = time.monotonic()

    @property
    def body_received(self) -> int:
        return self.channel.received.size - self.framing.head

    def is_due(self) -> bool:
        """Whether the application is to see the request now: all of it is here, or enough for it to refuse the rest."""
        framing = self.framing
        if framing.complete:
            return True
        if not framing.head:
            return False
        if framing.expects_continue and not self.runs:
            return True
        if framing.length is not None:
            return not self.runs and framing.length > AT_ONCE_BYTES
        return self.body_received >= self.ask_at

    def await_body(self) -> None:
        """The application wants more: note when it is asked again where nobody has declared a length.

        At each length that it has announced, so that it can refuse a body that never ends.
        """
        received = self.body_received
        self.ask_at = next((each for each in self.announced if each > received), max(2 * received, ASK_AT_BYTES))

    def reading_deadline(self) -> float:
        """A head has a fixed time, a body a time that grows with what has come in."""
        body = self.body_received if self.framing.head else 0
        return self.began + GRACE_SECONDS + body / BYTES_PER_SECOND

    def sending_deadline(self) -> float:
        return self.began + SEND_SECONDS + self.channel.sent / SENT_PER_SECOND


def pieces(parts: Iterator[bytes], write: Callable[[bytes], None], channel: Channel) -> bool:
    """Write an answer's parts until the client has enough to take; return whether all of them are written."""
    for each in parts:
        write(each)
        if channel.is_full:
            return False
    return True
