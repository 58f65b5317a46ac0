"""Hostile files, escapes and kills at their full numbers."""

from __future__ import annotations

import contextlib
import functools
import os
import random
import shutil
import signal
import statistics
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from accounts.credits import jobslots
from accounts.credits.payers import UserPayer
from accounts.models import CreditEntry, LimitOverride, User
from conversions.models import Conversion
from conversions.work import pipeline, runner
from engine.families.registry import CONVERTERS
from engine.sandbox.client import Zygote
from engine.sandbox.limits import limits_for
from storage import files
from storage.keys import path_of
from storage.models import StoredFile
from tests.conftest import FOLDER, make_user, with_key
from tests.hostile.figures import Report, scaled
from tests.hostile.inputs import HOSTILE, Hostile
from tests.hostile.processes import descendants
from tests.hostile.service import Verdict, send, still_works
from tests.sandbox.attempts import ATTEMPTS, STARTS_PROGRAMS
from tests.sandbox.test_escape import MODES, OfSupervisor, as_user, attempt, surroundings
from tests.server.conftest import Server
from tests.server.test_races import balanced, convert

pytestmark = pytest.mark.soak

KILLS = 500
BETWEEN_KILLS = 0.1
VICTIMS = {"web worker": 1, "supervisor": 1, "zygote": 1, "child": 7}
LATE = 0.5


def rich(**limits: int) -> tuple[User, dict[str, str]]:
    """An account that no limit stops but those that are given, and the headers of its key."""
    user = make_user("scale")
    LimitOverride.objects.create(user=user, **{"requests_per_minute": 1_000_000, "concurrent_jobs": 1_000, **limits})
    user = User.objects.get(pk=user.pk)
    return user, with_key(user).headers


@pytest.mark.alone
@pytest.mark.parametrize("kind", ["hostile files", "bombs"])
def test_every_hostile_file_ends_in_time(server: Server, report: Report, kind: str) -> None:
    """Two at a time: some take all the time they may, and others must not suffer from it."""
    tried = [each for each in HOSTILE if each.name.startswith("bomb: ") is (kind == "bombs")]
    with report.part(kind) as part, httpx.Client() as client, ThreadPoolExecutor(2) as pool:
        _, headers = rich()
        before, harmed = server.workers(), []

        def work(hostile: Hostile) -> Verdict:
            verdict = send(client, server.url, hostile, headers)
            if not still_works(client, server.url, headers):
                harmed.append(hostile.name)
            return verdict

        verdicts = list(pool.map(work, random.Random(1).sample(tried, scaled(len(tried)))))
        late = [each for each in verdicts if each.seconds > each.limit + LATE]
        broken = [each for each in verdicts if each.status >= 500]
        dead = set(before) - set(server.workers())
        slowest = max(verdicts, key=lambda each: each.seconds)
        statuses = ", ".join(
            f"{number} x {status}" for status, number in sorted(Counter(v.status for v in verdicts).items())
        )
        part.say(
            f"{len(verdicts)} files: {statuses}; {len(broken)} 5xx, {len(dead)} dead workers, {len(late)} late, "
            f"{len(harmed)} without a good job afterwards; slowest {slowest.hostile.name}: {slowest.seconds:.1f} s",
            held=not (broken or dead or late or harmed),
        )
        assert not broken, broken
        assert not harmed
        assert not dead
        assert not late, late


def test_nothing_escapes(report: Report) -> None:
    with report.part("escapes") as part:
        tried, escaped = 0, []
        for mode in MODES:
            made = functools.partial(OfSupervisor, grown_from=mode.grown_from) if mode.forked else Zygote
            zygote = made(
                mode.profile,
                limits_for(mode.profile, {mode.profile: {"wall": 20}}),
                modules=("tests.sandbox.attempts",),
                launcher=() if mode.root else as_user(mode.uid),
                child_uid=mode.uid,
                abi_at_most=mode.abi,
                memory=mode.memory,
            )
            with contextlib.closing(zygote):
                assert zygote.canary().confined
                assert zygote.pid is not None
                with surroundings(mode.uid, zygote.pid, Path(zygote.folders[-1])) as context:
                    for name in sorted(ATTEMPTS):
                        if mode.profile != "office" or name not in STARTS_PROGRAMS:
                            tried += 1
                            outcome = attempt(zygote, context, name)
                            escaped += [] if outcome.startswith("refused") else [f"{mode} {name}: {outcome}"]
        part.say(
            f"{len(ATTEMPTS)} attempts in {len(MODES)} settings ({', '.join(map(str, MODES))}), {tried} in all: "
            f"{len(escaped)} succeeded",
            held=not escaped,
        )
        assert not escaped


def test_kills_lose_nothing(own_server: Server, report: Report) -> None:
    with report.part("kills") as part:
        user, headers = rich()
        shutil.rmtree(FOLDER / "files", ignore_errors=True)
        killed, seconds = _kill_while_converting(own_server, headers, scaled(KILLS))
        processes = [pid for pid, _ in descendants(own_server.process.pid)]
        own_server.stop()
        time.sleep(12)  # the sandbox waits for a service that is started again
        left = [pid for pid in processes if Path(f"/proc/{pid}").exists()]
        completed = Conversion.objects.filter(status="completed")
        missing = [
            key for key in completed.values_list("file_key", flat=True)
            if not default_storage.exists(path_of(key))
        ]  # fmt: skip
        charged = CreditEntry.objects.filter(kind="conversion").count()
        three = completed.count() == charged == StoredFile.objects.count()
        at_first = held = jobslots.running(UserPayer(user))
        until = time.monotonic() + runner.wall_limit(CONVERTERS["json-to-csv"]) + pipeline.SLACK + 5
        while held and time.monotonic() < until:
            time.sleep(1)
            held = jobslots.running(UserPayer(user))
        swept = files.sweep(timezone.now() + timedelta(days=2))
        stored = {path.name for path in (FOLDER / "files").rglob("*") if path.is_file()}
        orphans = stored - set(StoredFile.objects.values_list("key", flat=True))
        part.say(
            f"kill -9 of {dict(killed)}: {completed.count()} conversions, {len(missing)} without a file, "
            f"balance = ledger: {balanced(user)}, charges = files = conversions: {three}, {len(left)} processes left, "
            f"{at_first} slots of dead jobs, {held} after their expiry, {swept} orphans swept, {len(orphans)} left; "
            f"median request {statistics.median(seconds) * 1000:.0f} ms",
            held=three and balanced(user) and not (missing or left or orphans or held),
        )
        assert balanced(user)
        assert three
        assert not missing
        assert not left
        assert not orphans
        assert not held


def _kill_while_converting(server: Server, headers: dict[str, str], number: int) -> tuple[Counter[str], list[float]]:
    stop, seconds, killed = threading.Event(), [0.0], Counter[str]()

    def work() -> None:
        while not stop.is_set():
            started = time.perf_counter()
            try:
                convert(server, headers)
                seconds.append(time.perf_counter() - started)
            except httpx.TransportError:
                time.sleep(0.05)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    chance = random.Random(1)
    try:
        while killed.total() < number:
            time.sleep(BETWEEN_KILLS)
            # Conversions must be under way again: what has not come back yet can't lose anything.
            done, patience = len(seconds), time.monotonic() + 10
            while len(seconds) == done and time.monotonic() < patience:
                time.sleep(0.01)
            (wanted,) = chance.choices(list(VICTIMS), list(VICTIMS.values()))
            victims = [pid for pid, kind in descendants(server.process.pid) if kind == wanted]
            with contextlib.suppress(IndexError, ProcessLookupError):
                os.kill(chance.choice(victims), signal.SIGKILL)
                killed[wanted] += 1
    finally:
        stop.set()
        for each in threads:
            each.join()
    return killed, seconds
