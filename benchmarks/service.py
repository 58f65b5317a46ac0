"""What the service adds to a conversion, and how many it does a second."""

from __future__ import annotations

import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from benchmarks import deployment, load
from benchmarks.deployment import Backend
from benchmarks.processes import Failed
from benchmarks.rows import rows
from benchmarks.table import Line, Table

REQUESTS = 100
CLIENTS = (1, 2, 4, 8, 16, 32)
WORKERS = (1, 2, 4)
SECONDS = 4.0

GOALS = {"SQLite": (6.0, 15.0), "PostgreSQL + Redis": (12.0, float("inf"))}
"""Milliseconds beside the converter's own: the median, and what 99 of 100 requests stay under."""

PAUSES = {"no pause": 0.0, "5 ms between requests": 0.005, "50 ms between requests": 0.05}
"""What the goals hold for comes first. After a short pause the next child is ready and the caches are still warm; after
a long one the processor sleeps and the caches are others'."""

PAGE = b"""<html><head><title>Invoice</title></head><body><h1>Invoice 2024-117</h1>
<p>Ada Lovelace, 12 St James's Square, London</p><table border="1"><tr><th>What</th><th>Units</th><th>Price</th></tr>
<tr><td>Analysis</td><td>3</td><td>120.00</td></tr><tr><td>Notes</td><td>7</td><td>80.50</td></tr></table>
<p>Payable within thirty days. Thank you.</p></body></html>"""


def measure(table: Table, folder: Path, *, runs: int) -> None:
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
    _throughput(table, folder, document)
    _one_process_each(table, folder)


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


def _throughput(table: Table, folder: Path, document: bytes) -> None:
    backend, home = Backend("SQLite"), folder / "SQLite"
    account = deployment.prepare(backend, home)
    calls = {
        "json-to-csv, 1 KB": load.upload("/api/v1/converter/json-to-csv", "a.json", document, account.key),
        "html-to-pdf, 1 page": load.upload("/api/v1/converter/html-to-pdf", "a.html", PAGE, account.key),
    }
    given = deployment.environment(backend, home) | {"THREADS": "16"}
    with deployment.serving(given) as port:
        for name, call in calls.items():
            load.times(port, call, number=3)
            found = {clients: load.throughput(port, call, clients=clients, seconds=SECONDS) for clients in CLIENTS}
            shown = ", ".join(f"{rate:.0f} ({clients})" for clients, rate in found.items())
            table.add("Service", Line(f"{name}: a second, by clients, 2 workers", shown, runs=1))
    for name, call in calls.items():
        rates = []
        for workers in WORKERS:
            with deployment.serving(given, workers=workers) as port:
                load.times(port, call, number=3)
                rates.append(load.throughput(port, call, clients=8, seconds=SECONDS))
        shown = ", ".join(f"{rate:.0f} ({workers})" for workers, rate in zip(WORKERS, rates, strict=True))
        table.add("Service", Line(f"{name}: a second, by workers, 8 clients", shown, runs=1))


def _one_process_each(table: Table, folder: Path) -> None:
    """The same page by xhtml2pdf's own command, two of them at a time, which is what two cores take."""
    page, ends, counts = folder / "page.html", time.perf_counter() + 3 * SECONDS, [0, 0]
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
    rate = sum(counts) / (time.perf_counter() - started)
    table.add("Service", Line("html-to-pdf, 1 page: a second", "see above", "one xhtml2pdf a request", f"{rate:.1f}"))
