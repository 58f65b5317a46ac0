"""One job as the web process sees it: handed over, waited for, and given up when it takes too long."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from conversions.sandbox.answers import LIMIT_ERRORS
from conversions.sandbox.errors import Crashed, OverTime, Unavailable
from conversions.sandbox.protocol import FrameReader, Malformed, send_frame
from conversions.sandbox.reports import Reports
from conversions.toolkit.progress import Tell

ACKNOWLEDGE_WITHIN = 5.0
"""Seconds in which a zygote says that it has what it was sent, or else is gone."""
_GRACE = 0.4
"""Seconds beyond its time limit after which a job is given up that the zygote has not ended."""
_HANGS_AFTER = 2.0
"""Seconds after which a zygote that does not let go of a job that was given up hangs."""


class Gone(Exception):
    """The zygote died or hangs, and the job was not begun."""


class Unbegun(Exception):
    """The child died before it knew its job."""


@dataclass
class Job:
    """What one child is asked to do, within `wall` seconds; `began` is when it was handed over (monotonic).

    `tell` is told how far it is, where the child was asked to report that.
    """

    body: Mapping[str, Any]
    source: int | None
    wall: float
    small: bool = True
    tell: Tell | None = None
    began: float = 0.0

    def again(self) -> Job:
        """The same job in a larger place, in what is left of its time; raises OverTime."""
        left = self.wall - (time.monotonic() - self.began)
        if left <= 0:
            raise OverTime
        return Job(self.body, self.source, left, small=False, tell=self.tell)

    def ask(
        self, control: socket.socket, *, queued_for: float, hangs: Callable[[], None]
    ) -> tuple[dict[str, Any], FrameReader]:
        """Hand the job to the zygote behind `control` and wait for the answer, whose descriptor the reader has.

        It waits in line for at most `queued_for` seconds. `hangs` is called, later and from another thread, where the
        zygote turns out to hang. Raises Gone and Unbegun where the job may be tried again, OverLimit and Crashed for
        what became of it, and Unavailable if its turn did not come.
        """
        channel, childs = socket.socketpair()
        verdict, zygotes = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with channel, verdict:
            channel.settimeout(ACKNOWLEDGE_WITHIN)
            try:
                with childs, zygotes:
                    request = f"{'small' if self.small else 'large'} {self.wall:.6f}"
                    socket.send_fds(control, [request.encode()], [childs.fileno(), zygotes.fileno()])
                self.began = time.monotonic()
                send_frame(channel, self.body, () if self.source is None else (self.source,))
            except OSError as error:
                raise Gone from error
            reader = FrameReader(channel)
            try:
                return self._await(reader, channel, verdict, queued_for, hangs), reader
            except BaseException:
                reader.close()
                raise

    def _await(
        self,
        reader: FrameReader,
        channel: socket.socket,
        verdict: socket.socket,
        queued_for: float,
        hangs: Callable[[], None],
    ) -> dict[str, Any]:
        poll = select.poll()
        poll.register(channel, select.POLLIN)
        poll.register(verdict, select.POLLIN)
        state, due = "sent", time.monotonic() + ACKNOWLEDGE_WITHIN
        reports = Reports(self.tell, self.wall)
        while True:
            ready = [each for each, _ in poll.poll(max(0.0, due - time.monotonic()) * 1000)]
            if not ready:
                _overdue(state, verdict, hangs)
            if channel.fileno() in ready:
                try:
                    if (answer := _pump(reader, reports)) is not None:
                        return answer
                    continue  # whatever the verdict is, all of the answer comes first
                except (EOFError, ConnectionError):
                    poll.unregister(channel)
                except Malformed as error:
                    raise Crashed("the child gave no proper answer") from error
            if verdict.fileno() in ready:
                event = verdict.recv(64).decode()
                if event in ("started", "queued"):
                    now = time.monotonic()
                    state, due = event, now + (self.wall + _GRACE if event == "started" else queued_for)
                    self.began = now
                elif event in LIMIT_ERRORS:
                    raise LIMIT_ERRORS[event]()
                elif event == "unbegun":
                    raise Unbegun
                elif not event and state == "sent":
                    raise Gone
                else:
                    raise Crashed(event or "the zygote died")


def _pump(reader: FrameReader, reports: Reports) -> dict[str, Any] | None:
    """Read what is there: reports are passed on, and behind the answer comes nothing."""
    frame = reader.pump()
    while frame is not None and "progress" in frame:
        reports.take(frame, reader.size)
        frame = reader.next()
    if frame is not None:
        reader.expect_no_more()
    return frame


def _overdue(state: str, verdict: socket.socket, hangs: Callable[[], None]) -> NoReturn:
    """Nothing came in time: the job is given up, and a zygote that hangs is killed; a long line is waited out."""
    if state == "sent":
        raise Gone
    if state == "queued":
        raise Unavailable("too many jobs are waiting")
    with contextlib.suppress(OSError):
        verdict.shutdown(socket.SHUT_WR)
    # Not waited for by the caller, nor killed at once: on a busy machine the zygote may only be late.
    threading.Thread(target=_watch, args=(verdict.dup(), hangs), daemon=True).start()
    raise OverTime


def _watch(verdict: socket.socket, hangs: Callable[[], None]) -> None:
    """A zygote that is well sees that its job was given up, and closes its end."""
    until = time.monotonic() + _HANGS_AFTER
    with verdict:
        try:
            while True:
                verdict.settimeout(max(0.01, until - time.monotonic()))
                if not verdict.recv(64):
                    return
        except TimeoutError:
            hangs()
        except OSError:
            return
