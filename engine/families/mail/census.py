"""Register how the contents of messages and mailboxes are counted, by format."""

from __future__ import annotations

import importlib
from pathlib import Path

from engine.toolkit.census import Census, Counting
from engine.toolkit.formats import EML, HTML, JSON, MARKDOWN, MBOX, MSG, TXT


def _message(path: Path) -> Census:
    from engine.families.mail.counting import internet

    return internet.message(path)


def _mailbox(path: Path) -> Census:
    from engine.families.mail.counting import internet

    return internet.mailbox(path)


def _outlook(path: Path) -> Census:
    from engine.families.mail.counting import outlook

    return outlook.count(path)


def _result(function: str) -> Counting:
    def count(path: Path) -> Census:
        census: Census = getattr(importlib.import_module(f"{_HERE}.results"), function)(path)
        return census

    return Counting(count, frozenset(), result_only=_MESSAGES, modules=(f"{_HERE}.results",))


_HERE = "engine.families.mail.counting"
_MESSAGES = frozenset({"messages"})
_KINDS = frozenset({"words", "pictures", "links", "attachments"})

COUNTINGS = {
    EML: Counting(_message, _KINDS, modules=(f"{_HERE}.internet",)),
    MBOX: Counting(_mailbox, _KINDS | _MESSAGES, modules=(f"{_HERE}.internet",)),
    MSG: Counting(_outlook, _KINDS, modules=(f"{_HERE}.outlook",)),
    HTML: _result("page"),
    MARKDOWN: _result("text"),
    TXT: _result("text"),
    JSON: _result("values"),
}
