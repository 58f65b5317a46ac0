"""Mails that wait to be sent: after the answer, which tells nothing of them, and again where a server takes none."""

from __future__ import annotations

import atexit
import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from django.db import connections
from django.utils.translation import gettext_lazy as _

from accounts import metrics
from errors import Unavailable

log = logging.getLogger("service.accounts")

HEAD_START = 0.25
"""Seconds that the answer has to leave before any work begins that an unknown address would not need."""
PAUSES: tuple[float, ...] = (1.0, 5.0)
"""Seconds before a mail that was not taken is tried again."""
LAST_MOMENTS = 20.0
"""Seconds that a process which ends gives the mails that wait; the web server waits 30 for the process."""


class Busy(Unavailable):
    default_detail = _("Too many mails are waiting to be sent. Try again in a minute.")
    wait = 60


@dataclass(frozen=True)
class _Letter:
    deliver: Callable[[], None]
    due: float = field(default_factory=lambda: time.monotonic() + HEAD_START)


class Outbox:
    """Mails that wait in this process, `size` at most, and the one thread that sends them.

    What can't be sent after several attempts is logged and counted. At the end of the process what waits is sent
    without a pause, for LAST_MOMENTS.
    """

    def __init__(self, size: int = 100) -> None:
        self._waiting: queue.Queue[_Letter] = queue.Queue(size)
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self._ending = threading.Event()

    def put(self, deliver: Callable[[], None]) -> None:
        """Have `deliver` called soon, again where it raises; raises Busy where too many wait."""
        try:
            self._waiting.put_nowait(_Letter(deliver))
        except queue.Full:
            metrics.MAILS.labels("refused").inc()
            log.error("mail refused", extra={"waiting": self._waiting.qsize()})
            raise Busy() from None
        with self._starting:
            # Not before: a thread does not survive the fork that makes a worker.
            if self._thread is None:
                atexit.register(self.close)
                self._thread = threading.Thread(target=self._run, name="mails", daemon=True)
                self._thread.start()

    def flush(self, seconds: float) -> bool:
        """Wait until nothing waits, for so long at most; whether all is done."""
        deadline = time.monotonic() + seconds
        while self._waiting.unfinished_tasks and time.monotonic() < deadline:
            time.sleep(0.02)
        return not self._waiting.unfinished_tasks

    def close(self) -> None:
        """Send what waits before the process ends, and say what could not be sent."""
        self._ending.set()
        if not self.flush(LAST_MOMENTS):
            lost = self._waiting.unfinished_tasks
            metrics.MAILS.labels("failed").inc(lost)
            log.error("mails lost at the end of the process", extra={"mails": lost})

    def _run(self) -> None:
        while True:
            letter = self._waiting.get()
            try:
                self._ending.wait(max(0.0, letter.due - time.monotonic()))
                self._deliver(letter)
            finally:
                self._waiting.task_done()

    def _deliver(self, letter: _Letter) -> None:
        for pause in (*PAUSES, None):
            try:
                letter.deliver()
                return
            except Exception:
                if pause is None or self._ending.is_set():
                    metrics.MAILS.labels("failed").inc()
                    log.exception("mail not sent")
                    return
                log.warning("mail not sent yet", exc_info=True)
            finally:
                # This thread's own: for the next mail there is another.
                connections.close_all()
            self._ending.wait(pause)


OUTBOX = Outbox()
