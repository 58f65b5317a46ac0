"""One-time files over real connections: taken when the last byte was sent, left where a download breaks off."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from django.utils import timezone

from storage.models import Removal, StoredFile
from tests.conftest import make_user, stored_bytes, with_key
from tests.conversions.samples import PEOPLE, PEOPLE_CSV
from tests.sandbox.conftest import eventually
from tests.server.conftest import Server

CONVERT = "/api/v1/converter/json-to-csv"
ROWS = 200_000
"""Of some 6 MB: more than the kernel keeps of a connection whose client reads nothing."""


@pytest.fixture
def key(transactional_db: None) -> dict[str, str]:
    return with_key(make_user("pro")).headers


def made(server: Server, key: dict[str, str], content: bytes = PEOPLE) -> str:
    answer = httpx.post(
        f"{server.url}{CONVERT}?retention=0", headers=key, files={"file": ("a.json", content)}, timeout=60
    )
    return str(answer.json()["data"]["downloadUrl"])


def large() -> bytes:
    return json.dumps([{"id": number, "x": random.random()} for number in range(ROWS)]).encode()


def get(server: Server, path: str, key: dict[str, str]) -> httpx.Response:
    return httpx.get(server.url + path, headers=key, timeout=60)


def begin(server: Server, path: str, key: dict[str, str], *, buffer: int = 0) -> socket.socket:
    """A download whose client has read a few bytes of the head and reads no further."""
    address = urlsplit(server.url)
    connection = socket.socket()
    if buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.connect((address.hostname, address.port))
    lines = [f"GET {path} HTTP/1.1", f"Host: {address.netloc}", *(f"{name}: {value}" for name, value in key.items())]
    connection.sendall("\r\n".join([*lines, "", ""]).encode())
    assert connection.recv(12) == b"HTTP/1.1 200"
    return connection


@pytest.mark.parametrize("content", [lambda: PEOPLE, large], ids=["small", "large"])
def test_a_download_that_breaks_after_its_head_leaves_the_file(
    server: Server, key: dict[str, str], content: Callable[[], bytes]
) -> None:
    before = stored_bytes()
    path = made(server, key, content())
    for _ in range(3):
        begin(server, path, key).close()
    whole = get(server, path, key)
    assert whole.status_code == 200
    assert len(whole.content) == int(whole.headers["Content-Length"])
    assert get(server, path, key).status_code == 404
    assert stored_bytes() == before
    assert Removal.objects.filter(pk=path.rpartition("/")[2]).exists()


def test_while_one_download_has_the_file_others_wait_and_get_it_only_if_that_breaks(
    server: Server, key: dict[str, str]
) -> None:
    path = made(server, key, large())
    with begin(server, path, key, buffer=4096) as first:
        answer = get(server, path, key)
        assert (answer.status_code, answer.json()["code"]) == (429, "TOO_MANY_REQUESTS")
        assert int(answer.headers["Retry-After"]) >= 1
        while first.recv(1 << 20):
            pass
    assert get(server, path, key).status_code == 404


def test_a_file_that_is_the_answer_is_left_where_that_breaks_off(server: Server, key: dict[str, str]) -> None:
    address = urlsplit(server.url)
    with socket.create_connection((address.hostname, address.port)) as connection:
        head = [
            f"POST {CONVERT}?retention=0&download=1 HTTP/1.1",
            f"Host: {address.netloc}",
            *(f"{name}: {value}" for name, value in key.items()),
            "Content-Type: application/json",
            f"Content-Length: {len(PEOPLE)}",
        ]
        connection.sendall("\r\n".join([*head, "", ""]).encode() + PEOPLE)
        assert connection.recv(12) == b"HTTP/1.1 201"
    path = f"/api/v1/files/{StoredFile.objects.get().key}"
    assert get(server, path, key).content == PEOPLE_CSV
    assert get(server, path, key).status_code == 404


def test_a_client_that_sends_no_more_gets_the_file_and_takes_it(server: Server, key: dict[str, str]) -> None:
    path = made(server, key)
    with begin(server, path, key) as connection:
        connection.shutdown(socket.SHUT_WR)
        rest = b""
        while chunk := connection.recv(1 << 16):
            rest += chunk
    assert rest.endswith(PEOPLE_CSV)
    assert eventually(lambda: not StoredFile.objects.exists())


def test_a_killed_process_s_claim_expires(own_server: Server, key: dict[str, str]) -> None:
    path = made(own_server, key, large())
    with begin(own_server, path, key, buffer=4096):
        for each in own_server.workers():
            os.kill(each, signal.SIGKILL)
        assert eventually(lambda: len(own_server.workers()) == 2)
        assert get(own_server, path, key).status_code == 429
        kept: Any = StoredFile.objects.get()
        assert kept.claimed_until - timezone.now() < timedelta(minutes=6)
        StoredFile.objects.update(claimed_until=timezone.now())
    assert get(own_server, path, key).status_code == 200
