"""Options of contacts and calendars."""

from __future__ import annotations

from typing import Literal

from engine.toolkit.options import option, options


@options
class AgendaIn:
    """Reading contacts or events."""

    binaries: bool = option(False, "Keep pictures, sounds and other files inside as Base64 text, not leave them out.")


@options
class CardsOut:
    """Writing contacts."""

    version: Literal["3.0", "4.0"] = option(
        "3.0",
        "Version of vCard; more programs read 3.0.",
        choices={
            "3.0": "3.0: Read by nearly every program.",
            "4.0": "4.0: Newer, with more fields; fewer programs read it.",
        },
    )


@options
class EventsOut:
    """Writing events."""

    date_order: Literal["iso", "mdy", "dmy"] = option(
        "iso",
        "How dates are written beside 2024-12-31: only so, as 12/31/2024 (mdy), or as 31/12/2024 (dmy).",
        choices={
            "iso": "2024-12-31: The standard (ISO 8601), and no other.",
            "mdy": "12/31/2024: The month first, as in the United States.",
            "dmy": "31/12/2024: The day first, as in most other countries.",
        },
    )
    time_zone: str = option(
        "", "Zone of times that name none, such as Europe/Berlin; if empty, they float.", max_length=60,
        pattern=r"(?:[A-Za-z0-9_+/-]*)",
    )  # fmt: skip


@options
class AgendaPage:
    """The layout of an HTML page."""

    layout: Literal["table", "page"] = option(
        "table",
        "A table of all properties, or a page to read and print: an agenda by days, a list of contacts.",
        choices={
            "table": "Table: A row for each entry with all that it says.",
            "page": "Page to read: An agenda by days, or a list of contacts, to print.",
        },
    )
