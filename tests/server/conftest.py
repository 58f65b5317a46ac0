"""A real server: gunicorn with several workers on the test's own database, cache and files."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from django.conf import settings
from django.db import connection

from tests.conftest import FOLDER
from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]


def database_url() -> str:
    """The test database as the service's own setting."""
    found = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{found['NAME']}"
    login = quote(found["USER"]) + (f":{quote(found['PASSWORD'])}" if found["PASSWORD"] else "")
    return f"postgres://{login}@{found['HOST']}:{found['PORT'] or 5432}/{found['NAME']}"


@dataclass
class Server:
    """A running service; `url` is its origin."""

    process: subprocess.Popen[bytes]
    url: str
    log: Path

    def workers(self) -> list[int]:
        """The process ids of the web workers."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(each) for each in children.split()]

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.process.wait(timeout=60)


def start_server(*, workers: int = 2, threads: int = 4, port: int = 0, module: str = "", **environment: str) -> Server:
    """Start gunicorn as a deployment does, or whatever `module` starts."""
    port = port or free_port()
    temporary = FOLDER / f"server-{port}"  # with a sandbox of its own in it
    temporary.mkdir(exist_ok=True)
    FOLDER.chmod(0o711)  # programs that children start have to get through
    command = [module] if module else ["gunicorn", "--config", "config/gunicorn.py", "config.wsgi"]
    given = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATA_DIR": str(FOLDER),
        "TMPDIR": str(temporary),
        "TEMPORARY_DIR": str(FOLDER / "tmp"),
        "SECRET_KEY": settings.SECRET_KEY,
        "DATABASE_URL": database_url(),
        "REDIS_URL": settings.CACHES["default"]["LOCATION"] if settings.REDIS_URL else "",
        "PORT": str(port),
        "WEB_CONCURRENCY": str(workers),
        "THREADS": str(threads),
        "PREPARE_SANDBOX": "no",  # most tests need none, or one family of it
        **environment,
    }
    log = FOLDER / f"server-{port}.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=ROOT, env=given, stdout=out, stderr=out,
        )  # fmt: skip
    host = environment.get("HOST", "127.0.0.1")
    server = Server(process, f"http://[::1]:{port}" if ":" in host else f"http://{host}:{port}", log)
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        try:
            if httpx.get(f"{server.url}/healthz", timeout=2).status_code == 200:
                return server
        except httpx.TransportError:
            time.sleep(0.1)
    server.stop(signal.SIGKILL)
    raise RuntimeError(log.read_text())


@pytest.fixture(scope="session")
def shared_server(django_db_setup: None, django_db_blocker: Any) -> Iterator[Server]:
    """Two workers of four threads each, for all tests of this process."""
    with django_db_blocker.unblock():
        running = start_server()
    yield running
    running.stop()


@pytest.fixture
def server(shared_server: Server, transactional_db: None) -> Server:
    """The shared server, over an empty database and an empty store."""
    shutil.rmtree(FOLDER / "files", ignore_errors=True)
    return shared_server


@pytest.fixture
def own_server(transactional_db: None) -> Iterator[Server]:
    """A server that the test may stop."""
    running = start_server()
    yield running
    if running.process.poll() is None:
        running.stop()


def wait_for(condition: Callable[[], bool], *, seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True
