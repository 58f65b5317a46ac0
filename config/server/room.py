"""Limits the disk space of uploads in progress, in total, by block of addresses and by client."""

from __future__ import annotations

import collections
import os
from pathlib import Path

from errors import PublicError, TooMany, Unavailable

Crowded = tuple[type[PublicError], str]
"""The error for a refused upload, and its message."""

FULL: Crowded = (Unavailable, "The service has no room at the moment. Try again in 10 seconds.")
CROWDED: Crowded = (TooMany, "Too many uploads are under way. Try again in 10 seconds.")

MARGIN = 16_000_000
"""Bytes that always stay free: more than all workers receive between two checks."""
_LAST_PART = 8


class Room:
    """Counts the bytes of a worker's clients in `folder`, which uploads may fill up to a margin.

    The last eighth is reserved for clients below an equal share of the space, so that new uploads still fit: blocks of
    addresses have equal shares, and the clients of a block equal parts of its share. Whoever has no address, "", has
    no share.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._held: collections.Counter[str] = collections.Counter()
        self._held_by_block: collections.Counter[str] = collections.Counter()
        self._clients: collections.Counter[str] = collections.Counter()
        self._total = 0
        self.refresh()

    def refresh(self) -> None:
        """Update the free space."""
        found = os.statvfs(self.folder)
        self._free = found.f_bavail * found.f_frsize - MARGIN

    def take(self, client: str, block: str, size: int) -> Crowded | None:
        """Add bytes of a client of a block; returns the error if there are too many."""
        if client not in self._held:
            self._clients[block] += 1
        self._held[client] += size
        self._held_by_block[block] += size
        self._total += size
        self._free -= size
        if self._free < 0:
            return FULL
        space = self._free + self._total
        last = space // _LAST_PART
        if client and self._free < last:
            fair = (space - last) // len(self._clients)
            if self._held_by_block[block] > fair and self._held[client] > fair // self._clients[block]:
                return CROWDED
        return None

    def give_back(self, client: str, block: str, size: int) -> None:
        if not size:
            return
        self._total -= size
        self._free += size
        self._held[client] -= size
        self._held_by_block[block] -= size
        if not self._held[client]:
            del self._held[client]
            self._clients[block] -= 1
        if not self._clients[block]:
            del self._clients[block], self._held_by_block[block]
