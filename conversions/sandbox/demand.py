"""Demand: how many children should wait for jobs, by how the jobs have come of late."""

from __future__ import annotations

import time

QUIET_AFTER = 60.0
"""Seconds after the last job for which a child still waits for the next one."""
_CALM_AFTER = 10.0
"""Seconds after the last job that found no child waiting for which there is more than one."""


class Demand:
    """One child for whoever comes next, more where jobs came faster than children, and none when nobody comes.

    A job that finds none is some milliseconds later, and each that waits takes memory: `most` bounds them.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept = min(1, most)
        self._came_at = self._missed_at = time.monotonic()

    def comes(self, *, found: bool) -> None:
        """A job has come, and found a child or not."""
        self._came_at = time.monotonic()
        if not found:
            self._missed_at = self._came_at
            self._kept = min(self._kept + 1, self._most)

    def wanted(self) -> int:
        now = time.monotonic()
        if now - self._came_at >= QUIET_AFTER:
            return 0
        if now - self._missed_at >= _CALM_AFTER:
            self._kept = min(1, self._most)
        return self._kept

    def changes_at(self) -> float:
        """When fewer will be wanted if nobody comes (monotonic)."""
        at = self._came_at + QUIET_AFTER
        return min(at, self._missed_at + _CALM_AFTER) if self._kept > 1 else at
