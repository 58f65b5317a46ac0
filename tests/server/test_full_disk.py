"""A full disk: requests that need space get an error, others work, nothing is lost, and freeing space is enough."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from apikeys.models import ApiKey
from tests.conftest import make_user, with_key
from tests.conversions.samples import PEOPLE, PEOPLE_CSV
from tests.server.conftest import Server, database_url, start_server

CONVERT = "/api/v1/converter/json-to-csv"
LARGE = b"[" + b",".join([b'{"id": 1, "name": "Ada"}'] * 156_000) + b"]"
"""More than is received in memory."""
RECOVERS_WITHIN = 30.0


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk for all that a service keeps."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64m,mode=1777", "none", str(folder)]
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Take all the room that there is, to the last byte, once nothing is held there that has no name.

    The upload of an answered request is let go a moment after its answer, and would make room again.
    """
    until = time.monotonic() + RECOVERS_WITHIN
    while _taken(folder) != sum(each.lstat().st_blocks * 512 for each in folder.rglob("*")):
        assert time.monotonic() < until
        time.sleep(0.01)
    ballast = folder / "ballast"
    with ballast.open("ab", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            with contextlib.suppress(OSError):
                while True:
                    file.write(bytes(size))
    with pytest.raises(OSError) as raised:
        (folder / "more").write_bytes(b"x")
    assert raised.value.errno == errno.ENOSPC
    (folder / "more").unlink()
    return ballast


def _taken(folder: Path) -> int:
    """How many bytes of its disk are in use."""
    found = os.statvfs(folder)
    return (found.f_blocks - found.f_bfree) * found.f_frsize


class Books:
    """The database of the service, which is on its disk where it is a file, as rows."""

    def __init__(self, disk: Path) -> None:
        self.url = database_url()
        self._file: Path | None = None
        if connection.vendor == "sqlite":
            self._file = disk / "db.sqlite3"
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(self._file)])
            self.url = f"sqlite:///{self._file}"

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        if self._file is not None:
            with contextlib.closing(sqlite3.connect(self._file)) as database:
                return database.execute(query).fetchall()
        with connection.cursor() as cursor:
            cursor.execute(query)
            return list(cursor.fetchall())


def test_a_full_disk_ends_nothing_that_needs_no_room(transactional_db: None, disk: Path) -> None:
    user = make_user("scale")
    headers = with_key(User.objects.get(pk=user.pk)).headers
    books = Books(disk)
    (disk / "scratch").mkdir()
    server = start_server(
        DATA_DIR=str(disk), TEMPORARY_DIR=str(disk / "tmp"), TMPDIR=str(disk / "scratch"), DATABASE_URL=books.url
    )
    try:
        with httpx.Client(base_url=server.url, timeout=60) as client:
            made = _convert(client, PEOPLE, headers)
            assert made.status_code == 201, made.text
            assert _convert(client, LARGE, headers).status_code == 201
            before = server.workers()
            ballast = fill(disk)
            _while_it_is_full(client, headers, made.json()["data"]["downloadUrl"])
            assert server.workers() == before
            ballast.unlink()
            _until_it_works_again(client, headers)
        assert server.workers() == before
        assert "SIGBUS" not in server.log.read_text()
    finally:
        server.stop()
    _in_order(books, disk)


def _convert(client: httpx.Client, content: bytes, headers: dict[str, str]) -> httpx.Response:
    return client.post(CONVERT, files={"file": ("a.json", content)}, headers=headers)


def _while_it_is_full(client: httpx.Client, headers: dict[str, str], made: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        refused = list(pool.map(lambda n: _convert(client, (PEOPLE, LARGE)[n % 2], headers), range(12)))
        guests = list(pool.map(lambda _: _convert(client, LARGE, {}), range(4)))
        for path in ("/healthz", "/metrics", "/api/v1/converter/formats", "/login"):
            answers = list(pool.map(lambda _, path=path: client.get(path).status_code, range(8)))
            assert answers == [200] * 8, path
    for answer in (*refused, *guests):
        assert answer.status_code == 503, answer.text
        assert answer.json()["code"] == "SERVICE_UNAVAILABLE"
        assert int(answer.headers["Retry-After"]) >= 1
    download = client.get(made, headers=headers)
    assert (download.status_code, download.content) == (200, PEOPLE_CSV)
    assert client.get("/api/v1/account", headers=headers).status_code == 200
    ready = client.get("/readyz")
    assert ready.status_code == 503
    assert "storage" in ready.json()["failing"]


def _until_it_works_again(client: httpx.Client, headers: dict[str, str]) -> None:
    until = time.monotonic() + RECOVERS_WITHIN
    found: Counter[int] = Counter()
    while time.monotonic() < until and found[201] < 3:
        for content in (PEOPLE, LARGE):
            found[_convert(client, content, headers).status_code] += 1
    assert found[201] >= 3, found
    assert set(found) <= {201, 503}
    assert client.get("/readyz").status_code == 200


def _in_order(books: Books, disk: Path) -> None:
    """Balance is ledger, and every completed conversion has its row, its bytes and its charge, and no other has."""
    for balance, total in books.rows(
        "SELECT u.monthly_credits + u.extra_credits,"
        " (SELECT SUM(e.amount) FROM accounts_creditentry e WHERE e.user_id = u.id) FROM accounts_user u"
    ):
        assert balance == (total or 0)
    completed = {key for (key,) in books.rows("SELECT file_key FROM conversions_conversion WHERE status = 'completed'")}
    assert completed == {key for (key,) in books.rows("SELECT key FROM storage_storedfile")}
    assert completed == {path.name for path in (disk / "files").rglob("*") if path.is_file()}
    charged = books.rows("SELECT COUNT(*) FROM accounts_creditentry WHERE kind = 'conversion'")
    assert charged == [(len(completed),)]


def test_an_upload_gets_through_where_it_fits(transactional_db: None, disk: Path) -> None:
    """With 48 MB free: one for itself, and several at once."""
    server = start_server(TEMPORARY_DIR=str(disk / "tmp"))
    try:
        with (disk / "ballast").open("wb") as ballast:
            os.posix_fallocate(ballast.fileno(), 0, os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize - 48_000_000)
        headers = with_key(make_user("scale")).headers
        with httpx.Client(base_url=server.url, timeout=60) as client, ThreadPoolExecutor(3) as pool:
            assert _convert(client, LARGE, headers).status_code == 201
            assert {each.status_code for each in pool.map(lambda _: _convert(client, LARGE, headers), range(3))} == {
                201
            }
    finally:
        server.stop()


def test_a_key_that_was_not_used_for_long_reads_on_a_full_disk(transactional_db: None, disk: Path) -> None:
    """That it was used now is to be written down, which is no reason to refuse it."""
    user = make_user("scale")
    headers = with_key(User.objects.get(pk=user.pk)).headers
    other = with_key(make_user("scale")).headers
    ApiKey.objects.filter(user=user).update(last_used_at=timezone.now() - timedelta(days=9))
    if connection.vendor != "sqlite":
        pytest.skip("the database of this run is not on the disk that is filled")
    books = Books(disk)
    server = start_server(DATA_DIR=str(disk), TEMPORARY_DIR=str(disk / "tmp"), DATABASE_URL=books.url)
    try:
        # With a database that is open: to open one takes room.
        assert httpx.get(f"{server.url}/api/v1/account", headers=other).status_code == 200
        fill(disk)
        assert httpx.get(f"{server.url}/api/v1/account", headers=headers).status_code == 200
    finally:
        server.stop()


def test_what_workers_count_is_one_sum_and_survives_them(own_server: Server) -> None:
    headers = with_key(make_user("scale")).headers
    with httpx.Client(base_url=own_server.url, timeout=60) as client:
        for _ in range(6):
            assert _convert(client, PEOPLE, headers).status_code == 201
        expected = 'fileconv_conversions_total{outcome="completed",slug="json-to-csv"} 6.0'
        assert [expected in client.get("/metrics").text for _ in range(4)] == [True] * 4
        for pid in own_server.workers():
            os.kill(pid, 9)
    until = time.monotonic() + 30
    text = ""
    while time.monotonic() < until:
        with contextlib.suppress(httpx.TransportError):
            text = httpx.get(f"{own_server.url}/metrics").text
            break
        time.sleep(0.2)
    assert expected in text
    assert 'fileconv_sandbox_jobs{family="text"} 0.0' in text
