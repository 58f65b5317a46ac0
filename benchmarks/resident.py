"""Measure the memory of a service with two workers, new, warm, quiet and at rest, and how long users wait."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx

from benchmarks import deployment, processes
from benchmarks.deployment import Backend
from benchmarks.processes import ROOT
from benchmarks.rows import rows
from benchmarks.table import Line, Table

SECTION = "Memory and start of a service"
CASES = (
    ("json-to-csv", "one.json", b'[{"id": 1, "name": "Ada"}]'),
    (
        "svg-to-png",
        "one.svg",
        b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M1 1h7v7z"/></svg>',
    ),
    ("html-to-pdf", "one.html", b"<h1>Invoice</h1><p>One line of it.</p>"),
    ("markdown-to-docx", "one.md", b"# Invoice\n\nOne line of it.\n"),
)
"""One conversion of each of four families: text, pictures, PDF and office."""
QUIET_SECONDS = 65
_PREPARES_WITHIN = 5.0
"""Seconds after the start: users take longer to open a page and choose a file."""
_ENDS_WITHIN = 15.0
"""Seconds after which an unused sandbox has ended; anything started sooner finds it running."""
WARM, RESTED = 300, 180
READY, FIRST, COMMAND, ALONE = 1.5, 0.5, 0.5, 1.0


def measure(table: Table, folder: Path, *, runs: int) -> None:
    folder.chmod(0o711)  # programs that children start need access
    given = deployment.environment(Backend("SQLite"), folder / "resident") | {"TMPDIR": str(folder / "resident")}
    (folder / "resident").mkdir()
    key = deployment.prepare(Backend("SQLite"), folder / "resident").key
    source = folder / "tiny.json"
    rows.TINY(source)
    alone = _command(given, source)
    headers = {"Authorization": f"Bearer {key}"}
    time.sleep(_ENDS_WITHIN)
    with _serving(given | {"PREPARE_SANDBOX": "no"}) as (process, url, _):
        time.sleep(_PREPARES_WITHIN)  # until the second worker has started, too
        fresh = _share(process, given["TMPDIR"])
        unprepared = _first(url, headers)
    time.sleep(_ENDS_WITHIN)
    with _serving(given) as (process, url, ready):
        at_once = _first(url, headers)
    time.sleep(_ENDS_WITHIN)
    with _serving(given) as (process, url, _):
        time.sleep(_PREPARES_WITHIN)
        prepared = _first(url, headers)
        for _ in range(4):  # new connections, so that both workers get some of them
            for slug, name, content in CASES:
                _convert(url, headers, slug, name, content)
        beside = _command(given, source)
        time.sleep(QUIET_SECONDS)
        warm = _share(process, given["TMPDIR"])
        _rest(given["TMPDIR"])
        rested = _share(process, given["TMPDIR"])
    for name, ours, goal, unit in (
        ("share of memory, two workers, fresh", fresh, None, "MB"),
        ("share of memory, four families warm, nobody there for a minute", warm, WARM, "MB"),
        ("share of memory, after ten minutes (zygotes ended)", rested, RESTED, "MB"),
        ("from the start to ready", ready, READY, "s"),
        (f"first conversion of four families, the longest: {prepared.slug}", prepared.seconds, FIRST, "s"),
        (f"the same in the moment it is ready: {at_once.slug}", at_once.seconds, None, "s"),
        (f"the same with nothing prepared: {unprepared.slug}", unprepared.seconds, None, "s"),
        ("manage.py convert beside the service", beside, COMMAND, "s"),
        ("manage.py convert without a service", alone, ALONE, "s"),
    ):
        table.add(
            SECTION,
            Line(
                name=name,
                ours=f"{ours:.0f} MB" if unit == "MB" else f"{ours:.2f} s",
                goal="" if goal is None else f"<= {goal:g} {unit}",
                good=None if goal is None else ours <= goal,
                runs=1,
            ),
        )


@contextlib.contextmanager
def _serving(given: dict[str, str]) -> Iterator[tuple[int, str, float]]:
    """Run a service as `make run` does; yields its process, its address, and the seconds until it answered."""
    port = deployment.free_port()
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "config.serve"],
        cwd=ROOT,
        env=given | {"PORT": str(port), "WEB_CONCURRENCY": "2"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        while True:
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{url}/healthz", timeout=5).status_code == 200:
                    break
            time.sleep(0.02)
            if process.poll() is not None:
                raise processes.Failed("the service does not start")
        yield process.pid, url, time.perf_counter() - started
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)


@dataclass(frozen=True)
class _Waited:
    """The conversion with the longest wait, and how long it was."""

    slug: str
    seconds: float


def _first(url: str, headers: dict[str, str]) -> _Waited:
    waited = {slug: _convert(url, headers, slug, name, content) for slug, name, content in CASES}
    return max((_Waited(*each) for each in waited.items()), key=lambda each: each.seconds)


def _convert(url: str, headers: dict[str, str], slug: str, name: str, content: bytes) -> float:
    started = time.perf_counter()
    with httpx.Client(headers=headers, timeout=60) as client:
        client.post(f"{url}/api/v1/converter/{slug}", files={"file": (name, content)}).raise_for_status()
    return time.perf_counter() - started


def _command(given: dict[str, str], source: Path) -> float:
    words = [sys.executable, "manage.py", "convert", str(source), str(source.with_suffix(".csv"))]
    return processes.run(words, environment=given).wall


def _processes(service: int, temporary: str) -> list[int]:
    """The processes of the service and of its sandbox, which is found by its supervisor's folder."""
    parents: dict[int, int] = {}
    found = {service}
    for each in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            parents[int(each)] = int(Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()[1])
            words = Path(f"/proc/{each}/cmdline").read_text().split("\0")
            if any(word.startswith(f"{temporary}/sandbox-of-") for word in words):
                found.add(int(each))
    while more := {each for each, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found)


def _share(service: int, temporary: str) -> float:
    """The memory of all processes in MB, shared pages divided among them (proc(5), Pss)."""
    total = 0
    for each in _processes(service, temporary):
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{each}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
    return total * 1024 / 1e6


def _rest(temporary: str) -> None:
    """End the zygotes, as they end by themselves after ten minutes without jobs."""
    for each in _processes(os.getpid(), temporary):
        with contextlib.suppress(OSError):
            if Path(f"/proc/{each}/comm").read_text().strip() == "zygote":
                os.kill(each, signal.SIGKILL)
    time.sleep(2)
