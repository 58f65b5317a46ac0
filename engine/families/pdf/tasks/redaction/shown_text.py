"""Leave letters out of instructions that show text, so that the others stay where they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pikepdf
from pikepdf import Operator

from engine.families.pdf.tasks.redaction.advances import Advances
from engine.families.pdf.tasks.redaction.text_state import State, shown

Instruction = tuple[Any, Operator]


def without(
    name: str,
    operands: list[Any],
    state: State,
    advances_named: Callable[[str], Advances],
    goes: Callable[[State, float], bool],
) -> tuple[list[Instruction], int]:
    """The instructions that replace one without the letters that go, by their state and width, and how many went."""
    out: list[Instruction] = []
    if name in ("'", '"'):
        if name == '"' and len(operands) == 3:
            state.word, state.character = float(operands[0]), float(operands[1])
            out += [([operands[0]], Operator("Tw")), ([operands[1]], Operator("Tc"))]
        state.next_line()
        out.append(([], Operator("T*")))
    if not operands:
        return out, 0
    advances = advances_named(state.font)
    parts: list[Any] = []
    gone = 0
    for item in shown(operands):
        if not isinstance(item, pikepdf.String):
            state.kern(item)
            parts.append(item)
            continue
        kept = b""
        for letter in advances.split(bytes(item)):
            forward = state.advance(letter)
            if goes(state, letter.width):
                gone += 1
                if kept:
                    parts.append(pikepdf.String(kept))
                    kept = b""
                parts.append(round(-forward * 1000 / state.size, 3) if state.size else 0)
            else:
                kept += letter.code
            state.move(forward)
        if kept:
            parts.append(pikepdf.String(kept))
    return [*out, ([pikepdf.Array(parts)], Operator("TJ"))], gone
