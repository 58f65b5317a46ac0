"""Parse flat JSON objects into data frames whose numbers with a fraction are text in source form."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

import polars

from engine.families.data.columnar.cells import frame_of
from engine.families.data.columnar.json_parts import Kind
from engine.families.data.columnar.json_templates import Templates
from engine.families.data.exactness import Inexact
from engine.families.data.inference import EXACT_DIGITS
from engine.families.data.json_input.blocks import Block
from engine.families.data.values import Value, text

ODD_INTEGER = rf"^(-0|-?[0-9]{{{EXACT_DIGITS + 1},}})$"
"""Integers that are spelled, or compared with floats, in another way than other numbers."""
KINDS: frozenset[Kind] = frozenset({"", "text", "boolean", "integer", "number"})
"""The kinds of columns whose rows have no other texts."""
OfValues = Callable[[list[Value]], polars.DataFrame]


class Reader:
    """Parses blocks of objects into columns of the given kinds; `of_values` checks and parses decoded objects."""

    def __init__(self, kinds: dict[str, Kind], of_values: OfValues) -> None:
        self._numbers = {at: name for at, (name, kind) in enumerate(kinds.items()) if kind == "number"}
        self._templates = Templates({name: "literal" if kind == "number" else kind for name, kind in kinds.items()})
        self._of_values = of_values

    def frames(
        self, blocks: Callable[..., Iterator[Any]], size: int
    ) -> Iterator[tuple[polars.DataFrame, Collection[int]]]:
        """Yield all objects, one a row, with the indexes of the columns of numbers. Raises Inexact and Unlike."""
        for frame in blocks(self._frame, size):
            yield frame, [*self._numbers]

    def _frame(self, block: Block) -> polars.DataFrame:
        frame = self._templates.frame(block.data, in_list=block.in_list)
        if frame is None:
            values = block.values()
            frame = self._of_values(values)
            columns = list(frame)
            for at, name in self._numbers.items():
                columns[at] = polars.Series([_token(each.get(name)) for each in values], dtype=polars.String)
            frame = frame_of(columns, frame.columns)
        if any(frame.to_series(at).alias("").str.contains(ODD_INTEGER).any() for at in self._numbers):
            raise Inexact
        return frame


def _token(value: Value) -> str | None:
    return None if value is None else text(value)
