"""Run a service to measure: gunicorn with its own folder and database, and an account without limits."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

import psycopg
import redis

from benchmarks.processes import ROOT, Failed

POSTGRES = os.environ.get("BENCH_POSTGRES", "postgres://postgres@127.0.0.1:5432/postgres")
REDIS = os.environ.get("BENCH_REDIS", "redis://127.0.0.1:6379/15")

_ACCOUNT = """
import json
from accounts.credits import ledger; from accounts.login import tokens
from accounts.models import Plan, User
from apikeys.models import ApiKey
plan, _ = Plan.objects.get_or_create(code="bench", defaults=dict(name="Bench", credits=10**9, api_access=True,
    api_keys=10_000, max_file_bytes=10**12, requests_per_minute=10**6, concurrent_jobs=256, retention_hours=24))
for number in range(NUMBER):
    email = f"bench{number}@example.org"
    user = User.objects.filter(email=email).first()
    user = user or User.objects.create_user(email, "a password of the bench", plan=plan)
    ledger.top_up(user)
    print(json.dumps({"user": str(user.pk), "key": ApiKey.issue(user, name="bench")[1],
                      "token": tokens.issue(user).access}))
"""


@dataclass(frozen=True)
class Backend:
    """Where a service stores its data; an empty `database` is the embedded default."""

    name: str
    database: str = ""
    redis: str = ""


@dataclass(frozen=True)
class Account:
    user: str
    key: str
    token: str


def environment(backend: Backend, folder: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATA_DIR": str(folder),
        "DATABASE_URL": backend.database,
        "REDIS_URL": backend.redis,
        "SECRET_KEY": "only-for-measuring-0123456789abcdef0123456789",
        "LOG_LEVEL": "ERROR",
    }


def manage(given: dict[str, str], *command: str, root: Path = ROOT) -> str:
    """Run a management command and return its output; raises Failed."""
    done = subprocess.run([sys.executable, "manage.py", *command], cwd=root, env=given, capture_output=True, text=True)
    if done.returncode:
        raise Failed(done.stderr[-500:])
    return done.stdout


def prepare(backend: Backend, folder: Path, *, root: Path = ROOT) -> Account:
    """Create the tables and the account; a second call gives the same account new credentials."""
    (account,) = accounts(backend, folder, number=1, root=root)
    return account


def accounts(backend: Backend, folder: Path, *, number: int, root: Path = ROOT) -> list[Account]:
    """Like `prepare`, for that many accounts."""
    given = environment(backend, folder)
    manage(given, "migrate", "--verbosity", "0", root=root)
    output = manage(given, "shell", "--verbosity", "0", "-c", f"NUMBER = {number}\n{_ACCOUNT}", root=root)
    return [Account(**json.loads(each)) for each in output.splitlines()[-number:]]


@dataclass(frozen=True)
class Serving:
    """A running server: its port, and the gunicorn process whose children are the workers."""

    port: int
    process: subprocess.Popen[bytes]

    def workers(self) -> list[int]:
        """The process ids of the workers."""
        return list(map(int, Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()))


@contextmanager
def serving(
    given: dict[str, str], *, workers: int = 2, application: str = "config.wsgi", worker_class: str = ""
) -> Iterator[int]:
    """Serve an application like `server`; yields the port."""
    with server(given, workers=workers, application=application, worker_class=worker_class) as found:
        yield found.port


@contextmanager
def server(
    given: dict[str, str],
    *,
    workers: int = 2,
    application: str = "config.wsgi",
    worker_class: str = "",
    root: Path = ROOT,
) -> Iterator[Serving]:
    """Serve an application as the service is served, or with another worker class, from the checkout `root`."""
    other = ("--worker-class", worker_class) if worker_class else ()
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "--config", "config/gunicorn.py", *other, application],
        cwd=root,
        env=given | {"PORT": str(port), "WEB_CONCURRENCY": str(workers)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(port, process)
        yield Serving(port, process)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if process.poll() is not None:
            raise Failed("the server did not start")
        try:
            connection = HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/healthz")
            connection.getresponse().read()
            return
        except OSError:
            time.sleep(0.1)
    raise Failed("the server does not answer")


@contextmanager
def postgres() -> Iterator[Backend]:
    """Create a database in PostgreSQL, with an empty Redis database; raises Failed if either is missing."""
    try:
        redis.Redis.from_url(REDIS, socket_connect_timeout=2).flushdb()
        administrator = psycopg.connect(POSTGRES, autocommit=True, connect_timeout=2)
    except (redis.RedisError, psycopg.Error) as error:
        raise Failed(f"PostgreSQL or Redis can't be reached: {type(error).__name__}") from None
    name = f"bench_{secrets.token_hex(4)}"
    administrator.execute(f"CREATE DATABASE {name}")
    try:
        yield Backend("PostgreSQL + Redis", f"{POSTGRES.rpartition('/')[0]}/{name}", REDIS)
    finally:
        administrator.execute(f"DROP DATABASE {name} WITH (FORCE)")
        administrator.close()
