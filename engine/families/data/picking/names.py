"""Parse lists of columns in options, such as `[unit price] as price, name`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say

_QUOTED = r"\[(?P<{0}>(?:[^\]]++|\]\])++)\]"
_END = r"(?:,|\Z)"
_MINUS = r"-(?!\sas\s++\[)(?:\s++|(?!,|\Z))"
_AS = r"\s++as(?:\s(?P<new>[^,\[\]]++)|\s++{0}\s*+)"
_NEXT_AS = _AS.replace("?P<new>", "").format(r"\[(?:[^\]]++|\]\])++\]")
_PLAIN = rf"[^,\[\]\s]++(?:(?!{_NEXT_AS}{_END})\s++[^,\[\]\s]++)*+"
_ITEM = re.compile(
    rf"\s*+(?P<minus>{_MINUS})?+(?:{_QUOTED.format('nameq')}|(?P<name>{_PLAIN}))"
    rf"(?:{_AS.format(_QUOTED.format('newq'))}|\s*+){_END}",
    re.IGNORECASE,
)
"""A plain name ends before the first `as` that a new name and the end of the item follow. It and what follows are
stripped later. A minus alone is a name."""
_SHOWN = 12
ALL_OTHERS = "*"


@dataclass(frozen=True)
class Named:
    """One item of a list: a column, with a new name or a sort direction."""

    name: str
    new: str | None = None
    minus: bool = False


def parse(option: str, text: str, *, signs: bool) -> list[Named]:
    """Parse a list of columns; with `signs`, a leading minus sorts descending, else it is part of the name.

    Raises InvalidOption, with the position, for an empty item and for unbalanced brackets.
    """
    items = []
    at = 0
    while at < len(text):
        match = _ITEM.match(text, at)
        empty = match is not None and match["nameq"] is None and not _plain(match, "name")
        if match is None or empty or (signs and (match["new"] or match["newq"])):
            raise InvalidOption(
                option,
                say(
                    "At character {at}: expected a column. Separate names with commas, and put names that "
                    "contain a comma or a bracket in [ and ].",
                    at=at + 1,
                ),
            )
        minus = bool(match["minus"])
        name = _plain(match, "name")
        if minus and not signs:
            name = f"{match['minus']}{name}"
        items.append(Named(name, _plain(match, "new") or None, minus=minus and signs))
        at = match.end()
    return items


def _plain(match: re.Match[str], group: str) -> str:
    quoted: str | None = match[f"{group}q"]
    return quoted.replace("]]", "]") if quoted is not None else (match[group] or "").strip()


def unknown(option: str, name: str, columns: Sequence[str], where: str = "") -> InvalidOption:
    """Return the error for an unknown column, with a close match or the columns there are."""
    near = difflib.get_close_matches(name, columns[:1000], n=1)
    if near:
        return InvalidOption(
            option,
            say("{where}There is no column “{name}”. Did you mean “{near}”?", where=where, name=name, near=near[0]),
        )
    shown = ", ".join(f"“{each}”" for each in columns[:_SHOWN])
    more = say(" and {columns} more", columns=len(columns) - _SHOWN) if len(columns) > _SHOWN else ""
    return InvalidOption(
        option,
        say(
            "{where}There is no column “{name}”. The columns are: {shown}{more}.",
            where=where,
            name=name,
            shown=shown,
            more=more,
        ),
    )
