"""Agenda: contacts (vCard) and calendars (iCalendar) from and to objects and rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conversions.families.data import converters as data
from conversions.families.data.agenda import options
from conversions.families.data.converters import READERS, WRITERS, Adapter, declare
from conversions.toolkit.formats import CSV, HTML, ICS, JSON, ODS, VCF, XLSX, Format
from conversions.toolkit.warnings import Warn

_CARDS, _EVENTS = "the contacts of a vCard file", "the events of a calendar"

AGENDA_READERS = (
    Adapter(VCF, "agenda.cards:read_objects", "documents", options.AgendaIn, _CARDS),
    Adapter(VCF, "agenda.cards:read_rows", "tables", options.AgendaIn, _CARDS),
    Adapter(ICS, "agenda.events:read_objects", "documents", options.AgendaIn, _EVENTS),
    Adapter(ICS, "agenda.events:read_rows", "tables", options.AgendaIn, _EVENTS),
)
AGENDA_WRITERS = (
    Adapter(VCF, "agenda.cards_out:write", "documents", options.CardsOut, "as vCard contacts"),
    Adapter(ICS, "agenda.events_out:write", "documents", options.EventsOut, "as the events of a calendar"),
)

OUTPUTS = (CSV, JSON, XLSX, ODS, HTML)
INPUTS = (CSV, JSON, XLSX, ODS)


def makes_sense(reader: Adapter, writer: Adapter) -> bool:
    """Objects go to what takes objects, rows to what takes rows."""
    return (reader.shape == "documents") == (writer.shape == "documents")


def _convert(reader: Adapter, writer: Adapter, source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    return data.convert(reader, writer, source, target, options, warn)


for _reader in AGENDA_READERS:
    for _writer in WRITERS:
        if _writer.format in OUTPUTS and makes_sense(_reader, _writer):
            declare(_reader, _writer, _convert)

for _reader in READERS:
    for _writer in AGENDA_WRITERS:
        if _reader.format in INPUTS:
            declare(_reader, _writer, _convert)
