"""`python -m config.serve`: workers that are forked from a process that has used the database."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from django.conf import settings
from django.db import connection

from accounts.login import tokens
from accounts.models import LimitOverride
from conversions.models import Conversion
from tests.conftest import FOLDER, Person, make_user
from tests.server.conftest import Server, start_server
from tests.server.test_lost import wait_for
from tests.server.test_races import convert, together


@pytest.fixture
def served(transactional_db: None) -> Iterator[Server]:
    running = start_server(module="config.serve", threads=8)
    yield running
    if running.process.poll() is None:
        running.stop()


def _open(process: int) -> Iterator[str]:
    """What a process has open, as Linux names it."""
    for each in Path(f"/proc/{process}/fd").iterdir():
        # What is closed between the listing and the look is not open.
        with contextlib.suppress(FileNotFoundError):
            yield os.readlink(each)


def _connections(process: int, *ports: int) -> set[str]:
    """The inodes of a process' sockets that are connected to one of these ports."""
    open_ones = {each[8:-1] for each in _open(process) if each.startswith("socket:[")}
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{process}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[9] in open_ones and int(fields[2].rpartition(":")[2], 16) in ports:
                found.add(fields[9])
    return found


def _files(process: int, folder: Path) -> list[str]:
    """The databases and caches in this folder that a process has open."""
    return [each for each in _open(process) if each.startswith(str(folder)) and ".sqlite3" in each]


def test_no_connection_survives_the_fork_and_one_refresh_of_twenty_wins(served: Server) -> None:
    user = make_user()
    parent = served.process.pid
    for _ in range(3):
        refresh = {"refreshToken": tokens.issue(user).refresh}
        post = functools.partial(httpx.post, f"{served.url}/api/v1/auth/refresh", json=refresh, timeout=60)
        answers = together(20, lambda _, post=post: post())
        assert Counter(each.status_code for each in answers) == {200: 1, 401: 19}
    workers = served.workers()
    assert len(workers) == 2
    assert _files(parent, Path(settings.DATA_DIR)) == _files(parent, FOLDER) == []
    if connection.vendor != "postgresql":
        return
    ports = [int(connection.settings_dict["PORT"] or 5432)]
    if settings.REDIS_URL:
        ports.append(int(settings.REDIS_URL.rpartition("/")[0].rpartition(":")[2]))
    used = [_connections(each, *ports) for each in workers]
    assert all(used)
    assert not used[0] & used[1]
    assert _connections(parent, *ports) == set()


@pytest.mark.soak
def test_a_reload_under_load_loses_no_request_and_no_connection_survives(served: Server, program: Person) -> None:
    LimitOverride.objects.create(user=program.account, requests_per_minute=100_000, concurrent_jobs=50)
    assert convert(served, program.headers).status_code == 201
    master, old = served.process.pid, set(served.workers())
    answers: list[int | str] = []
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            try:
                answers.append(convert(served, program.headers).status_code)
            except httpx.TransportError as error:
                answers.append(repr(error))

    threads = [threading.Thread(target=work, daemon=True) for _ in range(2)]
    for each in threads:
        each.start()
    os.kill(master, signal.SIGHUP)
    assert wait_for(lambda: len(served.workers()) == 2 and not old & set(served.workers()), seconds=120)
    done = len(answers)
    assert wait_for(lambda: len(answers) > done + 5, seconds=60)
    stop.set()
    for each in threads:
        each.join()
    assert Counter(answers).keys() == {201}
    assert Conversion.objects.count() == len(answers) + 1
    assert served.process.poll() is None
    assert _files(master, Path(settings.DATA_DIR)) == _files(master, FOLDER) == []
