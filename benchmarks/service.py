"""Measure what the service adds to a conversion, and how many it does per second."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path

from benchmarks import deployment, load
from benchmarks.deployment import Account, Backend
from benchmarks.processes import Failed
from benchmarks.rows import rows
from benchmarks.table import Line, Table

REQUESTS = 100
CLIENTS = (1, 2, 4, 8, 16, 32)
WORKERS = (1, 2, 4)
USUAL, MANY = 2, 8
"""The number of workers while clients are varied, and of clients while workers are."""
SECONDS = 1.5

GOALS = {"SQLite": (6.0, 15.0), "PostgreSQL + Redis": (12.0, float("inf"))}
"""Goals in milliseconds beyond the converter's own time: the median, and the limit for 99 of 100 requests."""

PAUSES = {"no pause": 0.0, "5 ms between requests": 0.005, "50 ms between requests": 0.05}
"""Pauses between requests; the goals apply to the first one. After a short pause the next child is ready and the caches
are warm; after a long one the processor is asleep and the caches hold other data."""

PAGE = b"""<html><head><title>Invoice</title></head><body><h1>Invoice 2024-117</h1>
<p>Ada Lovelace, 12 St James's Square, London</p><table border="1"><tr><th>What</th><th>Units</th><th>Price</th></tr>
<tr><td>Analysis</td><td>3</td><td>120.00</td></tr><tr><td>Notes</td><td>7</td><td>80.50</td></tr></table>
<p>Payable within thirty days. Thank you.</p></body></html>"""


def measure(table: Table, folder: Path, *, runs: int) -> None:
    # Wait until the output of earlier parts is on disk, so that a database does not wait for it.
    os.sync()
    tiny = folder / "tiny.json"
    rows.TINY(tiny)
    document = tiny.read_bytes()
    with plain_view(folder) as plain:
        for name, backend in (
            ("SQLite", nullcontext(Backend("SQLite"))),
            ("PostgreSQL + Redis", deployment.postgres()),
        ):
            try:
                with backend as where:
                    _overhead(table, folder, where, document, plain, runs)
            except Failed as error:
                table.skipped.append(f"service on {name}: {error}")
    _threads(table, folder, document, runs)
    _throughput(table, folder, document, runs)


@contextmanager
def plain_view(folder: Path) -> Iterator[int]:
    given = deployment.environment(Backend("none"), folder / "plain")
    with deployment.serving(given | {"DJANGO_SETTINGS_MODULE": ""}, application="benchmarks.plain") as port:
        yield port


def _overhead(table: Table, folder: Path, backend: Backend, document: bytes, plain: int, runs: int) -> None:
    home = folder / backend.name.split()[0]
    account = deployment.prepare(backend, home)
    call = load.upload("/api/v1/converter/json-to-csv", "people.json", document, account.key)
    beside: dict[str, list[float]] = {name: [] for name in PAUSES}
    bare: dict[str, list[float]] = {name: [] for name in PAUSES}
    own: list[float] = []
    with deployment.serving(deployment.environment(backend, home)) as port:
        for _ in range(runs):
            for name, pause in PAUSES.items():
                more, converter = load.overheads(port, call, number=REQUESTS, pause=pause)
                beside[name] += more
                own.append(converter)
                bare[name] += load.times(plain, load.Call("GET", "/plain"), number=REQUESTS, pause=pause)
    middle, tail = GOALS[backend.name]
    for number, name in enumerate(PAUSES):
        ours, peer = load.spread(beside[name]), load.spread(bare[name])
        goal = f"p50 <= {middle:g} ms" + (f", p99 <= {tail:g} ms" if tail < float("inf") else "")
        table.add(
            "Service",
            Line(
                name=f"overhead of a conversion with an API key, {backend.name}, {name}",
                ours=f"p50 {ours.p50:.1f} ms, p99 {ours.p99:.1f} ms (converter {statistics.median(own):.1f} ms)",
                peer_name="a DRF view that does nothing",
                peer=f"p50 {peer.p50:.1f} ms, p99 {peer.p99:.1f} ms",
                ratio=ours.p50 / peer.p50,
                goal="" if number else goal,
                good=None if number else ours.p50 <= middle and ours.p99 <= tail,
                runs=runs * REQUESTS,
            ),
        )


def _threads(table: Table, folder: Path, document: bytes, runs: int) -> None:
    """Measure the benefit of giving the next request to the thread that became idle last: one worker of each kind,
    alternately."""
    backend, kinds = Backend("SQLite"), {"last": "", "round": "benchmarks.round_robin.RoundRobin"}
    found: dict[str, list[float]] = {kind: [] for kind in kinds}
    with ExitStack() as stack:
        calls = {}
        for kind, worker_class in kinds.items():
            account = deployment.prepare(backend, folder / kind)
            given = deployment.environment(backend, folder / kind)
            port = stack.enter_context(deployment.serving(given, workers=1, worker_class=worker_class))
            calls[kind] = port, load.upload("/api/v1/converter/json-to-csv", "people.json", document, account.key)
        for _ in range(runs):
            for kind, (port, call) in calls.items():
                found[kind] += load.overheads(port, call, number=REQUESTS)[0]
    ours, peer = load.spread(found["last"]), load.spread(found["round"])
    table.add(
        "Service",
        Line(
            name="overhead of a conversion, the thread that rested last is next, SQLite",
            ours=f"p50 {ours.p50:.1f} ms, p99 {ours.p99:.1f} ms",
            peer_name="threads in turn (ThreadPoolExecutor)",
            peer=f"p50 {peer.p50:.1f} ms, p99 {peer.p99:.1f} ms",
            ratio=ours.p50 / peer.p50,
            goal="ratio < 1",
            good=ours.p50 < peer.p50,
            runs=runs * REQUESTS,
        ),
    )


def _throughput(table: Table, folder: Path, document: bytes, runs: int) -> None:
    """Conversions per second by clients and by workers, alternately with the same page by xhtml2pdf's own command."""
    with ExitStack() as stack:
        servers = {workers: stack.enter_context(_server(folder, workers)) for workers in WORKERS}
        for name, path, file, content in (
            ("json-to-csv, 1 KB", "/api/v1/converter/json-to-csv", "a.json", document),
            ("html-to-pdf, 1 page", "/api/v1/converter/html-to-pdf", "a.html", PAGE),
        ):
            calls = {
                workers: load.upload(path, file, content, account.key) for workers, (_, account) in servers.items()
            }
            by_clients: dict[int, list[float]] = {each: [] for each in CLIENTS}
            by_workers: dict[int, list[float]] = {each: [] for each in WORKERS}
            peer: list[float] = []
            for workers, (port, _) in servers.items():
                load.times(port, calls[workers], number=3)
            for _ in range(runs):
                for clients, rates in by_clients.items():
                    port = servers[USUAL][0]
                    rates.append(load.throughput(port, calls[USUAL], clients=clients, seconds=SECONDS))
                for workers, rates in by_workers.items():
                    port = servers[workers][0]
                    rates.append(load.throughput(port, calls[workers], clients=MANY, seconds=SECONDS))
                if content is PAGE:
                    peer.append(_one_process_each(folder))
            for what, found in (
                (f"by clients, {USUAL} workers", by_clients),
                (f"by workers, {MANY} clients", by_workers),
            ):
                shown = ", ".join(f"{statistics.median(rates):.0f} ({number})" for number, rates in found.items())
                table.add("Service", Line(f"{name}: a second, {what}", shown, runs=runs))
            if peer:
                ours, theirs = statistics.median(by_workers[USUAL]), statistics.median(peer)
                table.add(
                    "Service",
                    Line(
                        f"{name}: a second, {USUAL} workers, {MANY} clients",
                        f"{ours:.1f}",
                        "one xhtml2pdf a request",
                        f"{theirs:.1f}",
                        ratio=ours / theirs,
                        runs=runs,
                    ),
                )


@contextmanager
def _server(folder: Path, workers: int) -> Iterator[tuple[int, Account]]:
    """A service; services that get no requests take no processor time."""
    backend, home = Backend("SQLite"), folder / f"workers-{workers}"
    account = deployment.prepare(backend, home)
    given = deployment.environment(backend, home) | {"THREADS": "16"}
    with deployment.serving(given, workers=workers) as port:
        yield port, account


def _one_process_each(folder: Path) -> float:
    """Pages per second by xhtml2pdf's own command, two at a time, as many as two cores can run."""
    page, ends, counts = folder / "page.html", time.perf_counter() + 2 * SECONDS, [0, 0]
    page.write_bytes(PAGE)
    command = Path(sys.executable).with_name("xhtml2pdf")

    def work(number: int) -> None:
        while time.perf_counter() < ends:
            subprocess.run([command, "-q", page, folder / f"page-{number}.pdf"], check=True, capture_output=True)
            counts[number] += 1

    started = time.perf_counter()
    threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return sum(counts) / (time.perf_counter() - started)
