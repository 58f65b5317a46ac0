"""What the layout engine only writes to its log, as warnings of the conversion."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

from conversions.toolkit.warnings import Warn

_LOGGERS = ("xhtml2pdf", "svglib", "reportlab")
# The first that matches counts; None is what has been reported otherwise, or loses nothing.
_MEANINGS: tuple[tuple[str, str | None, str], ...] = (
    (
        r"Ignoring CSS properties|None of the font families|No font this document has|is empty$|unavailable object",
        None,
        "",
    ),
    (r"Ignoring an? .*anchor|table.*inconsistent|Attribute '.*' must be set", None, ""),
    (r"Blocked by the resource policy: (.*)", "REMOTE_RESOURCE_BLOCKED", "{0}"),
    (
        r"Cannot embed the font|could not read .* family is not embedded",
        "CONTENT_DROPPED",
        "An embedded font can't be read; another one is used.",
    ),
    (r"[Ii]mage|drawing", "CONTENT_DROPPED", "A picture can't be drawn and was left out."),
    (
        r"Cannot read the colour ('[^']{1,60}')|getSize: (?:Not a float|cannot read) ('[^']{1,60}')",
        "CSS_UNSUPPORTED",
        "The value {0} is not supported and was ignored.",
    ),
)
_COMPILED = tuple((re.compile(pattern, re.DOTALL), code, message) for pattern, code, message in _MEANINGS)


class _Collector(logging.Handler):
    def __init__(self, warn: Warn) -> None:
        super().__init__(logging.WARNING)
        self._warn = warn

    def emit(self, record: logging.LogRecord) -> None:
        # What follows the first line is a piece of the markup.
        text = record.getMessage().split("\n", 1)[0]
        for pattern, code, message in _COMPILED:
            match = pattern.search(text)
            if match:
                if code is not None:
                    self._warn(code, message.format(*filter(None, match.groups())))
                return
        self._warn("CSS_UNSUPPORTED", f"A style or an attribute was ignored: {text[:160]}")


@contextmanager
def collected(warn: Warn) -> Iterator[None]:
    """Report what the layout engine logs in this block, and let none of it reach the process's own log."""
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
