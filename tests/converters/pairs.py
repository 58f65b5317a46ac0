"""Vectors of pairs: what stands once with the reader of a format and once with its writer, put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.families.registry import DECLARED
from engine.toolkit.options import Value
from tests.converters.vector import Check, Error, Kind, Source, Vector, takes


@dataclass(frozen=True)
class Given:
    """A file that a reader is given, whatever is written of it.

    `codes` are what is reported with every writer. A failing file is refused by the reader: no writer is asked.
    """

    name: str
    kind: Kind
    source: Source
    codes: frozenset[str] = frozenset()
    options: Mapping[str, Value] = field(default_factory=dict)
    error: Error | None = None
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True)
class Wanted:
    """What a writer has to make of such a file: what its output is checked for, and codes beside those of the file.

    `without` are codes of the file that are not reported here; `output` is the format's id where it is another.
    """

    check: Check
    codes: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    options: Mapping[str, Value] = field(default_factory=dict)
    output: str | None = None
    more_warnings: bool = False


Readers = Mapping[str, Sequence[Given]]
"""By the id of a format: the files that whatever reads it is given."""

Writer = Callable[[str, Given], Wanted]
"""What has to come of a file of the format with this id."""

Writers = Mapping[str, Writer]


def ordinary(name: str, data: bytes | Source, *codes: str, **options: Value) -> Given:
    return Given(name, "ordinary", takes(data), frozenset(codes), options)


def awkward(name: str, data: bytes | Source, *codes: str, **options: Value) -> Given:
    return Given(name, "awkward", takes(data), frozenset(codes), options)


def broken(
    name: str, data: bytes | Source, line: int | None = None, column: int | None = None, **options: Value
) -> Given:
    """A file that can't be read."""
    return Given(name, "failing", takes(data), options=options, error="UNSUPPORTED_FORMAT", line=line, column=column)


def unfit(name: str, data: bytes | Source, **options: Value) -> Given:
    """A file that does not fit the options."""
    return Given(name, "failing", takes(data), options=options, error="VALIDATION_ERROR")


def pairs(family: str, readers: Readers, writers: Writers) -> tuple[Vector, ...]:
    """The vectors of all conversions that the family declares from what is read here to what is written here."""
    declared = {
        each.slug: (each.input.id, each.output.id)
        for each in DECLARED
        if each.declared_in == f"engine.families.{family}.converters" and each.alternative is None
    }
    return tuple(
        vector(slug, given, source, writers[output])
        for slug, (source, output) in declared.items()
        if output in writers
        for given in readers.get(source, ())
    )


def refused(slug: str, files: Iterable[Given]) -> tuple[Vector, ...]:
    """The vectors of the failing ones of these files to one conversion."""
    return tuple(
        Vector(slug, each.name, each.kind, each.source, each.options,
               error=each.error, line=each.line, column=each.column)
        for each in files if each.error
    )  # fmt: skip


def vector(slug: str, given: Given, source: str, writer: Writer) -> Vector:
    """The vector of one file to one conversion."""
    if given.error:
        return refused(slug, [given])[0]
    wanted = writer(source, given)
    return Vector(
        slug, given.name, given.kind, given.source, {**given.options, **wanted.options}, wanted.check,
        (given.codes | wanted.codes) - wanted.without, wanted.more_warnings, output=wanted.output,
    )  # fmt: skip
