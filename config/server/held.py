"""Limits the memory of responses that wait for their clients, in total and by block of addresses."""

from __future__ import annotations

import collections
import time

from config.server.connection import Connection, Phase

MOST = 64 * 1024 * 1024
"""Bytes of a worker; its own memory is 100 to 300 MB. 160 clients that read nothing made 530 MB more of it."""
MOST_OF_BLOCK = 16 * 1024 * 1024
"""Bytes of a block of addresses: two of the largest pictures, 64 streamed responses, or the pages of any office."""


class Held:
    """Counts the bytes that a worker's connections hold; if there are too many, the slowest client is given up.

    Clients whose block of addresses is unknown are bounded in total only.
    """

    def __init__(self) -> None:
        # With the block when it was counted: the next request of a proxy's connection may be another client's.
        self._of: dict[Connection, tuple[str, int]] = {}
        self._of_block: collections.Counter[str] = collections.Counter()
        self._total = 0

    def count(self, conn: Connection, held: int) -> None:
        """Update what a connection holds."""
        block, before = self._of.pop(conn, (conn.block, 0))
        self._add(block, -before)
        if held:
            self._of[conn] = conn.block, held
            self._add(conn.block, held)

    def excessive(self, conn: Connection) -> Connection | None:
        """The connection to drop after `conn` was counted: the slowest of the blocks that hold too much."""
        if conn.block and self._of_block[conn.block] > MOST_OF_BLOCK:
            return self._slowest({conn.block})
        if self._total <= MOST:
            return None
        fair = self._total / len(self._of_block)
        return self._slowest({block for block, held in self._of_block.items() if held >= fair})

    def _add(self, block: str, held: int) -> None:
        self._total += held
        self._of_block[block] += held
        if not self._of_block[block]:
            del self._of_block[block]

    def _slowest(self, blocks: set[str]) -> Connection | None:
        now = time.monotonic()
        # A thread may be writing to the others; they are counted again when it is done.
        waiting = [each for each, (block, _) in self._of.items() if block in blocks and each.phase is not Phase.SERVED]
        return min(waiting, key=lambda each: each.pace(now), default=None)
