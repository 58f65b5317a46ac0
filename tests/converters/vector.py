"""What one test vector is: an input, the options, and what must come of it; and how it is written down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from engine.toolkit.options import Value

SAMPLES = Path(__file__).parent / "samples"
Kind = Literal["ordinary", "awkward", "failing"]
Error = Literal["UNSUPPORTED_FORMAT", "VALIDATION_ERROR"]
Source = Callable[[], bytes]
Check = Callable[[bytes], None]


@dataclass(frozen=True)
class Vector:
    """One input to one slug, replayed through the function, and where it is chosen through the sandbox and over HTTP.

    `source` makes the input's bytes; `check` gets the output's bytes and asserts on them with a library other than the
    one that wrote them. A failing vector has `error`, the public code, and `line` and `column` where the parser knows.
    `warnings` are the codes that must be reported, all of them and no others unless `more_warnings`.
    """

    slug: str
    name: str
    kind: Kind
    source: Source
    options: Mapping[str, Value] = field(default_factory=dict)
    check: Check | None = None
    warnings: frozenset[str] = frozenset()
    more_warnings: bool = False
    error: Error | None = None
    line: int | None = None
    column: int | None = None
    output: str | None = None
    """The id of the format that comes out where it is not the slug's (several files become one ZIP)."""

    repeatable: bool = True
    """False only where the same bytes can't come out twice: encryption needs random keys (ISO 32000-2, 7.6)."""

    def __post_init__(self) -> None:
        if (self.kind == "failing") != (self.error is not None) or (self.error is None) != (self.check is not None):
            raise ValueError(f"{self.slug}, {self.name}: a failing vector has an error, any other a check")

    @property
    def id(self) -> str:
        return f"{self.slug}: {self.name}"


def takes(data: bytes | Source) -> Source:
    """What makes the bytes, of these bytes or of what makes them."""
    return data if callable(data) else lambda: data


def take(
    slug: str, name: str, data: bytes | Source, check: Check, *codes: str, output: str | None = None, **options: Value
) -> Vector:
    """An awkward vector that reports these codes."""
    return Vector(slug, name, "awkward", takes(data), options, check, frozenset(codes), output=output)


def fail(
    slug: str, name: str, data: bytes | Source, line: int | None = None, column: int | None = None, **options: Value
) -> Vector:
    """A vector of a file that can't be read."""
    return Vector(slug, name, "failing", takes(data), options, error="UNSUPPORTED_FORMAT", line=line, column=column)


def refuse(slug: str, name: str, data: bytes | Source, **options: Value) -> Vector:
    """A vector of options that the file does not fit."""
    return Vector(slug, name, "failing", takes(data), options, error="VALIDATION_ERROR")
