"""The gunicorn worker: threads that slow clients can't block.

The event loop receives complete requests, sends files and queued output, and closes connections; threads never wait
for clients. It builds on internals of gunicorn's threaded worker, so it starts only with the series that it was written
for; tests/config/test_gunicorn.py lists what it relies on.
"""

from __future__ import annotations

import collections
import contextlib
import errno
import selectors
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

import gunicorn
from gunicorn.http import wsgi
from gunicorn.http.errors import ParseException
from gunicorn.workers.gthread import ThreadWorker

from config import environment
from config.server import head
from config.server.application import call
from config.server.channel import BodyAwaited, Channel
from config.server.connection import Connection, PendingResponse, Phase, pieces
from config.server.framing import LEAST_CHUNK_BYTES
from config.server.held import Held
from config.server.lanes import HandedOver, Lane, Lanes, lane_of
from config.server.refusals import refusal
from config.server.room import FULL, Room
from errors import Internal, Invalid, PublicError, TooLarge, TooMany, Unavailable

T = TypeVar("T")

SERIES = "27."
PLACE_SECONDS = 30.0
LINGER_SECONDS = 30.0
LINGER_IDLE_SECONDS = 5.0
LINGER_BYTES = 64 * 1024 * 1024
STOPPING_SECONDS = 2.0
TICK_SECONDS = 0.25
TAKE_BYTES = 256 * 1024
TAKE_UNDECLARED_BYTES = 64 * 1024
SHARE = 4
"""One client may have a quarter of what is shared out."""
BLOCK_SHARE = 2

_NO_DESCRIPTOR = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_GIVEN_UP = {Phase.READING: 3, Phase.LINGERING: 3, Phase.SENDING: 2, Phase.QUEUED: 1, Phase.SERVED: 0}
"""Which connections are closed first to make room, by phase: the highest; 0 for none."""
_UNDER_WAY = "Too many requests are under way. Try again in 10 seconds."


class PatientWorker(ThreadWorker):  # type: ignore[misc]
    """A threaded worker whose clients can't block each other by being slow.

    A request with a long body is passed to the application once its head has arrived, so that it may be refused; if the
    application wants the body, it is called again when that is complete. The same happens if the request belongs to
    another lane. One client address may use a quarter of the conversion threads, and a block of addresses half of them.
    The block with the fewest threads is served next, and in it the client with the fewest; of equals, the one that has
    waited longest since it was last served. Behind proxies clients are those that the proxies name. Connections are
    shared out in the same way, unless a proxy has them all.
    """

    alive: bool
    tpool: Lanes

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._trusted_proxies = environment.server().proxies
        self._room = Room(environment.temporary_dir())
        self._held = Held()
        self._connections: dict[Connection, None] = {}
        self._queue: dict[Connection, None] = {}
        # By address, and by block: as neither is spelled like the other, one counter holds both.
        self._open: collections.Counter[str] = collections.Counter()
        self._served: collections.Counter[tuple[str, Lane]] = collections.Counter()
        self._notified = self._swept = self._out_of_descriptors = float("-inf")

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        super().check_config(cfg, log)
        if not gunicorn.__version__.startswith(SERIES):
            raise RuntimeError(
                f"This worker was written for gunicorn {SERIES}x, and {gunicorn.__version__} is installed. "
                "Install what requirements.txt names, or run tests/config/test_gunicorn.py with the new version."
            )
        if cfg.is_ssl:
            raise RuntimeError("This worker does not speak TLS: put a proxy in front that does.")

    def load_wsgi(self) -> None:
        super().load_wsgi()
        self.wsgi: Any = partial(call, self.wsgi)

    def get_thread_pool(self) -> Lanes:
        return Lanes(self.cfg.threads)

    # Arriving

    def accept(self, listener: socket.socket) -> bool:
        """Accept a client; returns whether there was one."""
        try:
            sock, client = listener.accept()
        except OSError as error:
            if error.errno in _NO_DESCRIPTOR and not self._make_room():
                # The listener stays readable: try again when others may have left.
                self._out_of_descriptors = time.monotonic()
                self.set_accept_enabled(False)
            elif error.errno not in (errno.EAGAIN, errno.ECONNABORTED, *_NO_DESCRIPTOR):
                raise
            return False
        conn = Connection(
            self.cfg,
            Channel(sock, self._room.folder),
            client,
            listener.getsockname(),
            trusted_proxies=self._trusted_proxies,
        )
        self.nr_conns += 1
        self._open.update((conn.peer, conn.peer_block))
        too_many = self._has_too_many(conn)
        if self.nr_conns >= self.worker_connections and not too_many:
            self._make_room()
        self._connections[conn] = None
        if too_many:
            self._drop(conn)
        else:
            self._watch(conn, selectors.EVENT_READ, self._read)
        return True

    def _has_too_many(self, conn: Connection) -> bool:
        if not conn.peer or self._trusted_proxies:
            return False
        most = max(self.worker_connections // SHARE, 1)
        most_of_block = max(self.worker_connections // BLOCK_SHARE, 1)
        return bool(self._open[conn.peer] > most or self._open[conn.peer_block] > most_of_block)

    def set_accept_enabled(self, enabled: bool) -> None:
        if enabled and time.monotonic() < self._out_of_descriptors + TICK_SECONDS:
            return
        stopping = not enabled and not self.alive and self._accepting
        super().set_accept_enabled(enabled)
        if stopping:
            # Clients in the kernel's queue are still served; later ones are refused at once.
            for listener in self.sockets:
                with contextlib.suppress(OSError):
                    while self.nr_conns < self.worker_connections and self.accept(listener):
                        pass
                listener.close()

    def _make_room(self) -> bool:
        """Close a connection of the block that has most, so that no number of clients costs others theirs.

        Of these the one that has waited longest for its client, or has kept its client waiting longest, or a request
        beyond its client's share of the conversion threads.
        """
        found, most = None, (0, 0)
        held = collections.Counter(conn.block for conn in self._connections)
        for conn in self._connections:
            place = (held[conn.block], _GIVEN_UP[conn.phase])
            if place[1] and place > most and self._may_be_given_up(conn):
                found, most = conn, place
        if found is None:
            return False
        if found.phase is Phase.QUEUED:
            self._refuse(found, TooMany, _UNDER_WAY)
        self._drop(found)
        return True

    def _may_be_given_up(self, conn: Connection) -> bool:
        return conn.phase is not Phase.QUEUED or (conn.pending is None and self._has_its_share(conn))

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
        conn.advance(data)
        if added := conn.channel.received.on_disk - before:
            crowded = self._room.take(conn.address, conn.block, added)
            if crowded:
                self._refuse(conn, *crowded)
                return
        if conn.framing.endless:
            self._refuse(conn, Invalid, "The header fields of the request are too long.")
        elif conn.framing.oversized:
            self._refuse(conn, TooLarge, "The request body is too large for this route.")
        elif conn.framing.wasteful:
            text = f"The body has too many small chunks. Send chunks of {LEAST_CHUNK_BYTES} bytes or more."
            self._refuse(conn, Invalid, text)
        elif conn.is_due():
            conn.channel.whole = conn.framing.complete
            self._enqueue(conn)
        else:
            conn.deadline = conn.reading_deadline()

    def _give_up(self, conn: Connection) -> None:
        """The client has stopped sending: pass an incomplete body to the application, or drop an incomplete head."""
        if not conn.framing.head:
            self._drop(conn)
            return
        conn.channel.whole = True
        self._enqueue(conn)

    # Being served

    def _enqueue(self, conn: Connection) -> None:
        self._unwatch(conn)
        if not conn.runs:
            conn.lane = lane_of(conn.channel.received.start_of(conn.framing.head))
        self._wait_for_thread(conn)

    def _wait_for_thread(self, conn: Connection) -> None:
        conn.phase = Phase.QUEUED
        conn.deadline = time.monotonic() + PLACE_SECONDS
        self._queue[conn] = None
        # Not this one at once: its client may have sent hundreds of requests in one packet, and others wait.
        self._serve_next(conn.lane)

    def _has_its_share(self, conn: Connection) -> bool:
        if conn.lane is not Lane.CONVERSIONS or not conn.address:
            return False
        threads, lane = self.tpool.threads[Lane.CONVERSIONS], conn.lane
        own, block = self._served[conn.address, lane], self._served[conn.block, lane]
        return own >= threads // SHARE or block >= threads // BLOCK_SHARE

    def _serve(self, conn: Connection) -> None:
        del self._queue[conn]
        conn.phase = Phase.SERVED
        try:
            future = self.tpool.submit(conn.lane, self.handle, conn)
        except RuntimeError:
            self.log.exception("No thread can be started")
            self._refuse(conn, Unavailable, "The service is busy. Try again in 10 seconds.")
            return
        self._served.update(((conn.address, conn.lane), (conn.block, conn.lane)))
        future.add_done_callback(partial(self.method_queue.defer, self.finish_request, conn))

    def _serve_next(self, lane: Lane) -> None:
        """Give a free thread to the client with the fewest requests in its lane, of the block with the fewest."""
        if not self.tpool.has_room(lane):
            return
        waiting = [each for each in self._queue if each.lane is lane and not self._has_its_share(each)]
        if not waiting:
            return
        first = min(waiting, key=lambda each: (self._served[each.block, lane], self._served[each.address, lane]))
        # The others of its block go behind those who have waited for as few threads, its client's own last.
        block = [each for each in self._queue if each.block == first.block and each is not first]
        for each in sorted(block, key=lambda each: each.address == first.address):
            self._queue[each] = self._queue.pop(each)
        self._serve(first)

    def handle(self, conn: Connection) -> bool:
        pending, conn.pending = conn.pending, None
        try:
            if pending:
                return self._go_on(conn, pending)
            # A repeated call reads the body from its start.
            conn.channel.received.position = 0
            conn.parser, conn.initialized = None, False
            return bool(super().handle(conn))
        except BodyAwaited:
            conn.awaits_body = True
            return False
        except HandedOver as elsewhere:
            conn.runs -= 1  # no part of it was executed
            conn.moves_to = elsewhere.lane
            return False
        finally:
            if not conn.awaits_body and conn.moves_to is None:
                # A response without body is still held back; a lost client is noticed in `_send`.
                with contextlib.suppress(OSError):
                    conn.channel.flush()

    def handle_request(self, req: Any, conn: Connection) -> bool:
        """Call the application and write its response; returns whether to keep the connection alive."""
        head.check(req)
        channel = conn.channel
        # gunicorn would send 100 Continue before the application has seen the head.
        expected, req._expected_100_continue = req._expected_100_continue, False
        channel.owes_continue = expected and not conn.told_to_continue
        channel.request = req
        if not self.alive or self.nr_conns > self.worker_connections * 0.9:
            req.force_close()
        started = datetime.now()
        response, environ = wsgi.create(req, channel, conn.client, conn.server, self.cfg)
        environ |= {
            "wsgi.multithread": True,
            "server.notes": conn.notes,
            "server.ask_at": partial(_announce, conn),
            "server.lane": conn.lane,
            "server.when_sent": partial(_notify_when_sent, conn, req),
        }
        conn.runs += 1
        self.nr += 1
        if self.nr >= self.max_requests:
            self.alive = False
            response.force_close()
        answer = self.wsgi(environ, response.start_response)
        as_file = isinstance(answer, environ["wsgi.file_wrapper"]) and response.sendfile(answer)
        parts = iter(() if as_file else answer)
        made = isinstance(answer, list | tuple) or getattr(answer, "streaming", True) is False

        def close() -> None:
            self.log.access(response, req, environ, datetime.now() - started)
            if hasattr(answer, "close"):
                answer.close()

        def resume() -> bool:
            ended = True
            try:
                ended = pieces(parts, response.write, channel, made=made)
                if not ended:
                    conn.pending = PendingResponse(resume, close)
                    return False
                response.close()
            except Exception as error:
                if not response.headers_sent or isinstance(error, OSError):
                    raise
                # The response has started: the only way to report the error is to abort it.
                self.log.exception("Error handling request")
                channel.close()
                return False
            finally:
                if ended:
                    close()
            return not response.should_close()

        return resume()

    def _go_on(self, conn: Connection, pending: PendingResponse) -> bool:
        try:
            return self._keepalive_after(conn, pending.resume())  # type: ignore[no-any-return]
        except Exception as error:
            if not isinstance(error, OSError):
                self.log.exception("Error handling request")
            conn.channel.close()
            return False

    def handle_error(self, req: Any, client: Channel, addr: Any, exc: Exception) -> None:
        """Respond to a request that the application never saw, or crashed on, in the API's JSON."""
        if isinstance(exc, ParseException):
            self.log.warning("Malformed request: %s", type(exc).__name__)
            client.sendall(refusal(Invalid, "The request is not valid HTTP."))
        else:
            self.log.error("Error handling request", exc_info=exc)
            client.sendall(refusal(Internal, "Something went wrong on our side. Try again later."))

    def finish_request(self, conn: Connection, fs: Future[bool]) -> None:
        lane = conn.lane
        self.tpool.give_back(lane)
        _take_off(self._served, (conn.address, lane), (conn.block, lane))
        try:
            conn.keep = fs.exception() is None and fs.result()
            if conn.channel.closed:
                self._drop(conn)
            elif conn.moves_to is not None:
                conn.lane, conn.moves_to = conn.moves_to, None
                self._wait_for_thread(conn)
            elif conn.awaits_body:
                self._await_body(conn)
            else:
                conn.began, conn.channel.sent = time.monotonic(), 0
                self._send(conn)
        except OSError:
            self._drop(conn)
        self._serve_next(lane)

    def _await_body(self, conn: Connection) -> None:
        conn.awaits_body = False
        conn.await_body()
        if conn.channel.owes_continue:
            # RFC 9110, section 10.1.1: sent only now, so that a refusal reaches the client before the body.
            conn.channel.owes_continue, conn.told_to_continue = False, True
            conn.channel.send(b"HTTP/1.1 100 Continue\r\n\r\n")
            conn.channel.flush()
        conn.phase = Phase.READING
        # Time spent waiting for the application does not count against the client.
        conn.began = time.monotonic()
        conn.deadline = conn.reading_deadline()
        self._watch(conn, selectors.EVENT_READ, self._read)

    # Leaving

    def _send(self, conn: Connection) -> None:
        sent = conn.channel.flush()
        self._held.count(conn, conn.channel.held)
        if conn.pending and not conn.channel.is_full:
            self._enqueue(conn)
        elif sent:
            self._unwatch(conn)
            self._after_response(conn)
        else:
            conn.deadline = conn.sending_deadline()
            if conn.phase is not Phase.SENDING:
                conn.phase = Phase.SENDING
                self._watch(conn, selectors.EVENT_WRITE, self._send)
        while (slowest := self._held.excessive(conn)) is not None:
            self._drop(slowest)

    def _after_response(self, conn: Connection) -> None:
        now = time.monotonic()
        # The longest-waiting are first in the dict.
        self._connections[conn] = self._connections.pop(conn)
        self._room.give_back(conn.address, conn.block, conn.channel.received.on_disk)
        if conn.keep:
            rest = conn.channel.next_request(conn.parser.unreader.take_buffered())
            conn.phase = Phase.READING
            conn.expect_request()
            conn.deadline = now + (self.cfg.keepalive if self.alive else STOPPING_SECONDS)
            self._watch(conn, selectors.EVENT_READ, self._read)
            if rest:
                self._receive(conn, rest)
            return
        # RFC 9112, section 9.6: closing with unread data would reset the connection, and the client lose the response.
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
        if not thrown and conn.when_sent and not conn.channel.arrived:
            # The client has closed its side, and may be gone: then data in flight is answered by a reset.
            self._unwatch(conn)
        elif not thrown or conn.lingered > LINGER_BYTES:
            self._drop(conn)

    def _drop(self, conn: Connection) -> None:
        if conn not in self._connections:
            return
        self._unwatch(conn)
        self._room.give_back(conn.address, conn.block, conn.channel.received.on_disk)
        if conn.pending:
            self._close(conn.pending)
            conn.pending = None
        if conn.when_sent:
            whole = conn.phase is Phase.LINGERING and not conn.reset and not conn.channel.broken
            try:
                # The callback may have to wait for a database.
                threading.Thread(target=conn.when_sent, args=(whole,), name="sent").start()
            except RuntimeError:
                self.log.exception("No thread can be started: a one-time file stays claimed for a while")
        self._held.count(conn, 0)
        conn.channel.destroy()
        del self._connections[conn]
        self._queue.pop(conn, None)
        self.nr_conns -= 1
        _take_off(self._open, conn.peer, conn.peer_block)

    def _close(self, pending: PendingResponse) -> None:
        """Close a response that nobody will receive, as its files stay open until then (PEP 3333)."""
        try:
            pending.close()
        except Exception:
            self.log.exception("Error closing a response")

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
        self._room.refresh()
        for conn in list(self._connections):
            if conn.phase is Phase.SERVED or (conn.deadline > now and not force):
                continue
            if force:
                self._drop(conn)
            elif conn.phase is Phase.QUEUED and not conn.pending:
                if self._has_its_share(conn):
                    self._refuse(conn, TooMany, _UNDER_WAY)
                else:
                    self._refuse(conn, Unavailable, "The service is busy. Try again in 10 seconds.")
            elif conn.phase is Phase.READING:
                self._give_up(conn)
            else:
                self._drop(conn)

    def murder_pending(self) -> None:
        """Does nothing: `murder_keepalived` handles all connections."""

    def _cap_keepalive(self, deadline: float) -> None:
        for conn in self._connections:
            if conn.phase is Phase.LINGERING or (conn.phase is Phase.READING and not conn.channel.received.size):
                conn.linger_until = conn.deadline = min(conn.deadline, deadline)

    def _refuse(self, conn: Connection, kind: type[PublicError], message: str) -> None:
        self._unwatch(conn)
        self._queue.pop(conn, None)
        conn.keep, conn.pending = False, None
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
        if not conn.watched:  # registering with the poller costs as much as reading the request
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
            conn.reset = True
            self._drop(conn)


def _take_off(counter: collections.Counter[T], *names: T) -> None:
    for each in names:
        counter[each] -= 1
        if not counter[each]:
            del counter[each]


def _notify_when_sent(conn: Connection, req: Any, notify: Callable[[bool], None]) -> None:
    """The application calls this to register a callback with whether its whole response was sent.

    The connection ends with the response: how the client closes it shows whether it has read everything.
    """
    conn.when_sent = notify
    req.force_close()


def _announce(conn: Connection, *lengths: int) -> None:
    """The application calls this to announce the lengths, rising, at which it may refuse an unfinished body."""
    conn.announced = lengths
