"""The sandbox that all workers share: what its end, or that of a worker, does to requests that run."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections import Counter

import httpx

from accounts.models import CreditEntry, LimitOverride
from conversions.models import Conversion
from storage.models import StoredFile
from tests.conftest import Person
from tests.sandbox.conftest import alive, children, eventually, sandbox_of
from tests.server.conftest import Server
from tests.server.test_races import balanced, convert


def test_workers_share_one_sandbox(own_server: Server, program: Person) -> None:
    LimitOverride.objects.create(user=program.account, requests_per_minute=10_000, concurrent_jobs=50)
    for _ in range(20):
        assert convert(own_server, program.headers).status_code == 201
    supervisor, *_ = sandbox_of(own_server.process.pid)
    assert len(children(supervisor)) == 1
    assert not [each for worker in own_server.workers() for each in children(worker)]


def test_every_request_is_answered_while_the_sandbox_is_killed(own_server: Server, program: Person) -> None:
    """Supervisor and zygotes die under load: what ran on them costs nothing, and what comes next is done."""
    LimitOverride.objects.create(user=program.account, requests_per_minute=100_000, concurrent_jobs=50)
    answers: list[int] = []
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            answers.append(convert(own_server, program.headers).status_code)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    seen: set[int] = set()
    chance = random.Random(1)
    for _ in range(4):
        done = len(answers)
        assert eventually(lambda done=done: len(answers) > done + 5)  # type: ignore[misc]
        supervisor, *others = sandbox_of(own_server.process.pid)
        seen |= {supervisor, *others}
        os.kill(chance.choice([supervisor, *children(supervisor)]), signal.SIGKILL)
    done = len(answers)
    assert eventually(lambda: len(answers) > done + 5)
    stop.set()
    for each in threads:
        each.join()
    counted = Counter(answers)
    assert counted.keys() <= {201, 503}, counted
    assert counted[201] == Conversion.objects.filter(status="completed").count() == StoredFile.objects.count()
    assert counted[201] == CreditEntry.objects.filter(kind="conversion").count()
    assert balanced(program.account)
    assert convert(own_server, program.headers).status_code == 201
    living = set(sandbox_of(own_server.process.pid))
    assert eventually(lambda: not any(map(alive, seen - living)))


def test_nothing_is_left_of_a_service_that_was_killed(own_server: Server, program: Person) -> None:
    assert convert(own_server, program.headers).status_code == 201
    sandbox = sandbox_of(own_server.process.pid)
    workers = own_server.workers()
    assert len(sandbox) >= 4  # a supervisor, a zygote, its janitor and a spare
    for each in (own_server.process.pid, *workers):
        os.kill(each, signal.SIGKILL)
    own_server.process.wait()
    assert eventually(lambda: not any(map(alive, sandbox)))


def test_a_service_that_is_started_again_finds_its_sandbox(own_server: Server, program: Person) -> None:
    assert convert(own_server, program.headers).status_code == 201
    supervisor = sandbox_of(own_server.process.pid)[0]
    for each in own_server.workers():
        os.kill(each, signal.SIGKILL)
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            if convert(own_server, program.headers).status_code == 201:
                break
        except httpx.TransportError:
            time.sleep(0.1)
    assert sandbox_of(own_server.process.pid)[0] == supervisor
