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
        "Time zone for dates, such as Europe/Berlin, UTC or +02:00; the sender's if not given.",
        max_length=40,
        pattern=r"[A-Za-z][A-Za-z0-9_+/-]{1,39}|[+-]\d{2}:?\d{2}",
    )


@dataclass(frozen=True)
class Attachments(Dates):
    """The handling of attachments."""

    attachments: Literal["list", "zip", "drop"] = option(
        "list",
        "List the names of attachments, put attachments beside the email in a ZIP, or leave them out.",
        choices={
            "list": "List their names: Below the email, without their content.",
            "zip": "Beside the email: Everything in one ZIP.",
            "drop": "Leave them out: They are not kept.",
        },
        selects=("attachments", "words"),
    )
