"""Turn xhtml2pdf's log messages into warnings."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_LOGGERS = ("xhtml2pdf", "svglib", "reportlab")
_HARMLESS = re.compile(r"Ignoring|None of the font families|No font this document has|is empty$|inconsistent")
_LOST = re.compile(r"[Ii]mage|drawing|[Ff]ont")


class _Collector(logging.Handler):
    def __init__(self, warn: Warn) -> None:
        super().__init__(logging.WARNING)
        self._warn = warn

    def emit(self, record: logging.LogRecord) -> None:
        # A piece of the markup follows the first line.
        text = record.getMessage().split("\n", 1)[0]
        if _LOST.search(text):
            self._warn(
                "CONTENT_DROPPED", say("A picture or font can't be used and was left out: {text}", text=text[:100])
            )
        elif not _HARMLESS.search(text):
            self._warn("CSS_UNSUPPORTED", say("A style or an attribute was ignored: {text}", text=text[:160]))


@contextmanager
def collected(warn: Warn) -> Iterator[None]:
    """Report what the layout engine logs in this block, and keep it out of the process's own log."""
    collector = _Collector(warn)
    before = []
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        before.append((logger, logger.propagate))
        logger.propagate = False
        logger.addHandler(collector)
    try:
        yield
    finally:
        for logger, propagate in before:
            logger.removeHandler(collector)
            logger.propagate = propagate
