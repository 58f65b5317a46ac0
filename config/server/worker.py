"""The gunicorn worker: threads that slow clients can't hold.

The event loop receives requests whole, sends files and whatever a client does not take at once, and closes
connections; no thread ever waits for a client. It builds on gunicorn's own threaded worker and its internals, so that
it starts with the version of gunicorn that it was written for alone.
"""

from __future__ import annotations

import collections
import contextlib
import errno
import selectors
import socket
import time
from concurrent.futures import Future
from datetime import datetime
from functools import partial
from typing import Any

import gunicorn
from gunicorn.http import wsgi
from gunicorn.http.errors import ParseException
from gunicorn.workers.gthread import ThreadWorker

from config import environment
from config.server import head
from config.server.application import call
from config.server.channel import BodyAwaited, Channel
from config.server.connection import Answering, Connection, Phase, pieces
from config.server.refusals import refusal
from config.server.room import FULL, Room
from config.server.threads import LastRestedFirst
from errors import Internal, Invalid, PublicError, TooMany

WRITTEN_FOR = "27.0.1"
PLACE_SECONDS = 30.0
LINGER_SECONDS = 30.0
LINGER_IDLE_SECONDS = 5.0
LINGER_BYTES = 64 * 1024 * 1024
STOPPING_SECONDS = 2.0
TICK_SECONDS = 0.25
TAKE_BYTES = 256 * 1024
TAKE_UNDECLARED_BYTES = 64 * 1024

_NO_DESCRIPTOR = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class PatientWorker(ThreadWorker):  # type: ignore[misc]
    """A threaded worker in which no number of slow clients keeps another one waiting.

    A request whose body is long is shown to the application when its head is here, which may refuse it; where it wants
    the body it is called again, from the start, once all of that is here. One client address has a quarter of the
    connections and twice the threads in requests, unless a proxy in front makes all clients share one.
    """

    alive: bool

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shared = environment.server().proxies > 0
        self._served_each = self.worker_connections if shared else 2 * self.cfg.threads
        self._open_each = self.worker_connections if shared else max(self.worker_connections // 4, 1)
        self._room = Room(environment.temporary_dir(), sharers=self.cfg.workers, each=1 if shared else 4)
        self._connections: dict[Connection, None] = {}
        self._queue: dict[Connection, None] = {}
        self._open: collections.Counter[str] = collections.Counter()
        self._served: collections.Counter[str] = collections.Counter()
        self._notified = self._swept = self._out_of_descriptors = float("-inf")

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        super().check_config(cfg, log)
        if gunicorn.__version__ != WRITTEN_FOR:
            raise RuntimeError(
                f"This worker was written for gunicorn {WRITTEN_FOR}, and {gunicorn.__version__} is installed. "
                "Install what requirements.txt names, or look through config/server with the new version."
            )
        if cfg.is_ssl:
            raise RuntimeError("This worker does not speak TLS: put a proxy in front that does.")

    def load_wsgi(self) -> None:
        super().load_wsgi()
        self.wsgi: Any = partial(call, self.wsgi)

    def get_thread_pool(self) -> LastRestedFirst:
        return LastRestedFirst(self.cfg.threads, name="request")

    # Arriving

    def accept(self, listener: socket.socket) -> bool:
        """Take one client in; return whether there was one."""
        try:
            sock, client = listener.accept()
        except OSError as error:
            if error.errno in _NO_DESCRIPTOR and not self._make_room():
                # The listener stays readable: it is looked at again when others may have gone.
                self._out_of_descriptors = time.monotonic()
                self.set_accept_enabled(False)
            elif error.errno not in (errno.EAGAIN, errno.ECONNABORTED, *_NO_DESCRIPTOR):
                raise
            return False
        if self.nr_conns + 1 >= self.worker_connections:
            self._make_room()
        conn = Connection(self.cfg, Channel(sock, self._room.folder), client, listener.getsockname())
        self.nr_conns += 1
        self._open[conn.address] += 1
        self._connections[conn] = None
        if conn.address and self._open[conn.address] > self._open_each:
            self._drop(conn)
        else:
            self._watch(conn, selectors.EVENT_READ, self._read)
        return True

    def set_accept_enabled(self, enabled: bool) -> None:
        if enabled and time.monotonic() < self._out_of_descriptors + TICK_SECONDS:
            return
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
        """Close the connection that has been waiting for its client for longest, or the client for it."""
        for phases in ((Phase.READING, Phase.LINGERING), (Phase.SENDING,)):
            for conn in self._connections:
                if conn.phase in phases:
                    self._drop(conn)
                    return True
        return False

    def _read(self, conn: Connection) -> None:
        received, framing = conn.channel.received, conn.framing
        most = TAKE_UNDECLARED_BYTES if framing.chunked else TAKE_BYTES
        data = conn.channel.take(framing.missing(received, most))
        if data is None:
            return
        if not data:
            self._give_up(conn)
        elif not received.size:
            conn.expect_request()
            self._receive(conn, data)
        else:
            self._receive(conn, data)

    def _receive(self, conn: Connection, data: bytes) -> None:
        before = conn.channel.received.on_disk
        try:
            conn.channel.received.append(data)
        except OSError as error:
            if error.errno not in _NO_SPACE:
                raise
            self._refuse(conn, *FULL)
            return
        if added := conn.channel.received.on_disk - before:
            crowded = self._room.take(conn.address, added)
            if crowded:
                self._refuse(conn, *crowded)
                return
        conn.framing.advance(conn.channel.received, data)
        if conn.framing.endless:
            self._refuse(conn, Invalid, "The header fields of the request are too long.")
        elif conn.is_due():
            conn.channel.whole = conn.framing.complete
            self._enqueue(conn)
        else:
            conn.deadline = conn.reading_deadline()

    def _give_up(self, conn: Connection) -> None:
        """No more will come: the application hears of a body that breaks off, and nobody of half a head."""
        if not conn.framing.head:
            self._drop(conn)
            return
        conn.channel.whole = True
        self._enqueue(conn)

    # Being served

    def _enqueue(self, conn: Connection) -> None:
        self._unwatch(conn)
        conn.phase = Phase.QUEUED
        conn.deadline = time.monotonic() + PLACE_SECONDS
        self._queue[conn] = None
        self._serve_if_allowed(conn)

    def _serve_if_allowed(self, conn: Connection) -> None:
        if conn.address and self._served[conn.address] >= self._served_each:
            return
        del self._queue[conn]
        self._served[conn.address] += 1
        conn.phase = Phase.SERVED
        self.enqueue_req(conn)

    def handle(self, conn: Connection) -> bool:
        answering, conn.answering = conn.answering, None
        try:
            if answering:
                return self._go_on(conn, answering)
            # Whatever an earlier run has read is read again.
            conn.channel.received.position = 0
            conn.parser, conn.initialized = None, False
            return bool(super().handle(conn))
        except BodyAwaited:
            conn.awaits_body = True
            return False
        finally:
            if not conn.awaits_body:
                # An answer without a body is still held back; a client that has gone shows once more in `_send`.
                with contextlib.suppress(OSError):
                    conn.channel.flush()

    def handle_request(self, req: Any, conn: Connection) -> bool:
        """Call the application and write its answer; return whether the connection can be kept."""
        head.check(req)
        channel = conn.channel
        # gunicorn would invite the body before the application has seen the head.
        expected, req._expected_100_continue = req._expected_100_continue, False
        channel.owes_continue = expected and not conn.told_to_continue
        channel.request = req
        if not self.alive or self.nr_conns > self.worker_connections * 0.9:
            req.force_close()
        started = datetime.now()
        response, environ = wsgi.create(req, channel, conn.client, conn.server, self.cfg)
        environ |= {"wsgi.multithread": True, "server.runs": conn.runs, "server.ask_at": partial(_announce, conn)}
        conn.runs += 1
        self.nr += 1
        if self.nr >= self.max_requests:
            self.alive = False
            response.force_close()
        answer = self.wsgi(environ, response.start_response)
        as_file = isinstance(answer, environ["wsgi.file_wrapper"]) and response.sendfile(answer)
        parts = iter(() if as_file else answer)

        def resume() -> bool:
            ended = True
            try:
                ended = pieces(parts, response.write, channel)
                if not ended:
                    conn.answering = Answering(resume)
                    return False
                response.close()
            except Exception as error:
                if not response.headers_sent or isinstance(error, OSError):
                    raise
                # The answer has begun: all that can be said is that it breaks off here.
                self.log.exception("Error handling request")
                channel.close()
                return False
            finally:
                if ended:
                    self.log.access(response, req, environ, datetime.now() - started)
                    if hasattr(answer, "close"):
                        answer.close()
            return not response.should_close()

        return resume()

    def _go_on(self, conn: Connection, answering: Answering) -> bool:
        try:
            return self._keepalive_after(conn, answering.resume())  # type: ignore[no-any-return]
        except Exception as error:
            if not isinstance(error, OSError):
                self.log.exception("Error handling request")
            conn.channel.close()
            return False

    def handle_error(self, req: Any, client: Channel, addr: Any, exc: Exception) -> None:
        """Answer a request that the application never saw, or crashed on, in the JSON of all other errors."""
        if isinstance(exc, ParseException):
            self.log.warning("Malformed request: %s", type(exc).__name__)
            client.sendall(refusal(Invalid, "The request is not valid HTTP."))
        else:
            self.log.error("Error handling request", exc_info=exc)
            client.sendall(refusal(Internal, "Something went wrong on our side. Try again later."))

    def finish_request(self, conn: Connection, future: Future[bool]) -> None:
        self._served[conn.address] -= 1
        try:
            conn.keep = future.exception() is None and future.result()
            if conn.channel.closed:
                self._drop(conn)
            elif conn.awaits_body:
                self._await_body(conn)
            else:
                conn.began, conn.channel.sent = time.monotonic(), 0
                self._send(conn)
        except OSError:
            self._drop(conn)
        for waiting in list(self._queue):
            self._serve_if_allowed(waiting)

    def _await_body(self, conn: Connection) -> None:
        conn.awaits_body = False
        conn.await_body()
        if conn.channel.owes_continue:
            # RFC 9110, section 10.1.1: asked for only now, so that a refusal reaches the client before the body.
            conn.channel.owes_continue, conn.told_to_continue = False, True
            conn.channel.send(b"HTTP/1.1 100 Continue\r\n\r\n")
            conn.channel.flush()
        conn.phase = Phase.READING
        # The client had to wait for the application.
        conn.began = time.monotonic()
        conn.deadline = conn.reading_deadline()
        self._watch(conn, selectors.EVENT_READ, self._read)

    # Leaving

    def _send(self, conn: Connection) -> None:
        sent = conn.channel.flush()
        if conn.answering and not conn.channel.is_full:
            self._enqueue(conn)
        elif sent:
            self._unwatch(conn)
            self._after_response(conn)
        else:
            conn.deadline = conn.sending_deadline()
            if conn.phase is not Phase.SENDING:
                conn.phase = Phase.SENDING
                self._watch(conn, selectors.EVENT_WRITE, self._send)

    def _after_response(self, conn: Connection) -> None:
        now = time.monotonic()
        # The oldest of those who wait come first in the books.
        self._connections[conn] = self._connections.pop(conn)
        self._room.give_back(conn.address, conn.channel.received.on_disk)
        if conn.keep:
            rest = conn.channel.next_request(conn.parser.unreader.take_buffered())
            conn.phase = Phase.READING
            conn.expect_request()
            conn.deadline = now + (self.cfg.keepalive if self.alive else STOPPING_SECONDS)
            self._watch(conn, selectors.EVENT_READ, self._read)
            if rest:
                self._receive(conn, rest)
            return
        # RFC 9112, section 9.6: closing while bytes arrive would reset the connection, and the client lose the answer.
        conn.channel.received.close()
        conn.channel.sock.shutdown(socket.SHUT_WR)
        conn.phase = Phase.LINGERING
        conn.linger_until = now + (LINGER_SECONDS if self.alive else STOPPING_SECONDS)
        conn.deadline = min(conn.linger_until, now + LINGER_IDLE_SECONDS)
        self._watch(conn, selectors.EVENT_READ, self._linger)

    def _linger(self, conn: Connection) -> None:
        thrown = conn.channel.take(TAKE_BYTES)
        if thrown is None:
            return
        conn.lingered += len(thrown)
        conn.deadline = min(conn.linger_until, time.monotonic() + LINGER_IDLE_SECONDS)
        if not thrown or conn.lingered > LINGER_BYTES:
            self._drop(conn)

    def _drop(self, conn: Connection) -> None:
        if conn not in self._connections:
            return
        self._unwatch(conn)
        self._room.give_back(conn.address, conn.channel.received.on_disk)
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
        self._room.look()
        for conn in list(self._connections):
            if conn.phase is Phase.SERVED or (conn.deadline > now and not force):
                continue
            if force:
                self._drop(conn)
            elif conn.phase is Phase.QUEUED and not conn.answering:
                self._refuse(conn, TooMany, "Too many requests are under way. Try again in 10 seconds.")
            elif conn.phase is Phase.READING:
                self._give_up(conn)
            else:
                self._drop(conn)

    def murder_pending(self) -> None:
        """Nothing: `murder_keepalived` sees to every connection."""

    def _cap_keepalive(self, deadline: float) -> None:
        for conn in self._connections:
            if conn.phase is Phase.LINGERING or (conn.phase is Phase.READING and not conn.channel.received.size):
                conn.linger_until = conn.deadline = min(conn.deadline, deadline)

    def _refuse(self, conn: Connection, kind: type[PublicError], message: str) -> None:
        self._unwatch(conn)
        self._queue.pop(conn, None)
        conn.keep, conn.answering = False, None
        try:
            conn.began, conn.channel.sent = time.monotonic(), 0
            conn.channel.sendall(refusal(kind, message))
            self._send(conn)
        except OSError:
            self._drop(conn)

    def _watch(self, conn: Connection, event: int, act: Any) -> None:
        conn.watched = True
        self.poller.register(conn.channel.sock, event, partial(self._act, conn, act))

    def _unwatch(self, conn: Connection) -> None:
        if not conn.watched:  # to be told so by the poller costs as much as to read the request
            return
        conn.watched = False
        with contextlib.suppress(KeyError, ValueError):
            self.poller.unregister(conn.channel.sock)

    def _act(self, conn: Connection, act: Any, _sock: socket.socket) -> None:
        if conn.channel.closed:
            return
        try:
            act(conn)
        except OSError:
            self._drop(conn)


def _announce(conn: Connection, *lengths: int) -> None:
    """What the application calls to say at which lengths, rising, it may refuse a body that has not ended by then."""
    conn.announced = lengths
