"""The few vectors that go through the sandbox and HTTP in `make test`."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from engine.families.registry import CONVERTERS
from engine.toolkit.declaring import Converter
from tests.converters.vector import Vector

DEAR = ("libreoffice", "ocr", "media")
"""Profiles whose jobs take the longest: chosen only for what no other vector adds as much to."""


def parts(converter: Converter) -> set[Hashable]:
    """The format that is read, the one that is written, and the module whose code does it."""
    return {("reads", converter.input.id), ("writes", converter.output.id), ("is of", converter.declared_in)}


def _parts_of(vector: Vector) -> set[Hashable]:
    """What the vector goes through; one that fails goes through nothing, but shows how its family refuses."""
    converter = CONVERTERS[vector.slug]
    return {(converter.declared_in, vector.error)} if vector.error else parts(converter)


def cover(vectors: Iterable[Vector]) -> frozenset[str]:
    """The ids of few vectors that together go through all parts of all: each next one adds the most."""
    order = {profile: place for place, profile in enumerate(DEAR, 1)}
    left = sorted(vectors, key=lambda each: order.get(CONVERTERS[each.slug].profile, 0))
    have = {each.id: _parts_of(each) for each in left}
    missing = set().union(*have.values())
    chosen = set()
    while missing:
        best = max(have, key=lambda each: len(have[each] & missing))
        chosen.add(best)
        missing -= have.pop(best)
    return frozenset(chosen)
