"""Simulate workers on a machine with many processors, by slowing each down until all of them fit on this one's.

A worker that may use a twentieth of a processor behaves like one on a machine twenty times as slow, as long as nothing
else is scarce. If workers waited for each other, for a lock or for a shared process, sixteen would not do sixteen times
the work of one: whoever holds what the others wait for is suspended most of the time here. Each client has an account
of its own, as the conversions of one account do wait for each other when they are charged.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks import deployment, load
from benchmarks.deployment import Backend, Serving
from benchmarks.processes import Failed
from benchmarks.rows import rows
from benchmarks.table import Line, Table

SHARE = 0.05
"""The share of a processor for each worker."""
WORKERS = (1, 2, 4, 8, 16)
CLIENTS = 6
"""The number of clients for each worker."""
WARM_SECONDS, SECONDS = 6.0, 10.0
"""Seconds before the workers are slowed down, in which each creates its view of the conversion, which takes as long as
many conversions."""
_PERIOD = 100_000
_LEAST = 0.8
_FIRST = Path("/sys/fs/cgroup/cpu")
_SECOND = Path("/sys/fs/cgroup")


def measure(table: Table, folder: Path, *, runs: int) -> None:
    tiny = folder / "few.json"
    rows.TINY(tiny)
    try:
        with deployment.postgres() as backend:
            _measure(table, folder / "cores", backend, tiny.read_bytes(), runs)
    except (Failed, OSError) as error:
        table.skipped.append(f"many cores: {error}")


def _measure(table: Table, home: Path, backend: Backend, document: bytes, runs: int) -> None:
    accounts = deployment.accounts(backend, home, number=CLIENTS * WORKERS[-1])
    calls = [load.upload("/api/v1/converter/json-to-csv", "people.json", document, each.key) for each in accounts]
    rates: dict[int, list[float]] = {each: [] for each in WORKERS}
    for _ in range(runs):
        for workers, found in rates.items():
            with deployment.server(deployment.environment(backend, home), workers=workers) as server:
                load.throughput(server.port, *calls, clients=CLIENTS * workers, seconds=WARM_SECONDS)
                with slowed(server):
                    found.append(load.throughput(server.port, *calls, clients=CLIENTS * workers, seconds=SECONDS))
    one = statistics.median(rates[1])
    for workers in WORKERS[1:]:
        rate = statistics.median(rates[workers])
        each = rate / (one * workers)
        table.add(
            "Many cores",
            Line(
                name=f"json-to-csv, 1 KB, {workers} workers at {SHARE:.1%} of a processor",
                ours=f"{rate:.1f} a second",
                peer_name=f"{workers} times one worker",
                peer=f"{one * workers:.1f} a second",
                ratio=each,
                goal=f">= {_LEAST:g}x",
                good=each >= _LEAST,
                runs=runs,
            ),
        )


@contextmanager
def slowed(server: Serving) -> Iterator[None]:
    """Limit each worker to its share of a processor; raises OSError if the kernel does not allow that."""
    with ExitStack() as stack:
        for worker in server.workers():
            stack.enter_context(_limited(worker))
        yield


@contextmanager
def _limited(process: int) -> Iterator[None]:
    first = _FIRST.is_dir()
    folder = (_FIRST if first else _SECOND) / f"bench-{process}"
    quota = int(_PERIOD * SHARE)
    if not first:
        (_SECOND / "cgroup.subtree_control").write_text("+cpu")
    folder.mkdir()
    try:
        if first:
            (folder / "cpu.cfs_period_us").write_text(str(_PERIOD))
            (folder / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (folder / "cpu.max").write_text(f"{quota} {_PERIOD}")
        (folder / "cgroup.procs").write_text(str(process))
        yield
    finally:
        (folder.parent / "cgroup.procs").write_text(str(process))
        folder.rmdir()
