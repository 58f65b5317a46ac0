"""Count the messages that a page, a text or data has of a mailbox."""

from __future__ import annotations

import json
import re
from pathlib import Path

from engine.toolkit.census import Census

_DIVIDER = re.compile(rb"^-{3,}\r?$", re.MULTILINE)
_HEAD = re.compile(rb"<table\b[^<>]*\bclass=\"mail\b")


def page(path: Path) -> Census:
    """Return the number of tables with the header of a message."""
    return _messages(len(_HEAD.findall(path.read_bytes())))


def text(path: Path) -> Census:
    """Return the number of texts that lines divide, in Markdown or plain text."""
    return _messages(len(_DIVIDER.findall(path.read_bytes())) + 1)


def values(path: Path) -> Census:
    """Return the number of objects: a list of them, or one alone."""
    found = json.loads(path.read_bytes())
    return _messages(len(found) if isinstance(found, list) else 1)


def _messages(count: int) -> Census:
    census = Census()
    census.add("messages", count)
    return census
