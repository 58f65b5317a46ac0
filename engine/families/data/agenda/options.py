"""Options of contacts and calendars."""

from __future__ import annotations

from typing import Literal

from engine.toolkit.options import option, options


@options
class AgendaIn:
    """Reading contacts or events."""

    binaries: bool = option(
        False, "Keep embedded pictures, audio and other files as Base64 text instead of leaving them out."
    )


@options
class CardsOut:
    """Writing contacts."""

    version: Literal["3.0", "4.0"] = option(
        "3.0",
        "vCard version; more programs support 3.0.",
        choices={
            "3.0": "3.0: Supported by nearly every program.",
            "4.0": "4.0: Newer, with more fields; fewer programs support it.",
        },
    )


@options
class EventsOut:
    """Writing events."""

    date_order: Literal["iso", "mdy", "dmy"] = option(
        "iso",
        "Date format to accept in addition to 2024-12-31: none, 12/31/2024 (mdy) or 31/12/2024 (dmy).",
        choices={
            "iso": "2024-12-31: The standard (ISO 8601), and no other.",
            "mdy": "12/31/2024: The month first, as in the United States.",
            "dmy": "31/12/2024: The day first, as in most other countries.",
        },
    )
    time_zone: str = option(
        "", "Time zone for times that don't name one, such as Europe/Berlin. If empty, they stay "
"without one.", max_length=60,
        pattern=r"(?:[A-Za-z0-9_+/-]*)",
    )  # fmt: skip


@options
class AgendaPage:
    """The layout of an HTML page."""

    layout: Literal["table", "page"] = option(
        "table",
        "A table with all properties, or a readable page: an agenda by day, or a list of contacts.",
        choices={
            "table": "Table: One row for each entry, with all its properties.",
            "page": "Readable page: An agenda by day, or a list of contacts, ready to print.",
        },
    )
