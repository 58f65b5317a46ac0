"""Options of mail conversions: attachments and time zone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.toolkit.options import option


@dataclass(frozen=True)
class Dates:
    """The time zone of dates."""

    timezone: str | None = option(
        None,
        "Time zone in which dates are shown, such as Europe/Berlin, UTC or +02:00; the sender's own if not given.",
        max_length=40,
        pattern=r"[A-Za-z][A-Za-z0-9_+/-]{1,39}|[+-]\d{2}:?\d{2}",
    )


@dataclass(frozen=True)
class Attachments(Dates):
    """The handling of attachments."""

    attachments: Literal["list", "zip", "drop"] = option(
        "list",
        "What to do with attached files: list their names, put them into a ZIP beside the mail, or leave them out.",
        choices={
            "list": "List their names: Below the mail, without their contents.",
            "zip": "Beside the mail: Everything in one ZIP.",
            "drop": "Leave them out: Nothing of them is kept.",
        },
        selects=("attachments", "words"),
    )
