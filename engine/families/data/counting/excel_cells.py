"""Find the cells of xlsx sheets that have looks of their own (ECMA-376, part 1, 18.3.1.4)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from engine.families.data.counting.looks import Looks, of_cell
from engine.families.data.counting.marks import has
from engine.toolkit.warnings import MAX_EXAMPLES

_CELL = re.compile(rb'<(?:\w+:)?c\b(?:\s+r="\w*")?([^<>]*)>')
_PLAIN_CELL = re.compile(rb'<c\b(?:\s+r="\w*")?([^<>]*)>')
"""A cell of a sheet without prefixes, which is found in half the time."""
_STYLED, _STYLED_ROW = re.compile(rb'( s="\d+"(?:[^<> ]++| (?!s="))*+)>'), re.compile(rb'<(?:\w+:)?row\b[^<>]* s="')
"""A cell with a style, as most programs write it, from its style on; and a row with one."""
_WHOLE_CELL = re.compile(rb'<(?:\w+:)?c\b(?:\s+r="(\w*)")?([^<>]*)>')
_STYLE = re.compile(rb'\ss="(\d+)"')
_PLACE = re.compile(rb'\sr="(\w*)"|\Z')
_FEW = 50
"""Ends of tags whose cells are found by searching the sheet for each."""


def see(looks: Looks, data: bytes, known: Mapping[bytes, frozenset[str]]) -> None:
    """Add the cells with looks: tags are counted by what follows their place, as cells of a column are often alike."""
    tags = _STYLED.findall(data)
    if len(tags) != data.count(b' s="') or _STYLED_ROW.search(data):
        tags = (_CELL if has(data, b":c") else _PLAIN_CELL).findall(data)
    alike: dict[bytes, tuple[frozenset[str], int]] = {}
    for rest, count in Counter(tags).items():
        style = _STYLE.search(rest)
        if style is None or style[1] not in known:
            continue
        kinds = of_cell(
            known[style[1]],
            has_value=not rest.endswith(b"/"),
            is_number=b' t="' not in rest or b' t="n"' in rest,
        )
        alike[rest] = kinds, count
    shown = [rest for rest, (kinds, _) in alike.items() if kinds]
    found = _places_of_many(data, shown) if len(shown) > _FEW else {each: _places(data, each) for each in shown}
    for rest, (kinds, count) in alike.items():
        looks.alike(kinds, count, [*islice(found.get(rest, ()), MAX_EXAMPLES)])


def _places(data: bytes, rest: bytes) -> Iterator[str]:
    """Yield the places of cells whose tags end in `rest`; found by its text, as to compile a pattern takes longer."""
    at, end = 0, rest + b">"
    while (at := data.find(end, at)) >= 0:
        at += len(end)
        tag = _WHOLE_CELL.fullmatch(data, data.rfind(b"<", 0, at), at)
        if tag is not None and tag[2].endswith(rest):
            yield _place(tag)


def _places_of_many(data: bytes, rests: Iterable[bytes]) -> Mapping[bytes, list[str]]:
    """Return the first places of cells whose tags end in one of these, which may be as many as there are cells."""
    found: dict[bytes, list[str]] = {each: [] for each in rests}
    for tag in _WHOLE_CELL.finditer(data):
        rest = tag[2]
        places = found.get(rest)
        if places is None:
            places = found.get(rest[max(0, rest.find(b' s="')) :])
        if places is not None and len(places) < MAX_EXAMPLES:
            places.append(_place(tag))
    return found


def _place(tag: re.Match[bytes]) -> str:
    return (tag[1] or _PLACE.findall(tag[2])[0]).decode()
