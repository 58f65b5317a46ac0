"""Answers that are written while they are sent hold nothing that other requests need meanwhile."""

from __future__ import annotations

import io
import itertools
import socket
import string
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import CreditEntry, LimitOverride
from tests.conftest import FOLDER, make_user, with_key
from tests.conversions.samples import PEOPLE, PEOPLE_CSV
from tests.server.conftest import Server, start_server, wait_for
from tests.server.test_one_time_files import large

ENTRIES = 2_500
SLOW = 6
"""Clients: twice as many as a process with one thread for pages has connections to the database."""
CONVERT = "/api/v1/converter/json-to-csv"


@pytest.fixture
def narrow(transactional_db: None) -> Iterator[Server]:
    """A server of one process with as few connections to the database as there can be."""
    running = start_server(workers=1, threads=1)
    yield running
    running.stop()


def begin(server: Server, query: str, headers: dict[str, str], content: bytes) -> socket.socket:
    """A conversion whose client has read a few bytes of the answer and reads no further."""
    address, found = urlsplit(server.url), socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    found.settimeout(120)
    found.connect((address.hostname, address.port))
    lines = [
        f"POST {CONVERT}?{query} HTTP/1.1",
        f"Host: {address.netloc}",
        *(f"{name}: {value}" for name, value in headers.items()),
        f"Content-Type: application/json\r\nContent-Length: {len(content)}",
    ]
    found.sendall("\r\n".join([*lines, "", ""]).encode() + content)
    assert found.recv(12) == b"HTTP/1.1 201"
    return found


def test_results_that_are_read_slowly_hold_no_connection_to_the_database(narrow: Server) -> None:
    user, content = make_user("pro"), large()
    LimitOverride.objects.create(user=user, concurrent_jobs=SLOW)
    headers = with_key(user).headers
    with ExitStack() as opened, ThreadPoolExecutor(SLOW) as pool:
        asked = [pool.submit(begin, narrow, "download=1&retention=0", headers, content) for _ in range(SLOW)]
        for each in asked:
            opened.enter_context(each.result())
        for path in ("/readyz", "/login", "/api/v1/converter/guest-quota"):
            assert httpx.get(narrow.url + path, timeout=60).status_code == 200, path


@pytest.fixture
def slow_storage(transactional_db: None) -> Iterator[Server]:
    """A narrow server whose files are waited for."""
    running = start_server(workers=1, threads=1, DJANGO_SETTINGS_MODULE="tests.server.slow_storage")
    yield running
    (FOLDER / "files" / "given").touch()
    running.stop()
    for each in ("given", "asked"):
        (FOLDER / "files" / each).unlink(missing_ok=True)


def test_a_bundle_whose_files_are_waited_for_holds_no_thread_of_the_pages(slow_storage: Server) -> None:
    folder = FOLDER / "files"
    with httpx.Client(base_url=slow_storage.url, timeout=300) as client, ThreadPoolExecutor(1) as pool:
        made = client.post(CONVERT, files={"file": ("a.json", PEOPLE)}).json()["data"]
        client.get("/login")
        key, token = made["downloadUrl"].rpartition("/")[2], client.cookies["csrftoken"]
        bundle = pool.submit(client.post, "/download-all", data={"file": key, "csrfmiddlewaretoken": token})
        try:
            assert wait_for((folder / "asked").exists, seconds=300)
            for path in ("/login", "/api/v1/converter/formats", "/"):
                assert httpx.get(slow_storage.url + path, timeout=300).status_code == 200, path
            assert not bundle.done()
        finally:
            (folder / "given").touch()
        archive = zipfile.ZipFile(io.BytesIO(bundle.result().content))
        assert [archive.read(each) for each in archive.namelist()] == [PEOPLE_CSV]


def test_a_form_full_of_keys_is_refused_before_it_takes_a_worker_s_memory(narrow: Server) -> None:
    with httpx.Client(base_url=narrow.url, timeout=60) as client:
        made = client.post(CONVERT, files={"file": ("a.json", PEOPLE)}).json()["data"]
        client.get("/login")
        key, token = made["downloadUrl"].rpartition("/")[2], client.cookies["csrftoken"]
        short = map("".join, itertools.product(string.ascii_letters + string.digits, repeat=3))
        keys = " ".join([key, *itertools.islice(short, 235_000)])
        (worker,) = narrow.workers()
        before = _peak(worker)
        answer = client.post("/download-all", data={"file": keys, "csrfmiddlewaretoken": token})
        assert answer.status_code == 400
        assert "The limit for one ZIP is 2000 files." in answer.text
        assert _peak(worker) - before < 30_000_000


def _peak(process: int) -> int:
    """The most resident memory that a process has had, in bytes (proc_pid_status(5), VmHWM)."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise ProcessLookupError(process)


def test_a_ledger_is_sent_on_after_its_connection_was_given_to_others(transactional_db: None) -> None:
    user = make_user("pro")
    first = CreditEntry.objects.get(user=user)
    CreditEntry.objects.bulk_create(
        CreditEntry(user=user, kind="grant", amount=0, balance=first.balance, reason=str(n), created_at=timezone.now())
        for n in range(ENTRIES)
    )  # fmt: skip
    client = Client()
    client.force_login(user)
    answer: Any = client.get("/usage/ledger.csv")
    lines = iter(answer.streaming_content)
    begun = [next(lines) for _ in range(3)]
    connection.close()
    rows = b"".join([*begun, *lines]).decode().splitlines()
    assert len(rows) == 1 + 1 + ENTRIES
    assert [row.split(",")[4] for row in rows[2:]] == [str(n) for n in range(ENTRIES)]
