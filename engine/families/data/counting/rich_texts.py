"""Find the cells of sheets whose text has parts with a look of their own, such as one bold word."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from xml.etree.ElementTree import Element

from engine.families.data.counting.looks import Looks
from engine.families.data.counting.marks import has
from engine.toolkit.warnings import MAX_EXAMPLES

_LOOK = re.compile(
    rb'<(?:\w+:)?(?:b|i|u|strike|vertAlign)\b(?![^<>]*\bval="(?:0|false|none|baseline)")[^<>]*>'
    rb'|<(?:\w+:)?color\b(?! (?:theme="1"|rgb="FF000000"|indexed="(?:8|64)"|auto="1"))[^<>]*>'
)
"""What shows of the properties of a run (ECMA-376, part 1, 18.4.7), besides its font and size."""
_SHARED = re.compile(rb'<(?:\w+:)?c\b((?=[^<>]*\bt="s")[^<>]*)>\s*<(?:\w+:)?v>\s*(\d+)')
_INLINE = re.compile(rb"<(?:\w+:)?c\b([^<>]*)>\s*<(?:\w+:)?is\b(.*?)</(?:\w+:)?is>", re.DOTALL)
_PLACE = re.compile(rb'\br="(\w+)"|\Z')
_SPAN = re.compile(rb'<text:span\b[^<>]*text:style-name="([^"]*)"')
_CELL_END = b"</table:table-cell>"
_SHOWN = frozenset({
    "font-weight", "font-style", "color", "text-underline-style", "text-line-through-style", "text-position",
})  # fmt: skip
_USUAL = frozenset({"normal", "none", "#000000", "0% 100%"})


def rich_items(items: Sequence[bytes]) -> frozenset[bytes]:
    """The numbers of the shared strings that have such parts."""
    return frozenset(str(at).encode() for at, each in enumerate(items) if b"rPr" in each and _LOOK.search(each))


def see_sheet(looks: Looks, data: bytes, rich: Collection[bytes]) -> None:
    """Add the cells of an xlsx sheet with such texts; `rich` are the numbers of shared strings."""
    found = [tag for tag, number in _SHARED.findall(data) if number in rich] if rich else []
    if has(data, b"rPr"):
        found += [tag for tag, text in _INLINE.findall(data) if _LOOK.search(text)]
    places = [_PLACE.findall(each)[0].decode() for each in found[:MAX_EXAMPLES]]
    looks.alike(frozenset({"runs"}), len(found), places)


def is_shown(properties: Element) -> bool:
    """Whether text properties of an OpenDocument style show in a part of a text."""
    given = ((key.rpartition("}")[2], value) for key, value in properties.items())
    return any(key in _SHOWN and value not in _USUAL for key, value in given)


def see_table(looks: Looks, data: bytes, styles: Collection[bytes]) -> None:
    """Add the cells of an OpenDocument table with spans of these styles."""
    if styles and has(data, b"<text:span"):
        cells = sum(any(each in styles for each in _SPAN.findall(cell)) for cell in data.split(_CELL_END))
        looks.alike(frozenset({"runs"}), cells)
