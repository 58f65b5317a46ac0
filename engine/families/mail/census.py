"""Register how the contents of messages and mailboxes are counted, by format."""

from __future__ import annotations

from pathlib import Path

from engine.toolkit.census import Census, Counting
from engine.toolkit.formats import EML, MBOX, MSG


def _message(path: Path) -> Census:
    from engine.families.mail.counting import internet

    return internet.message(path)


def _mailbox(path: Path) -> Census:
    from engine.families.mail.counting import internet

    return internet.mailbox(path)


def _outlook(path: Path) -> Census:
    from engine.families.mail.counting import outlook

    return outlook.count(path)


_HERE = "engine.families.mail.counting"
_KINDS = frozenset({"words", "pictures", "links", "attachments"})

COUNTINGS = {
    EML: Counting(_message, _KINDS, modules=(f"{_HERE}.internet",)),
    MBOX: Counting(_mailbox, _KINDS, modules=(f"{_HERE}.internet",)),
    MSG: Counting(_outlook, _KINDS, modules=(f"{_HERE}.outlook",)),
}
