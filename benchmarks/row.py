"""One row of the engine benchmarks: one input, our command, a peer's command, a goal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from engine.toolkit.options import Value


@dataclass(frozen=True)
class Row:
    """Our converter compared with one peer, as whole processes on the same input.

    `make` writes the input to a given path; inputs are created once per run and shared by rows with the same `input` (a
    file name). `peer` is a command in which `{input}` and `{output}` stand for paths and `{python}` for this
    interpreter; it is skipped, and named, if one of `needs` (programs or importable modules) is missing. `goal` is the
    highest acceptable ratio ours / peer; `measure` is what it is a ratio of. A process may take at most `most` MB at
    its peak, and `seconds` in all. A `job` is also measured as the service does it: it is so short that starting a
    process takes much of its time. Its goals are `job_goal` and `job_seconds`, if given. If `process` is false, it is
    measured as a job only: an interpreter takes longer to start than the peer to finish.
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
