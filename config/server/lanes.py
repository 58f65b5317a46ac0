"""Lanes: separate threads for each kind of request, so that none blocks another."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

from config.server.threads import LifoThreadPool


class Lane(enum.Enum):
    """HEALTH is liveness and touches nothing shared, CHECKS query all dependencies, CONVERSIONS wait for the sandbox,
    and PAGES is everything else, including the short API calls.
    """

    HEALTH = "health"
    CHECKS = "checks"
    PAGES = "pages"
    CONVERSIONS = "conversions"


_OF_PATH: Mapping[bytes, Lane] = {b"/healthz": Lane.HEALTH, b"/readyz": Lane.CHECKS, b"/metrics": Lane.CHECKS}
_CONVERSIONS_EACH = 16
"""Conversion threads for each page thread: they mostly sleep, as the sandbox limits concurrent conversions. Eight
threads in all are more than its queue lets wait for long.
"""


class HandedOver(BaseException):
    """The request belongs to another lane; error handlers must let this pass."""

    def __init__(self, lane: Lane) -> None:
        super().__init__(lane)
        self.lane = lane


def lane_of(head: bytes) -> Lane:
    """The lane in which a request starts, by its head: unusual spellings of a path count as pages."""
    target = head.partition(b"\r\n")[0].split(b" ")[1:2]
    return _OF_PATH.get(target[0].partition(b"?")[0], Lane.PAGES) if target else Lane.PAGES


class Lanes:
    """The threads of all lanes; owned by the event loop, which never queues calls in a lane."""

    def __init__(self, pages: int) -> None:
        self.threads = {
            Lane.HEALTH: 1,
            Lane.CHECKS: 2,
            Lane.PAGES: pages,
            Lane.CONVERSIONS: _CONVERSIONS_EACH * pages,
        }
        self._pools = {lane: LifoThreadPool(most, name=lane.value) for lane, most in self.threads.items()}
        self._free = dict(self.threads)

    def has_room(self, lane: Lane) -> bool:
        return self._free[lane] > 0

    def submit(self, lane: Lane, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        """Call the function in a thread of the lane, which is occupied until released; raises RuntimeError if it has
        none."""
        future = self._pools[lane].submit(function, *arguments)
        self._free[lane] -= 1
        return future

    def give_back(self, lane: Lane) -> None:
        self._free[lane] += 1

    def shutdown(self, wait: bool = False) -> None:
        for each in self._pools.values():
            each.shutdown(wait)
