"""Names: lists of columns as options spell them, such as `[unit price] as price, name`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from conversions.toolkit.failures import InvalidOption

_NAME = r"\[(?P<{0}q>(?:[^\]]|\]\])+)\]|(?P<{0}>[^,\[\]]+?)"
_ITEM = re.compile(
    rf"\s*(?P<minus>-\s*)?(?:{_NAME.format('name')})(?:\s+as\s+(?:{_NAME.format('new')}))?\s*(?:,|$)", re.IGNORECASE
)
_SHOWN = 12
ALL_OTHERS = "*"


@dataclass(frozen=True)
class Named:
    """One item of a list: a column, and what it is to be called or whether it is to be turned round."""

    name: str
    new: str | None = None
    minus: bool = False


def parse(option: str, text: str, *, signs: bool) -> list[Named]:
    """The items of a list of columns; with `signs`, a minus before one counts, else it is part of its name.

    Raises InvalidOption, with the place, for an empty item and for brackets that don't match.
    """
    items = []
    at = 0
    while at < len(text):
        match = _ITEM.match(text, at)
        empty = match is not None and match["nameq"] is None and not _plain(match, "name")
        if match is None or empty or (signs and (match["new"] or match["newq"])):
            raise InvalidOption(
                option,
                f"At character {at + 1}: a column is expected. Separate names with commas, and put a name that has a "
                "comma or a bracket in itself in [ and ].",
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
    """What to say of a column that is not there: which ones are, and which one may be meant."""
    near = difflib.get_close_matches(name, columns[:1000], n=1)
    if near:
        return InvalidOption(option, f"{where}There is no column “{name}”. Is “{near[0]}” meant?")
    shown = ", ".join(f"“{each}”" for each in columns[:_SHOWN])
    more = f" and {len(columns) - _SHOWN:,} more" if len(columns) > _SHOWN else ""
    return InvalidOption(option, f"{where}There is no column “{name}”. The columns are: {shown}{more}.")
