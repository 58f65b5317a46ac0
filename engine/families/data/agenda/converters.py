"""Convert contacts (vCard) and calendars (iCalendar) to and from objects and rows."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from engine.families.data.adapters import WRITERS, Adapter
from engine.families.data.agenda.options import AgendaIn, AgendaPage, CardsOut, EventsOut
from engine.families.data.converters import convert, declare_all, engine, options_of
from engine.toolkit.declaring import converter
from engine.toolkit.formats import CSV, HTML, ICS, JSON, ODS, VCF, XLSM, XLSX, Format
from engine.toolkit.options import OptionGroups, combine
from engine.toolkit.warnings import Warn

_CARDS, _EVENTS = "vCard contacts", "calendar events"

OBJECT_READERS = (
    Adapter(VCF, "agenda.cards:read_objects", "documents", AgendaIn, _CARDS),
    Adapter(ICS, "agenda.events:read_objects", "documents", AgendaIn, _EVENTS),
)
ROW_READERS = (
    Adapter(VCF, "agenda.cards:read_rows", "tables", AgendaIn, _CARDS),
    Adapter(ICS, "agenda.events:read_rows", "tables", AgendaIn, _EVENTS),
)
AGENDA_WRITERS = (
    Adapter(VCF, "agenda.cards_out:write", "documents", CardsOut, "to vCard contacts", renames=True),
    Adapter(ICS, "agenda.events_out:write", "documents", EventsOut, "to calendar events", renames=True),
)

_OBJECTS, _ROWS = (JSON,), (CSV, XLSX, ODS, HTML)
OUTPUTS = (*_OBJECTS, *_ROWS)
INPUTS = (CSV, JSON, XLSX, XLSM, ODS)

declare_all(__name__, readers=OBJECT_READERS, outputs=_OBJECTS, writers=AGENDA_WRITERS, inputs=INPUTS)
declare_all(__name__, readers=ROW_READERS, outputs=tuple(each for each in _ROWS if each is not HTML))


def _to_html(reader: Adapter, writer: Adapter, source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    if options.layout == "table":
        return convert(reader, writer, source, target, options, warn)
    from engine.families.data.agenda import page

    page.write(source, target, options, warn)
    return None


_HTML = next(each for each in WRITERS if each.format is HTML)
for _reader in ROW_READERS:
    _declared = options_of(_reader, _HTML)
    _groups = _declared.groups if isinstance(_declared, OptionGroups) else (_declared,)
    converter(
        _reader.format,
        HTML,
        profile="text",
        engine=engine(_reader, _HTML),
        options=combine(f"{_reader.format.id.title()}ToHtmlOptions", AgendaPage, *_groups),
        summary=f"Convert {_reader.words} to an HTML table, or to a readable page.",
        module=__name__,
    )(functools.partial(_to_html, _reader, _HTML))
