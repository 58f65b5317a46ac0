"""A client's connection, its state, and its deadlines."""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from gunicorn.workers.gthread import TConn

from addresses import block_of
from config.server.channel import Channel
from config.server.framing import Framing
from config.server.head import client_of, forwarded_client
from config.server.lanes import Lane

GRACE_SECONDS = 10.0
BYTES_PER_SECOND = 16 * 1024
SEND_SECONDS = 30.0
SENT_PER_SECOND = 4 * 1024
SLOW_BYTES = 640 * 1024
"""Memory that a response may hold while its client reads it at that pace: one that is made in pieces holds 256 KB and a
piece, which has 256 KB in exports and bundles.
"""
HELD_PER_SECOND = 64 * 1024
"""The pace for a response that holds more, such as a picture. At 50 KB/s, of a poor mobile network, it and the first 30
seconds allow for 6.8 MB; all but a few pictures have less than 3 MB.
"""
AT_ONCE_BYTES = 1_000_000
"""Bytes of a body received before the application is called; it may refuse a longer one first."""
ASK_AT_BYTES = 64 * 1024
"""Bytes of a body of unknown length after which the application is called again by default."""


class Phase(enum.Enum):
    """The phase of a connection; the event loop owns it in every phase but SERVED."""

    READING = enum.auto()
    QUEUED = enum.auto()
    SERVED = enum.auto()
    SENDING = enum.auto()
    LINGERING = enum.auto()


@dataclass(frozen=True)
class PendingResponse:
    """A response waiting for its client to accept output; `resume` continues in a thread, `close` gives it up."""

    resume: Callable[[], bool]
    close: Callable[[], None]


class Connection(TConn):  # type: ignore[misc]
    """One connection; `deadline` is the end of its phase unless the client makes progress.

    `peer` and `peer_block` are those of its other end. `address` and `block` are those of the client whose request this
    is: behind proxies one connection carries requests of many clients, and each client is "" until a head has named it.

    `when_sent` is called with whether the whole response was sent; `reset` says that the client has reset the
    connection. `runs` counts the calls of the application for one request, and `notes` is what the application wants to
    find again in the next call: `runs` doesn't say how far a call came.
    """

    def __init__(self, cfg: Any, channel: Channel, client: Any, server: Any, *, trusted_proxies: int) -> None:
        super().__init__(cfg, channel, client, server)
        self.data_ready = True
        self.channel = channel
        self.peer = client_of(client)
        self.peer_block = _block(self.peer)
        self._trusted_proxies = trusted_proxies
        self.phase = Phase.READING
        self.deadline = time.monotonic() + GRACE_SECONDS
        self.keep = False
        self.watched = False
        self.awaits_body = False
        self.moves_to: Lane | None = None
        self.pending: PendingResponse | None = None
        self.when_sent: Callable[[bool], None] | None = None
        self.reset = False
        self.lingered = 0
        self.linger_until = 0.0
        self.expect_request()

    def expect_request(self) -> None:
        """Start waiting for the next request."""
        self.address, self.block = ("", "") if self._trusted_proxies else (self.peer, self.peer_block)
        self.framing = Framing()
        self.lane = Lane.PAGES
        self.runs = 0
        self.notes: set[str] = set()
        self.told_to_continue = False
        self.ask_at = 0
        self.announced: tuple[int, ...] = ()
        self.began = time.monotonic()

    def advance(self, data: bytes) -> None:
        """Find the end of the head or body in `data`, which has just been received, and whose request it is."""
        awaited = not self.framing.head
        self.framing.advance(self.channel.received, data)
        if awaited and self.framing.head and self._trusted_proxies:
            head = self.channel.received.start_of(self.framing.head)
            self.address = forwarded_client(self.client, head, trusted_proxies=self._trusted_proxies)
            self.block = _block(self.address)

    @property
    def body_received(self) -> int:
        return self.channel.received.size - self.framing.head

    def is_due(self) -> bool:
        """Whether to call the application: the request is complete, or long enough to be refused."""
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
        """The application needs more of the body: decide when to call it again if no length is declared.

        It is called at each length it has announced, so that it can refuse an endless body.
        """
        received = self.body_received
        self.ask_at = next((each for each in self.announced if each > received), max(2 * received, ASK_AT_BYTES))

    def reading_deadline(self) -> float:
        """A head has a fixed time limit; a body's grows with the bytes received."""
        body = self.body_received if self.framing.head else 0
        return self.began + GRACE_SECONDS + body / BYTES_PER_SECOND

    def sending_deadline(self) -> float:
        """A response that is in memory must be read faster than a file."""
        least = HELD_PER_SECOND if self.channel.held > SLOW_BYTES else SENT_PER_SECOND
        return self.began + SEND_SECONDS + self.channel.sent / least

    def pace(self, now: float) -> float:
        """The bytes per second that the client has taken of its response; one second is counted at least."""
        return self.channel.sent / max(now - self.began, 1.0)


def _block(address: str) -> str:
    return block_of(address) if address else ""


def pieces(parts: Iterator[bytes], write: Callable[[bytes], None], channel: Channel, *, made: bool) -> bool:
    """Write parts of the response until the client's buffer is full; returns whether all are written.

    Those that are `made` are in memory anyway: they are written at once, and the application can let go of them.
    """
    for each in parts:
        write(each)
        if channel.is_full and not made:
            return False
    return True
