"""Measure the processor time of one conversion and the conversions per second, next to an earlier checkout if one is
named.

BENCH_BEFORE names the folder of a checkout, which is measured alternately with this one, in the same environment.
"""

from __future__ import annotations

import os
import statistics
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import deployment, load
from benchmarks.deployment import Backend, Serving
from benchmarks.load import Call
from benchmarks.processes import ROOT, Failed
from benchmarks.rows import rows
from benchmarks.service import PAGE
from benchmarks.table import Line, Table

REQUESTS = 300
CLIENTS = 8
SECONDS = 2.0
WORKER_MS, SANDBOX_MS = 3.0, 3.0
"""Goals for 1 KB of JSON, in milliseconds of processor time."""
RATES = {"json-to-csv": 300.0, "html-to-pdf": 120.0}
"""Goals for conversions per second on two processors, which the clients share."""
TAIL = 3.0
"""Goal for the slowest of a hundred requests, in times the median."""
_TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")
_SETTLED = 0.7
"""Seconds after which the work that follows a conversion is done too: its child has ended, and another one waits."""


@dataclass
class _Found:
    """Results of one checkout and one kind of file, one value per run: milliseconds per conversion, and conversions per
    second."""

    worker: list[float] = field(default_factory=list)
    sandbox: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class _Checkout:
    """A checkout of the service, a server with one worker, one with two, and the keys of their accounts."""

    root: Path
    alone: Serving
    alone_key: str
    crowded: Serving
    crowded_key: str


def measure(table: Table, folder: Path, *, runs: int) -> None:
    given = os.environ.get("BENCH_BEFORE")
    roots = [ROOT, *([Path(given).resolve()] if given else [])]
    rows.TINY(folder / "tiny.json")
    files = {"json-to-csv": ("a.json", (folder / "tiny.json").read_bytes()), "html-to-pdf": ("a.html", PAGE)}
    try:
        with ExitStack() as stack:
            backends = [_backend(stack) for _ in roots]
            checkouts = [
                _serve(stack, folder / str(number), root, backend)
                for number, (root, backend) in enumerate(zip(roots, backends, strict=True))
            ]
            for slug, (file, content) in files.items():
                found = [_Found() for _ in checkouts]
                for _ in range(runs):
                    for each, into in zip(checkouts, found, strict=True):
                        path = f"/api/v1/converter/{slug}"
                        _cost(into, each, load.upload(path, file, content, each.alone_key))
                        _crowd(into, each.crowded, load.upload(path, file, content, each.crowded_key))
                _add(table, slug, backends[0].name, found, runs)
    except Failed as error:
        table.skipped.append(f"costs: {error}")


def _backend(stack: ExitStack) -> Backend:
    """A database for each checkout, as their tables may differ."""
    try:
        return stack.enter_context(deployment.postgres())
    except Failed:
        return Backend("SQLite")


def _serve(stack: ExitStack, home: Path, root: Path, backend: Backend) -> _Checkout:
    found: list[tuple[Serving, str]] = []
    for where, workers in ((backend, 1), (Backend("SQLite"), 2)):
        own = home / str(workers)
        account = deployment.prepare(where, own, root=root)
        given = deployment.environment(where, own) | ({"THREADS": "16"} if workers > 1 else {})
        found.append((stack.enter_context(deployment.server(given, workers=workers, root=root)), account.key))
    (alone, alone_key), (crowded, crowded_key) = found
    return _Checkout(root, alone, alone_key, crowded, crowded_key)


def _cost(found: _Found, checkout: _Checkout, call: Call) -> None:
    """The processor time of worker and sandbox for conversions by one client, one after the other."""
    root, server = checkout.root, checkout.alone
    load.times(server.port, call, number=1, warm=20)
    time.sleep(_SETTLED)
    before = _used(root, server)
    load.times(server.port, call, number=REQUESTS, warm=0)
    time.sleep(_SETTLED)
    after = _used(root, server)
    for values, more, less in zip((found.worker, found.sandbox), after, before, strict=True):
        values.append((more - less) / REQUESTS)


def _used(root: Path, server: Serving) -> tuple[float, float]:
    """Milliseconds of processor time of the worker, and of the checkout's sandbox including children that have
    ended."""
    workers, sandbox = set(server.workers()), 0.0
    program = os.fsencode(root / "engine" / "sandbox" / "__main__.py")
    for each in map(int, filter(str.isdigit, os.listdir("/proc"))):
        try:
            if program in Path(f"/proc/{each}/cmdline").read_bytes().split(b"\0"):
                sandbox += sum(_times(each))
        except OSError:
            continue
    return sum(sum(_times(each)[:2]) for each in workers), sandbox


def _times(process: int) -> list[float]:
    """utime, stime, cutime and cstime (proc(5)) in milliseconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return [int(each) * _TICK_MS for each in fields[11:15]]


def _crowd(found: _Found, server: Serving, call: Call) -> None:
    """With several clients at once: conversions per second, and the slowest of 100 requests in times the median."""
    taken: list[list[float]] = [[] for _ in range(CLIENTS)]
    load.throughput(server.port, call, clients=CLIENTS, seconds=SECONDS / 4)
    ends, started = time.perf_counter() + SECONDS, time.perf_counter()

    def work(mine: list[float]) -> None:
        client = load.Client(server.port)
        while time.perf_counter() < ends:
            mine.append(client.send(call)[0])

    threads = [threading.Thread(target=work, args=(each,)) for each in taken]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    every = [value for mine in taken for value in mine]
    spread = load.spread(every)
    found.rates.append(len(every) / (time.perf_counter() - started))
    found.waits.append(spread.p99 / spread.p50)


def _add(table: Table, slug: str, backend: str, found: list[_Found], runs: int) -> None:
    first = slug == "json-to-csv"
    what = f"{slug}, {'1 KB' if first else '1 page'}"
    crowd = f"2 workers, {CLIENTS} clients"
    shown: tuple[tuple[str, Callable[[_Found], list[float]], str, float | None, bool], ...] = (
        (f"processor, web worker, {backend}", lambda each: each.worker, "ms", WORKER_MS if first else None, True),
        (f"processor, sandbox, {backend}", lambda each: each.sandbox, "ms", SANDBOX_MS if first else None, True),
        (f"a second, {crowd}, SQLite", lambda each: each.rates, "", RATES[slug], False),
        (f"p99 / p50, {crowd}, SQLite", lambda each: each.waits, "x", TAIL, True),
    )
    for name, measure, unit, limit, most in shown:
        values = [statistics.median(measure(each)) for each in found]
        texts = [f"{value:.1f} {unit}".rstrip() for value in values]
        table.add(
            "What one conversion costs",
            Line(
                name=f"{what}: {name}",
                ours=texts[0],
                peer_name="the earlier checkout" if texts[1:] else "",
                peer="".join(texts[1:]),
                ratio=values[0] / values[1] if values[1:] else None,
                goal="" if limit is None else f"{'<=' if most else '>='} {limit:g} {unit}".rstrip(),
                good=None if limit is None else (values[0] <= limit if most else values[0] >= limit),
                runs=runs,
            ),
        )
