"""The outbox: mails are sent after the response, so that its timing reveals nothing, and retried."""

from __future__ import annotations

import atexit
import collections
import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from django.db import connections
from django.utils.translation import gettext_lazy as _

from accounts import metrics
from addresses import current_block
from errors import Unavailable

log = logging.getLogger("service.accounts")

HEAD_START = 0.25
"""Seconds given to the response before any work begins that an unknown address would not cause."""
PAUSES: tuple[float, ...] = (1.0, 5.0)
"""Seconds before each retry."""
_SHARE = 4
"""One client may fill a quarter of the outbox: two addresses at their limits filled all of it."""
LAST_MOMENTS = 20.0
"""Seconds that an exiting process takes for pending mails; the web server allows 30."""


class Busy(Unavailable):
    default_detail = _("Too many emails are waiting to be sent. Try again in a minute.")
    wait = 60


@dataclass(frozen=True)
class _Queued:
    deliver: Callable[[], None]
    client: str
    due: float = field(default_factory=lambda: time.monotonic() + HEAD_START)


class Outbox:
    """This process's pending mails, at most `size`, and the thread that sends them.

    One client, which is a block of addresses, may have a part of them only: others could send none meanwhile.
    A mail that fails several times is logged and counted. On exit the pending ones are sent without pauses, within
    LAST_MOMENTS.
    """

    def __init__(self, size: int = 100) -> None:
        self._waiting: queue.Queue[_Queued] = queue.Queue(size)
        self._most_of_one = max(1, size // _SHARE)
        self._by_client: collections.Counter[str] = collections.Counter()
        self._counting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self._ending = threading.Event()

    def put(self, deliver: Callable[[], None]) -> None:
        """Call `deliver` soon, retrying if it raises; raises Busy if too many are pending, in all or of this client."""
        if not self._accepts(_Queued(deliver, current_block())):
            metrics.MAILS.labels("refused").inc()
            log.error("mail refused", extra={"waiting": self._waiting.qsize()})
            raise Busy()
        with self._starting:
            # Started late: a thread does not survive the fork that makes a worker.
            if self._thread is None:
                atexit.register(self.close)
                self._thread = threading.Thread(target=self._run, name="mails", daemon=True)
                self._thread.start()

    def _accepts(self, queued: _Queued) -> bool:
        with self._counting:
            if queued.client and self._by_client[queued.client] >= self._most_of_one:
                return False
            try:
                self._waiting.put_nowait(queued)
            except queue.Full:
                return False
            self._by_client[queued.client] += 1
            return True

    def flush(self, seconds: float) -> bool:
        """Wait until nothing is pending, for at most `seconds`; returns whether all is done."""
        deadline = time.monotonic() + seconds
        while self._waiting.unfinished_tasks and time.monotonic() < deadline:
            time.sleep(0.02)
        return not self._waiting.unfinished_tasks

    def close(self) -> None:
        """Send pending mails before the process exits, and log what could not be sent."""
        self._ending.set()
        if not self.flush(LAST_MOMENTS):
            lost = self._waiting.unfinished_tasks
            metrics.MAILS.labels("failed").inc(lost)
            log.error("mails lost at the end of the process", extra={"mails": lost})

    def _run(self) -> None:
        while True:
            queued = self._waiting.get()
            try:
                self._ending.wait(max(0.0, queued.due - time.monotonic()))
                self._deliver(queued)
            finally:
                with self._counting:
                    self._by_client -= collections.Counter([queued.client])  # drops those that reach 0
                self._waiting.task_done()

    def _deliver(self, queued: _Queued) -> None:
        for pause in (*PAUSES, None):
            try:
                queued.deliver()
                return
            except Exception:
                if pause is None or self._ending.is_set():
                    metrics.MAILS.labels("failed").inc()
                    log.exception("mail not sent")
                    return
                log.warning("mail not sent yet", exc_info=True)
            finally:
                # Connections of this thread, which the next mail opens anew.
                connections.close_all()
            self._ending.wait(pause)


OUTBOX = Outbox()
