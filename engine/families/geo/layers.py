"""Layers of features with columns, the model between map formats."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy

from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

Sort = Literal["integer", "real", "boolean", "moment", "text"]
MIXED = Kind("VALUE_CONVERTED", "Columns with different types in different layers became text: {count}{places}.")


@dataclass(frozen=True)
class Column:
    """One property of all features in a layer; `missing` is true where a feature has no value."""

    name: str
    sort: Sort
    values: Any
    missing: Any

    def as_text(self) -> Column:
        """The same as text: times in ISO 8601."""
        if self.sort == "text":
            return self
        found = numpy.array([None] * len(self.values), dtype=object)
        for at in numpy.flatnonzero(~self.missing):
            found[at] = str(self.values[at])
        return replace(self, sort="text", values=found)

    def at(self, chosen: Any) -> Column:
        return replace(self, values=self.values[chosen], missing=self.missing[chosen])


@dataclass(frozen=True)
class Layer:
    """A named set of features: geometries in well-known binary (ISO 13249-3) or None, and their properties.

    `system` is the reference system as PROJ reads it, None if unknown.
    """

    name: str
    system: str | None
    geometries: Any
    columns: tuple[Column, ...]

    def at(self, chosen: Any, name: str) -> Layer:
        """The features selected by an index, under another name."""
        return replace(
            self,
            name=name,
            geometries=self.geometries[chosen],
            columns=tuple(each.at(chosen) for each in self.columns),
        )


_EMPTY: dict[Sort, Any] = {
    "integer": numpy.int64(0),
    "real": numpy.float64("nan"),
    "boolean": numpy.bool_(False),
    "moment": numpy.datetime64("NaT", "ms"),
    "text": None,
}


def joined(layers: list[Layer], warn: Warn) -> Layer:
    """All features in one layer with the columns of all; reference systems must be equal by now."""
    if len(layers) == 1:
        return layers[0]
    warn(
        "CONTENT_DROPPED",
        say(
            "{count} layers became one: {layers}.",
            count=len(layers),
            layers=", ".join(each.name for each in layers[:5]) + ", …" * (len(layers) > 5),
        ),
    )
    warn.account("layers", len(layers) - 1)
    sorts: dict[str, set[Sort]] = {}
    for layer in layers:
        for each in layer.columns:
            sorts.setdefault(each.name, set()).add(each.sort)
    mixed = [name for name, found in sorts.items() if len(found) > 1]
    warn.tally(MIXED, len(mixed), mixed)
    columns = []
    for name, found in sorts.items():
        sort: Sort = "text" if name in mixed else next(iter(found))
        values, missing = [], []
        for layer in layers:
            column = next((each for each in layer.columns if each.name == name), None)
            size = len(layer.geometries)
            if column is None:
                values.append(numpy.full(size, _EMPTY[sort], dtype=object if sort == "text" else None))
                missing.append(numpy.ones(size, dtype=bool))
            else:
                column = column.as_text() if sort == "text" else column
                values.append(column.values)
                missing.append(column.missing)
        columns.append(Column(name, sort, numpy.concatenate(values), numpy.concatenate(missing)))
    return Layer(
        layers[0].name, layers[0].system, numpy.concatenate([each.geometries for each in layers]), tuple(columns)
    )
