"""What a child sends of its job: reports, the result before it is counted, and the answer."""

from __future__ import annotations

from typing import Any

from engine.sandbox.protocol import FrameReader, Malformed
from engine.sandbox.reports import Reports


class Incoming:
    """The frames of one child. `uncounted` is the answer that it sent before it counted its result, if it has."""

    def __init__(self, reader: FrameReader, reports: Reports) -> None:
        self._reader = reader
        self._reports = reports
        self.uncounted: dict[str, Any] | None = None

    def pump(self) -> dict[str, Any] | None:
        """Read what is available; returns the answer once it is complete.

        Raises EOFError if the child closed before that, and Malformed for what no honest child sends.
        """
        frame = self._reader.pump()
        while frame is not None:
            if "progress" in frame:
                self._reports.take(frame, self._reader.size)
            elif "uncounted" in frame:
                if self.uncounted is not None:
                    raise Malformed
                self.uncounted = frame
            else:
                self._reader.expect_no_more()
                return frame
            frame = self._reader.next()
        return None
