"""The 187 preset shapes of DrawingML, from the companion file of ECMA-376, part 1 (20.1.10.56)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from engine.toolkit.shapes.geometry import Formula, Geometry

_TABLE = Path(__file__).with_name("presets.jsonl")
_NAME = '{"name":"'


@cache
def _lines() -> dict[str, str]:
    """Name to line of the table, of which most files need few."""
    lines = _TABLE.read_text().splitlines()
    return {line[len(_NAME) : line.index('"', len(_NAME))]: line for line in lines}


def names() -> frozenset[str]:
    return frozenset(_lines())


@cache
def preset(name: str) -> Geometry | None:
    """The geometry of the preset shape with this name; None if there is no such shape."""
    line = _lines().get(name)
    if line is None:
        return None
    row = json.loads(line)
    formulas = tuple(
        Formula(
            tuple(each["steps"]), float(each.get("w", 0)), float(each.get("h", 0)), each.get("fill", "norm"),
            each.get("stroke") != "false",
        )
        for each in row["paths"]
    )  # fmt: skip
    return Geometry(
        tuple(map(_named, row["adjustments"])), tuple(map(_named, row["guides"])), formulas,
        tuple(row.get("room", "l t r b").split()),
    )  # fmt: skip


def _named(line: str) -> tuple[str, str]:
    name, _, formula = line.partition(" ")
    return name, formula
