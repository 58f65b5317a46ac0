"""What one test vector is: an input, the options, and what must come of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from conversions.toolkit.options import Value


@dataclass(frozen=True)
class Vector:
    """One input to one slug, replayed through the function, through the sandbox and over HTTP.

    `source` makes the input's bytes; `check` gets the output's bytes and asserts on them with a library other than the
    one that wrote them. A failing vector has `error`, the public code, and `line` and `column` where the parser knows.
    `warnings` are the codes that must be reported, all of them and no others unless `more_warnings`.
    """

    slug: str
    name: str
    kind: Literal["ordinary", "awkward", "failing"]
    source: Callable[[], bytes]
    options: Mapping[str, Value] = field(default_factory=dict)
    check: Callable[[bytes], None] | None = None
    warnings: frozenset[str] = frozenset()
    more_warnings: bool = False
    error: Literal["UNSUPPORTED_FORMAT", "VALIDATION_ERROR", None] = None
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
