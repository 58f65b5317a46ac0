"""Follow the pages LibreOffice has drawn, through a file that a macro writes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.families.libreoffice import kit
from engine.toolkit.warnings import Warn

_EVERY = 0.25
_NOTES = "pages"


@contextmanager
def counted(warn: Warn) -> Iterator[str]:
    """Report from a thread how many pages have been drawn in the block, which receives the argument for the macro."""
    if not warn.awaited:
        yield "no"
        return
    notes = kit.folder() / _NOTES
    notes.unlink(missing_ok=True)
    ended = threading.Event()

    def follow() -> None:
        while not ended.wait(_EVERY):
            _report(notes, warn)

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    try:
        yield "yes"
    finally:
        ended.set()
        thread.join()
    _report(notes, warn)


def _report(notes: Path, warn: Warn) -> None:
    """Report the last complete line of the file: how many pages of how many."""
    lines = notes.read_bytes().split(b"\n")[:-1] if notes.exists() else []
    if lines:
        done, total = map(int, lines[-1].split())
        warn.progress(done, total, "pages")
