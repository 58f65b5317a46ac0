"""Compare one call that returns the file with two calls, one for the record and one for the file."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks import deployment, load
from benchmarks.deployment import Backend
from benchmarks.rows import rows
from benchmarks.service import REQUESTS, plain_view
from benchmarks.table import Line, Table

_SLUG = "/api/v1/converter/json-to-csv"


def measure(table: Table, folder: Path, *, runs: int) -> None:
    source = folder / "tiny.json"
    rows.TINY(source)
    backend = Backend("SQLite")
    account = deployment.prepare(backend, folder / "fetching")
    two, one = (
        load.upload(f"{_SLUG}{query}", "people.json", source.read_bytes(), account.key) for query in ("", "?download=1")
    )
    of_one: list[float] = []
    of_two: list[float] = []
    bare: list[float] = []
    with plain_view(folder) as plain, deployment.serving(deployment.environment(backend, folder / "fetching")) as port:
        load.times(port, one, number=1, warm=20)
        client = load.Client(port)
        for _ in range(runs):
            of_one += load.times(port, one, number=REQUESTS)
            for _ in range(REQUESTS):
                taken, body = client.send(two)
                address = json.loads(body)["data"]["downloadUrl"]
                fetched, _ = client.send(load.Call("GET", address, headers={"Authorization": f"Bearer {account.key}"}))
                of_two.append(taken + fetched)
            bare += load.times(plain, load.Call("GET", "/plain"), number=REQUESTS)
    ours, request = load.spread(of_one).p50, load.spread(bare).p50
    both = load.spread(of_two).p50
    table.add(
        "One call",
        Line(
            name="json-to-csv, 1 KB: the file by one call, SQLite",
            ours=f"p50 {ours:.1f} ms",
            peer_name="a call for the record and one for the file, less a request",
            peer=f"p50 {both:.1f} ms, of which {request:.1f} ms less",
            ratio=ours / (both - request),
            goal="ratio <= 1",
            good=ours <= both - request,
            runs=runs * REQUESTS,
        ),
    )
