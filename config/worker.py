"""The gunicorn worker: threads that slow clients can't hold.

The event loop reads heads and small bodies, sends files and whatever a client does not take at once, and closes
connections; a thread only ever waits for a large body, and then others run in its place. It builds on gunicorn's
own threaded worker and its internals: gunicorn's version is pinned, tests/config/test_slow_clients.py watches over it.
"""

from __future__ import annotations

import collections
import contextlib
import enum
import errno
import os
import selectors
import socket
import threading
import time
from concurrent.futures import Future
from functools import partial
from typing import Any

from gunicorn.http.errors import ParseException
from gunicorn.workers.gthread import TConn, ThreadWorker

from config.channel import GRACE_SECONDS, Channel
from config.intake import HEAD_BYTES, SMALL_BODY_BYTES, call, is_endless_head, network_of, refusal, weigh
from config.threads import LastRestedFirst

PLACE_SECONDS = 30.0
SEND_SECONDS = 30.0
LINGER_SECONDS = 30.0
LINGER_IDLE_SECONDS = 5.0
LINGER_BYTES = 64 * 1024 * 1024
STOPPING_SECONDS = 2.0
TICK_SECONDS = 0.25

_NO_DESCRIPTOR = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Phase(enum.Enum):
    """Who waits for whom on a connection; the event loop owns it in every phase but SERVED."""

    READING = enum.auto()
    QUEUED = enum.auto()
    SERVED = enum.auto()
    SENDING = enum.auto()
    LINGERING = enum.auto()


class Connection(TConn):  # type: ignore[misc]
    """A client's connection with its place in the worker's books."""

    def __init__(self, cfg: Any, channel: Channel, client: Any, server: Any) -> None:
        super().__init__(cfg, channel, client, server)
        self.data_ready = True
        self.channel = channel
        self.address = network_of(client)
        self.phase = Phase.READING
        self.deadline = time.monotonic() + GRACE_SECONDS
        self.large = False
        self.keep = False
        self.lingered = 0
        self.linger_until = 0.0


class PatientWorker(ThreadWorker):  # type: ignore[misc]
    """A threaded worker in which no number of slow clients keeps another one waiting.

    At most `threads` requests run at once; up to eight times as many may be under way, of which three quarters may be
    large uploads. One client address has a quarter of either, unless a proxy in front makes all clients share one.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        threads = self.cfg.threads
        self._places = threading.Semaphore(threads)
        self._under_way = 8 * threads
        self._uploads = 6 * threads
        shared = int(os.environ.get("TRUSTED_PROXY_COUNT") or 0) > 0
        self._served_each = self._under_way if shared else 2 * threads
        self._open_each = self.worker_connections if shared else max(self.worker_connections // 4, 1)
        self._connections: dict[Connection, None] = {}
        self._queue: dict[Connection, None] = {}
        self._open: collections.Counter[str] = collections.Counter()
        self._served: collections.Counter[str] = collections.Counter()
        self._large = 0
        self._notified = self._swept = float("-inf")

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        super().check_config(cfg, log)
        if cfg.is_ssl:
            raise RuntimeError("This worker does not speak TLS: put a proxy in front that does.")

    def get_thread_pool(self) -> LastRestedFirst:
        return LastRestedFirst(self._under_way, name="request")

    def load_wsgi(self) -> None:
        super().load_wsgi()
        self.wsgi: Any = partial(call, self.wsgi)

    # Arriving

    def accept(self, listener: socket.socket) -> bool:
        """Take one client in; return whether there was one."""
        try:
            sock, client = listener.accept()
        except OSError as error:
            if error.errno in _NO_DESCRIPTOR and not self._make_room():
                self.set_accept_enabled(False)
            elif error.errno not in (errno.EAGAIN, errno.ECONNABORTED, *_NO_DESCRIPTOR):
                raise
            return False
        if self.nr_conns + 1 >= self.worker_connections:
            self._make_room()
        conn = Connection(self.cfg, Channel(sock, self._places), client, listener.getsockname())
        self.nr_conns += 1
        self._open[conn.address] += 1
        self._connections[conn] = None
        if conn.address and self._open[conn.address] > self._open_each:
            self._drop(conn)
        else:
            self._watch(conn, selectors.EVENT_READ, self._read)
        return True

    def set_accept_enabled(self, enabled: bool) -> None:
        stopping = not enabled and not self.alive and self._accepting
        super().set_accept_enabled(enabled)
        if stopping:
            # Whoever is already in the queue of the kernel is still served; who comes later is refused at once.
            for listener in self.sockets:
                with contextlib.suppress(OSError):
                    while self.nr_conns < self.worker_connections and self.accept(listener):
                        pass
                listener.close()

    def _make_room(self) -> bool:
        """Close the connection that has been waiting for its client for longest."""
        for conn in self._connections:
            if conn.phase in (Phase.READING, Phase.LINGERING):
                self._drop(conn)
                return True
        return False

    def _read(self, conn: Connection) -> None:
        idle = not conn.channel.inbox
        still_open = conn.channel.fill(HEAD_BYTES + SMALL_BODY_BYTES)
        if idle and conn.channel.inbox:
            conn.deadline = time.monotonic() + GRACE_SECONDS
        self._consider(conn, still_open=still_open)

    def _consider(self, conn: Connection, *, still_open: bool) -> None:
        """Serve the request once all of it is here that a thread must not wait for."""
        conn.large, complete = weigh(conn.channel.inbox)
        if complete:
            self._unwatch(conn)
            conn.phase = Phase.QUEUED
            conn.deadline = time.monotonic() + PLACE_SECONDS
            self._queue[conn] = None
            self._serve_if_allowed(conn)
        elif not still_open:
            self._drop(conn)
        elif is_endless_head(conn.channel.inbox):
            self._refuse(conn, 400, "VALIDATION_ERROR", "The header fields of the request are too long.")

    # Being served

    def _serve_if_allowed(self, conn: Connection) -> None:
        crowded = conn.address and self._served[conn.address] >= self._served_each
        if crowded or (conn.large and self._large >= self._uploads):
            return
        del self._queue[conn]
        self._served[conn.address] += 1
        self._large += conn.large
        conn.phase = Phase.SERVED
        conn.channel.begin_request()
        self.enqueue_req(conn)

    def handle(self, conn: Connection) -> bool:
        with self._places:
            try:
                return bool(super().handle(conn))
            finally:
                # An answer without a body is still held back; a client that has gone shows once more in `_send`.
                with contextlib.suppress(OSError):
                    conn.channel.flush()

    def handle_request(self, req: Any, conn: Connection) -> Any:
        # gunicorn would invite the body before the application has seen the head.
        conn.channel.owes_continue, req._expected_100_continue = req._expected_100_continue, False
        if self.nr_conns > self.worker_connections * 0.9:
            req.force_close()
        conn.channel.request = req
        return super().handle_request(req, conn)

    def handle_error(self, req: Any, client: Channel, addr: Any, exc: Exception) -> None:
        """Answer a request that the application never saw, or crashed on, in the JSON of all other errors."""
        if isinstance(exc, ParseException):
            self.log.warning("Malformed request: %s", type(exc).__name__)
            client.sendall(refusal(400, "VALIDATION_ERROR", "The request is not valid HTTP."))
        else:
            self.log.error("Error handling request", exc_info=exc)
            client.sendall(refusal(500, "INTERNAL_ERROR", "Something went wrong on our side. Try again later."))

    def finish_request(self, conn: Connection, future: Future[bool]) -> None:
        self._served[conn.address] -= 1
        self._large -= conn.large
        try:
            conn.keep = future.exception() is None and future.result()
            if conn.channel.closed:
                self._drop(conn)
            else:
                self._send(conn)
        except OSError:
            self._drop(conn)
        for waiting in list(self._queue):
            self._serve_if_allowed(waiting)

    # Leaving

    def _send(self, conn: Connection) -> None:
        if conn.channel.flush():
            self._unwatch(conn)
            self._after_response(conn)
            return
        conn.deadline = time.monotonic() + SEND_SECONDS
        if conn.phase is not Phase.SENDING:
            conn.phase = Phase.SENDING
            self._watch(conn, selectors.EVENT_WRITE, self._send)

    def _after_response(self, conn: Connection) -> None:
        now = time.monotonic()
        # The oldest of those who wait come first in the books.
        self._connections[conn] = self._connections.pop(conn)
        if conn.keep:
            conn.phase = Phase.READING
            conn.channel.inbox[:0] = conn.parser.unreader.take_buffered()
            idle = self.cfg.keepalive if self.alive else STOPPING_SECONDS
            conn.deadline = now + (GRACE_SECONDS if conn.channel.inbox else idle)
            self._watch(conn, selectors.EVENT_READ, self._read)
            if conn.channel.inbox:
                self._consider(conn, still_open=True)
            return
        # RFC 9112, section 9.6: closing while bytes arrive would reset the connection, and the client lose the answer.
        conn.channel.sock.shutdown(socket.SHUT_WR)
        conn.phase = Phase.LINGERING
        conn.linger_until = now + (LINGER_SECONDS if self.alive else STOPPING_SECONDS)
        conn.deadline = min(conn.linger_until, now + LINGER_IDLE_SECONDS)
        self._watch(conn, selectors.EVENT_READ, self._linger)

    def _linger(self, conn: Connection) -> None:
        thrown = conn.channel.discard(1024 * 1024)
        conn.lingered += thrown
        conn.deadline = min(conn.linger_until, time.monotonic() + LINGER_IDLE_SECONDS)
        if not thrown or conn.lingered > LINGER_BYTES:
            self._drop(conn)

    def _drop(self, conn: Connection) -> None:
        if conn not in self._connections:
            return
        self._unwatch(conn)
        conn.channel.destroy()
        del self._connections[conn]
        self._queue.pop(conn, None)
        self.nr_conns -= 1
        self._open[conn.address] -= 1
        for counter in (self._open, self._served):
            if not counter[conn.address]:
                del counter[conn.address]

    # The clock: gunicorn's loop calls these after every event, and at least once a second

    def notify(self) -> None:
        now = time.monotonic()
        if now - self._notified >= TICK_SECONDS:
            self._notified = now
            super().notify()

    def murder_keepalived(self, force: bool = False) -> None:
        now = time.monotonic()
        if now - self._swept < TICK_SECONDS and not force:
            return
        self._swept = now
        for conn in list(self._connections):
            if conn.phase is Phase.SERVED or (conn.deadline > now and not force):
                continue
            if conn.phase is Phase.QUEUED and not force:
                self._refuse(conn, 429, "TOO_MANY_REQUESTS", "Too many uploads are under way. Try again in 10 seconds.")
            else:
                self._drop(conn)

    def murder_pending(self) -> None:
        """Nothing: `murder_keepalived` sees to every connection."""

    def _cap_keepalive(self, deadline: float) -> None:
        for conn in self._connections:
            if conn.phase is Phase.LINGERING or (conn.phase is Phase.READING and not conn.channel.inbox):
                conn.linger_until = conn.deadline = min(conn.deadline, deadline)

    def _refuse(self, conn: Connection, status: int, code: str, message: str) -> None:
        self._unwatch(conn)
        self._queue.pop(conn, None)
        conn.keep = False
        try:
            conn.channel.sendall(refusal(status, code, message))
            self._send(conn)
        except OSError:
            self._drop(conn)

    def _watch(self, conn: Connection, event: int, act: Any) -> None:
        self.poller.register(conn.channel.sock, event, partial(self._act, conn, act))

    def _unwatch(self, conn: Connection) -> None:
        with contextlib.suppress(KeyError, ValueError):
            self.poller.unregister(conn.channel.sock)

    def _act(self, conn: Connection, act: Any, _sock: socket.socket) -> None:
        if conn.channel.closed:
            return
        try:
            act(conn)
        except OSError:
            self._drop(conn)
