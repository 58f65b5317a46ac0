"""Agenda: contacts (vCard) and calendars (iCalendar) from and to objects and rows."""

from __future__ import annotations

from conversions.families.data.adapters import Adapter
from conversions.families.data.agenda.options import AgendaIn, CardsOut, EventsOut
from conversions.families.data.converters import declare_all
from conversions.toolkit.formats import CSV, HTML, ICS, JSON, ODS, VCF, XLSX

_CARDS, _EVENTS = "the contacts of a vCard file", "the events of a calendar"

OBJECT_READERS = (
    Adapter(VCF, "agenda.cards:read_objects", "documents", AgendaIn, _CARDS),
    Adapter(ICS, "agenda.events:read_objects", "documents", AgendaIn, _EVENTS),
)
ROW_READERS = (
    Adapter(VCF, "agenda.cards:read_rows", "tables", AgendaIn, _CARDS),
    Adapter(ICS, "agenda.events:read_rows", "tables", AgendaIn, _EVENTS),
)
AGENDA_WRITERS = (
    Adapter(VCF, "agenda.cards_out:write", "documents", CardsOut, "as vCard contacts", telling=True),
    Adapter(ICS, "agenda.events_out:write", "documents", EventsOut, "as the events of a calendar", telling=True),
)

_OBJECTS, _ROWS = (JSON,), (CSV, XLSX, ODS, HTML)
OUTPUTS = (*_OBJECTS, *_ROWS)
INPUTS = (CSV, JSON, XLSX, ODS)

declare_all(__name__, readers=OBJECT_READERS, outputs=_OBJECTS, writers=AGENDA_WRITERS, inputs=INPUTS)
declare_all(__name__, readers=ROW_READERS, outputs=_ROWS)
