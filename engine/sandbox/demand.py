"""How many idle children a pool should keep, based on recent demand."""

from __future__ import annotations

import time

QUIET_AFTER = 60.0
"""Seconds after the last job for which one idle child is kept."""
_CALM_AFTER = 10.0
"""Seconds after the last job that found no idle child for which more than one is kept."""


class Demand:
    """One idle child by default, more while jobs arrive faster than children start, none after a pause.

    A job without an idle child starts some milliseconds later; each idle child takes memory, so `most` limits them.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept = min(1, most)
        self._came_at = self._missed_at = time.monotonic()

    def job_arrived(self, *, found: bool) -> None:
        """Record that a job arrived, and whether it found an idle child."""
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
        """When fewer children will be needed if no job arrives (monotonic)."""
        at = self._came_at + QUIET_AFTER
        return min(at, self._missed_at + _CALM_AFTER) if self._kept > 1 else at
