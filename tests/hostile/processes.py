"""The processes of a running service: which there are, what each is, and the memory they take."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from pathlib import Path

from tests.sandbox.conftest import sandbox_of

KINDS = {"web worker": "child", "supervisor": "zygote", "zygote": "child", "child": "child"}


def descendants(pid: int) -> list[tuple[int, str]]:
    """Workers, supervisor, zygotes and children of a server, with what each is."""
    found = []
    todo = [(each, "web worker") for each in _children(pid)]
    todo += [(each, "supervisor") for each in sandbox_of(pid)[:1]]
    while todo:
        process, kind = todo.pop()
        found.append((process, kind))
        todo += [(each, KINDS[kind]) for each in _children(process)]
    return found


def _children(pid: int) -> list[int]:
    found: list[str] = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += (task / "children").read_text().split()
    except OSError:
        pass  # it ended meanwhile
    return [int(each) for each in found]


def memory(pid: int, kind: str) -> float:
    """MB of a process; 0 if gone.

    `Rss` is all that it maps, `Anonymous` all but files, `Pss` shares what others map too, `Private` is its alone.

    The fields are those of /proc/pid/smaps_rollup (proc(5)).
    """
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    except OSError:
        return 0.0
    return sum(int(each.split()[1]) for each in lines if each.startswith((f"{kind}:", f"{kind}_"))) * 1024 / 1e6


def lasting(pid: int) -> float:
    """MB in the processes of a server that outlive a job: all but the children that do one.

    Without mapped files: SQLite maps its database into each worker, so that `Rss` grows with the number of records.
    """
    kept = [pid, *(each for each, kind in descendants(pid) if kind != "child")]
    return sum(memory(each, "Anonymous") for each in kept)


def p(share: int, values: Iterable[float]) -> float:
    """A percentile; of one value it is that value."""
    ordered = sorted(values)
    return statistics.quantiles(ordered, n=100, method="inclusive")[share - 1] if len(ordered) > 1 else ordered[0]
