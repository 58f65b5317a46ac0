"""A reload (SIGHUP): the code is read anew, nobody's request is lost, and code that is broken is left alone."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.config.plain_server import ROOT, Server

CODE = """
import os, time

def application(environ, start_response):
    time.sleep(0.05)
    body = b"{body} %d" % os.getpid()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]
"""


@pytest.fixture
def code(tmp_path: Path) -> Path:
    path = tmp_path / "reloaded_app.py"
    path.write_text(CODE.replace("{body}", "first"))
    return path


@pytest.fixture
def server(code: Path, tmp_path: Path) -> Iterator[Server]:
    running = Server(
        tmp_path, module="reloaded_app:application", PYTHONPATH=str(tmp_path), WEB_CONCURRENCY="2",
        PYTHONDONTWRITEBYTECODE="1",
    )  # fmt: skip
    yield running
    running.stop()


def eventually(condition: Callable[[], bool]) -> bool:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.05)
    return False


def test_a_reload_loads_new_code_and_loses_no_request(server: Server, code: Path) -> None:
    master, old = server.process.pid, server.workers()
    answers: list[bytes] = []
    failed: list[object] = []
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            try:
                answer = server.get("/")
                (answers if answer.status == 200 else failed).append(answer.body)
            except Exception as error:
                failed.append(error)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(3)]
    for each in threads:
        each.start()
    assert eventually(lambda: len(answers) > 3)
    for body in ("second", "third"):
        code.write_text(CODE.replace("{body}", body))
        os.kill(master, signal.SIGHUP)
        assert eventually(lambda body=body: answers[-1].startswith(body.encode()))  # type: ignore[misc]
    assert eventually(lambda: not set(old) & set(server.workers()))
    assert eventually(lambda: len(server.workers()) == 2)
    served = len(answers)
    assert eventually(lambda: len(answers) > served + 10)
    stop.set()
    for each in threads:
        each.join()
    assert not failed
    assert {each.split()[0] for each in answers} == {b"first", b"second", b"third"}
    assert {each.split()[0] for each in answers[served:]} == {b"third"}
    assert server.process.poll() is None


def test_unimportable_code_leaves_the_old_code_in_service(server: Server, code: Path) -> None:
    old = server.workers()
    code.write_text("this is not Python")
    os.kill(server.process.pid, signal.SIGHUP)
    assert eventually(lambda: not set(old) & set(server.workers()))
    assert server.get("/").body.startswith(b"first")


def test_a_worker_that_is_killed_after_a_reload_is_replaced(server: Server, code: Path) -> None:
    old = server.workers()
    os.kill(server.process.pid, signal.SIGHUP)
    assert eventually(lambda: len(server.workers()) == 2 and not set(old) & set(server.workers()))
    for each in server.workers():
        os.kill(each, signal.SIGKILL)
    assert eventually(lambda: len(server.workers()) == 2)
    assert server.get("/").status == 200


STOPPED_EARLY = """
import os, signal
from config import gunicorn
from config.gunicorn import *

def post_fork(server, worker):
    gunicorn.post_fork(server, worker)
    if worker.age == 1:
        os.kill(os.getpid(), signal.SIGTERM)
"""


def test_a_worker_told_to_stop_during_start_up_stops(tmp_path: Path) -> None:
    settings = tmp_path / "stopped_early.py"
    settings.write_text(STOPPED_EARLY)
    server = Server(tmp_path, settings=settings, PYTHONPATH=str(ROOT), WEB_CONCURRENCY="1")
    try:
        # The second one, with the third if the first had answered before: the first would be there for good.
        assert server.get("/").status == 200
        assert eventually(lambda: "Booting worker" in server.log.read_text())
        booted = [line.rpartition(" ")[2] for line in server.log.read_text().splitlines() if "Booting worker" in line]
        assert eventually(lambda: len(server.workers()) == 1 and str(server.workers()[0]) != booted[0])
    finally:
        server.stop()
