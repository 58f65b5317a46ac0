"""How many bytes of requests that are still coming in may lie on disk, in all and for one client."""

from __future__ import annotations

import collections
import os
from pathlib import Path

from errors import PublicError, TooMany, Unavailable

Crowded = tuple[type[PublicError], str]
"""What an upload is refused with, and the message."""

FULL: Crowded = (Unavailable, "The service has no room at the moment. Try again in 10 seconds.")
CROWDED: Crowded = (TooMany, "Too many uploads are under way. Try again in 10 seconds.")


class Room:
    """Counts the bytes of a worker's clients in `folder`.

    All `sharers`, the workers of this machine, together take half of what is free there, and one client at most one
    part of `each` of a worker's share.
    """

    def __init__(self, folder: Path, *, sharers: int, each: int) -> None:
        self.folder = folder
        self._sharers = sharers
        self._parts = each
        self._held: collections.Counter[str] = collections.Counter()
        self._total = 0
        self.look()

    def look(self) -> None:
        """Ask how much is free."""
        found = os.statvfs(self.folder)
        free = found.f_bavail * found.f_frsize
        self._share = (free + self._total) // (2 * self._sharers)

    def take(self, client: str, size: int) -> Crowded | None:
        """Count so many bytes, and return the refusal where they are too many."""
        self._held[client] += size
        self._total += size
        if self._total > self._share:
            return FULL
        if client and self._held[client] > self._share // self._parts:
            return CROWDED
        return None

    def give_back(self, client: str, size: int) -> None:
        self._total -= size
        self._held[client] -= size
        if not self._held[client]:
            del self._held[client]
