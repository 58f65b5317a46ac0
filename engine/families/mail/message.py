"""A message: its headers, its visible blocks and its attachments."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime

SHOWN = (
    "From", "Sender", "To", "Cc", "Bcc", "Reply-To", "Date", "Subject", "Resent-From", "Resent-Sender",
    "Resent-To", "Resent-Cc", "Resent-Bcc", "Resent-Date", "Organization", "Comments", "Importance", "Sensitivity",
    "Keywords", "Flag", "Voting", "Vote", "Reactions",
)  # fmt: skip
"""Headers that are shown: those of RFC 5322 and 4021, and what Outlook has besides."""
USUAL = ("Importance", "normal")
"""What is not shown, as mail programs write it on every message."""
PICTURE = re.compile(r"image/(?:png|jpeg|jpg|gif|webp|bmp|svg\+xml)\Z", re.IGNORECASE)
"""The types of pictures that HTML pages show."""


@dataclass(frozen=True)
class Attachment:
    """An attached file; `cid` is its content id, by which the HTML references it."""

    name: str
    kind: str
    data: bytes
    cid: str = ""


@dataclass(frozen=True)
class Block:
    """A part shown below the previous one: the same content as text, HTML or both, or else a picture.

    A block that is `aside` is shown in addition to all alternatives, such as an invitation.
    """

    text: str = ""
    html: str = ""
    picture: Attachment | None = None
    aside: bool = False


@dataclass
class Message:
    """One message: headers as pairs of name and decoded text, visible blocks, and attachments."""

    headers: list[tuple[str, str]] = field(default_factory=list)
    date: datetime | None = None
    blocks: list[Block] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text of all blocks that have any."""
        return "\n".join(each.text for each in self.blocks if each.text)

    @property
    def html(self) -> str:
        """The HTML of all blocks that have any."""
        return "".join(each.html for each in self.blocks)

    def header(self, name: str) -> str:
        """All headers of this name as one text."""
        return ", ".join(value for each, value in self.headers if each.lower() == name.lower())
