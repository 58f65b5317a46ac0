"""Let readers of a PDF tell vertical lines apart, which all start at the same height.

PDFium takes texts in a row that start at one height for one line, and sorts them from left to right. Where a line is
followed by one at its left, its last letters are shown apart, which draws the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pikepdf

_SHOWING = frozenset(("Tj", "TJ"))
_LAST = 2
"""The letters that are shown apart; a single one would be taken for another line, so only a line of two is torn."""
_NEAR = 0.6
"""The difference in height within which texts are taken for one line, in the size of their letters."""
_Instruction = pikepdf.ContentStreamInstruction | pikepdf.ContentStreamInlineImage


@dataclass(frozen=True)
class _Shown:
    """A text: its instruction, where it starts, the size of its letters, and the bytes of each."""

    at: int
    x: float
    y: float
    size: float
    code: int


def part(pdf: pikepdf.Pdf) -> None:
    """Show the last letters of lines apart in all pages of a PDF."""
    done: set[tuple[int, int]] = set()
    for page in pdf.pages:
        data = _parted(page.obj, page.resources)
        if data is not None:
            page.obj.Contents = pdf.make_stream(data)
        _in_forms(page.resources, done)


def _in_forms(resources: pikepdf.Object, done: set[tuple[int, int]]) -> None:
    open_ = [resources]
    while open_:
        for each in (open_.pop().get("/XObject") or {}).values():
            if each.objgen in done or each.get("/Subtype") != "/Form":
                continue
            done.add(each.objgen)
            own = each.get("/Resources", pikepdf.Dictionary())
            data = _parted(each, own)
            if data is not None:
                each.write(data)
            open_.append(own)


def _parted(content: pikepdf.Object, resources: pikepdf.Object) -> bytes | None:
    """The content with its lines parted; None if that changes nothing."""
    fonts: Any = resources.get("/Font") or {}
    wide = frozenset(name for name, font in fonts.items() if font.get("/Subtype") == "/Type0")
    instructions = list(pikepdf.parse_content_stream(content))
    shown = _shown(instructions, wide)
    parts: dict[int, tuple[pikepdf.Object, pikepdf.Object]] = {}
    for this, following in pairwise(shown):
        if abs(this.y - following.y) < _NEAR * this.size and following.x < this.x:
            divided = _divided(instructions[this.at].operands[0], this.code)
            if divided is not None:
                parts[this.at] = divided
    if not parts:
        return None
    written: list[_Instruction] = []
    for at, each in enumerate(instructions):
        if at in parts:
            show = pikepdf.Operator("TJ")
            written += [pikepdf.ContentStreamInstruction([operand], show) for operand in parts[at]]
        else:
            written.append(each)
    return pikepdf.unparse_content_stream(written)


def _shown(instructions: Sequence[_Instruction], wide: frozenset[str]) -> list[_Shown]:
    """The texts of a content, in order (ISO 32000-1, 9.4)."""
    found: list[_Shown] = []
    matrix = line = pikepdf.Matrix()
    saved: list[pikepdf.Matrix] = []
    size, code = 1.0, 1
    for at, each in enumerate(instructions):
        operator = str(each.operator)
        if operator == "q":
            saved.append(matrix)
        elif operator == "Q":
            matrix = saved.pop() if saved else matrix
        elif operator == "cm":
            matrix = pikepdf.Matrix(*map(float, each.operands)) @ matrix
        elif operator == "BT":
            line = pikepdf.Matrix()
        elif operator == "Tm":
            line = pikepdf.Matrix(*map(float, each.operands))
        elif operator in ("Td", "TD"):
            line = line.translated(*map(float, each.operands))
        elif operator == "Tf":
            size, code = float(each.operands[1]), 2 if str(each.operands[0]) in wide else 1
        elif operator in _SHOWING:
            whole = line @ matrix
            found.append(_Shown(at, whole.e, whole.f, size * math.hypot(whole.a, whole.b), code))
    return found


def _divided(shown: pikepdf.Object, code: int) -> tuple[pikepdf.Object, pikepdf.Object] | None:
    """What comes before the last letters of a text, and these; None for a single letter."""
    pieces = [shown] if isinstance(shown, pikepdf.String) else list(shown)
    letters = sum(len(bytes(each)) for each in pieces if isinstance(each, pikepdf.String)) // code
    if letters < _LAST:
        return None
    before: list[pikepdf.Object] = []
    left = max(letters - _LAST, 1) * code
    for at, each in enumerate(pieces):
        length = len(bytes(each)) if isinstance(each, pikepdf.String) else 0
        if length > left:
            text = bytes(each)
            before += [pikepdf.String(text[:left])] if left else []
            return pikepdf.Array(before), pikepdf.Array([pikepdf.String(text[left:]), *pieces[at + 1 :]])
        before.append(each)
        left -= length
    return None
