"""What one row of the engine benchmarks is: one input, our command, a peer's command, a goal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from engine.toolkit.options import Value


@dataclass(frozen=True)
class Row:
    """Our converter against one peer, as whole processes on the same input.

    `make` writes the input to the path it is given; inputs are made once a run and shared by rows with the same `input`
    (a file name). `peer` is a command in which `{input}` and `{output}` stand for paths and `{python}` for this
    interpreter; it is skipped, and named, where one of `needs` (programs or importable modules) is missing.
    `goal` is the highest ratio ours / peer that is good enough; `measure` says of what; a process may take `most` MB at
    its peak, and `seconds` in all. A `job` is measured as the service does it, too: so short that the start of a
    process of its own is much of its time. Then `job_goal` and `job_seconds` count, where they are given. With
    `process` off it is measured as a job alone: an interpreter takes longer to start than the peer to finish.
    """

    name: str
    input: str
    make: Callable[[Path], None]
    slug: str
    peer_name: str
    peer: tuple[str, ...]
    goal: float
    needs: tuple[str, ...] = ()
    options: Mapping[str, Value] = field(default_factory=dict)
    measure: Literal["wall", "peak"] = "wall"
    most: float | None = None
    seconds: float | None = None
    job: bool = False
    job_goal: float | None = None
    job_seconds: float | None = None
    process: bool = True
