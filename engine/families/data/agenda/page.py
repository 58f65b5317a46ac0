"""Printable calendars by day and address lists by initial."""

from __future__ import annotations

import unicodedata
from html import escape
from pathlib import Path
from typing import Any

from engine.families.data.agenda import cards, events
from engine.families.data.agenda.parameters import within
from engine.families.data.agenda.rows import Record
from engine.families.data.picking.options import picks
from engine.families.data.values import text
from engine.toolkit.formats import ICS
from engine.toolkit.warnings import Kind, Warn

_LEFT_OUT = Kind(
    "CONTENT_DROPPED",
    "Properties that the readable page does not show were left out: {count}{places}. Use layout=table to keep them.",
)
_STYLE = (
    "body{font-family:sans-serif;font-size:14px;max-width:50em;margin:1em auto;padding:0 1em}"
    "h2{border-bottom:1px solid #999;font-size:1.1em;break-after:avoid}"
    "article{break-inside:avoid;display:flex;gap:1em;margin:.6em 0}"
    "article>p{flex:0 0 9em;margin:0;color:#444}article>div{flex:1}h3{font-size:1em;margin:0}"
    "dl{margin:.2em 0;display:grid;grid-template-columns:max-content 1fr;gap:.1em 1em}dt{color:#666}dd{margin:0;"
    "white-space:pre-wrap}@media print{body{max-width:none;margin:0;padding:0;font-size:10pt}}"
)
_OF_EVENTS = {
    "location": "Where", "description": "What", "due": "Due", "organizer": "By", "attendees": "With", "recurrence":
    "Repeats", "exceptions": "But not", "additionalDates": "And on", "status": "Status", "categories": "About",
    "url": "Link", "alarms": "Reminder", "duration": "Takes", "contact": "Contact", "comment": "Comment",
    "percentComplete": "Done (%)", "completed": "Completed",
}  # fmt: skip
_HIDDEN = {"uid", "stamp", "sequence", "created", "modified", "type", "summary", "start", "end", "allDay",
           "startTimeZone", "endTimeZone", "dueTimeZone", "transparency", "others"}  # fmt: skip
_OF_CARDS = {
    "organization": "Company", "department": "Department", "title": "Position", "role": "Role", "birthday": "Birthday",
    "anniversary": "Anniversary", "nickname": "Nickname", "categories": "Groups", "note": "Note",
}  # fmt: skip
_SHORT = {
    "name",
    "familyName",
    "givenName",
    "additionalNames",
    "prefixes",
    "suffixes",
    "uid",
    "revised",
    "gender",
    "others",
}


def write(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Write the calendar or the contacts in `source` as a page. Raises Unreadable for any other file."""
    if picks(options) or not options.header:
        warn("OPTION_IGNORED", "Choosing rows and columns, or leaving out the header, needs layout=table.")
    calendar = source.suffix[1:] == ICS.id
    documents = (events if calendar else cards).read_objects(source, options, warn)
    found: list[Any] = [each for batch in documents.batches() for each in batch]
    left: list[str] = []
    if calendar:
        found.sort(key=lambda each: (each.get("start") or each.get("due") or "", each.get("summary", "")))
        parts = [(_day(each), _event(each, left)) for each in found]
    else:
        found.sort(key=_name_key)
        parts = [(_letter(each), _card(each, left)) for each in found]
    warn.tally(_LEFT_OUT, len(left), left)
    title = options.title or ("Agenda" if calendar else "Contacts")
    body, head = [f"<h1>{escape(title)}</h1>\n"], None
    for group, part in parts:
        if group != head:
            body.append(f"<h2>{escape(group)}</h2>\n")
            head = group
        body.append(part)
    whole = "".join(body)
    if not options.fragment:
        whole = (
            f'<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
            f"<style>{_STYLE}</style>\n</head>\n<body>\n{whole}</body>\n</html>\n"
        )
    target.write_text(
        "".join(each if each >= " " or each in "\n\t" else "\ufffd" for each in whole), "utf-8", newline=""
    )


def _day(event: Record) -> str:
    return text(event.get("start") or event.get("due") or "No date")[:10]


def _time(event: Record) -> str:
    start, end = text(event.get("start", "")), text(event.get("end", ""))
    zone = text(event.get("startTimeZone", "")) or ("UTC" if start.endswith("Z") else "")
    if event.get("allDay") or len(start) <= 10:
        return f"until {end[:10]}, exclusive" if end and end[:10] != start[:10] else ""
    until = end.rstrip("Z")[11:16] if end[:10] == start[:10] else end.rstrip("Z").replace("T", " ")[:16]
    return " ".join(filter(None, [start[11:16] + (f"–{until}" if until else ""), zone]))


def _event(event: Record, left: list[str]) -> str:
    rows = [(label, _text_of(event[name])) for name, label in _OF_EVENTS.items() if event.get(name)]
    left += [name for name in event if name not in _OF_EVENTS and name not in _HIDDEN]
    left += [each["name"] for each in event.get("others", ())]
    for name in ("organizer", "attendees", "alarms"):
        left += _parameters_in(name, event.get(name, []))
    kind = "" if event.get("type") == "event" else f" ({event.get('type')})"
    return _article(_time(event), text(event.get("summary") or "…") + kind, rows)


def _name_key(card: Record) -> str:
    shown = text(card.get("familyName") or card.get("name") or card.get("organization") or "").strip()
    return "".join(each for each in unicodedata.normalize("NFD", shown.casefold()) if not unicodedata.combining(each))


def _letter(card: Record) -> str:
    return (_name_key(card)[:1] or "…").upper()


def _card(card: Record, left: list[str]) -> str:
    rows = [(label, _text_of(card[name])) for name, label in _OF_CARDS.items() if card.get(name)]
    listed = {key for key, _ in cards.LISTS.values()} | {"addresses"}
    for key, label in (("emails", "Email"), ("phones", "Phone"), ("addresses", "Address"), ("urls", "Web"),
                       ("messengers", "Chat")):  # fmt: skip
        for each in card.get(key, ()):
            place = [text(each[part]) for part in cards.ADDRESS if each.get(part)]
            kind = f" ({each['type']})" if each.get("type") else ""
            rows.append((label + kind, ", ".join(place) if key == "addresses" else text(each.get("value", ""))))
    left += [name for name in card if name not in _OF_CARDS and name not in listed and name not in _SHORT]
    left += [each["name"] for each in card.get("others", ())]
    for name in listed:
        left += _parameters_in(name, card.get(name, []))
    parts = [text(card[each]) for each in ("prefixes", "givenName", "additionalNames", "familyName") if card.get(each)]
    return _article("", text(card.get("name") or " ".join(parts) or card.get("organization") or "…"), rows)


def _parameters_in(name: str, items: Any) -> list[str]:
    """The names of the parameters that the page does not show, for each item."""
    return [f"{name}.{key}" for each in (items if isinstance(items, list) else [items]) for key in within(each)]


def _text_of(value: Any) -> str:
    if isinstance(value, list):
        return "; ".join(_text_of(each) for each in value)
    if isinstance(value, dict):
        name, mail = value.get("name", ""), value.get("email", "")
        return (f"{name} <{mail}>" if name and mail else name or mail) or text(value.get("trigger", ""))
    return text(value)


def _article(aside: str, heading: str, rows: list[tuple[str, str]]) -> str:
    listed = "".join(f"<dt>{escape(label)}</dt><dd>{escape(value)}</dd>" for label, value in rows if value)
    side = f"<p>{escape(aside)}</p>"
    return f"<article>{side}<div><h3>{escape(heading)}</h3>{f'<dl>{listed}</dl>' if listed else ''}</div></article>\n"
