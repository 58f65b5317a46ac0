"""The reliability figures at their full numbers, for `make soak`; what came of them is written to a report."""

from __future__ import annotations

import functools
import os
import platform
import random
import signal
import statistics
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from django.core.files.storage import default_storage
from django.db import connection

from accounts import ledger, tokens
from accounts.models import CreditEntry, LimitOverride, User
from conversions.models import Conversion
from storage.models import StoredFile
from tests.conftest import make_user, with_key
from tests.hostile.inputs import HOSTILE
from tests.hostile.service import send, still_works
from tests.server.conftest import Server
from tests.server.test_races import balanced, convert, together

pytestmark = pytest.mark.soak

REPORT = Path(__file__).resolve().parents[2] / "benchmarks" / "RELIABILITY.md"
KILLS = 500


@pytest.fixture(scope="module")
def report() -> Iterator[list[tuple[str, str]]]:
    """Rows of the report: what was tried, what came of it. Written when the last test is done."""
    rows: list[tuple[str, str]] = []
    yield rows
    machine = (
        f"{os.cpu_count()} processors, {platform.system()} {platform.release()}, Python {platform.python_version()}"
    )
    lines = [
        "# What was tried to break it",
        "",
        f"On {machine}; {connection.vendor}.",
        "",
        "| Tried | Came of it |",
        "|---|---|",
    ]
    REPORT.write_text("\n".join([*lines, *(f"| {tried} | {came} |" for tried, came in rows)]) + "\n")


def _rich(**limits: int) -> tuple[User, dict[str, str]]:
    user = make_user("scale")
    LimitOverride.objects.create(user=user, **{"requests_per_minute": 1_000_000, "concurrent_jobs": 1_000, **limits})
    user = User.objects.get(pk=user.pk)
    return user, with_key(user).headers


def test_every_hostile_file_ends_in_time(server: Server, report: list[tuple[str, str]]) -> None:
    _, headers = _rich()
    verdicts = []
    with httpx.Client() as client:
        for hostile in HOSTILE:
            verdicts.append(send(client, server.url, hostile, headers))
            assert still_works(client, server.url, headers), hostile.name
    late = [each for each in verdicts if each.seconds > each.limit + 0.5]
    broken = [each for each in verdicts if each.status >= 500]
    slowest = max(verdicts, key=lambda each: each.seconds)
    statuses = ", ".join(
        f"{number} x {status}" for status, number in sorted(Counter(v.status for v in verdicts).items())
    )
    report.append(
        (
            f"{len(verdicts)} hostile files, a good job after each",
            f"{statuses}; {len(broken)} 5xx, {len(late)} over limit + 0.5 s; "
            f"slowest {slowest.hostile.name}: {slowest.seconds:.1f} s",
        )
    )
    assert not broken, broken
    assert not late, late


def test_refresh_tokens_have_one_winner(server: Server, report: list[tuple[str, str]]) -> None:
    user = make_user()
    winners = []
    for _ in range(100):
        answers = together(16, functools.partial(_refresh, server.url, {"refreshToken": tokens.issue(user).refresh}))
        winners.append(sum(each.status_code == 200 for each in answers))
    report.append(("100 rounds of 16 parallel refreshes of one token", f"winners a round: {dict(Counter(winners))}"))
    assert set(winners) == {1}


def _refresh(url: str, body: dict[str, str], number: int) -> httpx.Response:
    return httpx.post(f"{url}/api/v1/auth/refresh", json=body, timeout=60)


def test_credits_are_never_overdrawn(server: Server, report: list[tuple[str, str]]) -> None:
    charged = []
    for _ in range(20):
        user, headers = _rich()
        ledger.charge(user, user.credits - 50, reference=Conversion().id, reason="earlier")
        with ThreadPoolExecutor(32) as pool:
            answers = list(pool.map(lambda _, headers=headers: convert(server, headers).status_code, range(200)))
        counted = Counter(answers)
        charged.append(counted[201])
        assert counted[201] + counted[402] == 200, counted
        assert balanced(user)
    report.append(("20 rounds of 200 parallel requests on 50 credits", f"charged a round: {dict(Counter(charged))}"))
    assert set(charged) == {50}


def test_one_idempotency_key_is_one_run(server: Server, report: list[tuple[str, str]]) -> None:
    _, headers = _rich()
    together(50, lambda _: convert(server, headers, extra={"Idempotency-Key": "once"}))
    runs = Conversion.objects.count()
    report.append(("one idempotency key 50 times in parallel", f"{runs} run"))
    assert runs == 1


def test_kills_lose_nothing(own_server: Server, report: list[tuple[str, str]]) -> None:
    user, headers = _rich()
    stop = threading.Event()
    sent: list[float] = []

    def work() -> None:
        while not stop.is_set():
            started = time.perf_counter()
            try:
                convert(own_server, headers)
                sent.append(time.perf_counter() - started)
            except httpx.TransportError:
                time.sleep(0.05)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    killed: Counter[str] = Counter()
    chance = random.Random(1)
    while sum(killed.values()) < KILLS:
        time.sleep(0.25)
        victims = _descendants(own_server.process.pid)
        if victims:
            pid, kind = chance.choice(victims)
            try:
                os.kill(pid, signal.SIGKILL)
                killed[kind] += 1
            except ProcessLookupError:
                continue
    stop.set()
    for each in threads:
        each.join()
    family = [pid for pid, _ in _descendants(own_server.process.pid)]
    own_server.stop()
    time.sleep(2)
    left = [pid for pid in family if Path(f"/proc/{pid}").exists()]
    completed = Conversion.objects.filter(status="completed")
    missing = [
        key for key in completed.values_list("file_key", flat=True)
        if not default_storage.exists(f"{key[:2]}/{key[2:4]}/{key}")
    ]  # fmt: skip
    report.append(
        (
            f"kill -9 of {dict(killed)} while converting",
            f"{completed.count()} conversions, {len(missing)} without a file, balance = ledger: {balanced(user)}, "
            f"{len(left)} processes left after 2 s, median request {statistics.median(sent) * 1000:.0f} ms",
        )
    )
    assert balanced(user)
    assert not missing
    assert not left
    assert completed.count() == CreditEntry.objects.filter(kind="conversion").count() == StoredFile.objects.count()


def _descendants(pid: int) -> list[tuple[int, str]]:
    """Workers, zygotes and children of a server, with what each is."""
    found = []
    todo = [(int(each), "web worker") for each in _children(pid)]
    below = {"web worker": "zygote", "zygote": "child", "child": "child"}
    while todo:
        process, kind = todo.pop()
        found.append((process, kind))
        todo += [(int(each), below[kind]) for each in _children(process)]
    return found


def _children(pid: int) -> list[str]:
    found: list[str] = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += (task / "children").read_text().split()
    except OSError:
        return found
    return found
