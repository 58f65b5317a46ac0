"""Tell what Outlook's contacts, appointments and tasks say beside their text (MS-OXOCNTC, MS-OXOCAL, MS-OXOTASK)."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

_CONTACT = {
    0x3001: "Name", 0x3A16: "Company", 0x3A18: "Department", 0x3A17: "Job title", 0x3A4F: "Nickname",
    0x8083: "Email", 0x8093: "Email 2", 0x80A3: "Email 3", 0x8062: "Messenger", 0x3A08: "Business phone",
    0x3A1B: "Business phone 2", 0x3A09: "Home phone", 0x3A2F: "Home phone 2", 0x3A1C: "Mobile phone",
    0x3A1E: "Car phone", 0x3A1F: "Other phone", 0x3A1A: "Main phone", 0x3A57: "Company phone", 0x3A21: "Pager",
    0x3A24: "Business fax", 0x3A25: "Home fax", 0x3A23: "Main fax", 0x801B: "Business address", 0x801A: "Home address",
    0x801C: "Other address", 0x802B: "Website", 0x3A4E: "Manager", 0x3A30: "Assistant", 0x3A48: "Spouse",
    0x3A46: "Profession", 0x3A19: "Office", 0x3A42: "Birthday", 0x3A41: "Anniversary",
}  # fmt: skip
_APPOINTMENT = {0x820D: "Start", 0x820E: "End", 0x8208: "Where", 0x8232: "Repeats", 0x8238: "Invited"}
_TASK = {0x8104: "Start", 0x8105: "Due", 0x810F: "Completed", 0x8101: "Status", 0x8102: "Done", 0x811F: "Owner"}
_KINDS = (("ipm.contact", _CONTACT), ("ipm.appointment", _APPOINTMENT), ("ipm.schedule.meeting", _APPOINTMENT),
          ("ipm.task", _TASK))  # fmt: skip
_DAYS = frozenset((0x8104, 0x8105, 0x810F, 0x3A42, 0x3A41))
_MOMENTS = frozenset((0x820D, 0x820E)) | _DAYS
_STATES = ("Not started", "In progress", "Completed", "Waiting", "Deferred")
_STATUS, _SHARE = 0x8101, 0x8102
_NAMED = 0x8000
_ERA = datetime(1601, 1, 1, tzinfo=UTC)
_NONE = 0x0CB34557A3DD4000
"""The year 4501, which Outlook writes for no date (MS-OXOTASK, 2.2.2.2.4)."""


def numbers(entries: bytes, strings: bytes) -> dict[int | str, int]:
    """The numbers that named properties have in a file, by their names: numbers or strings (MS-OXMSG, 2.2.3.1.2)."""
    found: dict[int | str, int] = {}
    for at in range(0, len(entries) - 7, 8):
        name, kind, index = struct.unpack("<IHH", entries[at : at + 8])
        if kind & 1:
            size = int.from_bytes(strings[name : name + 4], "little")
            found[strings[name + 4 : name + 4 + size].decode("utf-16-le", "replace")] = _NAMED + index
        else:
            found[name] = _NAMED + index
    return found


def lines(kind: str, text: Callable[[int], str], fixed: dict[int, int], named: dict[int | str, int]) -> str:
    """A line for each detail of an item of the class `kind`; nothing for a message.

    `text` reads a string property, `fixed` has those of a fixed size, and `named` is what `numbers` found.
    """
    names = next((names for beginning, names in _KINDS if kind.lower().startswith(beginning)), {})

    def told() -> Iterator[str]:
        for name, label in names.items():
            number = named.get(name, 0) if name >= _NAMED else name
            shown = text(number) if number else ""
            if not shown and number in fixed:  # those of text are there, too, with their length
                shown = moment(name, fixed[number])
            if shown := ", ".join(filter(None, (each.strip("\0 \r\t") for each in shown.split("\n")))):
                yield f"{label}: {shown}"

    return "\n".join(told())


def moment(name: int, value: int) -> str:
    """The value of a fixed size of the property `name` as text; empty for none."""
    if name == _STATUS:
        return _STATES[value & 0xFFFF] if value & 0xFFFF < len(_STATES) else ""
    if name == _SHARE:
        share = struct.unpack("<d", value.to_bytes(8, "little"))[0]
        return f"{share:.0%}" if 0 <= share <= 1 else ""
    if name not in _MOMENTS or not 0 < value < _NONE:
        return ""
    told = _ERA + timedelta(microseconds=value // 10)
    return told.strftime("%Y-%m-%d" if name in _DAYS else "%Y-%m-%d %H:%M UTC")
