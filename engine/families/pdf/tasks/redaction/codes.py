"""Text that PDFium does not report: zero-size glyphs and glyphs missing from their font."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pikepdf
from pikepdf import Name

from engine.families.pdf.name_text import string_text
from engine.families.pdf.read import DAMAGED
from engine.families.pdf.tasks.redaction.advances import Fonts
from engine.families.pdf.tasks.redaction.terms import Wanted
from engine.families.pdf.tasks.redaction.text_state import SHOWING, State, States, shown

_GAP = 0.2
"""Times the text size: a gap that is a space, or an overlap with other text."""

TEXTS = (Name.ActualText, Name.Alt, Name.E)
"""Marked content entries that replace its text (ISO 32000-1, 14.9)."""


def match(stream: pikepdf.Object, resources: pikepdf.Object | None, wanted: Wanted, fonts: Fonts) -> bool:
    """Whether the text that instructions show matches."""
    if not wanted.found_in(strings(stream)):
        return False
    # Strings that touch by chance, such as those of two cells, are separated by position.
    try:
        return wanted.found_in("".join(_placed(stream, resources, fonts)))
    except DAMAGED:
        return True


def strings(stream: pikepdf.Object) -> str:
    """The text that a content stream or page shows, reading codes as Latin-1."""
    text = b""
    try:
        for each in pikepdf.parse_content_stream(stream, " ".join(SHOWING)):
            for operand in each.operands:
                for item in list(operand) if isinstance(operand, pikepdf.Array) else [operand]:
                    text += bytes(item) if isinstance(item, pikepdf.String) else b""
    except DAMAGED:
        return ""
    return text.decode("cp1252", "replace")


def match_marked(stream: pikepdf.Object, resources: pikepdf.Object | None, wanted: Wanted) -> bool:
    """Whether a text of marked content matches."""
    return any(map(wanted.found_in, _marked(stream, resources)))


def _marked(stream: pikepdf.Object, resources: pikepdf.Object | None) -> list[str]:
    """The texts of marked content: first all that replace its own, for screen readers, in order, as one."""
    found = resources.get(Name.Properties) if isinstance(resources, pikepdf.Dictionary) else None
    text = ""
    others: dict[str, None] = {}
    try:
        for each in pikepdf.parse_content_stream(stream, "BDC DP"):
            about: Any = each.operands[-1] if len(each.operands) else None
            if isinstance(about, pikepdf.Name) and isinstance(found, pikepdf.Dictionary):
                about = found.get(about)
            if isinstance(about, pikepdf.Dictionary):
                text += "".join(
                    string_text(about[name]) for name in TEXTS if isinstance(about.get(name), pikepdf.String)
                )
                others |= dict.fromkeys(_texts(about))
    except DAMAGED:
        pass
    return [text, *others]


def _texts(holder: pikepdf.Object) -> Iterator[str]:
    """All texts in a direct object."""
    waiting: list[Any] = [holder]
    while waiting:
        now = waiting.pop()
        if isinstance(now, pikepdf.String):
            yield string_text(now)
        elif isinstance(now, pikepdf.Array):
            waiting += (each for each in now if not _is_indirect(each))
        elif isinstance(now, pikepdf.Dictionary):
            waiting += (each for each in now.values() if not _is_indirect(each))


def _is_indirect(value: object) -> bool:
    return isinstance(value, pikepdf.Object) and value.is_indirect


def _placed(stream: pikepdf.Object, resources: pikepdf.Object | None, fonts: Fonts) -> Iterator[str]:
    """The characters in content order, with a line feed unless the next one is adjacent."""
    advances_named = fonts.within(resources)
    states = States(State((1, 0, 0, 1, 0, 0)))
    last: tuple[float, float] | None = None
    for each in pikepdf.parse_content_stream(stream):
        if isinstance(each, pikepdf.ContentStreamInlineImage):
            continue
        operands, name = list(each.operands), str(each.operator)
        state = states.now
        if name not in SHOWING:
            states.follow(name, operands)
        elif operands:
            if name in ("'", '"'):
                state.next_line()
            advances = advances_named(state.font)
            for item in shown(operands):
                if not isinstance(item, pikepdf.String):
                    state.kern(item)
                    continue
                for letter in advances.split(bytes(item)):
                    here = state.at(0, 0)
                    up = state.at(0, state.size)
                    size = max(abs(up[0] - here[0]), abs(up[1] - here[1]))
                    if last is not None and max(abs(last[0] - here[0]), abs(last[1] - here[1])) > _GAP * size + 0.01:
                        yield "\n"
                    yield letter.code.decode("cp1252", "replace")
                    state.move(state.advance(letter))
                    last = state.at(0, 0)
