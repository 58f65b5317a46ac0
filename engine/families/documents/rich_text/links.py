"""The links of RTF fields (1.9.1, “Fields”)."""

from __future__ import annotations

import re
from dataclasses import dataclass

_WORD = re.compile(r'"([^"]*)"?|\\(.)|([^\s"\\]+)', re.DOTALL)
_WITH_TEXT = ("o", "t")
"""Switches followed by a text that is neither an address nor a place."""


@dataclass(frozen=True)
class Link:
    """An address, a place in it or in this document, or both."""

    address: str
    place: str


def read(instruction: str) -> Link | None:
    """The link of an instruction; None for that of another field, and for one without an address or a place."""
    words = _WORD.finditer(instruction)
    first = next(words, None)
    if first is None or first[0].upper() != "HYPERLINK":
        return None
    address = place = switch = ""
    for quoted, letter, bare in (each.groups() for each in words):
        text = quoted or bare or ""
        if letter:
            switch = letter.lower()
            continue
        if switch == "l":
            place = place or text
        elif switch not in _WITH_TEXT:
            address = address or text
        switch = ""
    if address.startswith("#"):
        address, place = "", address[1:]
    return Link(address, place) if address or place else None
