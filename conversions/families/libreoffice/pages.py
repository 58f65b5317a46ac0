"""Pages: how many of a document the suite has drawn, which one of its macros notes in a file."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from conversions.toolkit.warnings import Warn

_EVERY = 0.25
_NOTES = "pages"


@contextmanager
def counted(warn: Warn) -> Iterator[str]:
    """Tell from a thread how many pages are drawn in the block, which gets what the macro is told."""
    if not warn.awaited:
        yield "no"
        return
    notes = Path(tempfile.gettempdir(), _NOTES)
    notes.unlink(missing_ok=True)
    ended = threading.Event()

    def follow() -> None:
        while not ended.wait(_EVERY):
            _tell(notes, warn)

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    try:
        yield "yes"
    finally:
        ended.set()
        thread.join()
    _tell(notes, warn)


def _tell(notes: Path, warn: Warn) -> None:
    """The last whole line of the notes: how many pages of how many."""
    lines = notes.read_bytes().split(b"\n")[:-1] if notes.exists() else []
    if lines:
        done, total = map(int, lines[-1].split())
        warn.progress(done, total, "pages")
