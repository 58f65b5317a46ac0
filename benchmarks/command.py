"""Convert many small files with the command `fileconv`, compared with the same requests from a bare loop."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

from benchmarks import deployment, processes
from benchmarks.deployment import Account, Backend
from benchmarks.processes import COMPILED, ROOT, Cost
from benchmarks.table import Line, Table

FILES = 500
AT_ONCE = 8
GOAL = 1.2

LOOP = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
import httpx
url, key, source, target, at_once = sys.argv[1:]
api = httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=90)
def convert(path):
    with path.open("rb") as file:
        answer = api.post("/api/v1/converter/json-to-csv", files={"file": file})
    answer.raise_for_status()
    record = answer.json()["data"]
    (Path(target) / record["outputName"]).write_bytes(api.get(record["downloadUrl"]).raise_for_status().content)
with ThreadPoolExecutor(int(at_once)) as pool:
    list(pool.map(convert, sorted(Path(source).iterdir())))
"""
"""Does what the README's program does for one file: request the record with its warnings, then the result."""


def measure(table: Table, folder: Path, *, runs: int) -> None:
    """Run both alternately against the same server, including the start of the interpreter."""
    source = folder / "small"
    source.mkdir()
    for number in range(FILES):
        (source / f"{number:03}.json").write_text(f'[{{"id": {number}, "name": "Ada"}}, {{"id": 2, "tags": ["x"]}}]')
    backend = Backend("SQLite")
    account = deployment.prepare(backend, folder / "command")
    with deployment.serving(deployment.environment(backend, folder / "command")) as port:
        _both(f"http://127.0.0.1:{port}", account, source, folder / "warm")
        found = [_both(f"http://127.0.0.1:{port}", account, source, folder / f"out{each}") for each in range(runs)]
    ours, peer = ([pair[side] for pair in found] for side in (0, 1))
    ratio = statistics.median(each.wall for each in ours) / statistics.median(each.wall for each in peer)
    table.add(
        "The command fileconv",
        Line(
            name=f"json-to-csv: {FILES} files of 50 bytes, {AT_ONCE} at once",
            ours=_summary(ours),
            peer_name="a loop of httpx that sends and fetches the same",
            peer=_summary(peer),
            ratio=ratio,
            goal=f"<= {GOAL:g}",
            good=ratio <= GOAL,
            runs=runs,
        ),
    )


def _both(url: str, account: Account, source: Path, target: Path) -> tuple[Cost, Cost]:
    for name in ("ours", "peer"):
        (target / name).mkdir(parents=True)
    given = COMPILED | {
        "PYTHONPATH": str(ROOT / "clients" / "python" / "src"),
        "FILECONV_URL": url,
        "FILECONV_KEY": account.key,
    }
    words = ["--to", "csv", "--jobs", str(AT_ONCE), "--output", str(target / "ours"), "--quiet", str(source)]
    ours = processes.run([sys.executable, "-m", "fileconv.command", *words], environment=given)
    loop = [sys.executable, "-c", LOOP, url, account.key, str(source), str(target / "peer"), str(AT_ONCE)]
    peer = processes.run(loop, environment=given)
    for name in ("ours", "peer"):
        written = sum(1 for _ in (target / name).iterdir())
        if written != FILES:
            raise processes.Failed(f"{name}: {written} of {FILES} files were written")
    return ours, peer


def _summary(costs: list[Cost]) -> str:
    wall, cpu = (statistics.median(getattr(each, name) for each in costs) for name in ("wall", "cpu"))
    return f"{wall:.1f} s, of it {cpu:.1f} s of its own processor time"
