"""One job as the web process sees it: handed over, awaited, and abandoned when it takes too long."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import select
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from engine.sandbox.answers import LIMIT_ERRORS
from engine.sandbox.errors import Busy, Crashed, NoRoom, OverTime
from engine.sandbox.incoming import Incoming
from engine.sandbox.line import JobOwner
from engine.sandbox.protocol import FrameReader, Malformed, send_frame
from engine.sandbox.reports import Reports
from engine.sandbox.spending import Meter
from engine.toolkit.failures import ConversionError
from engine.toolkit.progress import OnProgress

ACKNOWLEDGE_WITHIN = 5.0
"""Seconds a zygote has to acknowledge a message."""
_GRACE = 0.4
"""Seconds after the time limit at which a job is abandoned if the zygote has not ended it."""
_HANGS_AFTER = 2.0
"""Seconds after abandoning a job before its zygote counts as hanging."""
_ENDS_WITHIN = 1.0
"""Seconds a child has to exit after reporting a failure, before it is killed."""


_COUNTED_WITHIN = 5.0
"""Seconds in which a result is counted, or as long as it took to make if that is longer. Counting may use a second of
processor time, or half of what the conversion used; but a library that is called interrupts nothing."""


class ZygoteGone(Exception):
    """The zygote died or hangs before the job started."""


class Preempted(Exception):
    """The job took longer than expected and had to make way; it queues again with long jobs."""


class NotStarted(Exception):
    """The child died before it knew its job."""


class JobLost(Exception):
    """The zygote died while it ran the job, by itself or with its supervisor: not the job's fault."""


_FAILURES = (ConversionError, Crashed, NoRoom, Preempted, JobLost, ZygoteGone)
"""What can end a child that is counting its result."""


@dataclass
class Job:
    """A job for one child, to be done within `wall` seconds; `began` is when it was handed over (monotonic).

    A `quick` job is expected to be short; `owner` decides its turn. `on_progress` receives the progress if the child
    was asked to report it. `meter` counts the processor time of failed attempts, and of a successful one if it is
    `metered`.
    """

    body: Mapping[str, Any]
    source: int | None
    wall: float
    small: bool = True
    quick: bool = True
    owner: JobOwner | None = None
    on_progress: OnProgress | None = None
    metered: bool = False
    began: float = 0.0
    meter: Meter = field(default_factory=Meter)

    def again(self, *, small: bool) -> Job:
        """The same job for another attempt in its remaining time, in memory if it is `small`; raises OverTime."""
        left = self.wall - (time.monotonic() - self.began)
        if left <= 0:
            raise OverTime
        return dataclasses.replace(self, wall=left, small=small)

    def request(self) -> bytes:
        """The part of the job that the zygote is sent, which does not see the rest."""
        words = ["small" if self.small else "large", "quick" if self.quick else "long", f"{self.wall:.6f}"]
        if self.owner is not None:
            words += [str(self.owner.block), str(self.owner.payer), str(self.owner.weight)]
        return " ".join(words).encode()

    def ask(
        self, control: socket.socket, *, queued_for: float, hangs: Callable[[], None]
    ) -> tuple[dict[str, Any], FrameReader]:
        """Hand the job to the zygote behind `control` and wait for the answer, whose descriptor the reader holds.

        It waits in the queue for at most `queued_for` seconds. `hangs` is called later, from another thread, if the
        zygote turns out to hang. If the child ends while it counts its result, the answer is the one that it sent
        before, with the key `uncounted`. Raises ZygoteGone, NotStarted, Preempted and JobLost if the job may be
        retried; OverLimit and Crashed for its failures; and Busy if its turn does not come.
        """
        channel, childs = socket.socketpair()
        verdict, zygotes = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with channel, verdict:
            channel.settimeout(ACKNOWLEDGE_WITHIN)
            try:
                with childs, zygotes:
                    socket.send_fds(control, [self.request()], [childs.fileno(), zygotes.fileno()])
                self.began = time.monotonic()
                # A zygote that has already refused the job has closed this channel; the verdict says why.
                with contextlib.suppress(ConnectionError):
                    send_frame(channel, self.body, () if self.source is None else (self.source,))
            except OSError as error:
                raise ZygoteGone from error
            reader = FrameReader(channel)
            incoming = Incoming(reader, Reports(self.on_progress, self.wall))
            try:
                answer = self._await(incoming, channel, verdict, queued_for, hangs)
                return (incoming.uncounted or answer if "error" in answer else answer), reader
            except BaseException as error:
                if incoming.uncounted is not None and isinstance(error, _FAILURES):
                    return incoming.uncounted, reader
                reader.close()
                raise

    def _await(
        self,
        incoming: Incoming,
        channel: socket.socket,
        verdict: socket.socket,
        queued_for: float,
        hangs: Callable[[], None],
    ) -> dict[str, Any]:
        poll = select.poll()
        poll.register(channel, select.POLLIN)
        poll.register(verdict, select.POLLIN)
        state, due, counted_by = "sent", time.monotonic() + ACKNOWLEDGE_WITHIN, math.inf
        while True:
            ready = [each for each, _ in poll.poll(max(0.0, min(due, counted_by) - time.monotonic()) * 1000)]
            if not ready:
                if state == "started":
                    # On a busy machine the zygote ends a job late; only it knows how long the processor took.
                    self.meter.add(self._ended(verdict)[1] if due <= counted_by else self.elapsed)
                _overdue(state, verdict, hangs)
            if channel.fileno() in ready:
                try:
                    if (answer := incoming.pump()) is not None:
                        if "error" in answer or self.metered:
                            told, taken = self._ended(verdict)
                            self.meter.add(taken)
                            if answer.get("error") == "full" != told:
                                raise Crashed("the child claims a full disk")
                        return answer
                    if incoming.uncounted is not None:
                        counted_by = min(counted_by, time.monotonic() + max(_COUNTED_WITHIN, self.elapsed))
                    continue  # the complete answer comes before the verdict, whatever that is
                except (EOFError, ConnectionError):
                    poll.unregister(channel)
                except Malformed as error:
                    self.meter.add(self.elapsed)
                    raise Crashed("the child gave no proper answer") from error
            if verdict.fileno() in ready:
                event, _, spent = verdict.recv(64).decode().partition(" ")
                if event == "busy":
                    raise Busy(float(spent))
                if spent:
                    self.meter.add(float(spent))
                if event in ("started", "queued"):
                    now = time.monotonic()
                    state, due = event, now + _GRACE + (self.wall if event == "started" else queued_for)
                    self.began = now
                elif event in LIMIT_ERRORS:
                    raise LIMIT_ERRORS[event]()
                elif event == "unbegun":
                    raise NotStarted
                elif event == "later":
                    raise Preempted
                elif not event:
                    raise ZygoteGone if state == "sent" else JobLost
                else:
                    raise Crashed(event)

    def _ended(self, verdict: socket.socket) -> tuple[str, float]:
        """The zygote's verdict on a child that has answered, and the processor time of the job, once the child exits.

        If it does not exit in time, the verdict is empty and the time is that since the job began.
        """
        until = time.monotonic() + _ENDS_WITHIN
        while (left := until - time.monotonic()) > 0:
            verdict.settimeout(left)
            try:
                event, _, spent = verdict.recv(64).decode().partition(" ")
            except OSError:
                break
            if spent and event != "busy":
                return event, float(spent)
            if not event:
                break
        return "", self.elapsed

    @property
    def elapsed(self) -> float:
        """Seconds since it began, an upper bound where processor time was not measured."""
        return time.monotonic() - self.began


def _overdue(state: str, verdict: socket.socket, hangs: Callable[[], None]) -> NoReturn:
    """Handle a timeout: abandon the job, and kill a zygote that hangs; a long queue is waited out."""
    if state == "sent":
        raise ZygoteGone
    if state == "queued":
        raise Busy(ACKNOWLEDGE_WITHIN)
    with contextlib.suppress(OSError):
        verdict.shutdown(socket.SHUT_WR)
    # In the background, and not killed at once: on a busy machine the zygote may only be late.
    threading.Thread(target=_watch, args=(verdict.dup(), hangs), daemon=True).start()
    raise OverTime


def _watch(verdict: socket.socket, hangs: Callable[[], None]) -> None:
    """A healthy zygote notices that its job was abandoned, and closes its end."""
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
